// Package ratings ranks players by their games: where they stand now, how they came
// there, and how each pair has done against each other.
package ratings

import (
	"context"
	"slices"

	"chancery/domain/game"
	"chancery/domain/player"
	"chancery/domain/rating"
	"chancery/events"
	"chancery/projections"
)

// A Table is a rated game that is not over, as its result will need it.
type Table struct {
	Game    string
	Variant string
	Players [2]string // by seat; the second is empty until it is taken
}

// A Game is one that counted.
type Game struct {
	rating.Game
	Position events.Position // of the record that ended it; the order in which games count
	Ended    string          // RFC 3339, UTC, milliseconds
}

// An Entry is what one game did to one player in one pool.
type Entry struct {
	rating.Change
	Game     Game
	Opponent string
	Score    rating.Score // of the player
}

// A Key names a standing: a player's in a pool.
type Key struct{ Player, Pool string }

// A Store keeps the ratings, within the transaction of one batch.
type Store interface {
	// Tables gives those of the games that are rated and not over, by id.
	Tables(ctx context.Context, ids []string) (map[string]Table, error)
	// PutTable adds a rated game or replaces it.
	PutTable(t Table)
	// RemoveTable takes one out, if it is there.
	RemoveTable(id string)

	// Game is the game of that id, if it counted.
	Game(ctx context.Context, id string) (g Game, ok bool, err error)
	// TakeBack removes the games and brings everything else to where it stood before
	// the one at from counted, their Games but for the removed excepted.
	TakeBack(ctx context.Context, ids []string, from events.Position) error
	// Later lists the games that ended after a position, the oldest first, at most limit.
	Later(ctx context.Context, after events.Position, limit int) ([]Game, error)

	// Standings gives those of the standings that there are.
	Standings(ctx context.Context, keys []Key) (map[Key]rating.Standing, error)
	// Count adds a game with what it did, and moves the standings. A game that is there
	// already is the same one, counted again after a TakeBack.
	Count(g Game, entries []Entry)
}

// Project absorbs the records, which come in stream order. The errors are the store's
// and the codec's.
func Project(ctx context.Context, store Store, batch []projections.Record) error {
	tables, err := store.Tables(ctx, projections.GamesOf(batch))
	if err != nil {
		return err
	}
	t := tally{store: store, tables: tables}
	for _, r := range batch {
		if err := t.absorb(r); err != nil {
			return err
		}
	}
	if err := t.void(ctx); err != nil {
		return err
	}
	return t.count(ctx, t.ended)
}

// A tally is what a batch says of rated games.
type tally struct {
	store  Store
	tables map[string]Table
	ended  []Game   // in the order of their ends
	voided []string // that are not among them
}

// absorb notes what a record says. Few need decoding.
func (t *tally) absorb(r projections.Record) error {
	_, known := t.tables[r.Game]
	if !r.Says("GameCreated") && !r.Says("GameVoided") && (!known || !r.Says("PlayerJoined") && !r.Ends()) {
		return nil
	}
	record, err := r.Read()
	if err != nil {
		return err
	}
	for _, e := range record.Events {
		t.fact(r, e.Fact)
	}
	return nil
}

// fact notes what matters of a fact: who plays, how it ended, whether it counts at all.
func (t *tally) fact(r projections.Record, f game.Fact) {
	if created, is := f.(game.GameCreated); is && created.Rated && player.IsAccount(created.Seats[0].Player) {
		t.put(Table{Game: r.Game, Variant: created.Variant, Players: [2]string{created.Seats[0].Player}})
	}
	if joined, is := f.(game.PlayerJoined); is {
		t.join(r.Game, joined.Player)
	}
	if ended, is := f.(game.GameEnded); is {
		t.end(r, ended.Winner)
	}
	if _, is := f.(game.GameAborted); is {
		t.remove(r.Game)
	}
	if _, is := f.(game.GameVoided); is {
		t.remove(r.Game)
		t.takeOut(r.Game)
	}
}

// join seats a player. A game with a guest, a program or somebody without a name does
// not count.
func (t *tally) join(id, second string) {
	table, known := t.tables[id]
	switch {
	case !known:
	case player.IsAccount(second) && second != table.Players[0]:
		table.Players[1] = second
		t.put(table)
	default:
		t.remove(id)
	}
}

// end lets a game that is over count.
func (t *tally) end(r projections.Record, winner game.Seat) {
	if table, known := t.tables[r.Game]; known && table.Players[1] != "" {
		t.ended = append(t.ended, Game{
			Game:     rating.Game{ID: r.Game, Variant: table.Variant, Players: table.Players, Score: score(winner)},
			Position: r.Position, Ended: r.Time(),
		})
	}
	t.remove(r.Game)
}

func (t *tally) put(table Table) {
	t.tables[table.Game] = table
	t.store.PutTable(table)
}

func (t *tally) remove(id string) {
	if _, known := t.tables[id]; known {
		delete(t.tables, id)
		t.store.RemoveTable(id)
	}
}

// takeOut lets a game that is over count for nothing.
func (t *tally) takeOut(id string) {
	before := len(t.ended)
	t.ended = slices.DeleteFunc(t.ended, func(g Game) bool { return g.ID == id })
	if len(t.ended) == before {
		t.voided = append(t.voided, id)
	}
}

// score is what the game brought the first seat. It follows the seat that won, not the
// army, for armies may change hands.
func score(winner game.Seat) rating.Score {
	switch winner {
	case game.First:
		return rating.Win
	case game.Second:
		return rating.Loss
	default:
		return rating.Draw
	}
}
