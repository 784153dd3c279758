package game

import (
	"slices"

	"chancery/domain/cards"
	"chancery/domain/fair"
)

// Unseen lists, by ID ascending, the cards of the game that v does not show: the
// other seat's hand and the draw pile. It is empty before the cards are out.
func Unseen(v View) []cards.ID {
	variant := find(v.Variant)
	if variant == nil || variant.Deck == nil || v.Table == nil {
		return nil
	}
	rest := variant.Deck(v.Options).All()
	for _, pile := range append(v.Table.Discards, v.Table.Hand) {
		for _, c := range pile {
			rest = rest.Without(c.ID)
		}
	}
	if c := v.Table.InPlay; c != nil {
		rest = rest.Without(c.ID)
	}
	return rest.IDs()
}

// Imagine is a State of a running game that would look like v from v's own seat. It
// is for looking ahead: the hidden cards are those of unseen, in the order in which
// they come, the other hand first; there are no clocks, both seats leave their luck to
// the Chance that [Decide] is given, and nothing is remembered of the past but the
// position that a Reverse would bring back. The order of the first pile is for that
// Chance to keep.
func Imagine(v View, unseen []cards.ID) (s State, order []int) {
	s = New(v.Game)
	s.N, s.Variant, s.Rules, s.Options = v.N, v.Variant, v.Rules, v.Options
	s.Joined, s.Phase, s.FEN, s.Plies, s.Last, s.Result = true, v.Phase, v.FEN, v.Ply, v.Last, v.Result
	s.Pools = [2]string{v.Pools[WhiteArmy], v.Pools[BlackArmy]}
	for _, seat := range v.Seats {
		if seat.Army == WhiteArmy.String() {
			s.White = seat.Seat
		}
	}
	if d := v.Dice; d != nil {
		s.Dice, s.Effect = &DiceRolled{Effect: d.Effect, Faces: d.Faces, Impossible: d.Impossible, Purpose: d.Purpose}, d.Effect
	}
	s.Fair.Len = fair.DefaultLen
	for i := range s.Fair.Seat {
		s.Fair.Seat[i] = fair.SeatChain{Anchored: true, Delegated: true, Fresh: true, Opened: 1}
	}
	s.past = &past{key: positionKey(s.FEN), men: s.Pools}
	if v.Table != nil {
		order = s.imagineTable(v, unseen)
	}
	return s, order
}

// imagineTable lays the cards out, and is the order of the pile that they lie in.
func (s *State) imagineTable(v View, unseen []cards.ID) (order []int) {
	t := v.Table
	copy(s.Cards.Discards[:], t.Discards)
	copy(s.Cards.Uno[:], t.Uno)
	s.Cards.Color, _ = cards.ParseColor(t.Color)
	s.Cards.By, s.Idle = s.imagineDrawer(v), t.Idle
	if t.InPlay != nil {
		s.Cards.InPlay = *t.InPlay
	}
	s.Series = Series{Left: t.Left, Place: t.Place, Moved: slices.Contains(v.Can, "pass")}
	if t.Undo != "" {
		s.past = &past{key: s.past.key, from: t.Undo, uci: v.Last, prev: &past{key: positionKey(t.Undo)}}
	}
	if livePile(s.Options) {
		s.Cards.Draw = cards.SetOf(unseen...)
		return nil
	}
	for _, c := range t.Hand {
		order = append(order, int(c.ID))
	}
	for _, id := range unseen {
		order = append(order, int(id))
	}
	s.imagineHands(v, len(order))
	return order
}

// imagineDrawer is the seat whose card is in play: the one that acts, unless a Reverse
// has just given it the army.
func (s *State) imagineDrawer(v View) Seat {
	if len(v.Act) == 0 || v.Table.InPlay == nil {
		return Spectator
	}
	if v.Table.InPlay.Card.Kind == cards.Reverse {
		return v.Act[0].Other()
	}
	return v.Act[0]
}

// imagineHands deals the hands from the top of one pile, v's own first.
func (s *State) imagineHands(v View, size int) {
	pile := fair.Pile{In: make([]int, size)}
	own := First
	if v.As == asName(Second) {
		own = Second
	}
	for _, seat := range []Seat{own, own.Other()} {
		if len(v.Table.Hands) == 0 {
			break
		}
		w := seat.Wire()
		for range v.Table.Hands[w] {
			s.Fair.Drawn[w] = append(s.Fair.Drawn[w], fair.Position{I: pile.Cursor})
			pile.Cursor++
		}
	}
	s.Fair.Piles = []fair.Pile{pile}
}
