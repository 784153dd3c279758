// Package memory keeps a ledger in memory: the reference implementation of
// [events.Log], used in tests instead of mocks.
package memory

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"

	"chancery/events"
)

// A Log is an [events.Log] that forgets everything with its process. The zero Log is
// not usable; make one with [New].
type Log struct {
	mu      sync.Mutex
	records []events.Stored              // at index position-1; never changed, only added to
	games   map[string][]events.Position // ascending
	grown   chan struct{}                // closed by the next append
}

// New returns an empty log.
func New() *Log {
	return &Log{games: map[string][]events.Position{}, grown: make(chan struct{})}
}

// Read yields the records of a game behind the revision after.
func (l *Log) Read(ctx context.Context, game string, after events.Revision) iter.Seq2[events.Stored, error] {
	return func(yield func(events.Stored, error) bool) {
		for {
			next, ok := l.next(game, after)
			if err := ctx.Err(); err != nil {
				yield(events.Stored{}, err)
				return
			}
			if !ok || !yield(next, nil) {
				return
			}
			after = next.Position
		}
	}
}

// next is the first record of the game behind after.
func (l *Log) next(game string, after events.Revision) (events.Stored, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := l.games[game]
	i, _ := slices.BinarySearch(all, after+1)
	if i == len(all) {
		return events.Stored{}, false
	}
	return l.records[all[i]-1], true
}

// Append stores the entry if the game's last record is at expected.
func (l *Log) Append(ctx context.Context, expected events.Revision, e events.Entry) (events.Revision, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if len(e.Payload) == 0 || len(e.Payload) > events.MaxPayload {
		return 0, fmt.Errorf("appending %d bytes: %w", len(e.Payload), events.ErrPayload)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	all := l.games[e.Game]
	var last events.Revision
	if len(all) > 0 {
		last = all[len(all)-1]
	}
	if last != expected {
		return l.stored(expected, e)
	}
	position := events.Position(len(l.records) + 1)
	l.records = append(l.records, events.Stored{
		Game: e.Game, Position: position, Payload: bytes.Clone(e.Payload), Sealed: e.Sealed,
	})
	l.games[e.Game] = append(all, position)
	close(l.grown)
	l.grown = make(chan struct{})
	return position, nil
}

// stored is the position of e if it is the record after expected.
func (l *Log) stored(expected events.Revision, e events.Entry) (events.Revision, error) {
	all := l.games[e.Game]
	i, _ := slices.BinarySearch(all, expected+1)
	if i < len(all) && bytes.Equal(l.records[all[i]-1].Payload, e.Payload) {
		return all[i], nil
	}
	return 0, fmt.Errorf("game %s, expected at %d: %w", e.Game, expected, events.ErrConflict)
}

// Follow yields every record behind the position after, and waits for new ones.
func (l *Log) Follow(ctx context.Context, after events.Position) iter.Seq2[events.Stored, error] {
	return func(yield func(events.Stored, error) bool) {
		for ctx.Err() == nil {
			news, grown := l.behind(after)
			for _, s := range news {
				if !yield(s, nil) {
					return
				}
				after = s.Position
			}
			if len(news) > 0 {
				continue
			}
			select {
			case <-grown:
			case <-ctx.Done():
			}
		}
		yield(events.Stored{}, ctx.Err())
	}
}

// behind is what stands behind the position, and the channel that is closed when
// there is more.
func (l *Log) behind(after events.Position) ([]events.Stored, <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.records[min(after, events.Position(len(l.records))):], l.grown
}

// Last is the position of the newest record.
func (l *Log) Last(ctx context.Context) (events.Position, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return events.Position(len(l.records)), ctx.Err()
}

var _ events.Log = (*Log)(nil)
