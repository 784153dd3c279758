package projections

import (
	"context"
	"fmt"
	"sync"

	"chancery/domain/game"
	"chancery/events"
)

// A Beginning is what the first record of a game says for all that follow.
type Beginning struct {
	Variant string       // key; empty for games of the ledger itself, which nobody plays
	At      game.Instant // when that record was made
}

// Beginnings finds out how the games of records began. It remembers some and reads
// others from the log, so what it answers is a function of the ledger alone. It is for
// any number of goroutines.
type Beginnings struct {
	log events.Log

	mu    sync.Mutex
	known map[string]Beginning
}

// beginningsKept is how many games are remembered, some 100 bytes each.
const beginningsKept = 50_000

// NewBeginnings remembers nothing yet.
func NewBeginnings(log events.Log) *Beginnings {
	return &Beginnings{log: log, known: map[string]Beginning{}}
}

// Of is how the game of the record began. The errors are the log's, the codec's and,
// for a game whose first record is missing, [*events.BrokenError].
func (bs *Beginnings) Of(ctx context.Context, r Record) (Beginning, error) {
	if b, known := bs.recall(r.Game); known {
		return b, nil
	}
	first, err := bs.first(ctx, r)
	if err != nil {
		return Beginning{}, fmt.Errorf("reading how game %s began: %w", r.Game, err)
	}
	b := Beginning{At: first.At}
	if created, ok := first.Events[0].Fact.(game.GameCreated); ok {
		b.Variant = created.Variant
	}
	bs.remember(r.Game, b)
	return b, nil
}

func (bs *Beginnings) recall(id string) (b Beginning, known bool) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	b, known = bs.known[id]
	return b, known
}

func (bs *Beginnings) remember(id string, b Beginning) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	if len(bs.known) >= beginningsKept {
		clear(bs.known) // rarely, and those that are needed come back
	}
	bs.known[id] = b
}

func (bs *Beginnings) first(ctx context.Context, r Record) (events.Record, error) {
	record, err := r.Read()
	if err != nil || record.N == 0 {
		return record, err
	}
	for s, err := range bs.log.Read(ctx, r.Game, 0) {
		if err != nil {
			return events.Record{}, err
		}
		if s.Position < r.Position {
			return events.DecodeRecord(s.Payload)
		}
		break
	}
	return events.Record{}, &events.BrokenError{Game: r.Game, Position: r.Position, Cause: fmt.Errorf("record %d comes first", record.N)}
}
