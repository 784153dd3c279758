package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"chancery/adapters/jetstream"
	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"
)

// BenchAppendCmd compares what the ledger does with what its broker can do.
type BenchAppendCmd struct {
	Games  []int `help:"How many games at once." default:"1,16,64"`
	Rounds int   `help:"Rounds; each measures everything once, so that a machine that gets slower slows all alike." default:"20"`
	Lazy   bool  `help:"Acknowledge before a record is on disk; otherwise every append is synced."`
	JSON   bool  `help:"For programs."`
}

// Help is an example.
func (BenchAppendCmd) Help() string {
	return "Publishes to the broker with an expected sequence, appends to the ledger, and plays whole moves (decide, append, evolve) in this process and over HTTP, all at the same durability. Example:\n\n    chancery bench append --games 1,16,64"
}

// filler is as long as the record of a move usually is.
var filler = append(append([]byte(`{"filler":"`), bytes.Repeat([]byte("x"), 440)...), `"}`...)

// A contender is one way to write records: prepare makes what a writer needs for a
// round, which is not measured, and the steps are.
type contender struct {
	name    string
	prepare func(ctx context.Context, game string) (step func(context.Context) error, err error)
	took    latencies
	rates   []float64 // a second, one a round
}

// Run measures round by round.
func (c BenchAppendCmd) Run(ctx context.Context, env *Env) error {
	dir, err := os.MkdirTemp("", "chancery-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	_, _, moves, err := longGame(ctx, filepath.Join(dir, "keys"), benchRecords)
	if err != nil {
		return err
	}
	log, err := jetstream.OpenEmbedded(ctx, jetstream.Embedded{Dir: filepath.Join(dir, "ledger"), Lazy: c.Lazy})
	if err != nil {
		return err
	}
	defer log.Close()
	server, err := startServer(ctx, filepath.Join(dir, "server"), c.Lazy)
	if err != nil {
		return err
	}
	defer server.stop()
	raw, err := rawWriter(log)
	if err != nil {
		return err
	}
	for _, games := range c.Games {
		list := []*contender{
			{name: "raw publishes", prepare: raw},
			{name: "ledger appends", prepare: appendWriter(log)},
			{name: "whole commands", prepare: commandWriter(log, moves)},
			{name: "over HTTP", prepare: server.writer(moves)},
		}
		if err := c.measure(ctx, env, games, list); err != nil {
			return err
		}
	}
	return nil
}

func (c BenchAppendCmd) measure(ctx context.Context, env *Env, games int, list []*contender) error {
	progress := newProgress(env, fmt.Sprintf("rounds with %d games", games), uint64(c.Rounds))
	for round := range c.Rounds {
		for i := range list {
			one := list[(i+round)%len(list)]
			if err := one.round(ctx, games, fmt.Sprintf("%d-%d-%d", games, round, i)); err != nil {
				return fmt.Errorf("%s: %w", one.name, err)
			}
		}
		progress.at(uint64(round+1) * 64)
	}
	progress.done()
	return c.print(env, games, list)
}

// round runs all games of one contender at once.
func (c *contender) round(ctx context.Context, games int, name string) error {
	steps := make([]func(context.Context) error, games)
	for i := range steps {
		var err error
		if steps[i], err = c.prepare(ctx, fmt.Sprintf("bench-%s-%d", name, i)); err != nil {
			return err
		}
	}
	took, errs := make([]latencies, games), make([]error, games)
	var all sync.WaitGroup
	start := time.Now()
	for i, step := range steps {
		all.Go(func() {
			for range movesOfRound(games) {
				began := time.Now()
				if errs[i] = step(ctx); errs[i] != nil {
					return
				}
				took[i] = append(took[i], time.Since(began))
			}
		})
	}
	all.Wait()
	busy, before := time.Since(start), len(c.took)
	for i := range took {
		if errs[i] != nil {
			return errs[i]
		}
		c.took = append(c.took, took[i]...)
	}
	c.rates = append(c.rates, float64(len(c.took)-before)/busy.Seconds())
	return nil
}

// movesOfRound is how many moves each of so many games plays in a round: all that the
// game has (its records but the two that open it), or fewer where many games make the
// round long enough.
func movesOfRound(games int) int {
	const all = benchRecords - 2
	return max(all/10, min(all, 4*all/games))
}

// An appendSpeed is one line of the result.
type appendSpeed struct {
	Games  int           `json:"games"`
	What   string        `json:"what"`
	Rate   float64       `json:"per_second"` // the median of all rounds
	P50    time.Duration `json:"p50_ns"`
	P99    time.Duration `json:"p99_ns"`
	OfRaw  float64       `json:"of_raw"` // rate, as a part of that of raw publishes in the same round; the median
	Synced bool          `json:"synced"`
}

func (c BenchAppendCmd) print(env *Env, games int, list []*contender) error {
	for _, one := range list {
		s := appendSpeed{
			Games: games, What: one.name, Rate: median(one.rates), P50: one.took.at(0.5), P99: one.took.at(0.99),
			OfRaw: median(quotients(one.rates, list[0].rates)), Synced: !c.Lazy,
		}
		if c.JSON {
			if err := env.printJSON(s); err != nil {
				return err
			}
			continue
		}
		env.printf("%3d games  %-15s %7.0f/s  p50 %8s  p99 %8s  %.2f of raw\n",
			s.Games, s.What, s.Rate, micros(s.P50), micros(s.P99), s.OfRaw)
	}
	return nil
}

// median leaves its argument as it is.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	if len(sorted) == 0 {
		return 0
	}
	return sorted[len(sorted)/2]
}

