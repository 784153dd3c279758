package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"chancery/domain/game"
	"chancery/events"
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
	return "Folds the records of a game again, each checked against the one before it. Example:\n\n    chancery replay GAME --at 12 --as white\n    chancery replay game.ndjson --format fen"
}

// Run replays and shows.
func (c ReplayCmd) Run(ctx context.Context, env *Env) error {
	g, err := c.replay(ctx, env)
	if err != nil {
		return err
	}
	return c.show(env, game.ViewFor(g.State, c.seat(g.State), nil))
}

func (c ReplayCmd) replay(ctx context.Context, env *Env) (events.Game, error) {
	in, err := c.open(env)
	switch {
	case err == nil:
		defer in.Close()
		return replayFile(in, c.Game, c.At)
	case !errors.Is(err, fs.ErrNotExist):
		return events.Game{}, err
	}
	ledger, err := c.LedgerFlags.open(ctx)
	if err != nil {
		return events.Game{}, err
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

// replayGame is the game after record at, or after its newest where at is nil.
func replayGame(ctx context.Context, log events.Log, id string, at *int) (events.Game, error) {
	g := events.NewGame(id)
	for step, err := range events.Steps(ctx, log, g) {
		if err != nil {
			return g, err
		}
		if g = step.Game; at != nil && g.N >= *at {
			break
		}
	}
	return reached(g, at)
}

// replayFile is the same from a file of records, one a line. Records of other games
// are passed over; without id the file must hold one game only.
func replayFile(in io.Reader, id string, at *int) (events.Game, error) {
	var g events.Game
	lines := recordLines(in)
	for line := events.Position(1); lines.Scan(); line++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		r, err := events.DecodeRecord(lines.Bytes())
		if err != nil {
			return g, fmt.Errorf("line %d: %w", line, err)
		}
		switch {
		case g.State.ID == "" && (id == "" || id == r.Game):
			g = events.NewGame(r.Game)
		case id == "" && r.Game != g.State.ID:
			return g, usagef("the file holds several games (%s and %s among them): choose one with --game", g.State.ID, r.Game)
		}
		if r.Game != g.State.ID || at != nil && g.N >= *at {
			continue
		}
		stored := events.Stored{Game: r.Game, Position: line, Payload: bytes.Clone(lines.Bytes())}
		if g, _, err = g.Absorb(stored); err != nil {
			return g, fmt.Errorf("line %d: %w", line, err)
		}
	}
	if err := lines.Err(); err != nil {
		return g, fmt.Errorf("reading records: %w", err)
	}
	return reached(g, at)
}

// recordLines reads lines as long as a record can be.
func recordLines(in io.Reader) *bufio.Scanner {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, 64<<10), 2*events.MaxPayload)
	return lines
}

func reached(g events.Game, at *int) (events.Game, error) {
	switch {
	case g.State.ID == "" || g.N < 0:
		return g, fmt.Errorf("game %q: %w; name a game of this ledger, or a file that exists", g.State.ID, events.ErrNotFound)
	case at != nil && *at != g.N:
		return g, fmt.Errorf("there is no record %d: the game's records go from 0 to %d", *at, g.N)
	}
	return g, nil
}
