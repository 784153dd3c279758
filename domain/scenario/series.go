package scenario

import (
	"encoding/json"
	"fmt"
	"slices"

	"chancery/domain/game"
)

// What a scenario asks of a turn that its card makes: the card, the moves that are
// left of it, whose army it is, and where the cards lie afterwards.

func (t *table) cardInPlay() string {
	if v := t.view(); v.Table != nil && v.Table.InPlay != nil {
		return v.Table.InPlay.Card.Code()
	}
	return "none"
}

func (t *table) movesLeft() int {
	if v := t.view(); v.Table != nil {
		return v.Table.Left
	}
	return 0
}

// seatOf is the seat that held the army when the game started.
func (t *table) seatOf(army game.Army) game.Seat {
	if army == game.WhiteArmy {
		return t.white
	}
	return t.white.Other()
}

// controlCheck compares which army each seat holds.
func controlCheck(t *table, raw json.RawMessage) error {
	var want map[game.Army]game.Army
	if err := readStrictly(raw, &want); err != nil {
		return err
	}
	for name, army := range want {
		if err := same(t.state.Army(t.seatOf(name)), army); err != nil {
			return fmt.Errorf("of %s: %w", name, err)
		}
	}
	return nil
}

// discardsCheck compares the discard pile of each seat, the top card last.
func discardsCheck(t *table, raw json.RawMessage) error {
	var want map[game.Army][]string
	if err := readStrictly(raw, &want); err != nil {
		return err
	}
	for name, codes := range want {
		var have []string
		for _, c := range t.state.Cards.Discards[t.seatOf(name).Wire()] {
			have = append(have, c.Card.Code())
		}
		if !slices.Equal(have, codes) {
			return fmt.Errorf("of %s: are %v, not %v", name, have, codes)
		}
	}
	return nil
}
