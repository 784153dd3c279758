package forge

import (
	"slices"
	"strings"

	"chancery/domain/cards"
	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
)

func anotherCard(_ Game, records []events.Record) ([]events.Record, int, bool) {
	return changePart(records, func(p *fair.Part) bool {
		if len(p.Open) == 0 {
			return false
		}
		p.Open[0].Card ^= 1
		return true
	})
}

func anotherCardInData(_ Game, records []events.Record) ([]events.Record, int, bool) {
	return change(records, func(f *game.CardDrawn) bool {
		if f.Card == nil {
			return false
		}
		c := *f.Card
		c.ID ^= 1
		f.Card = &c
		return true
	})
}

func cardNotHeld(_ Game, records []events.Record) ([]events.Record, int, bool) {
	return changePart(records, func(p *fair.Part) bool {
		if len(p.Play) == 0 {
			return false
		}
		p.Play[0].Card ^= 1
		return true
	})
}

func anotherRoll(_ Game, records []events.Record) ([]events.Record, int, bool) {
	return changePart(records, func(p *fair.Part) bool {
		if p.Roll == nil {
			return false
		}
		p.Roll.Out[0] = (p.Roll.Out[0] + 1) % p.Roll.Sides[0]
		return true
	})
}

func anotherServerLink(_ Game, records []events.Record) ([]events.Record, int, bool) {
	return changePart(records, func(p *fair.Part) bool {
		if p.Roll == nil {
			return false
		}
		p.Roll.X[31] ^= 1
		return true
	})
}

func otherFaces(_ Game, records []events.Record) ([]events.Record, int, bool) {
	return change(records, func(f *game.DiceRolled) bool {
		f.Faces = slices.Clone(f.Faces)
		f.Faces[0] = (f.Faces[0] + 1) % 10
		return true
	})
}

func anotherEffect(_ Game, records []events.Record) ([]events.Record, int, bool) {
	return change(records, func(f *game.DiceRolled) bool {
		other := game.SkipTurn
		if f.Effect == other {
			other = game.NoEffect
		}
		ok := f.Effect != ""
		f.Effect = other
		return ok
	})
}

func anotherArray(_ Game, records []events.Record) ([]events.Record, int, bool) {
	return change(records, func(f *game.ArrayDrawn) bool {
		swapped := []byte(f.Array)
		swapped[0], swapped[1] = swapped[1], swapped[0]
		f.FEN = strings.ReplaceAll(f.FEN, f.Array, string(swapped))
		f.Array = string(swapped)
		return true
	})
}

// swappedPile lays the first pile in another order than the seed derives and binds it
// to that, with the right salts: the top card and the last one change places, and a
// card that was opened meanwhile is the one that now lies there.
func swappedPile(g Game, records []events.Record) ([]events.Record, int, bool) {
	n, i, e := find(records, func(e game.Event) bool { return e.Fair != nil && e.Fair.Shuffle != nil && e.Fair.Shuffle.S == 0 })
	if e == nil {
		return nil, 0, false
	}
	at := state(records, n, i)
	dealer := fair.NewDealer(g.Name, g.Seed)
	at = at.Evolve(e.Fair)
	order := dealer.Order(at, 0)
	first, last := len(order)-1, len(order)-2
	for _, r := range records {
		for _, e := range r.Events {
			if p := e.Fair; p != nil && len(p.Open) > 0 && p.Open[0].S == 0 && p.Open[0].I < first {
				first = p.Open[0].I
			}
		}
	}
	if first < last {
		last = len(order) - 1
	}
	order[first], order[last] = order[last], order[first]
	for i, card := range order {
		e.Fair.Shuffle.Leaves[i] = fair.H("leaf", g.Name, 0, i, card, g.salt(i))
	}
	for _, r := range records {
		for _, e := range r.Events {
			if p := e.Fair; p != nil && len(p.Open) > 0 && p.Open[0].S == 0 {
				p.Open[0].Card = order[p.Open[0].I]
			}
		}
	}
	return records, len(records) - 1, true
}

// salt is that of position i of the first pile.
func (g Game) salt(i int) fair.Salt {
	sum := fair.F(g.Seed[:], "salt", g.Name, 0, i)
	return fair.Salt(sum[:16])
}

// anotherHand commits the last hand to a card that was not drawn.
func anotherHand(_ Game, records []events.Record) ([]events.Record, int, bool) {
	told, _, ok := changePart(records, func(p *fair.Part) bool {
		if p.Hand == nil {
			return false
		}
		p.Hand.Leaves[0][31] ^= 1
		return true
	})
	return told, len(records) - 1, ok
}

func otherHandsAtEnd(_ Game, records []events.Record) ([]events.Record, int, bool) {
	return change(records, func(f *game.HandsRevealed) bool {
		order := slices.Clone(f.Piles[0])
		order[0], order[1] = order[1], order[0]
		f.Piles = append([][]cards.ID{order}, f.Piles[1:]...)
		return true
	})
}

func skippedDraw(_ Game, records []events.Record) ([]events.Record, int, bool) {
	return changePart(records, func(p *fair.Part) bool {
		if p.Draw == nil {
			return false
		}
		for i := range p.Draw.I {
			p.Draw.I[i]++
		}
		return true
	})
}

// insertedRoll puts an honestly derived roll where none is due: after the last event of
// the last record but one.
func insertedRoll(g Game, records []events.Record) ([]events.Record, int, bool) {
	n := len(records) - 2
	if s := state(records, n, len(records[n].Events)); !s.MayRoll() {
		return nil, 0, false
	}
	records[n].Events = append(records[n].Events, game.Event{
		Fact: game.DiceRolled{Faces: []int{1, 1}, Purpose: "effect"},
		Fair: &fair.Part{Roll: &fair.Roll{Sides: []int{10, 10}}},
	})
	g.redeal(records)
	return records, n, true
}

// shortChain promises a chain of one link, of which a second one is opened.
func shortChain(_ Game, records []events.Record) ([]events.Record, int, bool) {
	n, _, e := find(records, func(e game.Event) bool { return e.Fair != nil && e.Fair.Roll != nil && e.Fair.Roll.K == 2 })
	if e == nil {
		return nil, 0, false
	}
	records[0].Events[0].Fair.Commit.Len = 1
	return records, n, true
}

// earlyRoll rolls before the first seat has opened a link.
func earlyRoll(g Game, records []events.Record) ([]events.Record, int, bool) {
	if g.Chains[0] == nil {
		return nil, 0, false
	}
	records[1].Events = append(records[1].Events, game.Event{
		Fact: game.ColorsDrawn{White: game.First}, Fair: &fair.Part{Roll: &fair.Roll{Sides: []int{2}}},
	})
	g.redeal(records)
	return records, 1, true
}

func anotherDeck(_ Game, records []events.Record) ([]events.Record, int, bool) {
	return change(records, func(f *game.GameCreated) bool {
		ok := f.Rules.Deck != ""
		f.Rules.Deck = strings.Repeat("0", 64)
		return ok
	})
}
