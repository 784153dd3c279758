package forge

import (
	"bytes"
	"slices"

	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
	"chancery/events/verify"
)

// crooks are lies that a server tells from the first record on: the game is played so,
// and nothing in it is changed afterwards.
var crooks = []struct {
	name  string
	level verify.Level
	step  string
	crook func(d *fair.Dealer, game string) game.Chance
	about func(fair.Part) bool // the part that gives it away
}{
	{
		"short-deck", verify.Legal, "", func(d *fair.Dealer, _ string) game.Chance { return shortDeck{d} },
		func(p fair.Part) bool { return p.Shuffle != nil },
	},
	{
		"short-reshuffle", verify.Legal, "", func(d *fair.Dealer, _ string) game.Chance { return shortReshuffle{d} },
		func(p fair.Part) bool { return p.Shuffle != nil && p.Shuffle.S > 0 },
	},
	{
		"chain-of-the-server's-choice", verify.Legal, "", func(d *fair.Dealer, game string) game.Chance { return ownChain{d, game} },
		func(p fair.Part) bool { return len(p.Anchor) > 0 && p.Anchor[0].Delegated },
	},
	{
		"loaded-dice", verify.Consistent, fair.StepRoll, func(d *fair.Dealer, _ string) game.Chance { return loadedDice{d} },
		func(p fair.Part) bool { return p.Roll != nil },
	},
}

// crooked plays the game of g's plan once more with every crook that shows in it.
func (g Game) crooked() []Lie {
	var out []Lie
	for _, c := range crooks {
		told, err := Play(g.Plan, func(d *fair.Dealer) game.Chance { return c.crook(d, g.Name) })
		if err != nil || slices.EqualFunc(told.Payloads, g.Payloads, bytes.Equal) {
			continue // no such game comes to an end, or it does not show
		}
		if n, ok := firstPart(told.decode(), c.about); ok {
			out = append(out, Lie{Name: c.name, Payloads: told.Payloads, Level: c.level, Record: n, Step: c.step})
		}
	}
	if l, ok := g.blindEye(); ok {
		out = append(out, l)
	}
	return out
}

// firstPart is the number of the first record with a part as wanted.
func firstPart(records []events.Record, wanted func(fair.Part) bool) (n int, ok bool) {
	for n, r := range records {
		for _, e := range r.Events {
			if e.Fair != nil && wanted(*e.Fair) {
				return n, true
			}
		}
	}
	return 0, false
}

// A shortDeck leaves a card out of every shuffle.
type shortDeck struct{ *fair.Dealer }

func (d shortDeck) Shuffle(at fair.State, in []int) *fair.Shuffle {
	return d.Dealer.Shuffle(at, in[1:])
}

// A shortReshuffle leaves a card out of every shuffle but the first.
type shortReshuffle struct{ *fair.Dealer }

func (d shortReshuffle) Shuffle(at fair.State, in []int) *fair.Shuffle {
	if len(at.Piles) > 0 {
		in = in[1:]
	}
	return d.Dealer.Shuffle(at, in)
}

// An ownChain keeps another chain for a delegated seat than the one that the seed
// derives: it could have been chosen to suit.
type ownChain struct {
	*fair.Dealer
	game string
}

func (d ownChain) chain(seat int) *fair.ClientChain {
	return fair.NewClientChain(d.game, seat, fair.H("crook", seat), fair.DefaultLen)
}

func (d ownChain) Anchor(seat int) fair.Anchor {
	a := d.chain(seat).Anchor()
	a.Delegated = true
	return a
}

func (d ownChain) Link(at fair.State, seat int) *fair.Link {
	return d.chain(seat).Link(at.Seat[seat].Opened + 1)
}

// A loadedDice shows a face that the links do not derive.
type loadedDice struct{ *fair.Dealer }

func (d loadedDice) Roll(at fair.State, sides ...int) *fair.Roll {
	r := d.Dealer.Roll(at, sides...)
	r.Out[len(r.Out)-1] = (r.Out[len(r.Out)-1] + 1) % sides[len(sides)-1]
	return r
}
