package projections

import (
	"container/list"
	"context"
	"fmt"

	"chancery/events"
)

// Games folds the games that records belong to, for projections that need more of a
// game than a record says. It remembers the games used last and reads others from the
// log, so what it answers is a function of the ledger alone. It is for one goroutine
// at a time.
type Games struct {
	log   events.Log
	keep  int
	games map[string]*list.Element // of events.Game
	order list.List                // used last first
}

// NewGames remembers keep games at most, some 20 kB each.
func NewGames(log events.Log, keep int) *Games {
	return &Games{log: log, keep: keep, games: map[string]*list.Element{}}
}

// Absorb is the game after the record r, and the record. Before is the game that r was
// decided on. The errors are the log's and, for a record that does not follow,
// [*events.BrokenError]. It may be asked for the same record again, as when a
// transaction failed.
func (gs *Games) Absorb(ctx context.Context, r Record) (before, after events.Game, record events.Record, err error) {
	if record, err = r.Read(); err != nil {
		return before, before, record, err
	}
	if before, err = gs.before(ctx, r, record.N); err != nil {
		return before, before, record, fmt.Errorf("reading game %s up to position %d: %w", r.Game, r.Position, err)
	}
	if after, err = before.AbsorbDecoded(r.Stored, record); err != nil {
		return before, before, record, err
	}
	gs.remember(after)
	return before, after, record, nil
}

// before is the game as it stood before r, its record n, from memory if it is just that.
func (gs *Games) before(ctx context.Context, r Record, n int) (events.Game, error) {
	if e, known := gs.games[r.Game]; known {
		if g := e.Value.(events.Game); g.N == n-1 {
			return g, nil
		}
	}
	g := events.NewGame(r.Game)
	if n == 0 {
		return g, nil
	}
	for step, err := range events.Steps(ctx, gs.log, g) {
		if err != nil || step.Stored.Position >= r.Position {
			return g, err
		}
		g = step.Game
	}
	return g, nil
}

func (gs *Games) remember(g events.Game) {
	e, known := gs.games[g.State.ID]
	switch {
	case known && g.State.Over():
		gs.order.Remove(e)
		delete(gs.games, g.State.ID)
	case known:
		e.Value = g
		gs.order.MoveToFront(e)
	case !g.State.Over():
		gs.games[g.State.ID] = gs.order.PushFront(g)
		if gs.order.Len() > gs.keep {
			last := gs.order.Back()
			gs.order.Remove(last)
			delete(gs.games, last.Value.(events.Game).State.ID)
		}
	}
}
