package table

import (
	"context"
	"fmt"
	"sync"
	"time"

	"chancery/domain/game"
	"chancery/events"
)

// watches are the games that somebody watches. Each keeps its whole history, once for
// all who watch it, so that a reader is no more than a place in it: whoever is slow
// costs no memory, and nobody ever waits for him.
type watches struct {
	log events.Log

	mu     sync.Mutex
	topics map[string]*topic
	count  int // of watches
}

// A topic is the history of one game, as long as somebody watches it.
type topic struct {
	loading sync.Mutex // held while records are added

	mu       sync.Mutex
	records  []events.Stored // by record number; only ever added to
	heard    events.Position // of the newest record that the ledger has told us of
	over     bool
	grown    chan struct{} // closed when a record comes
	watchers int           // guarded by the watches' mu
}

func newWatches(log events.Log) *watches {
	return &watches{log: log, topics: map[string]*topic{}}
}

// A Watch follows one game. It is for one goroutine, and has to be closed.
type Watch struct {
	ws    *watches
	id    string
	topic *topic
}

// Watch begins to follow a game. The errors are [events.ErrNotFound] and the log's.
func (h *Hall) Watch(ctx context.Context, id string) (*Watch, error) {
	if _, err := h.Game(ctx, id); err != nil {
		return nil, err
	}
	w := &Watch{ws: h.watches, id: id, topic: h.watches.enter(id)}
	if err := w.load(ctx); err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

func (ws *watches) enter(id string) *topic {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	t, ok := ws.topics[id]
	if !ok {
		t = &topic{grown: make(chan struct{})}
		ws.topics[id] = t
	}
	t.watchers++
	ws.count++
	return t
}

// Close ends the watch.
func (w *Watch) Close() {
	w.ws.mu.Lock()
	defer w.ws.mu.Unlock()
	w.topic.watchers--
	w.ws.count--
	if w.topic.watchers == 0 {
		delete(w.ws.topics, w.id)
	}
}

// From gives the records n, n+1, … that there are, and a channel that is closed when
// there are more. Over says that the last of them ended the game, so that no more will
// come. The records are shared; nobody writes to them.
func (w *Watch) From(n int) (records []events.Stored, more <-chan struct{}, over bool) {
	t := w.topic
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.records[min(n, len(t.records)):], t.grown, t.over
}

// Reload reads the log for records that have not come by themselves, as when a client
// knows of one that another instance has stored.
func (w *Watch) Reload(ctx context.Context) error { return w.ws.catchUp(ctx, w.id, w.topic) }

// load reads the history, once for all who begin to watch at the same time. A record that
// comes while it looks finds the topic taken, so it looks for that, too.
func (w *Watch) load(ctx context.Context) error {
	w.topic.loading.Lock()
	there := w.topic.length() > 0
	w.topic.loading.Unlock()
	if there && w.topic.complete() {
		return nil
	}
	return w.ws.catchUp(ctx, w.id, w.topic)
}

// catchUp reads the log until the topic has every record that we have heard of: a
// replica may be a moment behind.
func (ws *watches) catchUp(ctx context.Context, id string, t *topic) error {
	for range 100 {
		t.loading.Lock()
		err := ws.read(ctx, id, t)
		t.loading.Unlock()
		if err != nil {
			return fmt.Errorf("reading game %s for those who watch it: %w", id, err)
		}
		if t.complete() {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
	return fmt.Errorf("reading game %s for those who watch it: %w: records are missing", id, events.ErrUnavailable)
}

func (ws *watches) read(ctx context.Context, id string, t *topic) error {
	for s, err := range ws.log.Read(ctx, id, t.position()) {
		if err != nil {
			return err
		}
		if _, err := t.add(s); err != nil {
			return err
		}
	}
	return nil
}

// hear takes a record that the ledger has just got. It never waits: if the topic is
// being read, who reads it finds the record; if records before it are missing, because
// it came while nobody watched, trouble is called in a goroutine of its own with what
// came of reading them.
func (ws *watches) hear(ctx context.Context, s events.Stored, trouble func(error)) {
	ws.mu.Lock()
	t := ws.topics[s.Game]
	ws.mu.Unlock()
	if t == nil {
		return
	}
	t.expect(s.Position)
	if !t.loading.TryLock() {
		return
	}
	follows, err := t.add(s)
	t.loading.Unlock()
	if err != nil || !follows {
		go func() { trouble(ws.catchUp(ctx, s.Game, t)) }()
	}
}

// expect says that the game has a record at the position.
func (t *topic) expect(p events.Position) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.heard = max(t.heard, p)
}

// complete says that the topic has every record that it has heard of.
func (t *topic) complete() bool {
	p := t.position()
	t.mu.Lock()
	defer t.mu.Unlock()
	return p >= t.heard
}

// add takes the next record, and ignores one that it has. It reports false for one
// that comes too early.
func (t *topic) add(s events.Stored) (follows bool, err error) {
	r, err := events.DecodeRecord(s.Payload)
	if err != nil {
		return false, fmt.Errorf("record at position %d: %w", s.Position, err)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case r.N < len(t.records):
		return true, nil
	case r.N > len(t.records):
		return false, nil
	}
	t.records = append(t.records, s)
	t.over = t.over || ends(r)
	close(t.grown)
	t.grown = make(chan struct{})
	return true, nil
}

func (t *topic) length() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.records)
}

// position is that of the newest record it has.
func (t *topic) position() events.Position {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.records) == 0 {
		return 0
	}
	return t.records[len(t.records)-1].Position
}

// ends says whether the game is over with this record.
func ends(r events.Record) bool {
	for _, e := range r.Events {
		switch e.Fact.(type) {
		case game.GameEnded, game.GameAborted, game.GameVoided:
			return true
		default: // ends nothing
		}
	}
	return false
}
