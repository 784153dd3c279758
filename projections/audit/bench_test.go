package audit_test

import (
	"testing"

	"chancery/events/verify"
	"chancery/projections"
	"chancery/projections/audit"
	"chancery/projections/ledgertest"
)

// BenchmarkAuditor audits games of all variants, every one verified up to the level
// legal. The games are about 200 records long.
func BenchmarkAuditor(b *testing.B) {
	const games = 24
	log, records := ledger(b, ledgertest.Games{To: games, Moves: 200, Variants: []string{"yugioh", "unochess", "chessuno", "nocastle"}})
	for b.Loop() {
		a := audit.New(log, verify.Legal)
		for _, s := range records {
			if err := a.Absorb(b.Context(), projections.NewRecord(s)); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(games*float64(b.N)/b.Elapsed().Seconds(), "games/s")
	b.ReportMetric(float64(len(records)*b.N)/b.Elapsed().Seconds(), "records/s")
}

// BenchmarkShuffleWatch takes in shuffles of 108 cards.
func BenchmarkShuffleWatch(b *testing.B) {
	w, order := audit.NewShuffleWatch(), make([]int, 108)
	for i := range order {
		order[i] = i * 5 % 108
	}
	for b.Loop() {
		w.Add(order)
	}
}