func quotients(of, by []float64) []float64 {
	list := make([]float64, len(of))
	for i := range of {
		list[i] = of[i] / by[i]
	}
	return list
}

// rawWriter publishes as fast as the client library can, over all connections of the
// ledger.
func rawWriter(log *jetstream.Log) (func(context.Context, string) (func(context.Context) error, error), error) {
	var streams []natsjs.JetStream
	for _, conn := range log.Conns() {
		js, err := natsjs.New(conn)
		if err != nil {
			return nil, err
		}
		streams = append(streams, js)
	}
	return func(_ context.Context, game string) (func(context.Context) error, error) {
		js, at := streams[int(fair.Cause(game, "")[0])%len(streams)], uint64(0)
		return func(ctx context.Context) error {
			ack, err := js.PublishMsg(ctx, &nats.Msg{Subject: "game." + game, Data: filler}, natsjs.WithExpectLastSequencePerSubject(at))
			if err == nil {
				at = ack.Sequence
			}
			return err
		}, nil
	}, nil
}

func appendWriter(log events.Log) func(context.Context, string) (func(context.Context) error, error) {
	return func(_ context.Context, id string) (func(context.Context) error, error) {
		at, n := events.Revision(0), 0
		return func(ctx context.Context) (err error) {
			n++
			e := events.Entry{
				Game: id, Payload: filler, Cause: fair.Cause(id, strconv.Itoa(n)).String(), Rules: "chess/1", Types: []string{"MovePlayed"},
			}
			at, err = log.Append(ctx, at, e)
			return err
		}, nil
	}
}

// commandWriter plays the moves of a game as a server does.
func commandWriter(log events.Log, moves []string) func(context.Context, string) (func(context.Context) error, error) {
	return func(ctx context.Context, id string) (func(context.Context) error, error) {
		g := newBenchedGame(log, id, moves)
		err := g.step(ctx)
		if err == nil {
			err = g.step(ctx)
		}
		return g.step, err
	}
}

// A benchedGame is a game of chess that plays given moves.
type benchedGame struct {
	log    events.Log
	game   events.Game
	dealer *fair.Dealer
	moves  []string
}

func newBenchedGame(log events.Log, id string, moves []string) *benchedGame {
	return &benchedGame{log: log, game: events.NewGame(id), dealer: fair.NewDealer(id, fair.Seed{}), moves: moves}
}

// step is the next record: the creation, the join, or a move.
func (b *benchedGame) step(ctx context.Context) error {
	c := game.Command{By: game.First, At: game.Instant(time.Now().UnixMilli())}
	switch n := b.game.N; n {
	case -1:
		c.Action = game.Create{Variant: "chess", Color: game.PreferWhite}
	case 0:
		c.By, c.Action = game.Second, game.Join{}
	default:
		c.By, c.Action = b.game.State.ToAct(), game.Move{UCI: b.moves[n-1]}
	}
	t := events.Terms{Cause: fair.Cause(b.game.State.ID, strconv.Itoa(b.game.N)), Chance: b.dealer}
	var err error
	b.game, _, err = events.Transact(ctx, b.log, b.game, c, t)
	return err
}
