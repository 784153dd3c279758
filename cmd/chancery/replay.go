package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
	"chancery/events/verify"
)

// ReplayCmd rebuilds a position from the ledger or from an exported file.
type ReplayCmd struct {
	Source string `arg:"" name:"game|file" help:"Game, or a file of exported records (NDJSON; - is standard input)."`
	Game   string `help:"Which game of the file, where it holds several."`
	LookFlags
	LedgerFlags
}

// Help is an example.
func (ReplayCmd) Help() string {
	return "Folds the records of a game again, each checked against the one before it. A seat's hand is shown once the game is over and its seed revealed. Example:\n\n    chancery replay GAME --at 12 --as white\n    chancery replay game.ndjson --format fen"
}

// Run replays and shows.
func (c ReplayCmd) Run(ctx context.Context, env *Env) error {
	p, err := c.replay(ctx, env)
	if err != nil {
		return err
	}
	return c.show(env, p.view(c.LookFlags))
}

func (c ReplayCmd) replay(ctx context.Context, env *Env) (past, error) {
	in, err := c.open(env)
	switch {
	case err == nil:
		defer in.Close()
		return leaving(ctx, func() (past, error) { return replayFile(in, c.Game, c.At) })
	case !errors.Is(err, fs.ErrNotExist):
		return past{}, err
	}
	ledger, err := c.LedgerFlags.open(ctx)
	if err != nil {
		return past{}, err
	}
	defer ledger.Close()
	return replayGame(ctx, ledger, c.Source, c.At)
}

func (c ReplayCmd) open(env *Env) (io.ReadCloser, error) {
	if c.Source == "-" {
		return io.NopCloser(env.In), nil
	}
	return os.Open(c.Source)
}

// A past is a game as it was after one of its records, with all records it has now: a
// later one may open what was hidden then.
type past struct {
	game     events.Game
	payloads [][]byte
}

// view is the past as --as looks at it. A seat sees its hand if the seed is revealed and
// is the right one.
func (p past) view(flags LookFlags) game.View {
	seat := flags.seat(p.game.State)
	if seat == game.Spectator {
		return game.ViewFor(p.game.State, seat, nil)
	}
	report, reading := verify.GameRead(p.payloads, verify.Fair)
	if report.At(verify.Fair).Verdict != verify.Holds || reading.Seed == nil {
		return game.ViewFor(p.game.State, seat, nil)
	}
	return game.ViewFor(p.game.State, seat, fair.NewDealer(report.Game, *reading.Seed))
}

// replayGame is the game after record at, or after its newest where at is nil.
func replayGame(ctx context.Context, log events.Log, id string, at *int) (past, error) {
	p := past{game: events.NewGame(id)}
	for step, err := range events.Steps(ctx, log, p.game) {
		if err != nil {
			return p, err
		}
		if p.payloads = append(p.payloads, step.Stored.Payload); at == nil || step.Game.N <= *at {
			p.game = step.Game
		}
	}
	if p.game.N < 0 {
		return p, fmt.Errorf("game %.80q: %w; name a game of this ledger, or a file that exists", id, events.ErrNotFound)
	}
	return p, p.reached(at)
}

// replayFile is the same from a file of records, one a line. Records of other games
// are passed over; without id the file must hold one game only.
func replayFile(in io.Reader, id string, at *int) (past, error) {
	games, err := readGames(in, id)
	if err != nil {
		return past{}, err
	}
	if len(games) > 1 {
		return past{}, usagef("the file holds several games (%s and %s among them): choose one with --game", games[0].id, games[1].id)
	}
	p := past{game: events.NewGame(games[0].id), payloads: games[0].payloads}
	next := p.game
	for i, payload := range p.payloads {
		next, _, err = next.Absorb(events.Stored{Game: games[0].id, Position: events.Position(i + 1), Payload: payload})
		if broken := (*events.BrokenError)(nil); errors.As(err, &broken) {
			return p, fmt.Errorf("record %d of game %s is changed or damaged: %w; export the game again", broken.N, broken.Game, broken.Cause)
		}
		if err != nil {
			return p, err
		}
		if at == nil || next.N <= *at {
			p.game = next
		}
	}
	return p, p.reached(at)
}

func (p past) reached(at *int) error {
	if at != nil && *at != p.game.N {
		return fmt.Errorf("there is no record %d: the game's records go from 0 to %d", *at, len(p.payloads)-1)
	}
	return nil
}
