package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"chancery/adapters/keys"
	"chancery/adapters/memory"
	"chancery/domain/bot"
	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"

	crand "crypto/rand"
)

// BenchCmd holds the benchmarks behind every figure of the README.
type BenchCmd struct {
	Append BenchAppendCmd `cmd:"" help:"Raw publishes, the ledger's appends, and whole commands, a second."`
	Replay BenchReplayCmd `cmd:"" help:"Folding a game, and loading one from a big ledger."`
	Perft  BenchPerftCmd  `cmd:"" help:"Move generation."`
}

// latencies are how long single operations took.
type latencies []time.Duration

// at is the latency that the given part of all stay below: 0.5 is the median.
func (l latencies) at(part float64) time.Duration {
	if len(l) == 0 {
		return 0
	}
	slices.Sort(l)
	return l[min(len(l)-1, int(part*float64(len(l))))]
}

// micros is a duration for people.
func micros(d time.Duration) string {
	switch {
	case d < 10*time.Microsecond:
		return fmt.Sprintf("%.2f µs", float64(d)/1e3)
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.0f µs", float64(d)/1e3)
	}
	return fmt.Sprintf("%.1f ms", float64(d)/1e6)
}

// benchRecords is how many records the game of the benchmarks has.
const benchRecords = 200

// longGame plays a random game of chess of at least that many records in memory, and
// gives its log, its id, and the moves of it.
func longGame(ctx context.Context, dir string, records int) (log events.Log, id string, moves []string, err error) {
	ring, err := keys.Open(dir, time.Now(), crand.Reader)
	if err != nil {
		return nil, "", nil, err
	}
	player, err := bot.Lookup("random")
	if err != nil {
		return nil, "", nil, err
	}
	for seed := range uint64(1000) {
		memory := memory.New()
		a := arena{log: memory, ring: ring}
		m := match{id: fmt.Sprintf("bench-%d", seed), variant: "chess", players: [2]bot.Bot{player, player}, random: rand.New(rand.NewPCG(seed, 0))}
		dealer := fair.NewDealer(m.id, m.seed)
		g, err := a.open(ctx, m, dealer)
		for err == nil && !g.State.Over() && g.N+1 < records {
			g, err = a.turn(ctx, m, g, dealer)
		}
		if err != nil {
			return nil, "", nil, err
		}
		if !g.State.Over() {
			moves, err := movesOf(ctx, memory, m.id)
			return memory, m.id, moves, err
		}
	}
	return nil, "", nil, fmt.Errorf("no random game has %d records", records)
}

func movesOf(ctx context.Context, log events.Log, id string) (moves []string, err error) {
	for step, err := range events.Steps(ctx, log, events.NewGame(id)) {
		if err != nil {
			return nil, err
		}
		for _, e := range step.Record.Events {
			if f, ok := e.Fact.(game.MovePlayed); ok {
				moves = append(moves, f.UCI)
			}
		}
	}
	return moves, nil
}
