// Package parquet writes the ledger as tables in Parquet files, for DuckDB, Spark and
// everything else that reads them.
//
// A folder has a subfolder for every table, in it one for every variant and month
// (variant=unochess/month=2026-11: the month, in UTC, in which the game was opened, so
// that all rows of a game are in one), and in these a file for every block of the
// ledger. Blocks are counted in positions of the ledger, so how often and when an
// export ran makes no difference: the folder is a function of the ledger. Only the
// newest block is written again when the ledger has grown, and one with a game that
// was voided since.
package parquet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"chancery/events"
	"chancery/projections"
	"chancery/projections/feed"
	"chancery/projections/tables"
)

// Block is how many positions of the ledger make a file.
const Block = 1 << 18

// A partition is a folder within a table.
type partition struct{ variant, month string }

func (p partition) String() string {
	return filepath.Join("variant="+p.variant, "month="+p.month)
}

func partitionOf(b projections.Beginning) partition {
	return partition{
		variant: cmp.Or(b.Variant, "_"),
		month:   time.UnixMilli(int64(b.At)).UTC().Format("2006-01"),
	}
}

// Export brings the folder dir up to the end of the ledger as it is now, and says what it
// holds. Whatever interrupts it, the next one goes on behind the last whole block.
// Progress, which may be nil, is told positions. The errors are [ErrSchema],
// [projections.ErrForeign], those of the log and those of the file system.
func Export(ctx context.Context, log events.Log, dir string, progress func(at, last events.Position)) (Manifest, error) {
	return export(ctx, log, dir, Block, progress)
}

// export is Export with blocks of any size.
func export(ctx context.Context, log events.Log, dir string, block int, progress func(at, last events.Position)) (Manifest, error) {
	m, err := readManifest(dir, block)
	if err != nil {
		return m, err
	}
	c, err := m.checkpoint()
	if err == nil {
		err = projections.Known(ctx, log, c)
	}
	if err != nil {
		return m, fmt.Errorf("going on with %s: %w", dir, err)
	}
	last, err := log.Last(ctx)
	if err != nil {
		return m, err
	}
	e := &exporter{
		log: log, dir: dir, size: events.Position(block), last: last, begun: projections.NewBeginnings(log),
		amended: map[events.Position]bool{}, progress: progress,
	}
	e.first = e.blockOf(m.Position + 1)
	if err := e.prepare(); err != nil {
		return m, err
	}
	if m.Position == last {
		return m, writeJSON(dir, manifestName, m)
	}
	return e.run(ctx, m)
}

// blockOf is the first position of the block in which a position lies.
func (e *exporter) blockOf(p events.Position) events.Position { return (p-1)/e.size*e.size + 1 }

// An exporter is one run.
type exporter struct {
	log      events.Log
	dir      string
	size     events.Position // of a block
	first    events.Position // of the first block that this run writes
	last     events.Position // of the ledger, when the run began
	begun    *projections.Beginnings
	amended  map[events.Position]bool // earlier blocks with a game that was voided since
	progress func(at, last events.Position)
}

// prepare makes the folder: the meaning of all columns, and for every table a file
// without rows, so that a query finds the columns before there is anything.
func (e *exporter) prepare() error {
	if err := os.MkdirAll(e.dir, 0o755); err != nil {
		return fmt.Errorf("making the folder %s: %w", e.dir, err)
	}
	return errors.Join(
		writeJSON(e.dir, "dictionary.json", Dictionary()),
		empty[tables.Event](e.dir, "events"), empty[tables.Game](e.dir, "games"), empty[tables.Turn](e.dir, "turns"),
	)
}

func empty[T any](dir, table string) error {
	p, err := newPart[T](filepath.Join(dir, table, partition{"_", "0000-00"}.String(), "empty.parquet"))
	if err == nil {
		err = p.finish()
	}
	if err == nil {
		err = p.publish()
	}
	return err
}

