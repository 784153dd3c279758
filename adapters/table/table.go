package table

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
)

// A table is one game in memory.
type table struct {
	mu     sync.Mutex
	g      events.Game  // guarded by mu; N is -1 until it is loaded
	dealer *fair.Dealer // guarded by mu; nil until chance or a link is asked for
	box    seedBox

	seen  atomic.Pointer[events.Game] // g for those who only look, who never wait for a command
	heard atomic.Uint64               // position of the game's newest record that the ledger has told us of
	used  atomic.Int64                // when anybody last came here, ms
}

// set makes g what the table knows. What was secret of a game that is over is wiped: its
// newest record shows the seed.
func (t *table) set(g events.Game) {
	t.g = g
	t.seen.Store(&g)
	if !g.State.Over() {
		return
	}
	t.box.mu.Lock()
	defer t.box.mu.Unlock()
	t.box.wipe()
	if t.dealer != nil {
		t.dealer.Wipe()
		t.dealer = nil
	}
}

// stale says that the ledger holds more of the game than g knows.
func (t *table) stale(g events.Game) bool { return uint64(g.Revision) < t.heard.Load() }

// find is the table of the game, an empty one if it is not in memory.
func (h *Hall) find(id string) *table {
	h.mu.Lock()
	defer h.mu.Unlock()
	t, ok := h.tables[id]
	if !ok {
		t = &table{g: events.NewGame(id)}
		h.tables[id] = t
	}
	t.used.Store(int64(h.instant()))
	return t
}

// known is the table of the game if it is in memory, and else nil.
func (h *Hall) known(id string) *table {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.tables[id]
}

// at runs do at the table of the game, alone and with the newest state; N is -1 for a
// game that does not exist. What do has begun is finished even if the caller hangs up.
func (h *Hall) at(ctx context.Context, id string, do func(context.Context, *table) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), appendBy)
	defer cancel()
	t := h.find(id)
	t.mu.Lock()
	defer t.mu.Unlock()
	err := h.refresh(ctx, t)
	if err == nil {
		err = do(ctx, t)
	}
	if t.g.N < 0 {
		h.forget(id, t)
	}
	return err
}

// refresh loads what the table does not know yet.
func (h *Hall) refresh(ctx context.Context, t *table) error {
	if t.g.N >= 0 && !t.stale(t.g) {
		return nil
	}
	before := t.g.N
	g, err := events.Refresh(ctx, h.Log, t.g)
	t.set(g)
	if err != nil {
		h.mind(err, g.State.ID)
		return err
	}
	if g.N != before {
		h.plan(g)
	}
	return nil
}

// settle does what the server owed the game until now.
func (h *Hall) settle(ctx context.Context, t *table, now game.Instant) error {
	for {
		d := h.next(t.g, now)
		if d.at > now {
			return nil
		}
		before := t.g.N
		if err := h.perform(ctx, t, d, now); err != nil {
			return err
		}
		if t.g.N == before {
			return nil // refused: things are not as they seemed
		}
	}
}

// perform does one duty. A refusal says that somebody else was quicker, or that the
// duty is none; both are well.
func (h *Hall) perform(ctx context.Context, t *table, d duty, now game.Instant) error {
	c := game.Command{By: d.by, At: now, Action: d.action}
	if d.think != nil {
		c.Action = d.think()
	}
	if c.Action == nil {
		return nil
	}
	_, err := h.act(ctx, t, c, events.Terms{Cause: fair.Cause(t.g.State.ID, d.key(t.g))})
	var refusal *game.Refusal
	if errors.As(err, &refusal) {
		h.Logger.Debug("duty refused", "game", t.g.State.ID, "duty", d.what, "code", refusal.Code)
		return nil
	}
	return err
}

// act has a command decided with the game's own chance. A game whose seed is lost is
// voided instead, before the eyes of all.
func (h *Hall) act(ctx context.Context, t *table, c game.Command, terms events.Terms) (events.Outcome, error) {
	dealer, err := h.deal(t)
	switch {
	case errors.Is(err, fair.ErrSeal):
		h.Logger.Error("the seed of a game is lost: the game is void", "game", t.g.State.ID, "err", err)
		void := game.Command{At: c.At, Action: game.Void{Reason: game.SeedLost}}
		if _, err := h.transact(ctx, t, void, events.Terms{Cause: fair.Cause(t.g.State.ID, "void")}); err != nil {
			return events.Outcome{}, err
		}
	case err != nil:
		return events.Outcome{}, err
	}
	if dealer != nil {
		terms.Chance = dealer
	}
	return h.transact(ctx, t, c, terms)
}

// How long a conflict may last. On a cluster a record of another instance may be on its
// way: ours is refused then, while the other can not be read yet.
const (
	firstWait = 10 * time.Millisecond
	lastWait  = 3 * time.Second
)

// transact decides and stores a command, and notes what comes next.
func (h *Hall) transact(ctx context.Context, t *table, c game.Command, terms events.Terms) (events.Outcome, error) {
	g, out, err := events.Transact(ctx, h.Log, t.g, c, terms)
	for wait := firstWait; errors.Is(err, events.ErrConflict) && wait < lastWait; wait *= 2 {
		pause(ctx, wait)
		g, out, err = events.Transact(ctx, h.Log, g, c, terms)
	}
	if g.N != t.g.N {
		t.set(g)
		h.plan(g)
	}
	h.mind(err, g.State.ID)
	return out, err
}

// mind takes note of errors that are not the player's.
func (h *Hall) mind(err error, id string) {
	switch {
	case errors.Is(err, events.ErrBroken):
		h.Logger.Error("the history of a game is broken: it is frozen", "game", id, "err", err)
	case errors.Is(err, events.ErrUnavailable), errors.Is(err, context.DeadlineExceeded):
		h.trouble.Store(int64(h.instant()))
		h.Logger.Warn("the ledger is out of reach", "game", id, "err", err)
	case err == nil:
		h.trouble.Store(0)
	}
}

// plan puts the game's next duty into the agenda, and notes the key that it needs.
func (h *Hall) plan(g events.Game) {
	if g.N >= 0 {
		h.sealed.set(g)
		h.agenda.set(g.State.ID, h.next(g, h.instant()).at)
	}
}

// forget puts the table away, unless another has taken its place.
func (h *Hall) forget(id string, t *table) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.tables[id] == t {
		delete(h.tables, id)
	}
}

// sweep puts tables away that nobody has used for a while, and more where there are
// too many. Commands that are at such a table still end well: the ledger keeps two
// tables of one game in step.
func (h *Hall) sweep() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for limit := idle; limit >= time.Second; limit /= 8 {
		old := int64(h.instant()) - limit.Milliseconds()
		for id, t := range h.tables {
			if t.used.Load() <= old {
				delete(h.tables, id)
			}
		}
		if len(h.tables) <= h.Tables {
			return
		}
	}
}
