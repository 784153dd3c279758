package main

import (
	"context"
	"time"

	"chancery/domain/chess"
)

// BenchPerftCmd measures the move generator.
type BenchPerftCmd struct {
	JSON bool `help:"For programs."`
}

// Help is an example.
func (BenchPerftCmd) Help() string {
	return "On one core: once with the last ply counted, once with every leaf played. Example:\n\n    chancery bench perft"
}

// perftPositions are the usual two.
var perftPositions = []struct {
	name, fen string
	depth     int
}{
	{"start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5},
	{"kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4},
}

// perftFor is how long each position is counted again and again.
const perftFor = 2 * time.Second

// A perftSpeed is one line of the result.
type perftSpeed struct {
	Position string  `json:"position"`
	Depth    int     `json:"depth"`
	Leaves   uint64  `json:"leaves"`
	Counted  float64 `json:"counted_per_second"` // the last ply counted
	Played   float64 `json:"played_per_second"`  // every leaf played
}

// Run measures.
func (c BenchPerftCmd) Run(ctx context.Context, env *Env) error {
	for _, at := range perftPositions {
		p, err := chess.ParsePosition(at.fen, chess.Orthodox)
		if err != nil {
			return err
		}
		s := perftSpeed{Position: at.name, Depth: at.depth}
		s.Leaves, s.Counted = leavesPerSecond(ctx, chess.Perft, &p, at.depth)
		_, s.Played = leavesPerSecond(ctx, chess.PerftPlayed, &p, at.depth)
		if err := ctx.Err(); err != nil {
			return err
		}
		if c.JSON {
			if err := env.printJSON(s); err != nil {
				return err
			}
			continue
		}
		env.printf("%-9s depth %d, %8d leaves: %6.1f million/s counted, %5.1f million/s played\n",
			s.Position, s.Depth, s.Leaves, s.Counted/1e6, s.Played/1e6)
	}
	return nil
}

func leavesPerSecond(ctx context.Context, count func(*chess.Position, int) uint64, p *chess.Position, depth int) (leaves uint64, rate float64) {
	var total uint64
	start := time.Now()
	for time.Since(start) < perftFor && ctx.Err() == nil {
		leaves = count(p, depth)
		total += leaves
	}
	return leaves, float64(total) / time.Since(start).Seconds()
}
