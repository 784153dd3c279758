package httpapi

import (
	"bytes"
	"context"
	"encoding/json"

	"chancery/domain/game"
)

// A hand is what a seat's stream tells of the seat's own cards.
type hand struct {
	games Games
	id    string
	seat  game.Seat
	last  []byte // what was told last, of the cards alone
}

// after is the seat's cards as of record n, if they are others than those told last.
// What cannot be had now is told behind the next record; /mine has it too.
func (h *hand) after(ctx context.Context, n int) []byte {
	if h.seat == game.Spectator {
		return nil
	}
	g, err := h.games.At(ctx, h.id, n)
	if err != nil {
		return nil
	}
	held, err := h.games.Mine(g, h.seat)
	if err != nil || held == nil && h.last == nil {
		return nil
	}
	cards, err := json.Marshal(held)
	if err != nil || bytes.Equal(cards, h.last) {
		return nil
	}
	data, err := json.Marshal(Mine{Seat: h.seat, N: n, Cards: held})
	if err != nil {
		return nil
	}
	h.last = cards
	return data
}
