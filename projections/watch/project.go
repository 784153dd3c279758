// Package watch is every game as the public sees it: the view of a spectator now, and
// the records by which it became so. Reading it disturbs neither the ledger nor those
// who follow a game live.
package watch

import (
	"context"
	"encoding/json"
	"fmt"

	"chancery/domain/game"
	"chancery/events"
	"chancery/projections"
)

// A Now is what a spectator sees of a game after its newest record.
type Now struct {
	Game     string
	Position events.Position // of the newest record
	N        int             // its number
	At       string          // when it was made: RFC 3339, UTC, milliseconds
	View     string          // a game.View as JSON
}

// A Store keeps views and records, within the transaction of one batch.
type Store interface {
	// AddRecord keeps a record.
	AddRecord(ctx context.Context, id string, n int, payload []byte) error
	// PutNow replaces what a spectator sees of a game.
	PutNow(ctx context.Context, now Now) error
}

// Project absorbs the records, which come in stream order. A view is made once a batch.
// The errors are the store's, and those of the games.
func Project(ctx context.Context, store Store, games *projections.Games, batch []projections.Record) error {
	latest, last := map[string]events.Game{}, map[string]projections.Record{}
	for _, r := range batch {
		_, after, record, err := games.Absorb(ctx, r)
		if err != nil {
			return err
		}
		latest[r.Game], last[r.Game] = after, r
		if err := store.AddRecord(ctx, r.Game, record.N, r.Payload); err != nil {
			return err
		}
	}
	for _, id := range projections.GamesOf(batch) {
		view, err := json.Marshal(game.ViewFor(latest[id].State, game.Spectator, nil))
		if err != nil {
			return fmt.Errorf("viewing game %s: %w", id, err)
		}
		now := Now{Game: id, Position: last[id].Position, N: latest[id].N, At: last[id].Time(), View: string(view)}
		if err := store.PutNow(ctx, now); err != nil {
			return err
		}
	}
	return nil
}

// An Event is an event of a game as it is told to the public.
type Event struct {
	N    int       `json:"n"` // number of its record
	I    int       `json:"i"` // its place in the record
	At   string    `json:"at"`
	Type string    `json:"type"`
	V    int       `json:"v"`
	Data game.Fact `json:"data"`
}

// Events are those of one record. The error is the codec's.
func Events(payload []byte) ([]Event, error) {
	r, err := events.DecodeRecord(payload)
	if err != nil {
		return nil, err
	}
	list := make([]Event, len(r.Events))
	for i, e := range r.Events {
		name, version := events.TypeOf(e.Fact)
		list[i] = Event{N: e.N, I: i, At: projections.Timestamp(e.At), Type: name, V: version, Data: e.Fact}
	}
	return list, nil
}

// ViewAt is what a spectator saw after the last of the records, which are a game's first.
func ViewAt(id string, payloads []string) (game.View, error) {
	g := events.NewGame(id)
	for i, p := range payloads {
		var err error
		if g, _, err = g.Absorb(events.Stored{Game: id, Position: events.Position(i + 1), Payload: []byte(p)}); err != nil {
			return game.View{}, err
		}
	}
	return game.ViewFor(g.State, game.Spectator, nil), nil
}
