package bot

import (
	"chancery/domain/fair"
	"chancery/domain/game"
)

// A dream is one way in which what a view does not show could be: where the hidden
// cards lie, and what the dice will bring. It is a [game.Chance], but proves nothing.
type dream struct {
	order []int // of the first pile
	seed  uint64
}

// imagine lays out a game that looks like v.
func imagine(v game.View, seed uint64) (game.State, *dream) {
	unseen := game.Unseen(v)
	mix(seed).shuffle(len(unseen), func(i, j int) { unseen[i], unseen[j] = unseen[j], unseen[i] })
	s, order := game.Imagine(v, unseen)
	return s, &dream{order, seed}
}

// A mix is a source of numbers that look random (SplitMix64, by Steele, Lea and Flood).
type mix uint64

func (m *mix) next() uint64 {
	*m += 0x9e3779b97f4a7c15
	z := uint64(*m)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func (m mix) shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, int(m.next()%uint64(i+1)))
	}
}

// Order is the cards of pile s, the top first.
func (d *dream) Order(at fair.State, s int) []int {
	if s == 0 && d.order != nil {
		return d.order
	}
	order := append([]int(nil), at.Piles[s].In...)
	mix(d.seed+uint64(s)).shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	return order
}

// Roll throws dice that follow from the number of rolls before.
func (d *dream) Roll(at fair.State, sides ...int) *fair.Roll {
	r := &fair.Roll{K: at.Rolls + 1, Sides: sides, Out: make([]int, len(sides))}
	numbers := mix(d.seed + uint64(r.K)<<32)
	for i, n := range sides {
		r.Out[i] = int(numbers.next() % uint64(n))
	}
	return r
}

// Shuffle makes a pile of the cards; [dream.Order] knows its order.
func (d *dream) Shuffle(at fair.State, in []int) *fair.Shuffle {
	return &fair.Shuffle{In: in, S: len(at.Piles)}
}

// Open shows a card of a pile.
func (d *dream) Open(at fair.State, s, i int) fair.Open {
	return fair.Open{Card: d.Order(at, s)[i], S: s, I: i}
}

// Hand stands for the envelopes of a hand.
func (d *dream) Hand(at fair.State, seat int, _ []int) *fair.Hand {
	return &fair.Hand{H: len(at.Hands), Seat: seat}
}

// Play takes a card out of a hand.
func (d *dream) Play(_ fair.State, seat, card int) fair.Play {
	return fair.Play{Card: card, Seat: seat}
}

// Link stands for a link of a seat's chain.
func (d *dream) Link(_ fair.State, seat int) *fair.Link { return &fair.Link{Seat: seat} }

// Commit, Anchor and Reveal open and close a game, which no dream does in earnest.
func (d *dream) Commit(bool) *fair.Commit { return new(fair.Commit) }

// Anchor is like Commit.
func (d *dream) Anchor(seat int) fair.Anchor { return fair.Anchor{Seat: seat} }

// Reveal is like Commit.
func (d *dream) Reveal() *fair.Reveal { return new(fair.Reveal) }

var _ game.Chance = (*dream)(nil)
