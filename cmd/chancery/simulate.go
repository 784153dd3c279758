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
	Variant   string  `help:"Variant, or all." default:"all"`
	Games     int     `help:"How many games." default:"100"`
	Seed      *uint64 `help:"Fixes chance and the bots' moves. Only on a throwaway ledger: whoever knows a seed knows every card."`
	Parallel  int     `help:"Games at the same time." default:"16"`
	Bots      string  `help:"Who plays: one name, or several with commas, of which every two meet. Random and greedy if left out, and now and then search." aliases:"bot" placeholder:"NAME,..."`
	Accounts  int     `help:"The bots play rated games under the ids of so many made-up players. Only on a throwaway ledger: nobody has these accounts."`
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
	return "Every game is then replayed from the ledger and compared with how it was played; its chance is verified, no card and no man may get lost, and its end must fit its reason. The time for that is counted. Examples:\n\n    chancery simulate --games 1000 --seed 7 --lazy\n    chancery simulate --variant unochess --bots greedy,search --games 200 --lazy"
}

// A simulation is what simulate prints.
type simulation struct {
	Games     int                       `json:"games"`
	Records   int                       `json:"records"`
	Seconds   float64                   `json:"seconds"`
	PerSecond float64                   `json:"games_per_second"`
	Reasons   map[string]map[string]int `json:"reasons"` // by variant, "1-0 checkmate"
	Scores    map[string][]*score       `json:"scores"`  // by variant, of bots that met another
}

// A score is how a bot fared against another: a win counts 1, a draw one half.
type score struct {
	Bot     string  `json:"bot"`
	Against string  `json:"against"`
	Games   int     `json:"games"`
	Points  float64 `json:"points"`
}

// Run plays, checks and prints.
func (c SimulateCmd) Run(ctx context.Context, env *Env) error {
	variants, players, err := c.check()
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
	result, err := c.simulate(ctx, env, arena{log: ledger, ring: ring}, variants, players)
	if err != nil {
		return fmt.Errorf("simulating: %w", err)
	}
	return c.report(env, result)
}

func (c SimulateCmd) check() ([]string, lineup, error) {
	throwaway := c.Lazy || c.Data == "" && c.NATSURL == ""
	switch {
	case c.Seed != nil && !throwaway:
		return nil, nil, usagef("--seed fixes what chance brings, which must not be on a ledger that counts: leave out --data and --nats-url, or say --lazy for a throwaway one")
	case c.Accounts != 0 && !throwaway:
		return nil, nil, usagef("--accounts makes players up, who must not be ranked with people: leave out --data and --nats-url, or say --lazy for a throwaway ledger")
	case c.Accounts == 1 || c.Accounts < 0:
		return nil, nil, usagef("--accounts is at least 2, for nobody plays himself")
	case c.NATSURL != "" && c.Keys == "":
		return nil, nil, usagef("on NATS servers say where the keys are: --keys DIR")
	case c.Games < 1 || c.Parallel < 1:
		return nil, nil, usagef("--games and --parallel are at least 1")
	}
	players, err := newLineup(c.Bots)
	if err != nil {
		return nil, nil, usageError(err.Error())
	}
	if c.Variant == "all" {
		var all []string
		for _, v := range game.Variants() {
			all = append(all, v.Key)
		}
		return all, players, nil
	}
	if _, err := game.Lookup(c.Variant); err != nil {
		return nil, nil, usageError(err.Error())
	}
	return []string{c.Variant}, players, nil
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
func (c SimulateCmd) simulate(ctx context.Context, env *Env, a arena, variants []string, players lineup) (simulation, error) {
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
					err = a.replays(ctx, m, g)
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
			case todo <- c.match(i, variants[i%len(variants)], players.in(i/len(variants))):
			case <-ctx.Done():
			}
		}
	}()
	go func() {
		workers.Wait()
		close(done)
	}()
	start, result := time.Now(), simulation{Reasons: map[string]map[string]int{}, Scores: map[string][]*score{}}
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
	if g.State.Seats[0].Bot != g.State.Seats[1].Bot {
		r.score(g.State)
	}
}

// score counts a game between two different bots, of which the first by name has the
// points.
func (r *simulation) score(s game.State) {
	seat := game.First
	if s.Seats[0].Bot > s.Seats[1].Bot {
		seat = game.Second
	}
	name, other := s.Seats[seat.Wire()].Bot, s.Seats[seat.Other().Wire()].Bot
	of := r.Scores[s.Variant]
	i := slices.IndexFunc(of, func(x *score) bool { return x.Bot == name && x.Against == other })
	if i < 0 {
		i, of = len(of), append(of, &score{Bot: name, Against: other})
		r.Scores[s.Variant] = of
	}
	of[i].Games++
	switch s.Winner {
	case seat:
		of[i].Points++
	case game.Spectator:
		of[i].Points += 0.5
	default: // the other seat has won
	}
}

// match is the game of number i: everything in it follows from --seed where that is
// given.
func (c SimulateCmd) match(i int, variant string, players [2]bot.Bot) match {
	m := match{variant: variant, players: players, looks: map[int]look{}}
	if c.Seed == nil {
		m.id = newGameID()
		_, _ = crand.Read(m.seed[:]) // never fails
		m.random = rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
		m.accounts = c.pair(m.random)
		return m
	}
	m.id = fmt.Sprintf("simulated-%d-%d", *c.Seed, i)
	m.seed = fair.Seed(fair.H("simulate", fmt.Sprint(*c.Seed), i))
	of := fair.H("simulate bots", fmt.Sprint(*c.Seed), i)
	m.random = rand.New(rand.NewPCG(binary.BigEndian.Uint64(of[:8]), binary.BigEndian.Uint64(of[8:16])))
	m.accounts = c.pair(m.random)
	return m
}

// pair picks two of the made-up players, if there are any.
func (c SimulateCmd) pair(random *rand.Rand) (ids [2]string) {
	if c.Accounts == 0 {
		return ids
	}
	first, second := random.IntN(c.Accounts), random.IntN(c.Accounts-1)
	if second >= first {
		second++
	}
	return [2]string{fmt.Sprint("simulated-", first), fmt.Sprint("simulated-", second)}
}

func (c SimulateCmd) report(env *Env, r simulation) error {
	if c.JSON {
		return env.printJSON(r)
	}
	env.printf("%d games, %d records in %.2f s: %.0f games/s, %.0f records/s, each replayed to what it was, nothing lost\n",
		r.Games, r.Records, r.Seconds, r.PerSecond, float64(r.Records)/r.Seconds)
	for _, variant := range slices.Sorted(maps.Keys(r.Reasons)) {
		for _, reason := range slices.Sorted(maps.Keys(r.Reasons[variant])) {
			env.printf("  %-10s %-24s %d\n", variant, reason, r.Reasons[variant][reason])
		}
		for _, x := range r.Scores[variant] {
			env.printf("  %-10s %s against %s: %g of %d, %.0f %%\n", variant, x.Bot, x.Against, x.Points, x.Games, 100*x.Points/float64(x.Games))
		}
	}
	return nil
}
