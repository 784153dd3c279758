package pgn

import (
	"chancery/domain/cards"
	"chancery/domain/fair"
	"chancery/domain/game"
)

// prepare makes ready for a decision. Where hands are hidden the seat holds what it
// plays; who throws a card away because none can be played holds nothing better; and
// who is going to rescue his king holds what for.
func (s *script) prepare(p *replay, by game.Seat, a game.Action) {
	s.rolls, s.dry = nil, nil
	if !s.hides() || by == game.Spectator {
		return
	}
	at := &p.game.State
	s.want, s.fill = [fair.Seats][]int{}, [fair.Seats]int{faceDown, faceDown}
	for seat := range s.base {
		s.base[seat] = len(at.Fair.Played[seat])
	}
	switch a := a.(type) {
	case game.PlayCard:
		s.mustHold(at, by, a.Card)
	case game.Discard:
		s.mustHold(at, by, a.Cards...)
		if w := s.want[by.Wire()]; at.Phase == game.PhaseCard && len(w) > 0 {
			s.fill[by.Wire()] = w[0]
		}
	case game.Pass:
		return
	default:
	}
	if rescue := p.rescue(); rescue != "" {
		s.mustHold(at, by.Other(), rescue)
	}
}

// mustHold gives the seat cards with these codes that lie on no pile.
func (s *script) mustHold(at *game.State, seat game.Seat, codes ...string) {
	var taken []int
	for _, c := range at.Cards.Discards[0] {
		taken = append(taken, int(c.ID))
	}
	for _, code := range codes {
		if id := s.find(code, taken); id != faceDown {
			s.want[seat.Wire()] = append(s.want[seat.Wire()], id)
			taken = append(taken, id)
		}
	}
}

// rescue is the Reverse that the next card of the text is, or one that would fit where
// the text says that its owner let it be.
func (p *replay) rescue() string {
	for _, m := range p.text.marks[min(p.at+1, len(p.text.marks)):] {
		switch m.command {
		case "card":
			if c, err := cards.Parse(m.text); err == nil && c.Kind == cards.Reverse {
				return m.text
			}
			return ""
		case "pass":
			color := p.game.State.Cards.Color
			if color == cards.NoColor {
				color = cards.Red
			}
			return cards.Card{Kind: cards.Reverse, Color: color}.Code()
		case "":
			return ""
		}
	}
	return ""
}

// held is the card that the seat drew as its k-th: first those it has played, then those
// it must hold.
func (s *script) held(at fair.State, seat, k int) int {
	if k < len(at.Played[seat]) {
		return at.Played[seat][k]
	}
	if i := k - s.base[seat]; i >= 0 && i < len(s.want[seat]) {
		return s.want[seat][i]
	}
	return s.fill[seat]
}
