package audit

import (
	"maps"
	"math"
	"slices"

	"chancery/domain/game"
	"chancery/domain/rating"
)

// A Foresight compares how an account does where somebody with access to the server
// could know hidden cards or coming dice with how it does where nobody can: at tables
// where both players add to every draw, or where no order exists in advance. Against
// the ratings the two should be alike.
type Foresight struct {
	Accounts map[string]*Results
	ranking  *rating.Ranking
}

// Results are those of an account beyond what its rating made expect.
type Results struct {
	Hidden  sum
	Open    sum
	HiddenN int
	OpenN   int
}

// NewForesight is one that has seen nothing.
func NewForesight() *Foresight {
	return &Foresight{Accounts: map[string]*Results{}, ranking: rating.NewRanking()}
}

// add takes a finished, rated game between two accounts in.
func (f *Foresight) add(g rating.Game, o game.Options) {
	hidden, open := isForeseeable(g.Variant, o)
	scores := [2]rating.Score{g.Score, g.Score.Against()}
	var before [2]rating.Hundredths
	for i, player := range g.Players {
		before[i] = f.ranking.Standing(player, g.Variant).Rating
	}
	for i, player := range g.Players {
		expected := rating.Expected(before[i], before[1-i])
		f.count(player, float64(scores[i]), expected, hidden, open)
	}
	f.ranking.Count(g)
}

func (f *Foresight) count(player string, score, expected float64, hidden, open bool) {
	if !hidden && !open {
		return
	}
	r := f.Accounts[player]
	if r == nil {
		r = new(Results)
		f.Accounts[player] = r
	}
	variance := expected * (1 - expected)
	if hidden {
		r.Hidden.add(score, expected, variance)
		r.HiddenN++
		return
	}
	r.Open.add(score, expected, variance)
	r.OpenN++
}

// isForeseeable says whether who reads the server's memory knows cards or dice ahead in
// such a game, or there is chance in it and he does not.
func isForeseeable(variant string, o game.Options) (hidden, open bool) {
	_, hasDuet := o["duet"]
	duet, live := hasDuet && o["duet"].Bool(), false
	if pile, has := o["pile"]; has {
		live = pile.Text() == "live"
	}
	switch v, err := game.Lookup(variant); {
	case err != nil:
		return false, false
	case duet || live:
		return false, true
	case v.Deck != nil || hasDuet:
		return true, false
	}
	return false, false
}

// An Advantage is an account that does better, or worse, where chance can be foreseen.
type Advantage struct {
	Of      string  `json:"of"`
	Hidden  float64 `json:"hidden"` // points a game beyond what the rating made expect
	HiddenN int     `json:"hidden_n"`
	Open    float64 `json:"open"`
	OpenN   int     `json:"open_n"`
	Z       float64 `json:"z"` // of the difference, in standard deviations
}

// minResults is how many games of each kind a comparison takes, notable how many
// standard deviations make it worth a look.
const (
	minResults = 30
	notable    = 4
)

// Advantages are the notable ones, the greatest first.
func (f *Foresight) Advantages() (list []Advantage) {
	for _, of := range slices.Sorted(maps.Keys(f.Accounts)) {
		r := f.Accounts[of]
		if r.HiddenN < minResults || r.OpenN < minResults {
			continue
		}
		h, o := float64(r.HiddenN), float64(r.OpenN)
		a := Advantage{Of: of, Hidden: r.Hidden.Value / h, HiddenN: r.HiddenN, Open: r.Open.Value / o, OpenN: r.OpenN}
		a.Z = (a.Hidden - a.Open) / math.Sqrt(r.Hidden.Variance/(h*h)+r.Open.Variance/(o*o))
		if math.Abs(a.Z) >= notable {
			list = append(list, a)
		}
	}
	slices.SortStableFunc(list, func(a, b Advantage) int { return int(math.Copysign(1, b.Z-a.Z)) })
	return list
}
