package verify

import (
	"slices"

	"chancery/domain/fair"
	"chancery/domain/game"
)

// told is chance as one record tells it, for games whose seed is not revealed yet. The
// level Consistent has checked each part by then. What it is asked beyond the record,
// or otherwise than the record says, it answers with anything that does no harm: the
// events then differ from the record's. Whether something hidden was asked is counted.
type told struct {
	events []game.Event
	orders int // orders of piles that were asked for, beyond what hand commitments take
	rolls  int // rolls, shuffles, opened positions, links, hands and plays given so far
	piles  int
	opens  int
	links  int
	hands  int
	plays  int
}

// hidden says that what was decided hangs on cards that nobody can see.
func (t *told) hidden() bool { return t.orders > 0 }

// part is the i-th part of the record that holds something, or nil.
func (t *told) part(i int, holds func(*fair.Part) bool) *fair.Part {
	for _, e := range t.events {
		if e.Fair == nil || !holds(e.Fair) {
			continue
		}
		if i == 0 {
			return e.Fair
		}
		i--
	}
	return nil
}

// Commit is the commitment of the record.
func (t *told) Commit(duet bool) *fair.Commit {
	c := fair.Commit{Alg: fair.Protocol, Duet: duet, Len: fair.DefaultLen, Seats: fair.Seats}
	if p := t.part(0, func(p *fair.Part) bool { return p.Commit != nil }); p != nil {
		c.C, c.X = p.Commit.C, p.Commit.X
	}
	return &c
}

// Anchor is the record's anchor of a delegated seat.
func (t *told) Anchor(seat int) fair.Anchor {
	a := fair.Anchor{Delegated: true, Seat: seat}
	if p := t.part(0, func(p *fair.Part) bool { return len(p.Anchor) > 0 && p.Anchor[0].Seat == seat }); p != nil {
		a.Y = p.Anchor[0].Y
	}
	return a
}

// Link is the record's next link of a delegated seat, or nil if its chain has run out.
func (t *told) Link(at fair.State, seat int) *fair.Link {
	if at.Seat[seat].Opened >= fair.DefaultLen {
		return nil
	}
	for i := t.links; ; i++ {
		p := t.part(i, func(p *fair.Part) bool { return p.Link != nil })
		if p == nil {
			return &fair.Link{Seat: seat} // it is due, and the record lacks it
		}
		if p.Link.Seat == seat {
			t.links = i + 1
			return p.Link
		}
	}
}

// Roll is the record's next roll, if it is one of these dice.
func (t *told) Roll(at fair.State, sides ...int) *fair.Roll {
	p := t.part(t.rolls, func(p *fair.Part) bool { return p.Roll != nil })
	t.rolls++
	if p == nil || !slices.Equal(p.Roll.Sides, sides) {
		return &fair.Roll{K: at.Rolls + 1, Out: make([]int, len(sides)), Sides: slices.Clone(sides)}
	}
	return p.Roll
}

// Shuffle is the record's next shuffle, if it is one of these cards.
func (t *told) Shuffle(at fair.State, in []int) *fair.Shuffle {
	p := t.part(t.piles, func(p *fair.Part) bool { return p.Shuffle != nil })
	t.piles++
	in = slices.Sorted(slices.Values(in))
	if p == nil || !slices.Equal(p.Shuffle.In, in) {
		return &fair.Shuffle{In: in, Leaves: make(fair.Leaves, len(in)), S: len(at.Piles)}
	}
	return p.Shuffle
}

// Open is the record's next opened position, if it is this one and of a card of the pile.
func (t *told) Open(at fair.State, s, i int) fair.Open {
	p := t.part(t.opens, func(p *fair.Part) bool { return len(p.Open) > 0 })
	t.opens++
	if p == nil || p.Open[0].S != s || p.Open[0].I != i || !slices.Contains(at.Piles[s].In, p.Open[0].Card) {
		return fair.Open{Card: at.Piles[s].In[0], I: i, S: s}
	}
	return p.Open[0]
}

// Hand is the record's next hand commitment, if it has as many cards. Which they are is
// hidden, and bound by it until the seed is revealed.
func (t *told) Hand(at fair.State, seat int, _ []int) *fair.Hand {
	held := len(at.Drawn[seat]) - len(at.Played[seat])
	var piles []int
	for _, p := range at.Drawn[seat] {
		if !slices.Contains(piles, p.S) {
			piles = append(piles, p.S)
		}
	}
	t.orders -= len(piles) // they were asked for to say what is held
	p := t.part(t.hands, func(p *fair.Part) bool { return p.Hand != nil })
	t.hands++
	if p == nil || len(p.Hand.Leaves) != held {
		return &fair.Hand{H: len(at.Hands), Leaves: make(fair.Leaves, held), Seat: seat}
	}
	return p.Hand
}

// Play is the record's next opened envelope, if it is of this card.
func (t *told) Play(_ fair.State, seat, card int) fair.Play {
	i := t.plays
	t.plays++
	for _, e := range t.events {
		if e.Fair == nil {
			continue
		}
		if i < len(e.Fair.Play) {
			if p := e.Fair.Play[i]; p.Card == card {
				return p
			}
			break
		}
		i -= len(e.Fair.Play)
	}
	return fair.Play{Card: card, Seat: seat}
}

// Order is hidden.
func (t *told) Order(at fair.State, s int) []int {
	t.orders++
	return slices.Clone(at.Piles[s].In)
}

// Reveal is a seed that nobody has: no record reveals it, or it would be known.
func (t *told) Reveal() *fair.Reveal { return new(fair.Reveal) }
