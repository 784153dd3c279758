package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"chancery/adapters/jetstream"
	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
)

// BenchReplayCmd measures how quickly a game comes back.
type BenchReplayCmd struct {
	Records int    `help:"Records of the ledger that a game is loaded from." default:"1000000"`
	Cache   string `help:"Directory in which that ledger is kept for the next time; a temporary one if left out." placeholder:"DIR"`
	JSON    bool   `help:"For programs."`
}

// Help is an example.
func (BenchReplayCmd) Help() string {
	return "Folds a game of 200 records in memory, then loads such games, checked and decoded, from a big ledger: games that were played among 16 others, and one whose records lie as far apart as they can. Example:\n\n    chancery bench replay --records 1000000 --cache /tmp/million"
}

// benchGames is how many whole games the ledger holds among its other records, each
// played among so many others.
const (
	benchGames  = 20
	benchAmong  = 16
	spreadGame  = "spread" // a game with a record at every 200th part of the ledger
	leastLedger = (benchGames + 1) * benchRecords * (benchAmong + 1)
)

// A replaySpeed is the result.
type replaySpeed struct {
	Events int             `json:"events"`
	Fold   time.Duration   `json:"fold_ns"` // of all events of a game, the median
	Ledger events.Position `json:"ledger_records"`
	First  time.Duration   `json:"load_first_ns"`  // of a game after the ledger was opened, the median
	Again  time.Duration   `json:"load_again_ns"`  // of a game that was loaded before, the median
	Spread time.Duration   `json:"load_spread_ns"` // of the game whose records lie far apart, at first
}

// Run measures.
func (c BenchReplayCmd) Run(ctx context.Context, env *Env) error {
	if c.Records < leastLedger {
		return usagef("--records is at least %d, to have room for the games", leastLedger)
	}
	dir, err := os.MkdirTemp("", "chancery-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	log, id, moves, err := longGame(ctx, filepath.Join(dir, "keys"), benchRecords)
	if err != nil {
		return err
	}
	var s replaySpeed
	if s.Events, s.Fold, err = foldSpeed(ctx, log, id); err != nil {
		return err
	}
	ledgerDir := c.Cache
	if ledgerDir == "" {
		ledgerDir = filepath.Join(dir, "ledger")
	}
	if err := c.fill(ctx, env, ledgerDir, moves); err != nil {
		return fmt.Errorf("filling the ledger: %w", err)
	}
	if err := s.load(ctx, ledgerDir); err != nil {
		return fmt.Errorf("loading games: %w", err)
	}
	if c.JSON {
		return env.printJSON(s)
	}
	env.printf("fold %d events of a game of %d records in memory: %s\n", s.Events, benchRecords, micros(s.Fold))
	env.printf("load, check and decode such a game from a ledger of %d records: %s, or %s if the broker has to unpack its blocks\n", s.Ledger, micros(s.Again), micros(s.First))
	env.printf("one with a record at every 200th part of that ledger, packed: %s\n", micros(s.Spread))
	return nil
}

// foldSpeed is the median time to fold all events of a game.
func foldSpeed(ctx context.Context, log events.Log, id string) (n int, median time.Duration, err error) {
	var all []game.Event
	for step, err := range events.Steps(ctx, log, events.NewGame(id)) {
		if err != nil {
			return 0, 0, err
		}
		all = append(all, step.Record.Events...)
	}
	var took latencies
	for range 2000 {
		start := time.Now()
		s := game.Fold(game.New(id), all...)
		took = append(took, time.Since(start))
		if s.N != benchRecords-1 {
			return 0, 0, fmt.Errorf("the fold ended at record %d", s.N)
		}
	}
	return len(all), took.at(0.5), nil
}

// load opens the ledger anew and loads every whole game twice: at first the broker has
// to unpack the blocks that its records are in.
func (s *replaySpeed) load(ctx context.Context, dir string) error {
	log, err := jetstream.OpenEmbedded(ctx, jetstream.Embedded{Dir: dir, Lazy: true})
	if err != nil {
		return err
	}
	defer log.Close()
	if s.Ledger, err = log.Last(ctx); err != nil {
		return err
	}
	var first, again latencies
	for i := range benchGames {
		for _, took := range []*latencies{&first, &again} {
			if err := took.load(ctx, log, benchGame(i)); err != nil {
				return err
			}
		}
	}
	var spread latencies
	if err := spread.load(ctx, log, spreadGame); err != nil {
		return err
	}
	s.First, s.Again, s.Spread = first.at(0.5), again.at(0.5), spread[0]
	return nil
}

// load adds the time that loading a whole game takes.
func (l *latencies) load(ctx context.Context, log events.Log, id string) error {
	start := time.Now()
	g, err := events.Load(ctx, log, id)
	if err != nil {
		return err
	}
	*l = append(*l, time.Since(start))
	if g.N != benchRecords-1 {
		return fmt.Errorf("game %s ends at record %d", id, g.N)
	}
	return nil
}

func benchGame(i int) string { return fmt.Sprintf("whole-%d", i) }

// fill makes a ledger of that many records, unless the cache holds one.
func (c BenchReplayCmd) fill(ctx context.Context, env *Env, dir string, moves []string) error {
	if _, err := os.Stat(filepath.Join(dir, "nats")); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	log, err := jetstream.OpenEmbedded(ctx, jetstream.Embedded{Dir: dir, Lazy: true})
	if err != nil {
		return err
	}
	defer log.Close()
	f := filling{log: log, progress: newProgress(env, "records", uint64(c.Records)), every: c.Records / benchRecords}
	f.spread = newBenchedGame(log, spreadGame, moves)
	defer f.progress.done()
	for i := range benchGames {
		g := newBenchedGame(log, benchGame(i), moves)
		for range benchRecords {
			if err := errors.Join(g.step(ctx), f.add(ctx, benchAmong)); err != nil {
				return err
			}
		}
		if err := f.add(ctx, max(0, (i+1)*c.Records/benchGames-f.made)); err != nil {
			return err
		}
	}
	return nil
}

// A filling is a ledger on its way to its size.
type filling struct {
	log      events.Log
	progress *progress
	spread   *benchedGame // gets a record now and then
	every    int
	made     int
	batch    int
}

// add appends n records of other games, as long as a move's and with nothing in them.
func (f *filling) add(ctx context.Context, n int) error {
	for n > 0 {
		now := min(n, f.every)
		if err := f.others(ctx, now); err != nil {
			return err
		}
		before := f.made / f.every
		f.made, n = f.made+now, n-now
		if f.made/f.every > before && f.spread.game.N < benchRecords-1 {
			if err := f.spread.step(ctx); err != nil {
				return err
			}
		}
		f.progress.at(uint64(f.made &^ 63))
	}
	return nil
}

// fillerGames is how many games the other records are of, at one time.
const fillerGames = 64

// others appends n records, of as many games as there are goroutines.
func (f *filling) others(ctx context.Context, n int) error {
	f.batch++
	errs := make([]error, min(n, fillerGames))
	var all sync.WaitGroup
	for w := range errs {
		id := fmt.Sprintf("other-%d-%d", f.batch, w)
		all.Go(func() {
			var at events.Revision
			for i := w; i < n && errs[w] == nil; i += len(errs) {
				e := events.Entry{Game: id, Payload: filler, Cause: fair.Cause(id, fmt.Sprint(i)).String()}
				at, errs[w] = f.log.Append(ctx, at, e)
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}
