package table

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log/slog"
	"testing"
	"time"

	"chancery/adapters/memory"
	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
	"chancery/projections/lobby"
)

// What a table adds to the bare decision: a move through the hall, and the same moves by
// events.Transact alone, both on a ledger in memory.
func BenchmarkCommand(b *testing.B) {
	const moves = 16
	key := func(g string, i int) string { return fmt.Sprint(g, "-", i) }
	b.Run("hall", func(b *testing.B) {
		log := memory.New()
		h := newHall(Config{
			Log: log, Seals: &seals{}, Notes: &noteMap{notes: map[string][]byte{}}, Patience: DefaultPatience, Lobby: lobby.New(),
			Logger: slog.New(slog.NewTextHandler(io.Discard, nil)), Now: time.Now, Entropy: rand.Reader, Alone: true,
		})
		var id string
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			if i%moves == 0 {
				b.StopTimer()
				id = fmt.Sprint("g", i)
				must(b)(h.Create(context.Background(), id, key(id, -1), game.Create{Variant: "chess"}))
				must(b)(h.Do(context.Background(), id, key(id, -2), game.Command{By: game.Second, Action: game.Join{}}, nil))
				b.StartTimer()
			}
			c := game.Command{By: game.Players[i%2], Action: game.Move{UCI: shuttle[i%4]}}
			must(b)(h.Do(context.Background(), id, key(id, i), c, nil))
		}
	})
	b.Run("transact", func(b *testing.B) {
		log := memory.New()
		var g events.Game
		var d *fair.Dealer
		act := func(id string, by game.Seat, a game.Action, n int) {
			terms := events.Terms{Cause: fair.Cause(id, key(id, n)), Chance: d, Sealed: "k.x"}
			c := game.Command{By: by, At: game.Instant(time.Now().UnixMilli()), Action: a}
			var err error
			if g, _, err = events.Transact(context.Background(), log, g, c, terms); err != nil {
				b.Fatal(err)
			}
		}
		var id string
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			if i%moves == 0 {
				b.StopTimer()
				id = fmt.Sprint("g", i)
				g, d = events.NewGame(id), fair.NewDealer(id, fair.Seed{1})
				act(id, game.First, game.Create{Variant: "chess"}, -1)
				act(id, game.Second, game.Join{}, -2)
				b.StartTimer()
			}
			act(id, game.Players[i%2], game.Move{UCI: shuttle[i%4]}, i)
		}
	})
}

func must(b *testing.B) func(events.Game, events.Outcome, error) {
	return func(_ events.Game, _ events.Outcome, err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
}
