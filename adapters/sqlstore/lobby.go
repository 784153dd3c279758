package sqlstore

import (
	"context"
	"encoding/json"
	"errors"

	"chancery/domain/game"
	"chancery/events"
	"chancery/projections"
	"chancery/projections/lobby"
)

// Lobby is the projection of the games that wait for a player or are being played.
func Lobby() Projection {
	return Projection{
		Name: "lobby", Tables: []string{"lobby_game"},
		Project: func(ctx context.Context, tx *Tx, batch []projections.Record) error {
			return lobby.Project(ctx, lobbyStore{NewTable[lobbyRow](tx, "lobby_game", "game")}, batch)
		},
	}
}

// LobbyGames lists the games that are in the lobby, in the order in which they were
// created, and the checkpoint up to which the list is true.
func (db *DB) LobbyGames(ctx context.Context) (games []lobby.Game, at projections.Checkpoint, err error) {
	var rows []lobbyRow
	m := db.Model(Lobby())
	at, err = m.snapshot(ctx, func(tx *Tx) error {
		return tx.Select(ctx, &rows, "SELECT * FROM lobby_game ORDER BY position")
	})
	for _, r := range rows {
		g, rowErr := r.game()
		games, err = append(games, g), errors.Join(err, rowErr)
	}
	return games, at, err
}

// lobbyRow is a row of lobby_game.
type lobbyRow struct {
	Game     string `db:"game"`
	Position int64  `db:"position"`
	Phase    string `db:"phase"`
	Variant  string `db:"variant"`
	Options  string `db:"options"`
	Rated    bool   `db:"rated"`
	Color    string `db:"color"`
	Clock    string `db:"clock"`
	Start    string `db:"start"`
	Seats    string `db:"seats"`
	N        int    `db:"n"`
	Created  string `db:"created"`
	At       string `db:"at"`
}

func (r lobbyRow) game() (lobby.Game, error) {
	g := lobby.Game{
		Game: r.Game, Position: events.Position(r.Position), Phase: lobby.Phase(r.Phase), Variant: r.Variant, Rated: r.Rated,
		Color: game.ColorPref(r.Color), Start: r.Start, N: r.N, Created: r.Created, At: r.At,
	}
	return g, errors.Join(fromJSON(r.Options, &g.Options), fromJSON(r.Clock, &g.Clock), fromJSON(r.Seats, &g.Seats))
}

func lobbyRowOf(g lobby.Game) lobbyRow {
	return lobbyRow{
		Game: g.Game, Position: int64(g.Position), Phase: string(g.Phase), Variant: g.Variant, Options: toJSON(g.Options),
		Rated: g.Rated, Color: string(g.Color), Clock: toJSON(g.Clock), Start: g.Start, Seats: toJSON(g.Seats),
		N: g.N, Created: g.Created, At: g.At,
	}
}

// lobbyStore is the lobby.Store of one batch.
type lobbyStore struct{ games *Table[lobbyRow] }

func (s lobbyStore) Games(ctx context.Context, ids []string) (map[string]lobby.Game, error) {
	if err := s.games.Load(ctx, keys(ids)...); err != nil {
		return nil, err
	}
	games := map[string]lobby.Game{}
	for _, id := range ids {
		row, ok, err := s.games.Get(ctx, Key{id})
		if err != nil {
			return nil, err
		}
		if ok {
			if games[id], err = row.game(); err != nil {
				return nil, err
			}
		}
	}
	return games, nil
}

func (s lobbyStore) Put(_ context.Context, g lobby.Game) error {
	s.games.Put(lobbyRowOf(g))
	return nil
}

func (s lobbyStore) Remove(_ context.Context, id string) error {
	s.games.Delete(Key{id})
	return nil
}

// keys are the keys of a table whose key is a text.
func keys(ids []string) []Key {
	list := make([]Key, len(ids))
	for i, id := range ids {
		list[i] = Key{id}
	}
	return list
}

// toJSON is how a value stands in a column; nothing at all for nil.
func toJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil || string(text) == "null" {
		return "" // no value of ours fails
	}
	return string(text)
}

func fromJSON(text string, into any) error {
	if text == "" {
		return nil
	}
	return json.Unmarshal([]byte(text), into)
}
