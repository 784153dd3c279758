package sqlstore

import (
	"testing"

	"chancery/adapters/memory"
	"chancery/events"
	"chancery/projections"
	"chancery/projections/ledgertest"
	"chancery/tests/postgres"
)

// onBoth runs a test on SQLite and on PostgreSQL.
func onBoth(t *testing.T, test func(t *testing.T, open func() *DB)) {
	for _, name := range []string{"sqlite", "postgres"} {
		t.Run(name, func(t *testing.T) {
			var url string
			if name == "postgres" {
				url = postgres.URL(t)
			}
			dir := t.TempDir()
			test(t, func() *DB {
				db, err := Open(url, dir)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { db.Close() })
				return db
			})
		})
	}
}

// all are the projections whose rows every test compares.
func all(log events.Log) []Projection {
	return []Projection{Lobby(), History(log), Watch(log), Ratings(), Stats(log)}
}

// ledger is a log with the given number of games.
func ledger(t testing.TB, games int) *memory.Log {
	t.Helper()
	log := memory.New()
	if err := ledgertest.Play(t.Context(), log, ledgertest.Games{To: games}); err != nil {
		t.Fatal(err)
	}
	return log
}

// absorb brings a read model up to the end of the log, by batches of a size.
func absorb(t testing.TB, m *Model, log events.Log, size int) {
	t.Helper()
	w, err := m.Claim(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Release()
	at, err := w.Checkpoint(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	last, err := log.Last(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if at.Position == last {
		return
	}
	for batch, err := range projections.Batches(t.Context(), log, at, size) {
		if err != nil {
			t.Fatal(err)
		}
		if at, err = projections.Absorb(t.Context(), m.Name(), w, at, batch); err != nil {
			t.Fatal(err)
		}
		if at.Position == last {
			return
		}
	}
}

func sum(t testing.TB, m *Model) Checksum {
	t.Helper()
	c, err := m.Checksum(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The size of batches, the database, and whether it was built anew make no difference.
func TestSameRows(t *testing.T) {
	log := ledger(t, 100)
	sums := map[string]Checksum{}
	for _, size := range []int{1, 7, 1000} {
		onBoth(t, func(t *testing.T, open func() *DB) {
			db := open()
			for _, p := range all(log) {
				m := db.Model(p)
				absorb(t, m, log, size)
				got := sum(t, m)
				if want, known := sums[p.Name]; known && got != want {
					t.Errorf("%s in batches of %d: %+v, want %+v", p.Name, size, got, want)
				}
				sums[p.Name] = got
				if err := projections.Rebuild(t.Context(), log, m, nil); err != nil {
					t.Fatal(err)
				}
				if again := sum(t, m); again != got {
					t.Errorf("%s rebuilt: %+v, want %+v", p.Name, again, got)
				}
			}
		})
	}
}
