package main

import (
	"cmp"
	"context"
	crand "crypto/rand"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"chancery/adapters/keys"
	"chancery/domain/bot"
	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
)

// SimulateCmd lets bots play whole games through a real ledger.
type SimulateCmd struct {
	Variant   string  `required:"" help:"Variant, or all."`
	Games     int     `help:"How many games." default:"100"`
	Seed      *uint64 `help:"Fixes chance and the bots' moves. Only on a throwaway ledger: whoever knows a seed knows every card."`
	Parallel  int     `help:"Games at the same time." default:"16"`
	Bot       string  `help:"Who plays." default:"random"`
	Data      string  `help:"Data directory; a temporary one, removed afterwards, if left out." placeholder:"DIR"`
	NATSURL   string  `name:"nats-url" help:"NATS servers that hold the ledger." placeholder:"URL"`
	NATSCreds string  `name:"nats-creds" help:"File of NATS credentials." placeholder:"FILE"`
	Replicas  int     `help:"Replicas of a ledger on NATS servers." default:"3"`
	Keys      string  `help:"Key directory; keys in the data directory if left out." placeholder:"DIR"`
	Lazy      bool    `help:"The ledger is throwaway: acknowledged before it is on disk."`
	JSON      bool    `help:"For programs."`
}

// Help is an example.
func (SimulateCmd) Help() string {
	return "Every game is then replayed from the ledger, compared with its live state, and its chance verified; the time for that is counted. Example:\n\n    chancery simulate --variant all --games 1000 --seed 7 --lazy"
}

// A simulation is what simulate prints.
type simulation struct {
	Games     int                       `json:"games"`
	Records   int                       `json:"records"`
	Seconds   float64                   `json:"seconds"`
	PerSecond float64                   `json:"games_per_second"`
	Reasons   map[string]map[string]int `json:"reasons"` // by variant, "1-0 checkmate"
}

// Run plays, checks and prints.
func (c SimulateCmd) Run(ctx context.Context, env *Env) error {
	variants, player, err := c.check()
	if err != nil {
		return err
	}
	dir, remove, err := c.dir()
	if err != nil {
		return err
	}
	defer remove()
	ring, err := keys.Open(cmp.Or(c.Keys, filepath.Join(dir, "keys")), time.Now(), crand.Reader)
	if err != nil {
		return err
	}
	flags := LedgerFlags{Data: dir, NATSURL: c.NATSURL, NATSCreds: c.NATSCreds, Replicas: c.Replicas, Lazy: c.Lazy}
	ledger, err := flags.openAlone(ctx)
	if err != nil {
		return err
	}
	defer ledger.Close()
	a := arena{log: ledger, ring: ring, bot: player}
	result, err := c.simulate(ctx, env, a, variants)
	if err != nil {
		return fmt.Errorf("simulating: %w", err)
	}
	return c.report(env, result)
}

func (c SimulateCmd) check() ([]string, bot.Bot, error) {
	throwaway := c.Lazy || c.Data == "" && c.NATSURL == ""
	switch {
	case c.Seed != nil && !throwaway:
		return nil, bot.Bot{}, usagef("--seed fixes what chance brings, which must not be on a ledger that counts: leave out --data and --nats-url, or say --lazy for a throwaway one")
	case c.NATSURL != "" && c.Keys == "":
		return nil, bot.Bot{}, usagef("on NATS servers say where the keys are: --keys DIR")
	case c.Games < 1 || c.Parallel < 1:
		return nil, bot.Bot{}, usagef("--games and --parallel are at least 1")
	}
	player, err := bot.Lookup(c.Bot)
	if err != nil {
		return nil, player, usageError(err.Error())
	}
	if c.Variant == "all" {
		var all []string
		for _, v := range game.Variants() {
			all = append(all, v.Key)
		}
		return all, player, nil
	}
	if _, err := game.Lookup(c.Variant); err != nil {
		return nil, player, usageError(err.Error())
	}
	return []string{c.Variant}, player, nil
}

// dir is the data directory, and what removes a temporary one.
func (c SimulateCmd) dir() (string, func(), error) {
	if c.Data != "" || c.NATSURL != "" {
		return c.Data, func() {}, nil
	}
	dir, err := os.MkdirTemp("", "chancery-simulate-")
	return dir, func() { os.RemoveAll(dir) }, err
}

// simulate plays the games, as many at once as --parallel says. The first that goes
// wrong ends all.
func (c SimulateCmd) simulate(ctx context.Context, env *Env, a arena, variants []string) (simulation, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	progress := newProgress(env, "games", uint64(c.Games))
	defer progress.done()
	todo, done := make(chan match), make(chan events.Game)
	var workers sync.WaitGroup
	for range c.Parallel {
		workers.Go(func() {
			for m := range todo {
				g, err := a.play(ctx, m)
				if err == nil {
					err = a.replays(ctx, g)
				}
				if err != nil {
					cancel(err)
					return
				}
				done <- g
			}
		})
	}
	go func() {
		defer close(todo)
		for i := 0; i < c.Games && ctx.Err() == nil; i++ {
			select {
			case todo <- c.match(i, variants[i%len(variants)]):
			case <-ctx.Done():
			}
		}
	}()
	go func() {
		workers.Wait()
		close(done)
	}()
	start, result := time.Now(), simulation{Reasons: map[string]map[string]int{}}
	for g := range done {
		result.add(g)
		progress.at(uint64(result.Games))
	}
	result.Seconds = time.Since(start).Seconds()
	result.PerSecond = float64(result.Games) / result.Seconds
	return result, context.Cause(ctx)
}

func (r *simulation) add(g events.Game) {
	r.Games++
	r.Records += g.N + 1
	of := r.Reasons[g.State.Variant]
	if of == nil {
		of = map[string]int{}
		r.Reasons[g.State.Variant] = of
	}
	of[string(g.State.Result)+" "+string(g.State.Reason)]++
}

// match is the game of number i: everything in it follows from --seed where that is
// given.
func (c SimulateCmd) match(i int, variant string) match {
	m := match{variant: variant}
	if c.Seed == nil {
		m.id = newGameID()
		_, _ = crand.Read(m.seed[:]) // never fails
		m.random = rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
		return m
	}
	m.id = fmt.Sprintf("simulated-%d-%d", *c.Seed, i)
	m.seed = fair.Seed(fair.H("simulate", fmt.Sprint(*c.Seed), i))
	of := fair.H("simulate bots", fmt.Sprint(*c.Seed), i)
	m.random = rand.New(rand.NewPCG(binary.BigEndian.Uint64(of[:8]), binary.BigEndian.Uint64(of[8:16])))
	return m
}

func (c SimulateCmd) report(env *Env, r simulation) error {
	if c.JSON {
		return env.printJSON(r)
	}
	env.printf("%d games, %d records in %.2f s: %.0f games/s, %.0f records/s, each replayed to the state it was played to\n",
		r.Games, r.Records, r.Seconds, r.PerSecond, float64(r.Records)/r.Seconds)
	for _, variant := range slices.Sorted(maps.Keys(r.Reasons)) {
		for _, reason := range slices.Sorted(maps.Keys(r.Reasons[variant])) {
			env.printf("  %-10s %-24s %d\n", variant, reason, r.Reasons[variant][reason])
		}
	}
	return nil
}
