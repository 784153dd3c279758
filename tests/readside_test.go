package tests

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"chancery/adapters/memory"
	"chancery/adapters/sqlstore"
	"chancery/adapters/watermill"
	"chancery/events"
	"chancery/projections"
	"chancery/projections/history"
	"chancery/projections/ledgertest"
	"chancery/tests/postgres"
)

// quickPace is a runner's for tests.
var quickPace = watermill.Pace{
	Batch: 100, First: 5 * time.Millisecond, Longest: 100 * time.Millisecond, Standby: 50 * time.Millisecond, Stopped: 50 * time.Millisecond,
}

// onBothDatabases runs a test on SQLite and on PostgreSQL.
func onBothDatabases(t *testing.T, test func(t *testing.T, url string)) {
	t.Run("sqlite", func(t *testing.T) { test(t, "") })
	t.Run("postgres", func(t *testing.T) { test(t, postgres.URL(t)) })
}

// inSQL are the read models that the tests run.
func inSQL(log events.Log) []sqlstore.Projection {
	return []sqlstore.Projection{sqlstore.Lobby(), sqlstore.History(log), sqlstore.Watch(log), sqlstore.Ratings()}
}

// A reading is a runner with its store.
type reading struct {
	*watermill.Runner
	store  *sqlstore.DB
	models []*sqlstore.Model
	stop   func()
}

