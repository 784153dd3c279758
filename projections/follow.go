package projections

import (
	"context"
	"fmt"
	"iter"

	"chancery/events"
)

// MaxBatch is how many records are absorbed in one transaction at most.
const MaxBatch = 1000

// Batches is [Ahead] behind a checkpoint. A ledger in which the checkpoint's record is
// another one or missing gives [ErrForeign].
func Batches(ctx context.Context, log events.Log, from Checkpoint, max int) iter.Seq2[[]Record, error] {
	return func(yield func([]Record, error) bool) {
		if err := Known(ctx, log, from); err != nil {
			yield(nil, err)
			return
		}
		Ahead(ctx, log, from.Position, max)(yield)
	}
}

// Ahead follows the log behind a position, in order and without gaps: first what there is,
// max records at a time, then what is new, as soon as there is some, until ctx ends. It
// reads on while the caller works: who is slow finds larger batches, and no more than two
// are ever in memory. The errors are the log's, and end it.
func Ahead(ctx context.Context, log events.Log, after events.Position, max int) iter.Seq2[[]Record, error] {
	return func(yield func([]Record, error) bool) {
		old, err := log.Last(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		records, failed := make(chan Record, max), make(chan error, 1)
		go func() {
			failed <- push(ctx, log, after, records)
			close(records)
		}()
		for first := range records {
			if !yield(gather(first, records, max, old), nil) {
				return
			}
		}
		yield(nil, <-failed)
	}
}

// push sends the records behind after until it is told to stop.
func push(ctx context.Context, log events.Log, after events.Position, records chan<- Record) error {
	for s, err := range log.Follow(ctx, after) {
		if err != nil {
			return err
		}
		select {
		case records <- NewRecord(s):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return ctx.Err()
}

// gather adds to the first record those that are there already. Up to the position old it
// waits for them: they are on their way.
func gather(first Record, records <-chan Record, max int, old events.Position) []Record {
	batch := []Record{first}
	for len(batch) < max {
		var r Record
		var more bool
		if batch[len(batch)-1].Position < old {
			r, more = <-records
		} else {
			select {
			case r, more = <-records:
			default:
				more = false
			}
		}
		if !more {
			break
		}
		batch = append(batch, r)
	}
	return batch
}

// Known makes sure that the log holds the record of the checkpoint. The errors are
// [ErrForeign] and the log's.
func Known(ctx context.Context, log events.Log, c Checkpoint) error {
	if c.Position == 0 {
		return nil
	}
	last, err := log.Last(ctx)
	switch {
	case err != nil:
		return err
	case last < c.Position:
		return fmt.Errorf("the ledger ends at position %d, the read model stands at %d: %w", last, c.Position, ErrForeign)
	}
	for s, err := range log.Follow(ctx, c.Position-1) {
		if err == nil && NewRecord(s).Hash() != c.Hash {
			err = fmt.Errorf("the record at position %d is another one: %w", c.Position, ErrForeign)
		}
		return err
	}
	return ctx.Err()
}
