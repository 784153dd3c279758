package events

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"chancery/domain/fair"
	"chancery/domain/game"
)

// tries bounds how often a command is decided again because the game had moved on.
const tries = 8

// Terms are what a command comes with besides itself.
type Terms struct {
	Cause  fair.Hash   // fair.Cause of the game and the command's idempotency key
	Chance game.Chance // the game's own; used by this call alone while it runs
	Expect *int        // number of the newest record that the client has seen; nil: not said
	Sealed string      // with a create: the box of the game's seed
	Trace  string      // traceparent, or empty
}

// An Outcome is the record that a command led to.
type Outcome struct {
	Record   Record
	Stored   Stored
	Repeated bool // an earlier try of the same command had led to it
}

// A StaleError refuses a turn action of a client that had not seen the newest record.
// It matches game.Stale and is a [*game.Refusal].
type StaleError struct {
	N int // number of the newest record
}

// Error says what to do next.
func (e *StaleError) Error() string {
	return fmt.Sprintf("The game has moved on to record %d; look at it and decide again.", e.N)
}

// Unwrap gives the refusal.
func (e *StaleError) Unwrap() error {
	return &game.Refusal{Code: game.Stale, Detail: e.Error()}
}

// Transact decides c on g and appends the record of its events. Where the game has
// moved on meanwhile it reads what happened and decides again, a few times. It returns
// the newest Game that it has seen in every case.
//
// An accepted command repeated with its cause answers with the record that it led to,
// whatever has happened since. A refusal is never given on an old state: before g's
// answer is no, the log is asked for news. Errors: a [*game.Refusal], among them a
// [*StaleError]; a [*BrokenError]; [ErrConflict] after too many tries;
// [ErrUnavailable] or the context's error, after which it is unknown whether the record
// was stored, and the same command with the same cause may be sent again.
func Transact(ctx context.Context, log Log, g Game, c game.Command, t Terms) (Game, Outcome, error) {
	for range tries {
		if old := g.find(func(r *trail) bool { return r.cause == t.Cause }); old != nil {
			o, err := repeated(ctx, log, g.State.ID, old)
			return g, o, err
		}
		next, o, err := g.attempt(ctx, log, c, t)
		if err == nil {
			return next, o, nil
		}
		if !errors.Is(err, ErrConflict) && !isRefusal(err) {
			return g, Outcome{}, err
		}
		seen := g.N
		var trouble error
		if g, trouble = Refresh(ctx, log, g); trouble != nil {
			return g, Outcome{}, trouble
		}
		if g.N == seen && isRefusal(err) {
			return g, Outcome{}, err
		}
	}
	return g, Outcome{}, fmt.Errorf("game %s: decided %d times: %w; send the command again", g.State.ID, tries, ErrConflict)
}

func isRefusal(err error) bool {
	var r *game.Refusal
	return errors.As(err, &r)
}

// attempt decides once and appends once.
func (g Game) attempt(ctx context.Context, log Log, c game.Command, t Terms) (Game, Outcome, error) {
	if err := g.admit(c, t); err != nil {
		return g, Outcome{}, err
	}
	facts, err := game.Decide(g.State, c, t.Chance)
	if err != nil {
		return g, Outcome{}, err
	}
	r := Record{At: facts[0].At, By: c.By, Cause: t.Cause, Events: facts, Game: g.State.ID, N: g.N + 1, Prev: g.Head}
	entry, err := entryOf(g, r, t)
	if err != nil {
		return g, Outcome{}, err
	}
	position, err := log.Append(ctx, g.Revision, entry)
	if err != nil {
		return g, Outcome{}, fmt.Errorf("appending record %d of game %s: %w", r.N, g.State.ID, err)
	}
	stored := Stored{Game: g.State.ID, Position: position, Payload: entry.Payload, Sealed: entry.Sealed}
	return g.add(stored, r), Outcome{Record: r, Stored: stored}, nil
}

// admit refuses a command whose sender has seen another game than this one: a turn
// action must be meant for the newest record, and an acknowledged record must exist.
func (g Game) admit(c game.Command, t Terms) error {
	turn := game.IsTurn(c.Action)
	if turn && t.Expect != nil && *t.Expect != g.N {
		return &StaleError{N: g.N}
	}
	if c.Ack == nil {
		return nil
	}
	seen := g.find(func(r *trail) bool { return r.hash == *c.Ack })
	last := g.lastAck(c.By)
	switch {
	case c.By == game.Spectator:
		return game.Refuse(game.BadCommand, "Only a player acknowledges a record.")
	case seen == nil:
		return game.Refuse(game.BadCommand, "No record of this game has the acknowledged hash: what you were shown is not what stands in the ledger. Keep what you have, and compare it with the game's records.")
	case turn && seen.n != g.N, last != nil && seen.n < last.n:
		return &StaleError{N: g.N}
	}
	return nil
}

// lastAck is the record that the seat acknowledged last, or nil.
func (g Game) lastAck(s game.Seat) *trail {
	if s == game.Spectator {
		return nil
	}
	ack := g.State.Fair.Seat[s.Wire()].Ack
	if ack.IsZero() {
		return nil
	}
	return g.find(func(r *trail) bool { return r.hash == ack })
}

func entryOf(g Game, r Record, t Terms) (Entry, error) {
	payload, err := EncodeRecord(r)
	if err != nil {
		return Entry{}, fmt.Errorf("writing record %d of game %s: %w", r.N, r.Game, err)
	}
	e := Entry{Game: r.Game, Payload: payload, Cause: r.Cause.String(), Rules: rulesOf(g, r), Trace: t.Trace}
	if r.N == 0 {
		e.Sealed = t.Sealed
	}
	for _, event := range r.Events {
		name, _ := TypeOf(event.Fact)
		e.Types = append(e.Types, name)
	}
	return e, nil
}

func rulesOf(g Game, r Record) string {
	variant, version := g.State.Variant, g.State.Rules
	if f, ok := r.Events[0].Fact.(game.GameCreated); ok {
		variant, version = f.Variant, f.Rules.Version
	}
	return variant + "/" + strconv.Itoa(version)
}

// repeated reads the record that an earlier try of the command led to.
func repeated(ctx context.Context, log Log, id string, t *trail) (Outcome, error) {
	for stored, err := range log.Read(ctx, id, t.revision-1) {
		if err != nil {
			return Outcome{}, fmt.Errorf("reading record %d of game %s: %w", t.n, id, err)
		}
		r, err := DecodeRecord(stored.Payload)
		if err == nil && fair.RecordHash(stored.Payload) != t.hash {
			err = errors.New("it has changed since it was read")
		}
		if err != nil {
			return Outcome{}, &BrokenError{Game: id, N: t.n, Position: stored.Position, Cause: err}
		}
		return Outcome{Record: r, Stored: stored, Repeated: true}, nil
	}
	return Outcome{}, &BrokenError{Game: id, N: t.n, Position: t.revision, Cause: errors.New("the record is gone")}
}
