package audit

import (
	"maps"
	"math"
	"slices"
)

// Accounts watches what happens to each account: whether its first hands and its dice
// are better than chance would have them, and what is dealt in games that are aborted.
type Accounts struct {
	Hands   map[string]*Luck    // by account, in all games
	Tens    map[string]*Process // by account, its own ten-sided dice
	Aborted map[string]*Luck    // by account, and by "a with b", in aborted games
	Tally   map[string]*Tally
	Arrays  map[string]int // by account, of its newest game with a drawn array
}

// A Tally counts the games of an account.
type Tally struct {
	Games   int // with both players
	Aborted int // of them by the server, or by both
}

// NewAccounts is one that has seen nothing.
func NewAccounts() *Accounts {
	return &Accounts{
		Hands: map[string]*Luck{}, Tens: map[string]*Process{}, Aborted: map[string]*Luck{},
		Tally: map[string]*Tally{}, Arrays: map[string]int{},
	}
}

// hand takes in what an account was dealt; players are both of the game's, in order.
func (a *Accounts) hand(account string, players [2]string, d Deal, aborted bool) {
	if account == "" {
		return
	}
	luckOf(a.Hands, account).Add(d)
	if !aborted {
		return
	}
	luckOf(a.Aborted, account).Add(d)
	if other := otherOf(account, players); other != "" {
		luckOf(a.Aborted, account+" with "+other).Add(d)
	}
}

func otherOf(account string, players [2]string) string {
	if players[0] == account {
		return players[1]
	}
	return players[0]
}

func luckOf(of map[string]*Luck, key string) *Luck {
	if of[key] == nil {
		of[key] = NewLuck()
	}
	return of[key]
}

// ten takes in a ten-sided die that an account rolled.
func (a *Accounts) ten(account string, face int) {
	if account == "" {
		return
	}
	if a.Tens[account] == nil {
		a.Tens[account] = new(NewProcess(10, diceShare*10))
	}
	a.Tens[account].ObserveEven(face)
}

// game counts one with both players.
func (a *Accounts) game(players [2]string, aborted bool) {
	for i, account := range players {
		if account == "" || i == 1 && account == players[0] {
			continue
		}
		if a.Tally[account] == nil {
			a.Tally[account] = new(Tally)
		}
		a.Tally[account].Games++
		if aborted {
			a.Tally[account].Aborted++
		}
	}
}

// candidates are the processes of all accounts.
func (a *Accounts) candidates() (list []Finding) {
	add := func(what, of string, p *Process) { list = append(list, findingOf(of, what, p)) }
	for _, of := range slices.Sorted(maps.Keys(a.Hands)) {
		add("first hands", of, &a.Hands[of].Process)
	}
	for _, of := range slices.Sorted(maps.Keys(a.Tens)) {
		add("own d10", of, a.Tens[of])
	}
	for _, of := range slices.Sorted(maps.Keys(a.Aborted)) {
		add("first hands of aborted games", of, &a.Aborted[of].Process)
	}
	return list
}

func findingOf(of, what string, p *Process) Finding {
	f := Finding{Of: of, What: what, LogE: p.LogE / math.Ln10, N: p.Seen, Counts: p.Counts}
	for i := range p.Counts {
		f.Claimed = append(f.Claimed, p.expectedIn(i))
	}
	return f
}
