package table

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
)

// Game is the game as it stands now. It never waits for a command that is being
// stored. The errors are [events.ErrNotFound], [events.ErrBroken] and the log's.
func (h *Hall) Game(ctx context.Context, id string) (events.Game, error) {
	if t := h.known(id); t != nil {
		if g := t.seen.Load(); g != nil && g.N >= 0 && !t.stale(*g) {
			t.used.Store(int64(h.instant()))
			return *g, nil
		}
	}
	var g events.Game
	err := h.at(ctx, id, func(_ context.Context, t *table) error {
		if g = t.g; g.N < 0 {
			return fmt.Errorf("game %.80q: %w", id, events.ErrNotFound)
		}
		return nil
	})
	return g, err
}

// At is the game as it stood after its record n. A record that is not there yet is
// [events.ErrNotFound] too.
func (h *Hall) At(ctx context.Context, id string, n int) (events.Game, error) {
	g, err := h.Game(ctx, id)
	switch {
	case err != nil:
		return g, err
	case n == g.N:
		return g, nil
	case n < 0 || n > g.N:
		return g, fmt.Errorf("record %d of game %s, whose newest is %d: %w", n, id, g.N, events.ErrNotFound)
	}
	for step, err := range events.Steps(ctx, h.Log, events.NewGame(id)) {
		if err != nil {
			h.mind(err, id)
			return g, err
		}
		if step.Game.N == n {
			return step.Game, nil
		}
	}
	return g, fmt.Errorf("record %d of game %s: %w", n, id, events.ErrNotFound)
}

// View is what the seat may know of g. Only a seat that may hold cards needs the
// game's seed for it.
func (h *Hall) View(g events.Game, seat game.Seat) (v game.View, err error) {
	if !holdsCards(g, seat) {
		return game.ViewFor(g.State, seat, nil), nil
	}
	err = h.peek(g, func(d *fair.Dealer) { v = game.ViewFor(g.State, seat, d) })
	if errors.Is(err, fair.ErrSeal) { // its key is gone, as keys of finished games may be
		return game.ViewFor(g.State, seat, nil), nil
	}
	return v, err
}

// Mine is every card in the seat's hand with what proves it to be there: never to be
// shown to anybody else.
func (h *Hall) Mine(g events.Game, seat game.Seat) (cards []fair.Mine, err error) {
	if !holdsCards(g, seat) {
		return nil, nil
	}
	err = h.peek(g, func(d *fair.Dealer) { cards = d.Mine(g.State.Fair, seat.Wire()) })
	return cards, err
}

func holdsCards(g events.Game, seat game.Seat) bool {
	variant, err := game.Lookup(g.State.Variant)
	return err == nil && seat != game.Spectator && variant.HandSize > 0
}

// Records yields the stored records since..to of a game, which are as many as there
// are by now. Errors are as those of Game.
func (h *Hall) Records(ctx context.Context, id string, since, to int) iter.Seq2[events.Stored, error] {
	return func(yield func(events.Stored, error) bool) {
		g, err := h.Game(ctx, id)
		if err != nil {
			yield(events.Stored{}, err)
			return
		}
		n := max(since, 0)
		if n > g.N {
			return
		}
		for s, err := range h.Log.Read(ctx, id, g.RevisionOf(n-1)) {
			if err != nil || n > to {
				if err != nil {
					yield(s, err)
				}
				return
			}
			if !yield(s, nil) {
				return
			}
			n++
		}
	}
}
