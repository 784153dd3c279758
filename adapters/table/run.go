package table

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"chancery/domain/game"
	"chancery/events"
	"chancery/projections/lobby"
)

const (
	glance   = 250 * time.Millisecond // the agenda is looked at this often: clocks of the wall jump
	takeover = 10 * time.Second       // a game that another instance plays is left to it for so long
	tenders  = 8                      // games that are tended at the same time
	again    = time.Second            // before something that failed is tried once more
)

// Run keeps the hall going until ctx ends: it follows the ledger, tends the games whose
// time has come, and says every moment that the server is there.
func (h *Hall) Run(ctx context.Context) {
	f := &feed{position: h.start}
	var all sync.WaitGroup
	defer all.Wait()
	all.Go(func() { h.follow(ctx, f) })
	all.Go(func() { h.catchUp(ctx, f) })
	all.Go(func() { h.tendAll(ctx) })
	all.Go(func() { h.every(ctx, beat, h.signIn) })
	all.Go(func() { h.every(ctx, 30*time.Second, func(context.Context) { h.sweep(); h.missKeys() }) })
	<-ctx.Done()
}

// every calls do once a period until ctx ends.
func (h *Hall) every(ctx context.Context, period time.Duration, do func(context.Context)) {
	tick := time.NewTicker(period)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			do(ctx)
		}
	}
}

// A feed is how far the process has followed the ledger. The lobby starts at the very
// beginning, everything else at what was newest at the start; the lobby joins once it
// has caught up.
type feed struct {
	mu       sync.Mutex
	position events.Position
	joined   atomic.Bool // the lobby is fed with the rest
}

// follow hears every new record, as long as ctx lasts.
func (h *Hall) follow(ctx context.Context, f *feed) {
	for ctx.Err() == nil {
		for s, err := range h.Log.Follow(ctx, f.position) {
			if err != nil {
				if ctx.Err() == nil {
					h.Logger.Warn("the ledger went out of reach; following it again", "after", f.position, "err", err)
				}
				break
			}
			h.hear(ctx, f, s)
		}
		pause(ctx, again)
	}
}

// hear passes a new record on to its table, to those who watch the game, who may look at
// the table at once, and to the lobby. It waits for none of them.
func (h *Hall) hear(ctx context.Context, f *feed, s events.Stored) {
	h.absorb(s)
	h.watches.hear(ctx, s, func(err error) { h.mind(err, s.Game) })
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.joined.Load() {
		h.list(s)
	}
	f.position = s.Position
}

// absorb gives the record to its table. Where that is busy, or is not in memory because
// another instance plays the game, somebody will look later.
func (h *Hall) absorb(s events.Stored) {
	t := h.known(s.Game)
	if t == nil {
		h.agenda.set(s.Game, h.instant()+game.Instant(takeover.Milliseconds()))
		return
	}
	t.heard.Store(uint64(s.Position))
	if !t.mu.TryLock() {
		return
	}
	defer t.mu.Unlock()
	if t.g.N < 0 || s.Position <= t.g.Revision {
		return
	}
	if g, _, err := t.g.Absorb(s); err == nil {
		t.set(g)
		h.plan(g)
	}
}

// list keeps the lobby up to date.
func (h *Hall) list(s events.Stored) {
	if err := h.Lobby.Absorb(s); err != nil {
		h.Logger.Error("a game cannot be listed", "game", s.Game, "err", err)
	}
}

// catchUp reads the ledger from the beginning into the lobby, until the lobby is where
// everything else is. Then the games that are in it get into the agenda: what was due
// while no server was there is due now.
func (h *Hall) catchUp(ctx context.Context, f *feed) {
	for ctx.Err() == nil && !h.joinFeed(f) {
		for s, err := range h.Log.Follow(ctx, h.Lobby.At()) {
			if err != nil {
				break
			}
			h.list(s)
			if h.joinFeed(f) {
				break
			}
		}
		if !f.joined.Load() {
			pause(ctx, again)
		}
	}
	if ctx.Err() != nil {
		return
	}
	games, _ := h.Lobby.List(lobby.Query{})
	now := h.instant()
	for _, g := range games {
		h.agenda.set(g.Game, now)
	}
	h.Logger.Info("the ledger has been read", "games", len(games), "position", uint64(h.Lobby.At()))
}

// joinFeed lets the lobby be fed with the rest if it has caught up.
func (h *Hall) joinFeed(f *feed) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if h.Lobby.At() < f.position {
		return false
	}
	f.joined.Store(true)
	return true
}

// tendAll looks after every game in the agenda at its time.
func (h *Hall) tendAll(ctx context.Context) {
	var busy sync.WaitGroup
	defer busy.Wait()
	slots := make(chan struct{}, tenders)
	for ctx.Err() == nil {
		if id, ok := h.agenda.take(h.instant()); ok {
			slots <- struct{}{}
			busy.Go(func() {
				defer func() { <-slots }()
				h.tend(ctx, id)
			})
			continue
		}
		wait := glance
		if left := h.agenda.first() - h.instant(); left < game.Instant(glance.Milliseconds()) {
			wait = time.Duration(left) * time.Millisecond
		}
		select {
		case <-ctx.Done():
		case <-h.agenda.wake:
		case <-time.After(wait):
		}
	}
}

// tend does what is due in a game, and notes when to look again. What cannot be done is
// tried again a little later.
func (h *Hall) tend(ctx context.Context, id string) {
	err := h.at(ctx, id, func(ctx context.Context, t *table) error {
		if t.g.N < 0 {
			return nil
		}
		now := h.instant()
		err := h.settle(ctx, t, now)
		at := h.next(t.g, now).at
		if at <= now {
			at = now + game.Instant(again.Milliseconds())
		}
		h.agenda.set(id, at)
		return err
	})
	if err != nil && !errors.Is(err, events.ErrBroken) {
		h.agenda.set(id, h.instant()+game.Instant(5*again.Milliseconds()))
	}
}

// pause waits, unless ctx ends.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
