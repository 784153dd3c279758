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

// Count is what the game changes, both players overall and in its variant, when they
// stand as standing says. Both new ratings come from those before the game.
func (g Game) Count(standing func(player, pool string) Standing) []Change {
	scores := [2]Score{g.Score, g.Score.Against()}
	var changes []Change
	for _, pool := range []string{Overall, g.Variant} {
		before := [2]Standing{standing(g.Players[0], pool), standing(g.Players[1], pool)}
		for i, player := range g.Players {
			changes = append(changes, Change{Player: player, Pool: pool, Before: before[i], After: before[i].After(scores[i], before[1-i])})
		}
	}
	return changes
}

// A Ranking is all standings and the record of every pair, in memory. It is one
// goroutine's.
type Ranking struct {
	standings map[key]Standing
	pairs     map[[2]string]Pair
}

type key struct{ player, pool string }

// Form is how many of the newest games the form of a pair shows.
const Form = 5

// A Pair is the record of the first of two players against the second. Form is the
// newest games first, at most five of them.
type Pair struct {
	Total
	Form []Score
}

// NewRanking is a ranking in which nobody has played.
func NewRanking() *Ranking {
	return &Ranking{standings: map[key]Standing{}, pairs: map[[2]string]Pair{}}
}

// Standing is where the player stands in a pool: a variant's key, or [Overall].
func (r *Ranking) Standing(player, pool string) Standing {
	if s, ok := r.standings[key{player, pool}]; ok {
		return s
	}
	return NewStanding()
}

// HeadToHead is a's record against b.
func (r *Ranking) HeadToHead(a, b string) Pair { return r.pairs[[2]string{a, b}] }

// Count takes the next game in and says what it changed.
func (r *Ranking) Count(g Game) []Change {
	changes := g.Count(r.Standing)
	for _, c := range changes {
		r.standings[key{c.Player, c.Pool}] = c.After
	}
	for i, score := range [2]Score{g.Score, g.Score.Against()} {
		pair := [2]string{g.Players[i], g.Players[1-i]}
		r.pairs[pair] = r.pairs[pair].add(score)
	}
	return changes
}

func (p Pair) add(s Score) Pair {
	p.Total = p.Total.add(s)
	p.Form = slices.Insert(slices.Clone(p.Form), 0, s)
	p.Form = p.Form[:min(len(p.Form), Form)]
	return p
}
