// Package lobby is the list of games that wait for a player or are being played.
package lobby

import (
	"context"
	"fmt"

	"chancery/domain/game"
	"chancery/events"
	"chancery/projections"
)

// A Phase is what a game in the lobby does.
type Phase string

// The phases of games in the lobby. A game that is over has left it.
const (
	Open Phase = "open" // waits for its second player
	Live Phase = "live" // is being played, or about to be
)

// A Game is what the lobby shows of a game.
type Game struct {
	Game    string          `json:"game"`
	Variant string          `json:"variant"`
	Options game.Options    `json:"options"`
	Rated   bool            `json:"rated"`
	Color   game.ColorPref  `json:"color"` // what the creator asked for
	Clock   *game.ClockSpec `json:"clock,omitempty"`
	Start   string          `json:"start,omitempty"`
	Seats   []game.Sitter   `json:"seats"`
	Phase   Phase           `json:"phase"`
	N       int             `json:"n"`       // number of the newest record
	Created string          `json:"created"` // RFC 3339, UTC, milliseconds
	At      string          `json:"at"`      // when the newest record was made, likewise

	Position events.Position `json:"-"` // of its first record; orders the list
}

// A Store keeps the games of the lobby, within the transaction of one batch.
type Store interface {
	// Games gives those of the games that are in the lobby, by id.
	Games(ctx context.Context, ids []string) (map[string]Game, error)
	// Put adds a game or replaces it.
	Put(ctx context.Context, g Game) error
	// Remove takes a game out, if it is there.
	Remove(ctx context.Context, id string) error
}

// Project absorbs the records, which come in stream order. The errors are the store's
// and the codec's.
func Project(ctx context.Context, store Store, batch []projections.Record) error {
	games, err := store.Games(ctx, projections.GamesOf(batch))
	if err != nil {
		return err
	}
	for _, r := range batch {
		g, listed, err := Next(games[r.Game], r)
		switch {
		case err != nil:
			return err
		case listed:
			games[r.Game] = g
			err = store.Put(ctx, g)
		case games[r.Game].Game != "":
			delete(games, r.Game)
			err = store.Remove(ctx, r.Game)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Next is what the lobby shows of a game after the record r, and whether it shows the
// game at all; the zero g is a game that is not in the lobby. A record of such a game
// that does not create it belongs to one that is over. Few records need decoding.
func Next(g Game, r projections.Record) (next Game, listed bool, err error) {
	switch {
	case g.Game == "" && r.Says("GameCreated"):
		return created(r)
	case g.Game == "" || r.Ends():
		return Game{}, false, nil
	}
	g.N++
	g.At = r.Time()
	if r.Says("PlayerJoined") {
		g.Phase = Live
		g.Seats, err = joined(g.Seats, r)
		g.Rated = g.Rated && len(g.Seats) == 2 && g.Seats[1].Account()
	}
	return g, true, err
}

func created(r projections.Record) (Game, bool, error) {
	record, err := r.Read()
	if err != nil {
		return Game{}, false, fmt.Errorf("listing game %s: %w", r.Game, err)
	}
	f, ok := record.Events[0].Fact.(game.GameCreated)
	if !ok {
		return Game{}, false, nil
	}
	return Game{
		Game: r.Game, Variant: f.Variant, Options: f.Options, Rated: f.Rated && f.Seats[0].Account(), Color: f.Color, Clock: f.Clock,
		Start: f.Start, Seats: f.Seats, Phase: Open, Created: r.Time(), At: r.Time(), Position: r.Position,
	}, !r.Ends(), nil
}

func joined(list []game.Sitter, r projections.Record) ([]game.Sitter, error) {
	record, err := r.Read()
	if err != nil {
		return list, fmt.Errorf("seating a player in game %s: %w", r.Game, err)
	}
	var seats [2]game.Sitter
	copy(seats[:], list)
	for _, e := range record.Events {
		seats = projections.Seated(seats, e.Fact)
	}
	return seats[:], nil
}