// read runs projections until the test ends or stop is called.
func read(t *testing.T, log events.Log, url, dir string, list []sqlstore.Projection) *reading {
	t.Helper()
	store, err := sqlstore.Open(url, dir)
	if err != nil {
		t.Fatal(err)
	}
	r := &reading{store: store}
	var models []projections.Model
	for _, p := range list {
		m := store.Model(p)
		r.models, models = append(r.models, m), append(models, m)
	}
	r.Runner = watermill.New(watermill.Config{Log: log, Models: models, Logger: slog.New(slog.DiscardHandler), Pace: quickPace})
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		if err := r.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	r.stop = sync.OnceFunc(func() {
		cancel()
		running.Wait()
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(r.stop)
	return r
}

// until waits for the projections to be as wanted.
func (r *reading) until(t *testing.T, what string, holds func([]projections.Status) bool) {
	t.Helper()
	var list []projections.Status
	for began := time.Now(); time.Since(began) < time.Minute; time.Sleep(10 * time.Millisecond) {
		if list = r.Statuses(t.Context()); holds(list) {
			return
		}
	}
	t.Fatalf("it did not happen: %s: %v", what, list)
}

func caughtUp(list []projections.Status) bool {
	for _, s := range list {
		if s.Condition != projections.Running || s.Lag() > 0 {
			return false
		}
	}
	return true
}

// sums are the checksums of the read models by name.
func (r *reading) sums(t *testing.T) map[string]sqlstore.Checksum {
	t.Helper()
	sums := map[string]sqlstore.Checksum{}
	for _, m := range r.models {
		c, err := m.Checksum(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		sums[m.Name()] = c
	}
	return sums
}

// sameWhenRebuilt computes every read model anew and compares.
func (r *reading) sameWhenRebuilt(t *testing.T) {
	t.Helper()
	before := r.sums(t)
	for name := range before {
		if err := r.Rebuild(t.Context(), name, nil); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range r.sums(t) {
		if c != before[name] {
			t.Errorf("%s computed anew is %+v, was %+v", name, c, before[name])
		}
	}
}

func fill(t *testing.T, log events.Log, from, to int) {
	t.Helper()
	if err := ledgertest.Play(t.Context(), log, ledgertest.Games{From: from, To: to}); err != nil {
		t.Fatal(err)
	}
}

// A record that one projection cannot absorb stops that one, at that record, and no
// other; play goes on; and once the projection is mended it goes on there.
func TestPoison(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, url string) {
		log := memory.New()
		fill(t, log, 0, 10)
		for i, p := range everyProjection(log) {
			t.Run(p.Name, func(t *testing.T) { poison(t, log, url, i) })
		}
	})
}

// everyProjection lists all that there are in SQL.
func everyProjection(log events.Log) []sqlstore.Projection {
	return append(inSQL(log), sqlstore.Stats(log))
}

// poison lets the projection of number i fail at a record, and mends it.
func poison(t *testing.T, log events.Log, url string, i int) {
	if url != "" {
		url = postgres.URL(t) // where nothing is absorbed yet
	}
	const bad = events.Position(57)
	var mended atomic.Bool
	list := everyProjection(log)
	project := list[i].Project
	list[i].Project = func(ctx context.Context, tx *sqlstore.Tx, batch []projections.Record) error {
		for _, r := range batch {
			switch {
			case mended.Load() || r.Position != bad:
			case url == "":
				panic("a mistake in the projection")
			default:
				return errors.New("no such event is known")
			}
		}
		return project(ctx, tx, batch)
	}
	r := read(t, log, url, t.TempDir(), list)
	stopped := func(list []projections.Status) bool {
		s := list[i]
		return caughtUp(slices.Delete(slices.Clone(list), i, i+1)) && s.Condition == projections.Stopped && s.At == bad && s.Position == bad-1 && s.Game != "" && s.Error != ""
	}
	r.until(t, "it stops and the others do not", stopped)
	fill(t, log, 10*(i+1), 10*(i+1)+5)
	r.until(t, "the others go on and it does not", stopped)
	if at, err := r.models[i].Stands(t.Context()); err != nil || at.Position != bad-1 {
		t.Errorf("it stands at %d, %v", at.Position, err)
	}
	mended.Store(true)
	r.until(t, "it goes on", caughtUp)
	r.sameWhenRebuilt(t)
}

// Bytes that are no record stop every projection that must read them, visibly.
func TestPoisonInTheLedger(t *testing.T) {
	log := memory.New()
	fill(t, log, 0, 3)
	bad, err := log.Append(t.Context(), 0, events.Entry{Game: "bad", Payload: []byte(`{"at":"2026-11-29T20:00:05.000Z","v":2}`)})
	if err != nil {
		t.Fatal(err)
	}
	fill(t, log, 3, 6)
	r := read(t, log, "", t.TempDir(), inSQL(log))
	r.until(t, "history and watch stop at it", func(list []projections.Status) bool {
		return caughtUp(list[:1]) && list[1].At == bad && list[2].At == bad && list[2].Condition == projections.Stopped
	})
}

// Read models are rebuilt again and again while games are played and lists are read: no
// reader fails, nobody sees an older list than before, nothing is lost.
func TestRebuildWhileServing(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, url string) {
		log := memory.New()
		fill(t, log, 0, 30)
		r := read(t, log, url, t.TempDir(), inSQL(log))
		r.until(t, "all is absorbed", caughtUp)
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for range 2 {
			all.Go(func() { readOn(ctx, t, r.store) })
		}
		all.Go(func() {
			for n := 30; ctx.Err() == nil; n += 8 {
				if err := ledgertest.Play(ctx, log, ledgertest.Games{From: n, To: n + 8, Moves: 8}); err != nil && ctx.Err() == nil {
					t.Error(err)
				}
				time.Sleep(50 * time.Millisecond)
			}
		})
		for range 3 {
			for _, m := range r.models {
				if err := r.Rebuild(t.Context(), m.Name(), nil); err != nil {
					t.Error(err)
				}
			}
		}
		cancel()
		all.Wait()
		r.until(t, "all is absorbed", caughtUp)
		r.sameWhenRebuilt(t)
	})
}

// readOn lists the newest finished game over and over.
func readOn(ctx context.Context, t *testing.T, store *sqlstore.DB) {
	var newest events.Position
	for ; ctx.Err() == nil; time.Sleep(time.Millisecond) {
		page, _, err := store.Games(ctx, history.Query{Voided: true, Limit: 5})
		switch {
		case ctx.Err() != nil:
		case err != nil:
			t.Errorf("reading: %v", err)
			return
		case len(page) == 0 || page[0].Position < newest:
			t.Errorf("the newest finished game was at %d, and now there are %d", newest, len(page))
			return
		default:
			newest = page[0].Position
		}
	}
}

