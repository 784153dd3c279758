// Package history is the list of games that are over, for those who look for them by
// what they were.
package history

import (
	"context"

	"chancery/domain/game"
	"chancery/events"
	"chancery/projections"
)

// A Game is what is remembered of a game that is over.
type Game struct {
	Game    string          `json:"game"`
	Variant string          `json:"variant"`
	Options game.Options    `json:"options"`
	Rated   bool            `json:"rated"`
	Clock   *game.ClockSpec `json:"clock,omitempty"`
	Seats   []game.Sitter   `json:"seats"`           // by number
	White   game.Seat       `json:"white,omitzero"`  // the seat that had the white army at the end
	Result  game.Result     `json:"result"`          // * for a game that was called off
	Winner  game.Seat       `json:"winner,omitzero"` // the seat
	Reason  game.Reason     `json:"reason"`
	Voided  bool            `json:"voided,omitempty"` // counts for nothing
	Plies   int             `json:"plies"`            // moves on the board
	Records int             `json:"records"`          // up to the end
	FEN     string          `json:"fen,omitempty"`    // the last position
	Created string          `json:"created"`          // RFC 3339, UTC, milliseconds
	Ended   string          `json:"ended"`            // likewise

	Position events.Position `json:"-"` // of the record that ended it; orders the list
}

// A Store keeps the games, within the transaction of one batch.
type Store interface {
	// Game is the game of that id, if it is over.
	Game(ctx context.Context, id string) (g Game, ok bool, err error)
	// Put adds a game or replaces it.
	Put(ctx context.Context, g Game) error
}

// Project absorbs the records, which come in stream order. The errors are the store's,
// and those of the games.
func Project(ctx context.Context, store Store, games *projections.Games, batch []projections.Record) error {
	for _, r := range batch {
		before, after, _, err := games.Absorb(ctx, r)
		switch {
		case err != nil:
			return err
		case !after.State.Over():
			continue
		case before.State.Over():
			err = amend(ctx, store, after, r)
		default:
			err = store.Put(ctx, over(after, r))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// amend notes what is said of a game after its end.
func amend(ctx context.Context, store Store, after events.Game, r projections.Record) error {
	g, ok, err := store.Game(ctx, r.Game)
	if err != nil || !ok || g.Voided == after.State.Voided {
		return err
	}
	g.Voided = after.State.Voided
	return store.Put(ctx, g)
}

// over is a game that ended with the record r.
func over(after events.Game, r projections.Record) Game {
	s := after.State
	g := Game{
		Game: r.Game, Variant: s.Variant, Options: s.Options, Rated: s.Ranked(), Seats: s.Seats[:], White: s.White,
		Result: s.Result, Winner: s.Winner, Reason: s.Reason, Voided: s.Voided, Plies: s.Plies, Records: s.N + 1, FEN: s.FEN,
		Created: projections.Timestamp(after.Begun), Ended: r.Time(), Position: r.Position,
	}
	if g.Result == "" {
		g.Result = game.Ongoing
	}
	if s.Clock.Used {
		spec := s.Clock.Spec
		g.Clock = &spec
	}
	return g
}