func (e *exporter) run(ctx context.Context, m Manifest) (Manifest, error) {
	for from := e.first; from <= e.last; from += e.size {
		newest, err := e.block(ctx, from)
		if err != nil {
			return m, err
		}
		if len(e.amended) > 0 {
			continue // should this be interrupted, the voided games must be met again
		}
		if m, err = e.reached(m, newest); err != nil {
			return m, err
		}
	}
	if len(e.amended) == 0 {
		return m, nil
	}
	for from := range e.amended {
		if _, err := e.block(ctx, from); err != nil {
			return m, err
		}
	}
	return e.end(ctx, m)
}

// end notes the newest record.
func (e *exporter) end(ctx context.Context, m Manifest) (Manifest, error) {
	for s, err := range e.log.Follow(ctx, e.last-1) {
		if err != nil {
			return m, err
		}
		return e.reached(m, projections.NewRecord(s))
	}
	return m, ctx.Err()
}

func (e *exporter) reached(m Manifest, r projections.Record) (Manifest, error) {
	m.Position, m.Hash = r.Position, r.Hash().String()
	return m, writeJSON(e.dir, manifestName, m)
}

// block writes the files of the block that begins at a position, all of them or none.
func (e *exporter) block(ctx context.Context, from events.Position) (newest projections.Record, err error) {
	w := newWriter(e, from)
	defer w.discard()
	to := min(from+e.size-1, e.last)
	for s, err := range e.log.Follow(ctx, from-1) {
		if err != nil {
			return newest, err
		}
		newest = projections.NewRecord(s)
		if err := w.record(ctx, newest); err != nil {
			return newest, fmt.Errorf("position %d, a record of game %s: %w", s.Position, s.Game, err)
		}
		if e.progress != nil {
			e.progress(s.Position, e.last)
		}
		if s.Position >= to {
			return newest, w.publish()
		}
	}
	return newest, ctx.Err()
}

// A writer writes one block of all tables.
type writer struct {
	*exporter
	from   events.Position
	events *table[tables.Event]
	games  *table[tables.Game]
	turns  *table[tables.Turn]
}

func newWriter(e *exporter, from events.Position) *writer {
	return &writer{
		exporter: e, from: from, events: newTable[tables.Event](e.dir, "events", uint64(from)),
		games: newTable[tables.Game](e.dir, "games", uint64(from)), turns: newTable[tables.Turn](e.dir, "turns", uint64(from)),
	}
}

func (w *writer) record(ctx context.Context, r projections.Record) error {
	b, err := w.begun.Of(ctx, r)
	if err != nil {
		return err
	}
	list, err := feed.Events(r, b)
	if err != nil {
		return err
	}
	for _, e := range list {
		row, err := tables.EventOf(e)
		if err != nil {
			return err
		}
		if err := w.events.add(partitionOf(b), row); err != nil {
			return err
		}
	}
	if !r.Ends() {
		return nil
	}
	return w.game(ctx, r, partitionOf(b))
}

// game writes the rows of a game that is over, with the record that ended it. One that is
// voided later has its rows where they were.
func (w *writer) game(ctx context.Context, r projections.Record, p partition) error {
	row, turns, err := tables.OfGame(ctx, w.log, r.Game, w.last)
	if err != nil {
		return err
	}
	if ended := events.Position(row.EndedPos); ended != r.Position {
		if before := w.blockOf(ended); before < w.exporter.first {
			w.amended[before] = true
		}
		return nil
	}
	if err := w.games.add(p, row); err != nil {
		return err
	}
	for _, t := range turns {
		if err := w.turns.add(p, t); err != nil {
			return err
		}
	}
	return nil
}

// publish puts the files in their places, once all of them are whole.
func (w *writer) publish() error {
	if err := errors.Join(w.events.finish(), w.games.finish(), w.turns.finish()); err != nil {
		return err
	}
	return errors.Join(w.events.publish(), w.games.publish(), w.turns.publish())
}

func (w *writer) discard() {
	w.events.discard()
	w.games.discard()
	w.turns.discard()
}
