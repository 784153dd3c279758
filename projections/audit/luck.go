package audit

import (
	"math"
	"slices"

	"chancery/domain/cards"
)

// handSize is how many cards a hand begins with, and mostGood the category of that many
// good ones and more.
const (
	handSize = 7
	mostGood = 4
)

// isGood says which cards a player of UNO Chess would choose: a Reverse, without which
// a king that is taken is lost, and those that fit everything and move any man.
func isGood(c cards.Card) bool {
	return c.Kind == cards.Reverse || c.Kind == cards.Wild || c.Kind == cards.WildDrawFour
}

// A Deal is what a seat was dealt first: how many of the deck's good cards.
type Deal struct{ Size, Good, Got int }

// dealOf looks at the hand of a deck's cards with these ids.
func dealOf(deck cards.Deck, hand []int) Deal {
	d := Deal{Size: len(deck)}
	for id, c := range deck {
		if isGood(c) {
			d.Good++
			if slices.Contains(hand, id) {
				d.Got++
			}
		}
	}
	return d
}

// A Luck watches how good the first hands of somebody, or of some games, are.
type Luck struct{ Process }

// NewLuck is one that has seen nothing.
func NewLuck() *Luck { return &Luck{NewProcess(mostGood+1, otherPrior)} }

// Add takes the next deal in.
func (l *Luck) Add(d Deal) {
	b := capped(hypergeometric(d.Size, d.Good, handSize), mostGood)
	l.Observe(b.chances, b.bin(d.Got))
}

// A Finding is something watched about an account that stands out.
type Finding struct {
	Of      string    `json:"of"` // account, or two of them
	What    string    `json:"what"`
	LogE    float64   `json:"log10_e"`
	N       int       `json:"n"`
	Counts  []float64 `json:"counts"`
	Claimed []float64 `json:"expected"`
}

// discoveryRate is how many of the accounts that are named may be named by chance alone.
const discoveryRate = 0.01

// Discoveries are the e-BH procedure (Wang and Ramdas, 2022): of m processes the k of
// the largest wealth are named, for the largest k whose k-th wealth is at least
// m/(k·0.01). At a time that was fixed before, no more than a hundredth of those named
// are so by chance, however they hang together. It takes the wealth of now, never the
// highest there ever was.
func Discoveries(candidates []Finding) []Finding {
	sorted := slices.Clone(candidates)
	slices.SortStableFunc(sorted, func(a, b Finding) int {
		switch {
		case a.LogE > b.LogE:
			return -1
		case a.LogE < b.LogE:
			return 1
		}
		return 0
	})
	for k := len(sorted); k > 0; k-- {
		if sorted[k-1].LogE >= math.Log10(float64(len(sorted))/(float64(k)*discoveryRate)) {
			return sorted[:k]
		}
	}
	return nil
}
