package audit

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"chancery/domain/game"
	"chancery/domain/rating"
	"chancery/events/verify"
)

// dealt is how many of eight good cards of 76 are in a hand, the best of some deals.
func dealt(r *rand.Rand, best int) Deal {
	d := Deal{Size: 76, Good: 8}
	for range best {
		got := 0
		for _, card := range r.Perm(76)[:handSize] {
			if card < 8 {
				got++
			}
		}
		d.Got = max(d.Got, got)
	}
	return d
}

// TestAccountsThatStandOut hides one account with chosen deals, one with loaded dice, and
// a pair whose bad deals are aborted, among two hundred that are fair.
func TestAccountsThatStandOut(t *testing.T) {
	random := rand.New(rand.NewPCG(21, 22))
	a := NewAccounts()
	for range 120 {
		for n := range 200 {
			of := fmt.Sprint("fair", n)
			a.hand(of, [2]string{of, "other"}, dealt(random, 1), false)
			a.ten(of, random.IntN(10))
		}
		a.hand("lucky", [2]string{"other", "lucky"}, dealt(random, 3), false)
	}
	for range 60 {
		bad := dealt(random, 1)
		for range 4 {
			if d := dealt(random, 1); d.Got < bad.Got {
				bad = d
			}
		}
		a.hand("quitter", [2]string{"quitter", "friend"}, bad, true)
	}
	for range 5000 {
		face := random.IntN(10)
		if random.IntN(8) == 0 {
			face = 9
		}
		a.ten("loaded", face)
	}
	found := map[string]bool{}
	for _, f := range Discoveries(a.candidates()) {
		found[f.Of+": "+f.What] = true
	}
	for _, want := range []string{"lucky: first hands", "loaded: own d10", "quitter with friend: first hands of aborted games"} {
		if !found[want] {
			t.Errorf("not named: %s; named: %v", want, found)
		}
		delete(found, want)
	}
	delete(found, "quitter: first hands")
	delete(found, "quitter: first hands of aborted games")
	if len(found) > 0 {
		t.Errorf("named without a reason: %v", found)
	}
}

// TestAbortsOfPlayers: two players who break off every game with good hands raise no
// alarm of the site; the site that does so does.
func TestAbortsOfPlayers(t *testing.T) {
	for _, reason := range abortReasons {
		a := New(nil, verify.Legal)
		for range 60 {
			a.aborts[reason].Add(Deal{Size: 76, Good: 8, Got: 4})
		}
		r := a.Report(time.Time{})
		if players := slices.Contains(playersReasons, reason); !r.Warning || r.Alarm == players {
			t.Errorf("%s: warning %v, alarm %v", reason, r.Warning, r.Alarm)
		}
	}
}

// TestRollOfNoGame: a roll that no game has costs nothing.
func TestRollOfNoGame(t *testing.T) {
	w := NewDiceWatch()
	w.Add(Roll{Sides: []int{2_000_000_000}, Out: []int{5}}, true, nil)
	if n := w.Processes[liveCard].Seen; n > 0 {
		t.Errorf("%d cards are seen", n)
	}
}

// TestForesight: who wins more where the server's memory would help stands out; who is
// simply good does not, nor who has played too little.
func TestForesight(t *testing.T) {
	random := rand.New(rand.NewPCG(23, 24))
	sealed := game.Options{"duet": game.BoolValue(false)}
	duet := game.Options{"duet": game.BoolValue(true)}
	f := NewForesight()
	play := func(player string, chance float64, o game.Options) {
		score := rating.Loss
		if random.Float64() < chance {
			score = rating.Win
		}
		g := rating.Game{Variant: "yugioh", Players: [2]string{player, fmt.Sprint("other", random.IntN(20))}, Score: score}
		f.add(g, o)
	}
	for range 300 {
		play("seer", 0.5, duet)
		play("seer", 0.85, sealed)
		play("master", 0.8, duet)
		play("master", 0.8, sealed)
	}
	for range minResults - 1 {
		play("novice", 0, duet)
		play("novice", 1, sealed)
	}
	list := f.Advantages()
	if len(list) != 1 || list[0].Of != "seer" || list[0].Z < notable || list[0].Hidden <= list[0].Open {
		t.Errorf("%+v, want the seer alone", list)
	}
	f.add(rating.Game{Variant: "chess", Players: [2]string{"a", "b"}, Score: rating.Win}, game.Options{})
	if f.Accounts["a"] != nil {
		t.Error("there is nothing to foresee in chess")
	}
}
