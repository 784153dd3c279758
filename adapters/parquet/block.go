package parquet

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/parquet-go/parquet-go"

	"chancery/events"
	"chancery/projections"
	"chancery/projections/feed"
	"chancery/projections/tables"
)

// A writer writes one block of all tables.
type writer struct {
	*exporter
	from    events.Position
	events  *table[tables.Event]
	games   *table[tables.Game]
	turns   *table[tables.Turn]
	ended   []ended                    // rows of games, held back: a later record may void them
	amended map[string]map[string]bool // games of earlier blocks that are voided in this one, by file
}

// ended is the row of a game that is over, and where it belongs.
type ended struct {
	partition
	row tables.Game
}

func newWriter(e *exporter, from events.Position) *writer {
	return &writer{
		exporter: e, from: from, events: newTable[tables.Event](e.dir, "events", uint64(from)),
		games: newTable[tables.Game](e.dir, "games", uint64(from)), turns: newTable[tables.Turn](e.dir, "turns", uint64(from)),
		amended: map[string]map[string]bool{},
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
	row, turns, over, err := w.folded.Absorb(ctx, r)
	if err != nil || !over {
		return err
	}
	return w.game(r, partitionOf(b), row, turns)
}

// game writes the rows of a game that is over, with the record that ended it. One that
// is voided later has its rows where they were.
func (w *writer) game(r projections.Record, p partition, row tables.Game, turns []tables.Turn) error {
	if at := events.Position(row.EndedPos); at != r.Position {
		w.void(p, row.Game, at)
		return nil
	}
	w.ended = append(w.ended, ended{p, row})
	for _, t := range turns {
		if err := w.turns.add(p, t); err != nil {
			return err
		}
	}
	return nil
}

// void notes that a game which ended at a position counts for nothing.
func (w *writer) void(p partition, id string, at events.Position) {
	if at >= w.from {
		i := slices.IndexFunc(w.ended, func(g ended) bool { return g.row.Game == id })
		w.ended[i].row.Voided = true
		return
	}
	path := w.games.path(p, uint64(w.blockOf(at)))
	if w.amended[path] == nil {
		w.amended[path] = map[string]bool{}
	}
	w.amended[path][id] = true
}

// publish puts the files in their places, once all of them are whole.
func (w *writer) publish() error {
	for _, g := range w.ended {
		if err := w.games.add(g.partition, g.row); err != nil {
			return err
		}
	}
	for path, voided := range w.amended {
		if err := amend(path, voided); err != nil {
			return fmt.Errorf("noting in %s that games were voided: %w", path, err)
		}
	}
	if err := errors.Join(w.events.finish(), w.games.finish(), w.turns.finish()); err != nil {
		return err
	}
	return errors.Join(w.events.publish(), w.games.publish(), w.turns.publish())
}

// amend writes a file of games again, in which some count for nothing now.
func amend(path string, voided map[string]bool) error {
	rows, err := parquet.ReadFile[tables.Game](path)
	if err != nil {
		return err
	}
	p, err := newPart[tables.Game](path)
	if err != nil {
		return err
	}
	defer p.discard()
	for _, row := range rows {
		row.Voided = row.Voided || voided[row.Game]
		if err := p.write(row); err != nil {
			return err
		}
	}
	if err := p.finish(); err != nil {
		return err
	}
	return p.publish()
}

func (w *writer) discard() {
	w.events.discard()
	w.games.discard()
	w.turns.discard()
}
