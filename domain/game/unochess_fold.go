package game

import (
	"slices"
	"strings"

	"chancery/domain/cards"
)

// foldUno keeps the discard pile, the card in play and the calls of UNO Chess.
func foldUno(s *State, e *Event) {
	switch f := e.Fact.(type) {
	case GameStarted:
		s.Phase = PhaseCard
	case PileShuffled:
		if pile := s.Cards.Discards[0]; len(pile) > 1 {
			s.Cards.Discards[0] = pile[len(pile)-1:]
		}
	case CardDrawn:
		if f.Card != nil {
			s.Cards.put(*f.Card, cards.NoColor)
		}
	case CardPlayed:
		foldPlayed(s, &f)
	case CardsDiscarded:
		foldDiscarded(s, &f)
	case MovePlayed:
		foldUnoMove(s, &f)
	case MoveUndone:
		for _, seat := range Players {
			if !bareKing(s.FEN, s.Army(seat)) {
				s.Cards.Uno[seat.Wire()] = ""
			}
		}
	case TurnEnded:
		s.endUnoTurn(s.Cards.By)
	case UnoCalled:
		s.Cards.Uno[f.Seat.Wire()] = SaidUno
	default: // the rest is the same in every variant
	}
}

// put lays a card on the discard pile. A wild one brings the color named, if any.
func (t *Table) put(c cards.Dealt, named cards.Color) {
	t.Discards[0] = append(t.Discards[0], c)
	t.Color = named
	if c.Card.Color != cards.NoColor {
		t.Color = c.Card.Color
	}
}

func foldPlayed(s *State, f *CardPlayed) {
	s.closeCatch(f.Seat)
	s.Cards.put(f.Card, f.Color)
	s.Cards.InPlay, s.Cards.By = f.Card, f.Seat
	switch {
	case movesMen(f.Card.Card):
		s.Phase = PhaseMove
	case demands(f.Card.Card) > 0:
		s.Phase = PhaseDiscard
	}
}

// foldDiscarded lays the cards on the pile; those of a Wild Draw Four go under it, so
// that the color it named stays in force.
func foldDiscarded(s *State, f *CardsDiscarded) {
	s.closeCatch(f.Seat)
	t := &s.Cards
	t.By = f.Seat
	if k := t.InPlay.Card.Kind; k == cards.WildDrawFour || k == cards.DrawTwo && !drawTwoDiscardsOnTop {
		pile := t.Discards[0]
		t.Discards[0] = slices.Insert(slices.Clone(pile), len(pile)-1, f.Cards...)
		return
	}
	for _, c := range f.Cards {
		t.put(c, cards.NoColor)
	}
}

// foldUnoMove sets the idle count back and lets the duty to call begin: when the last
// man beside the king is captured in play. A king set up bare owes nothing.
func foldUnoMove(s *State, f *MovePlayed) {
	s.Idle = 0
	victim := Army(f.Army.Color().Other())
	if f.Captured != "" && bareKing(f.FEN, victim) {
		s.Cards.Uno[s.Commander(victim).Wire()] = OwesUno
	}
	if s.Cards.InPlay.Card.Kind == cards.WildDrawFour {
		s.Phase = PhaseDiscard
		return
	}
	s.endUnoTurn(s.Commander(f.Army))
}

// endUnoTurn begins the next turn, or the rescue of a captured king. A call not made
// by now was forgotten.
func (s *State) endUnoTurn(by Seat) {
	if by != Spectator && s.Cards.Uno[by.Wire()] == OwesUno {
		s.Cards.Uno[by.Wire()] = ForgotUno
	}
	s.Cards.InPlay, s.Cards.By = cards.Dealt{}, Spectator
	s.Phase = PhaseCard
	if board := boardOf(s.FEN); strings.Count(board, "K")+strings.Count(board, "k") < 2 {
		s.Phase = PhaseRescue
	}
}

// closeCatch ends the time in which the seat may catch the other one: with its next
// card.
func (s *State) closeCatch(by Seat) {
	if other := by.Other(); s.Cards.Uno[other.Wire()] == ForgotUno {
		s.Cards.Uno[other.Wire()] = SpentUno
	}
}

// bareKing says whether the king is the only man of the army on the board.
func bareKing(fen string, a Army) bool {
	low, high, king := 'A', 'Z', false
	if a == BlackArmy {
		low, high = 'a', 'z'
	}
	for _, letter := range boardOf(fen) {
		switch {
		case letter < low || letter > high:
			continue
		case letter|0x20 != 'k':
			return false
		}
		king = true
	}
	return king
}

// boardOf is the first field of a FEN.
func boardOf(fen string) string {
	board, _, _ := strings.Cut(fen, " ")
	return board
}
