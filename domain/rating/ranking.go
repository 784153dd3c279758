package rating

import "slices"

// Overall is the key of the pool in which every variant counts.
const Overall = ""

// A Game is a finished game that counts: rated, ended with a result, not voided, an
// account in both seats.
type Game struct {
	ID      string
	Variant string
	Players [2]string // accounts by seat
	Score   Score     // of the first
}

// A Change is what one game did to one player in one pool.
type Change struct {
	Player, Pool  string
	Before, After Standing
}

// A Ranking is all standings and the record of every pair. It is one goroutine's.
type Ranking struct {
	standings map[key]Standing
	totals    map[string]Total
	pairs     map[[2]string]Pair
}

type key struct{ player, pool string }

// A Total counts a player's games.
type Total struct{ Won, Drawn, Lost int }

// form is how many of the newest games the form of a pair shows.
const form = 5

// A Pair is the record of the first of two players against the second. Form is the
// newest games first, at most five of them.
type Pair struct {
	Total
	Form []Score
}

// NewRanking is a ranking in which nobody has played.
func NewRanking() *Ranking {
	return &Ranking{standings: map[key]Standing{}, totals: map[string]Total{}, pairs: map[[2]string]Pair{}}
}

// Standing is where the player stands in a pool: a variant's key, or [Overall].
func (r *Ranking) Standing(player, pool string) Standing {
	if s, ok := r.standings[key{player, pool}]; ok {
		return s
	}
	return NewStanding()
}

// Total is the player's count of games.
func (r *Ranking) Total(player string) Total { return r.totals[player] }

// HeadToHead is a's record against b.
func (r *Ranking) HeadToHead(a, b string) Pair { return r.pairs[[2]string{a, b}] }

// Count takes the next game in and says what it changed: both players, overall and in
// the game's variant. Both new ratings come from those before the game.
func (r *Ranking) Count(g Game) []Change {
	scores := [2]Score{g.Score, g.Score.Against()}
	var changes []Change
	for _, pool := range []string{Overall, g.Variant} {
		before := [2]Standing{r.Standing(g.Players[0], pool), r.Standing(g.Players[1], pool)}
		for i, player := range g.Players {
			after := before[i].After(scores[i], before[1-i].Rating)
			r.standings[key{player, pool}] = after
			changes = append(changes, Change{Player: player, Pool: pool, Before: before[i], After: after})
		}
	}
	for i, player := range g.Players {
		pair := [2]string{player, g.Players[1-i]}
		r.totals[player] = r.totals[player].add(scores[i])
		r.pairs[pair] = r.pairs[pair].add(scores[i])
	}
	return changes
}

func (t Total) add(s Score) Total {
	switch s {
	case Win:
		t.Won++
	case Draw:
		t.Drawn++
	default:
		t.Lost++
	}
	return t
}

func (p Pair) add(s Score) Pair {
	p.Total = p.Total.add(s)
	p.Form = slices.Insert(slices.Clone(p.Form), 0, s)
	p.Form = p.Form[:min(len(p.Form), form)]
	return p
}
