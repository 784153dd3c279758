package tests

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"chancery/adapters/jetstream"
	"chancery/adapters/sqlstore"
	"chancery/adapters/watermill"
	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
	"chancery/projections"
	"chancery/tests/postgres"
)

// BenchmarkReadDelay plays 200 games at one command a second each on a ledger that
// syncs every append, and says how long after its making a record is in the read models.
func BenchmarkReadDelay(b *testing.B) {
	b.Run("sqlite", func(b *testing.B) { benchReadDelay(b, "") })
	b.Run("postgres", func(b *testing.B) { benchReadDelay(b, postgres.URL(b)) })
}

func benchReadDelay(b *testing.B, url string) {
	const games, seconds = 200, 10
	log, err := jetstream.OpenEmbedded(b.Context(), jetstream.Embedded{Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	defer log.Close()
	store, err := sqlstore.Open(url, b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	var models []projections.Model
	for _, p := range inSQL(log) {
		models = append(models, store.Model(p))
	}
	var mu sync.Mutex
	delays := map[string][]time.Duration{}
	r := watermill.New(watermill.Config{Log: log, Models: models, Logger: slog.New(slog.DiscardHandler), Absorbed: func(model string, _ int, made time.Time) {
		mu.Lock()
		defer mu.Unlock()
		delays[model] = append(delays[model], time.Since(made))
	}})
	ctx, cancel := context.WithCancel(b.Context())
	var running sync.WaitGroup
	running.Go(func() { _ = r.Run(ctx) }) // an error shows by delays that are not there
	defer running.Wait()
	defer cancel()
	for round := 0; b.Loop(); round++ {
		var playing sync.WaitGroup
		for n := range games {
			playing.Go(func() { shuttleSlowly(b, log, fmt.Sprintf("slow-%d-%d", round, n), n*1000/games, seconds) })
		}
		playing.Wait()
	}
	mu.Lock()
	defer mu.Unlock()
	for model, list := range delays {
		slices.Sort(list)
		b.ReportMetric(float64(list[len(list)/2].Microseconds())/1000, model+"-p50-ms")
		b.ReportMetric(float64(list[len(list)*99/100].Microseconds())/1000, model+"-p99-ms")
	}
	b.ReportMetric(0, "ns/op")
}

// shuttleSlowly plays one move a second, from a moment of the first second on.
func shuttleSlowly(b *testing.B, log events.Log, id string, after, seconds int) {
	time.Sleep(time.Duration(after) * time.Millisecond)
	g, dealer := events.NewGame(id), fair.NewDealer(id, fair.Seed{1})
	moves := []string{"g1f3", "g8f6", "f3g1", "f6g8"}
	for i := range seconds {
		c := game.Command{By: game.Players[i%2], At: game.Instant(time.Now().UnixMilli())}
		switch i {
		case 0:
			c.Action = game.Create{Variant: "chess", Color: game.PreferWhite}
		case 1:
			c.Action = game.Join{}
		default:
			c.Action = game.Move{UCI: moves[(i-2)%4]}
		}
		var err error
		if g, _, err = events.Transact(b.Context(), log, g, c, events.Terms{Cause: fair.Cause(id, fmt.Sprint(i)), Chance: dealer}); err != nil {
			b.Error(err)
			return
		}
		time.Sleep(time.Second)
	}
}
