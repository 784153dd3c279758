package tests

import (
	"cmp"
	"flag"
	"syscall"
	"testing"
	"time"

	"chancery/adapters/jetstream"
	"chancery/adapters/sqlstore"
	"chancery/events"
	"chancery/projections"
	"chancery/projections/ledgertest"
	"chancery/tests/postgres"
)

var benchLedger = flag.String("ledger", "", "data directory of the ledger of BenchmarkRebuild, made by chancery simulate --lazy; a small one if left out")

// BenchmarkRebuild computes every read model from a ledger on disk, and says how many
// records a second it absorbs, on the whole and in every hundred thousand of a longer one:
// the price of a record must not grow with the ledger.
func BenchmarkRebuild(b *testing.B) {
	log, err := jetstream.OpenEmbedded(b.Context(), jetstream.Embedded{Dir: cmp.Or(*benchLedger, b.TempDir()), Lazy: true})
	if err != nil {
		b.Fatal(err)
	}
	defer log.Close()
	if *benchLedger == "" {
		if err := ledgertest.Play(b.Context(), log, ledgertest.Games{To: 400, Moves: 100, AtOnce: 64}); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("ledger", func(b *testing.B) { benchFollow(b, log) })
	for _, name := range []string{"sqlite", "postgres"} {
		b.Run(name, func(b *testing.B) {
			var url string
			if name == "postgres" {
				url = postgres.URL(b)
			}
			store, err := sqlstore.Open(url, b.TempDir())
			if err != nil {
				b.Fatal(err)
			}
			defer store.Close()
			for _, p := range append(inSQL(log), sqlstore.Stats(log)) {
				b.Run(p.Name, func(b *testing.B) { benchRebuild(b, log, store.Model(p)) })
			}
		})
	}
}

// benchFollow reads the ledger and does nothing with it.
func benchFollow(b *testing.B, log events.Log) {
	last, err := log.Last(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for batch, err := range projections.Batches(b.Context(), log, projections.Checkpoint{}, projections.MaxBatch) {
			if err != nil {
				b.Fatal(err)
			}
			if batch[len(batch)-1].Position >= last {
				break
			}
		}
	}
	b.ReportMetric(float64(last)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
	b.ReportMetric(0, "ns/op")
}

func benchRebuild(b *testing.B, log events.Log, m projections.Rebuilder) {
	const step = 100_000
	var records events.Position
	var steps []pace
	for b.Loop() {
		steps = nil
		from, begun := events.Position(0), now(b)
		err := projections.Rebuild(b.Context(), log, m, func(at, last events.Position) {
			if records = last; at-from >= step {
				is := now(b)
				steps = append(steps, is.since(begun, float64(at-from)))
				from, begun = at, is
			}
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(records)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
	b.ReportMetric(0, "ns/op")
	for i, s := range steps {
		b.Logf("records %7d to %7d: %6.0f a second, %3.0f µs of this process's CPU each", i*step, (i+1)*step, s.perSecond, s.micros)
	}
}

// A moment is when, and how much CPU this process had used by then.
type moment struct {
	at   time.Time
	used time.Duration
}

// A pace is how fast records went by.
type pace struct{ perSecond, micros float64 }

func now(b *testing.B) moment {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return moment{at: time.Now(), used: time.Duration(u.Utime.Nano() + u.Stime.Nano())}
}

// since is the pace of so many records.
func (m moment) since(begun moment, records float64) pace {
	return pace{perSecond: records / m.at.Sub(begun.at).Seconds(), micros: float64((m.used - begun.used).Microseconds()) / records}
}
