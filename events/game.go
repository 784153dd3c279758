package events

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"chancery/domain/fair"
	"chancery/domain/game"
)

// ErrNotFound says that the log holds no record of a game.
var ErrNotFound = errors.New("there is no such game")

// ErrBroken says that the records of a game do not follow one another: some are
// missing, changed or another game's. Every such error is a [*BrokenError].
var ErrBroken = errors.New("the history of a game is broken")

// A BrokenError names the first record at which a game's history breaks. The game is
// never played on: restore the ledger from a backup, and compare it with the
// checkpoints that witnesses hold.
type BrokenError struct {
	Game     string
	N        int      // the record that is due or wrong
	Position Position // where the log keeps what stands in its place
	Cause    error
}

// Error says where the history breaks and what to do.
func (e *BrokenError) Error() string {
	return fmt.Sprintf("game %s is frozen: record %d (position %d) does not follow: %v; restore the ledger from a backup", e.Game, e.N, e.Position, e.Cause)
}

// Is makes every BrokenError an [ErrBroken].
func (e *BrokenError) Is(target error) bool { return target == ErrBroken }

// Unwrap gives what was found.
func (e *BrokenError) Unwrap() error { return e.Cause }

// A Game is a game as far as its records have been read. It is a value: absorbing
// another record gives the next one and leaves the old one as it was.
type Game struct {
	State    game.State   // knows the id, even before the first record
	Revision Revision     // zero: not begun
	N        int          // number of the newest record; -1: not begun
	Head     fair.Hash    // of the newest record; zero: not begun
	Sealed   string       // the sealed seed beside the first record
	Begun    game.Instant // when the first record was made

	trail *trail
}

// trail is what is remembered of each record, linked backwards, so that a repeated
// command and an acknowledged record are found without reading the log again.
type trail struct {
	n           int
	revision    Revision
	cause, hash fair.Hash
	prev        *trail
}

// NewGame is the game of that id before its first record.
func NewGame(id string) Game {
	return Game{State: game.New(id), N: -1}
}

// Load reads a whole game. It returns [ErrNotFound] for one that has no records, a
// [*BrokenError] for one whose records do not follow one another, and the log's errors.
func Load(ctx context.Context, log Log, id string) (Game, error) {
	g, err := Refresh(ctx, log, NewGame(id))
	if err == nil && g.N < 0 {
		err = fmt.Errorf("loading %.80q: %w", id, ErrNotFound)
	}
	return g, err
}

// Refresh is g with the records that the log has gained since. On an error it is g as
// far as it could be read.
func Refresh(ctx context.Context, log Log, g Game) (Game, error) {
	for step, err := range Steps(ctx, log, g) {
		if err != nil {
			return g, err
		}
		g = step.Game
	}
	return g, nil
}

// A Step is one record of a game and the game that it led to.
type Step struct {
	Game   Game
	Record Record
	Stored Stored
}

// Steps replays the records behind g, each checked, up to the last one there is. It
// ends with the first error.
func Steps(ctx context.Context, log Log, g Game) iter.Seq2[Step, error] {
	return func(yield func(Step, error) bool) {
		for stored, err := range log.Read(ctx, g.State.ID, g.Revision) {
			var r Record
			if err == nil {
				g, r, err = g.Absorb(stored)
			}
			if err != nil {
				yield(Step{}, fmt.Errorf("reading game %s: %w", g.State.ID, err))
				return
			}
			if !yield(Step{Game: g, Record: r, Stored: stored}, nil) {
				return
			}
		}
	}
}

// Absorb folds the next record in, decoded. It must be the very next: of this game, of
// the next number, made no earlier, and naming the hash of the record before it.
// Otherwise the error is a [*BrokenError] and g is returned as it was.
func (g Game) Absorb(s Stored) (Game, Record, error) {
	r, err := DecodeRecord(s.Payload)
	if err != nil {
		return g, Record{}, &BrokenError{Game: g.State.ID, N: g.N + 1, Position: s.Position, Cause: err}
	}
	next, err := g.AbsorbDecoded(s, r)
	if err != nil {
		return g, Record{}, err
	}
	return next, r, nil
}

// AbsorbDecoded is Absorb for who has decoded the record already.
func (g Game) AbsorbDecoded(s Stored, r Record) (Game, error) {
	if err := g.follows(s, r); err != nil {
		return g, &BrokenError{Game: g.State.ID, N: g.N + 1, Position: s.Position, Cause: err}
	}
	return g.add(s, r), nil
}

// follows says why r, stored as s, is not the next record of g.
func (g Game) follows(s Stored, r Record) error {
	switch {
	case r.Game != g.State.ID || s.Game != g.State.ID:
		return fmt.Errorf("it is of game %s, kept under %s", r.Game, s.Game)
	case r.N != g.N+1:
		return fmt.Errorf("it has the number %d", r.N)
	case r.Prev != g.Head:
		return fmt.Errorf("it follows a record with hash %s, but that of the record before it is %s", r.Prev, g.Head)
	case r.At < g.State.At:
		return fmt.Errorf("its time lies %d ms before that of the record before it", g.State.At-r.At)
	case s.Position <= g.Revision:
		return fmt.Errorf("its position does not lie behind %d", g.Revision)
	}
	return nil
}

func (g Game) add(s Stored, r Record) Game {
	g.State = game.Fold(g.State, r.Events...)
	g.Revision, g.N, g.Head = s.Position, r.N, fair.RecordHash(s.Payload)
	if r.N == 0 {
		g.Sealed, g.Begun = s.Sealed, r.At
	}
	g.trail = &trail{n: r.N, revision: s.Position, cause: r.Cause, hash: g.Head, prev: g.trail}
	return g
}

// find is the newest remembered record that is as wanted, or nil.
func (g Game) find(wanted func(*trail) bool) *trail {
	for t := g.trail; t != nil; t = t.prev {
		if wanted(t) {
			return t
		}
	}
	return nil
}