// The database goes away and comes back: readers are told, nothing is lost or done
// twice, and everything works again by itself.
func TestDatabaseRestarts(t *testing.T) {
	server := postgres.Start(t)
	url, err := server.NewDatabase(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	log := memory.New()
	fill(t, log, 0, 10)
	r := read(t, log, url, "", inSQL(log))
	r.until(t, "all is absorbed", caughtUp)
	for round := range 3 {
		if err := server.Stop(); err != nil {
			t.Fatal(err)
		}
		fill(t, log, 10+10*round, 20+10*round)
		if _, _, err := r.store.Games(t.Context(), history.Query{}); !errors.Is(err, projections.ErrUnavailable) {
			t.Errorf("reading without a database: %v", err)
		}
		r.until(t, "the projections wait", func(list []projections.Status) bool { return list[0].Condition == projections.Waiting })
		if err := server.Again(); err != nil {
			t.Fatal(err)
		}
		r.until(t, "all is absorbed", caughtUp)
	}
	r.sameWhenRebuilt(t)
}

// Of several processes on one database one writes; when it dies another goes on.
func TestTakeover(t *testing.T) {
	url := postgres.URL(t)
	log := memory.New()
	fill(t, log, 0, 10)
	list := func() []sqlstore.Projection { return []sqlstore.Projection{sqlstore.History(log)} }
	first := read(t, log, url, "", list())
	first.until(t, "all is absorbed", caughtUp)
	second := read(t, log, url, "", list())
	second.until(t, "the second stands by", func(l []projections.Status) bool { return l[0].Condition == projections.Standby })
	first.stop()
	began := time.Now()
	fill(t, log, 10, 20)
	second.until(t, "the second takes over", caughtUp)
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("taken over after %v", took)
	}
	second.sameWhenRebuilt(t)
}

// A read model is never mixed with another ledger.
func TestForeignLedger(t *testing.T) {
	dir := t.TempDir()
	log, other := memory.New(), memory.New()
	fill(t, log, 0, 10)
	fill(t, other, 10, 15)
	r := read(t, log, "", dir, []sqlstore.Projection{sqlstore.History(log)})
	r.until(t, "all is absorbed", caughtUp)
	r.stop()
	r = read(t, other, "", dir, []sqlstore.Projection{sqlstore.History(other)})
	r.until(t, "it refuses", func(l []projections.Status) bool {
		return l[0].Condition == projections.Stopped && strings.Contains(l[0].Error, "rebuild")
	})
	if err := r.Rebuild(t.Context(), "history", nil); err != nil {
		t.Fatal(err)
	}
	r.until(t, "it is of the new ledger", caughtUp)
	r.sameWhenRebuilt(t)
}

// forgetful is a read model whose answers get lost on their way every other time, as when
// a connection is cut in the middle of a commit.
type forgetful struct {
	*sqlstore.Model
	applied atomic.Int64
}

func (f *forgetful) Claim(ctx context.Context) (projections.Writer, error) {
	w, err := f.Model.Claim(ctx)
	return &forgetfulWriter{w, f}, err
}

type forgetfulWriter struct {
	projections.Writer
	model *forgetful
}

func (w *forgetfulWriter) Apply(ctx context.Context, from projections.Checkpoint, batch []projections.Record) error {
	err := w.Writer.Apply(ctx, from, batch)
	if w.model.applied.Add(1)%2 == 0 {
		return errors.Join(projections.ErrUnavailable, err)
	}
	return err
}

// A commit whose answer is lost counts once.
func TestLostCommits(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, url string) {
		log := memory.New()
		fill(t, log, 0, 20)
		store, err := sqlstore.Open(url, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		model := &forgetful{Model: store.Model(sqlstore.History(log))}
		pace := quickPace
		pace.Batch = 7
		r := &reading{store: store, models: []*sqlstore.Model{model.Model}, Runner: watermill.New(watermill.Config{
			Log: log, Models: []projections.Model{model}, Logger: slog.New(slog.DiscardHandler), Pace: pace,
		})}
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() {
			if err := r.Run(ctx); err != nil {
				t.Error(err)
			}
		})
		defer running.Wait()
		defer cancel()
		r.until(t, "all is absorbed", caughtUp)
		before := r.sums(t)
		if err := projections.Rebuild(t.Context(), log, model.Model, nil); err != nil {
			t.Fatal(err)
		}
		if after := r.sums(t); before["history"] != after["history"] {
			t.Errorf("computed anew %+v, was %+v", after, before)
		}
	})
}
