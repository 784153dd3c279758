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
	"syscall"
	"time"

	"chancery/events"
	"chancery/projections"
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
// Progress, which may be nil, is told positions. The errors are [ErrSchema], [ErrBusy],
// [projections.ErrForeign], those of the log and those of the file system.
func Export(ctx context.Context, log events.Log, dir string, progress func(at, last events.Position)) (Manifest, error) {
	return export(ctx, log, dir, Block, progress)
}

// export is Export with blocks of any size.
func export(ctx context.Context, log events.Log, dir string, block int, progress func(at, last events.Position)) (Manifest, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return Manifest{}, fmt.Errorf("making the folder %s: %w", dir, err)
	}
	release, err := alone(dir)
	if err != nil {
		return Manifest{}, err
	}
	defer release()
	m, err := readManifest(dir, block)
	if err != nil {
		return m, err
	}
	c, err := m.checkpoint()
	if err == nil {
		err = projections.Known(ctx, log, c)
	}
	if errors.Is(err, projections.ErrForeign) {
		return m, fmt.Errorf("going on with %s: %w; export into an empty folder", dir, err)
	}
	if err != nil {
		return m, fmt.Errorf("going on with %s: %w", dir, err)
	}
	last, err := log.Last(ctx)
	if err != nil {
		return m, err
	}
	e := &exporter{
		dir: dir, size: events.Position(block), last: last, log: log, begun: projections.NewBeginnings(log),
		folded: tables.NewGames(log, gamesKept), progress: progress,
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

// ErrBusy says that another export writes the folder.
var ErrBusy = errors.New("another export is writing this folder; wait until it is done")

// alone takes the folder for this export until it is released; the system does so where
// the process dies. It leaves no file behind.
func alone(dir string) (release func(), err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	if err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close() // which was only looked at
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = ErrBusy
		}
		return nil, fmt.Errorf("taking the folder %s: %w", dir, err)
	}
	return func() { _ = f.Close() }, nil
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
	folded   *tables.Games
	progress func(at, last events.Position)
}

// prepare fills the folder: the meaning of all columns, and for every table a file
// without rows, so that a query finds the columns before there is anything.
func (e *exporter) prepare() error {
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

// gamesKept is how many unfinished games are kept folded.
const gamesKept = 1000

// run goes through the ledger once, a block after the other.
func (e *exporter) run(ctx context.Context, m Manifest) (Manifest, error) {
	w := newWriter(e, e.first)
	defer func() { w.discard() }()
	for batch, err := range projections.Ahead(ctx, e.log, e.first-1, projections.MaxBatch) {
		if err != nil {
			return m, err
		}
		for _, r := range batch {
			if err := w.record(ctx, r); err != nil {
				return m, fmt.Errorf("position %d, a record of game %s: %w", r.Position, r.Game, err)
			}
			if e.progress != nil {
				e.progress(r.Position, e.last)
			}
			if r.Position < min(w.from+e.size-1, e.last) {
				continue
			}
			if err := w.publish(); err != nil {
				return m, err
			}
			if m, err = e.reached(m, r); err != nil || r.Position == e.last {
				return m, err
			}
			w = newWriter(e, r.Position+1)
		}
	}
	return m, ctx.Err()
}

func (e *exporter) reached(m Manifest, r projections.Record) (Manifest, error) {
	m.Position, m.Hash = r.Position, r.Hash().String()
	return m, writeJSON(e.dir, manifestName, m)
}
