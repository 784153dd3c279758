package sqlstore

import (
	"context"
	"errors"
	"strconv"
	"testing"
	"time"

	"chancery/events"
	"chancery/projections"
	"chancery/projections/lobby"
)

// batch is the first records of the log, as many as asked for.
func batch(t *testing.T, log events.Log, from projections.Checkpoint, size int) []projections.Record {
	t.Helper()
	for b, err := range projections.Batches(t.Context(), log, from, size) {
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	return nil
}

func claim(t *testing.T, m *Model) projections.Writer {
	t.Helper()
	w, err := m.Claim(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Release)
	return w
}

func stands(t *testing.T, m *Model, want projections.Checkpoint) {
	t.Helper()
	if at, err := m.Stands(t.Context()); err != nil || at != want {
		t.Errorf("stands at %+v, %v; want %+v", at, err, want)
	}
}

// Who does not know where the read model stands, or has lost it, writes nothing.
func TestFencing(t *testing.T) {
	log := ledger(t, 5)
	var zero projections.Checkpoint
	first := batch(t, log, zero, 3)
	onBoth(t, func(t *testing.T, open func() *DB) {
		m := open().Model(Lobby())
		old := claim(t, m)
		at := first[len(first)-1].Checkpoint()
		if err := old.Apply(t.Context(), zero, first); err != nil {
			t.Fatal(err)
		}
		stands(t, m, at)
		if err := old.Apply(t.Context(), zero, first); !errors.Is(err, projections.ErrFenced) {
			t.Errorf("the same batch again: %v", err)
		}
		next := batch(t, log, at, 1)
		wrong := projections.Checkpoint{Position: at.Position, Hash: next[0].Hash()}
		if err := old.Apply(t.Context(), wrong, next); !errors.Is(err, projections.ErrFenced) {
			t.Errorf("behind another record: %v", err)
		}
		claim(t, m) // the same process may, as when it lost its way
		for name, err := range map[string]error{
			"Apply": old.Apply(t.Context(), at, next), "Renew": old.Renew(t.Context()),
			"Checkpoint": func() error { _, err := old.Checkpoint(t.Context()); return err }(),
		} {
			if !errors.Is(err, projections.ErrFenced) {
				t.Errorf("%s of the old writer: %v", name, err)
			}
		}
		stands(t, m, at)
	})
}

// A projection that fails in the middle of a batch leaves nothing of it behind.
func TestAllOrNothing(t *testing.T) {
	log := ledger(t, 5)
	broken := Lobby()
	project := broken.Project
	trouble := errors.New("it is no good")
	broken.Project = func(ctx context.Context, tx *Tx, batch []projections.Record) error {
		if err := project(ctx, tx, batch); err != nil {
			return err
		}
		if err := tx.Flush(ctx); err != nil {
			return err
		}
		return trouble
	}
	onBoth(t, func(t *testing.T, open func() *DB) {
		m := open().Model(broken)
		empty := sum(t, m)
		var zero projections.Checkpoint
		if err := claim(t, m).Apply(t.Context(), zero, batch(t, log, zero, 20)); !errors.Is(err, trouble) {
			t.Errorf("Apply: %v", err)
		}
		stands(t, m, zero)
		if got := sum(t, m); got != empty {
			t.Errorf("%+v is left, want %+v", got, empty)
		}
	})
}

// Another process takes over when the one that writes has been silent for long enough,
// and not before.
func TestTakeover(t *testing.T) {
	onBoth(t, func(t *testing.T, open func() *DB) {
		here := open().Model(Lobby())
		if here.db.shared == nil {
			return // a folder is one process's alone
		}
		there := open().Model(Lobby())
		w := claim(t, here)
		began := time.Now()
		for time.Since(began) < projections.Lease/2 {
			if _, err := there.Claim(t.Context()); !errors.Is(err, projections.ErrHeld) {
				t.Fatalf("Claim while another process writes: %v", err)
			}
			time.Sleep(100 * time.Millisecond)
		}
		if err := w.Renew(t.Context()); err != nil {
			t.Fatal(err)
		}
		began = time.Now()
		var taken projections.Writer
		for taken == nil && time.Since(began) < 3*projections.Lease {
			taken, _ = there.Claim(t.Context())
			time.Sleep(50 * time.Millisecond)
		}
		if taken == nil {
			t.Fatal("nobody took over")
		}
		if waited := time.Since(began); waited < projections.Lease/2 {
			t.Errorf("taken over after %v, though the claim was renewed", waited)
		}
		if err := w.Renew(t.Context()); !errors.Is(err, projections.ErrFenced) {
			t.Errorf("Renew of the old writer: %v", err)
		}
		taken.Release()
		if _, err := here.Claim(t.Context()); err != nil {
			t.Errorf("Claim of what was released: %v", err)
		}
	})
}

// A claim made when the database's clock was ahead by a day does not hold for a day.
func TestTheDatabasesClockGoesBack(t *testing.T) {
	onBoth(t, func(t *testing.T, open func() *DB) {
		here := open().Model(Lobby())
		if here.db.shared == nil {
			return // a folder is one process's alone
		}
		old := claim(t, here)
		if _, err := here.db.shared.ExecContext(t.Context(), "UPDATE lobby.lobby_checkpoint SET expires = expires + 86400000"); err != nil {
			t.Fatal(err)
		}
		claim(t, open().Model(Lobby()))
		if err := old.Renew(t.Context()); !errors.Is(err, projections.ErrFenced) {
			t.Errorf("Renew of the old writer: %v", err)
		}
	})
}

// A read model that has absorbed more is not replaced by one that has absorbed less; and
// one that is replaced fences its writer off while its readers read on.
func TestSwap(t *testing.T) {
	log := ledger(t, 10)
	onBoth(t, func(t *testing.T, open func() *DB) {
		db := open()
		m := db.Model(Lobby())
		absorb(t, m, log, 100)
		want := sum(t, m)
		w := claim(t, m)
		at, err := w.Checkpoint(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		b, err := m.Rebuild(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer b.Release()
		if _, err := m.Rebuild(t.Context()); !errors.Is(err, projections.ErrHeld) {
			t.Errorf("two at once: %v", err)
		}
		if err := b.Swap(t.Context(), false); !errors.Is(err, projections.ErrBehind) {
			t.Fatalf("Swap of an empty one: %v", err)
		}
		if err := w.Renew(t.Context()); err != nil {
			t.Errorf("the writer was fenced off by a swap that did not happen: %v", err)
		}
		if got := sum(t, m); got != want {
			t.Errorf("%+v is in use, want %+v", got, want)
		}
		var last projections.Checkpoint
		for last.Position < at.Position {
			if last, err = projections.Absorb(t.Context(), "lobby", b, last, batch(t, log, last, 50)); err != nil {
				t.Fatal(err)
			}
		}
		if err := b.Swap(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		if err := w.Renew(t.Context()); !errors.Is(err, projections.ErrFenced) {
			t.Errorf("the old writer goes on: %v", err)
		}
		if got := sum(t, m); got != want {
			t.Errorf("%+v is in use, want %+v", got, want)
		}
		b.Release()
		absorb(t, m, log, 100) // nothing, but by a writer of the new one
		db.Close()
		if got := sum(t, open().Model(Lobby())); got != want {
			t.Errorf("after a restart %+v is in use, want %+v", got, want)
		}
	})
}

// A rebuild that is given up leaves everything as it was, and another may begin.
func TestRebuildGivenUp(t *testing.T) {
	log := ledger(t, 10)
	onBoth(t, func(t *testing.T, open func() *DB) {
		db := open()
		m := db.Model(History(log))
		absorb(t, m, log, 100)
		want := sum(t, m)
		ctx, cancel := context.WithCancel(t.Context())
		err := projections.Rebuild(ctx, log, m, func(_, _ events.Position) { cancel() })
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if got := sum(t, m); got != want {
			t.Errorf("%+v is in use, want %+v", got, want)
		}
		if err := projections.Rebuild(t.Context(), log, m, nil); err != nil {
			t.Fatal(err)
		}
		if got := sum(t, m); got != want {
			t.Errorf("%+v is in use, want %+v", got, want)
		}
	})
}

// The list in memory goes on where the one in SQL stands.
func TestLobbyRestored(t *testing.T) {
	log := ledger(t, 40)
	last, err := log.Last(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	whole := lobby.New()
	for s, err := range log.Follow(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if err := whole.Absorb(s); err != nil {
			t.Fatal(err)
		}
		if s.Position == last {
			break
		}
	}
	want, _ := whole.List(lobby.Query{})
	if len(want) == 0 {
		t.Fatal("no game is open")
	}
	onBoth(t, func(t *testing.T, open func() *DB) {
		db := open()
		absorb(t, db.Model(Lobby()), log, 7)
		games, at, err := db.LobbyGames(t.Context())
		if err != nil || at.Position != last {
			t.Fatalf("at %d, %v", at.Position, err)
		}
		got, _ := lobby.Restore(games, at.Position).List(lobby.Query{})
		equal(t, got, want)
	})
}

// A read model is outdated when its folder of migrations has grown, and left alone when
// a newer program made it.
func TestOutdated(t *testing.T) {
	onBoth(t, func(t *testing.T, open func() *DB) {
		db := open()
		for _, p := range all(nil) {
			m := db.Model(p)
			for add, want := range map[int]bool{0: false, -1: true} {
				b, done, err := m.use(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if _, err := b.sql.Exec("UPDATE " + p.Name + "_version SET version_id = version_id + " + strconv.Itoa(add)); err != nil {
					t.Fatal(err)
				}
				old, err := m.Outdated(t.Context())
				if err != nil || old != want {
					t.Errorf("%s, version %+d: outdated %v, %v", p.Name, add, old, err)
				}
				if _, err := b.sql.Exec("UPDATE " + p.Name + "_version SET version_id = version_id + 1 - " + strconv.Itoa(add)); err != nil {
					t.Fatal(err)
				}
				if _, err := m.Outdated(t.Context()); !errors.Is(err, projections.ErrHeld) {
					t.Errorf("%s of a newer program: %v", p.Name, err)
				}
				if _, err := b.sql.Exec("UPDATE " + p.Name + "_version SET version_id = version_id - 1"); err != nil {
					t.Fatal(err)
				}
				done()
			}
		}
	})
}
