package table

import (
	"context"
	"fmt"
	"slices"

	"chancery/domain/game"
)

// arrive says that the server is there from now on, and learns when nobody was. A
// server that is the only one was away since its last sign of life; with others a
// short silence means nothing.
func (h *Hall) arrive(ctx context.Context) error {
	tolerated := absence
	if h.Alone {
		tolerated = 0
	}
	a, err := signIn(ctx, h.Notes, h.instant(), tolerated)
	if err != nil {
		return fmt.Errorf("reading when the server was there last: %w", err)
	}
	h.presence.Store(&a)
	return nil
}

// signIn gives a sign of life, unless the ledger takes no records just now: then
// nobody is there who could take a move. Where an outage shows, of the ledger or of the
// whole machine, all games are looked at, so that their clocks get the time back.
func (h *Hall) signIn(ctx context.Context) {
	if since := h.trouble.Load(); since > 0 && h.instant()-game.Instant(since) < game.Instant(absence.Milliseconds()) {
		return
	}
	a, err := signIn(ctx, h.Notes, h.instant(), absence)
	if err != nil {
		if ctx.Err() == nil {
			h.Logger.Warn("the server cannot say that it is there", "err", err)
		}
		return
	}
	before := h.presence.Swap(&a)
	if slices.Equal(before.Outages, a.Outages) {
		return
	}
	now := h.instant()
	for _, id := range h.agenda.all() {
		h.agenda.set(id, now)
	}
}

// missed is how many milliseconds of the stretch from..to no server was there.
func (h *Hall) missed(from, to game.Instant) int64 { return h.presence.Load().missed(from, to) }
