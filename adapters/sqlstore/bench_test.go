package sqlstore

import (
	"context"
	"fmt"
	"testing"

	"chancery/adapters/memory"
	"chancery/domain/fair"
	"chancery/events"
	"chancery/projections"
	"chancery/projections/ledgertest"
	"chancery/tests/postgres"
)

// longLedger has so many records: games of chess, 64 at a time, of some hundred moves
// each, that are made without asking the rules.
func longLedger(tb testing.TB, records int) *memory.Log {
	tb.Helper()
	log := memory.New()
	base := memory.New()
	if err := ledgertest.Play(tb.Context(), base, ledgertest.Games{To: 64, Variants: []string{"chess"}, Moves: 120, AtOnce: 64}); err != nil {
		tb.Fatal(err)
	}
	var stored []events.Stored
	last, _ := base.Last(tb.Context())
	for s, err := range base.Follow(tb.Context(), 0) {
		if err != nil {
			tb.Fatal(err)
		}
		if stored = append(stored, s); s.Position == last {
			break
		}
	}
	heads, revisions := map[string]fair.Hash{}, map[string]events.Revision{}
	for round := 0; records > 0; round++ {
		for _, s := range stored {
			r, err := events.DecodeRecord(s.Payload)
			if err != nil {
				tb.Fatal(err)
			}
			id := fmt.Sprintf("%s-%d", s.Game, round)
			r.Game, r.Prev = id, heads[id]
			payload, err := events.EncodeRecord(r)
			if err != nil {
				tb.Fatal(err)
			}
			at, err := log.Append(tb.Context(), revisions[id], events.Entry{Game: id, Payload: payload})
			if err != nil {
				tb.Fatal(err)
			}
			heads[id], revisions[id] = fair.RecordHash(payload), at
			if records--; records == 0 {
				break
			}
		}
	}
	return log
}

// BenchmarkProject measures how many records a second a read model absorbs from an
// empty start.
func BenchmarkProject(b *testing.B) {
	const records = 50_000
	log := longLedger(b, records)
	for _, name := range []string{"sqlite", "postgres"} {
		var url string
		if name == "postgres" {
			url = postgres.URL(b)
		}
		db, err := Open(url, b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		for _, p := range all(log) {
			b.Run(name+"/"+p.Name, func(b *testing.B) {
				for b.Loop() {
					if err := projections.Rebuild(context.Background(), log, db.Model(p), nil); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(records)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
				b.ReportMetric(0, "ns/op")
			})
		}
		db.Close()
	}
}
