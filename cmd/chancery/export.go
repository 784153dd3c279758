package main

import (
	"context"
	"fmt"
	"io"

	"chancery/domain/game"
	"chancery/domain/pgn"
	"chancery/events"
	"chancery/projections"
	"chancery/projections/feed"
)

// ExportCmd writes records or games for other programs.
type ExportCmd struct {
	Games  []string `arg:"" optional:"" name:"game" help:"Games to export."`
	All    bool     `help:"The whole ledger."`
	Format string   `help:"ndjson: the exact records, one a line, in ledger order. events: the public events, one CloudEvent a line. parquet: the whole ledger as tables, in a folder. pgn: games; of the whole ledger those with a result, in the order of their ends." enum:"ndjson,events,parquet,pgn" default:"ndjson"`
	Out    string   `help:"File to write, whole or not at all; standard output if left out. For parquet the folder; one that holds an earlier export is brought up to date."`
	Since  uint64   `help:"Only what lies behind this position of the ledger, to go on where an earlier export of --all ended."`
	Proof  bool     `help:"Write beside the file, as NAME.tlog-proof, the ledger's proof of the game's last record."`
	JSON   bool     `help:"Say what was written as JSON."`
	LedgerFlags
}

// Help is an example.
func (ExportCmd) Help() string {
	return "Says on standard error how far it got. Example:\n\n    chancery export --all --out ledger.ndjson\n    chancery export --all --since 1200 --out more.ndjson\n    chancery export GAME --out game.ndjson --proof\n    chancery export GAME --format pgn\n    chancery export --format parquet --out tables"
}

// An exportSummary says what an export wrote.
type exportSummary struct {
	Written  int             `json:"written"`  // records, or events, or games of PGN
	Position events.Position `json:"position"` // of the last record looked at; the next --since
}

// Run exports.
func (c ExportCmd) Run(ctx context.Context, env *Env) error {
	if c.Format == "parquet" {
		return c.tables(ctx, env)
	}
	if c.All == (len(c.Games) > 0) {
		return usagef("name the games to export, or say --all")
	}
	if c.Since > 0 && !c.All {
		return usagef("--since goes with --all")
	}
	if c.Proof && (len(c.Games) != 1 || c.Format != "ndjson" || c.Out == "" || c.Out == "-") {
		return usagef("--proof goes with the records of one game and --out FILE")
	}
	ledger, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer ledger.Close()
	var sum exportSummary
	err = writeFile(env, c.Out, 0o644, func(out io.Writer) error {
		e := exporter{ledger: ledger, out: out, format: c.Format, begun: projections.NewBeginnings(ledger), progress: newProgress(env, "records", 0)}
		defer e.progress.done()
		sum, err = e.export(ctx, c.Games, events.Position(c.Since))
		return err
	})
	if err != nil {
		return fmt.Errorf("exporting: %w", err)
	}
	if c.Proof {
		if err := c.writeProof(ctx, env, ledger, c.Games[0], sum.Written, proofName(c.Out)); err != nil {
			return fmt.Errorf("writing the proof of %s: %w", c.Games[0], err)
		}
	}
	return c.report(env, sum)
}

func (c ExportCmd) report(env *Env, sum exportSummary) error {
	toFile := c.Out != "" && c.Out != "-"
	switch {
	case c.JSON && toFile:
		return env.printJSON(sum)
	case c.All:
		env.warnf("wrote %s up to position %d; go on later with --since %d\n", count(sum.Written, c.unit()), sum.Position, sum.Position)
	default:
		env.warnf("wrote %s\n", count(sum.Written, c.unit()))
	}
	return nil
}

func (c ExportCmd) unit() string {
	switch c.Format {
	case "pgn":
		return "game"
	case "events":
		return "event"
	}
	return "record"
}

// An exporter writes records, or events, or games as PGN, one at a time.
type exporter struct {
	ledger   events.Log
	out      io.Writer
	format   string
	begun    *projections.Beginnings
	progress *progress
}

func (e exporter) export(ctx context.Context, games []string, since events.Position) (exportSummary, error) {
	var sum exportSummary
	if len(games) == 0 {
		return e.everything(ctx, since)
	}
	for _, id := range games {
		n, err := e.one(ctx, id)
		if err != nil {
			return sum, err
		}
		sum.Written += n
	}
	return sum, nil
}

// one writes a game: its records, or its PGN.
func (e exporter) one(ctx context.Context, id string) (written int, err error) {
	if e.format == "pgn" && game.LedgerWide(id) {
		return 0, unplayed(id, "--format pgn")
	}
	g := events.NewGame(id)
	var history []game.Event
	for step, err := range events.Steps(ctx, e.ledger, g) {
		if err != nil {
			return written, err
		}
		g = step.Game
		if e.format == "pgn" {
			history = append(history, step.Record.Events...)
			continue
		}
		n, err := e.lines(ctx, step.Stored)
		if err != nil {
			return written, err
		}
		written += n
	}
	switch {
	case g.N < 0:
		return 0, fmt.Errorf("game %q: %w", id, events.ErrNotFound)
	case e.format == "pgn":
		return 1, pgn.Write(e.out, g.State, history, "?")
	}
	return written, nil
}

// everything writes what lies behind since, up to the newest record there is now.
func (e exporter) everything(ctx context.Context, since events.Position) (exportSummary, error) {
	sum := exportSummary{Position: since}
	last, err := e.ledger.Last(ctx)
	if err == nil && last < since {
		err = fmt.Errorf("the ledger ends at position %d, before --since %d: that was of another ledger, or this one has lost records; compare, and begin again without --since", last, since)
	}
	if err != nil {
		return sum, err
	}
	for stored, err := range upToNow(ctx, e.ledger, since) {
		if err != nil {
			return sum, err
		}
		sum.Position = stored.Position
		e.progress.at(uint64(stored.Position))
		written, err := e.record(ctx, stored)
		if err != nil {
			return sum, err
		}
		sum.Written += written
	}
	return sum, nil
}

// record writes a record, or the game that it ends.
func (e exporter) record(ctx context.Context, s events.Stored) (written int, err error) {
	if e.format != "pgn" {
		return e.lines(ctx, s)
	}
	if !projections.NewRecord(s).Says("GameEnded") {
		return 0, nil
	}
	return e.one(ctx, s.Game)
}

// lines writes a record as it is, or its events.
func (e exporter) lines(ctx context.Context, s events.Stored) (written int, err error) {
	if e.format == "ndjson" {
		return 1, e.line(s.Payload)
	}
	r := projections.NewRecord(s)
	b, err := e.begun.Of(ctx, r)
	if err != nil {
		return 0, fmt.Errorf("position %d: %w", s.Position, err)
	}
	list, err := feed.Events(r, b)
	if err != nil {
		return 0, fmt.Errorf("position %d: %w", s.Position, err)
	}
	for _, event := range list {
		if err := e.line(event.AppendJSON(nil)); err != nil {
			return 0, err
		}
	}
	return len(list), nil
}

func (e exporter) line(payload []byte) error {
	_, err := e.out.Write(append(payload[:len(payload):len(payload)], '\n'))
	return err
}
