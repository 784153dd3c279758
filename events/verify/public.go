package verify

import (
	"errors"
	"fmt"

	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
)

// judgePublic judges what anybody can see of the chance in record r, which answers c and
// hangs on hidden cards: the link of the seat that acts comes with the turn action that
// owes it and with nothing else, no pile is shuffled before the last has run out, and no
// dice fall.
func judgePublic(s game.State, c game.Command, r events.Record) error {
	at := s.Fair
	for i, e := range r.Events {
		if due, has := i == 0 && owesLink(&at, c), e.Fair != nil && e.Fair.Link != nil; due != has {
			return fmt.Errorf("event %d, %s: a link is due: %t, and opened: %t", i, nameOf(e), due, has)
		}
		if e.Fair == nil {
			continue
		}
		if e.Fair.Roll != nil {
			return fmt.Errorf("event %d, %s: nothing is rolled there", i, nameOf(e))
		}
		if n := len(at.Piles); e.Fair.Shuffle != nil && n > 0 && at.Piles[n-1].Left() > 0 {
			return errors.New("a pile is shuffled before the last one has run out")
		}
		at = at.Evolve(e.Fair)
	}
	return nil
}

// owesLink says that c, which hangs on hidden cards, has to carry the next link of its seat.
func owesLink(at *fair.State, c game.Command) bool {
	switch c.Action.(type) {
	case game.PlayCard, game.Discard, game.Pass, game.Move:
	default:
		return false
	}
	seat := c.By.Wire()
	chain := at.Seat[seat]
	return at.Owes(seat) && (!chain.Delegated || chain.Opened < fair.DefaultLen)
}
