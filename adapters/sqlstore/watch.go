package sqlstore

import (
	"context"
	"fmt"

	"chancery/domain/game"
	"chancery/events"
	"chancery/projections"
	"chancery/projections/watch"
)

// Watch is the projection of what the public sees of every game. The log is asked for
// games that are not in memory.
func Watch(log events.Log) Projection {
	return Projection{
		Name: "watch", Tables: []string{"watch_game", "watch_record"},
		Project: func(ctx context.Context, tx *Tx, batch []projections.Record) error {
			store := watchStore{NewTable[watchRow](tx, "watch_game", "game"), NewTable[recordRow](tx, "watch_record", "game", "n")}
			return watch.Project(ctx, store, tx.Games(log), batch)
		},
	}
}

// View is what a spectator saw of a game after its record n, or sees after the newest
// for a negative n. A record that has not been absorbed is [events.ErrNotFound].
func (db *DB) View(ctx context.Context, id string, n int) (game.View, error) {
	if n < 0 {
		var view []string
		if err := db.read(ctx, "watch", &view, "SELECT view FROM watch_game WHERE game = ?", id); err != nil {
			return game.View{}, err
		}
		if len(view) == 0 {
			return game.View{}, fmt.Errorf("viewing %.80q: %w", id, events.ErrNotFound)
		}
		var v game.View
		return v, fromJSON(view[0], &v)
	}
	payloads, err := db.Payloads(ctx, id, 0, n)
	if err != nil {
		return game.View{}, err
	}
	if len(payloads) != n+1 {
		return game.View{}, fmt.Errorf("viewing record %d of %.80q: %w", n, id, events.ErrNotFound)
	}
	return watch.ViewAt(id, payloads)
}

// Payloads are the exact records since..to of a game, as many as have been absorbed.
func (db *DB) Payloads(ctx context.Context, id string, since, to int) (list []string, err error) {
	err = db.read(ctx, "watch", &list, "SELECT payload FROM watch_record WHERE game = ? AND n BETWEEN ? AND ? ORDER BY n", id, since, to)
	return list, err
}

// watchRow is a row of watch_game, recordRow one of watch_record.
type (
	watchRow struct {
		Game     string `db:"game"`
		Position int64  `db:"position"`
		N        int    `db:"n"`
		At       string `db:"at"`
		View     string `db:"view"`
	}
	recordRow struct {
		Game    string `db:"game"`
		N       int    `db:"n"`
		Payload string `db:"payload"`
	}
)

// watchStore is the watch.Store of one batch.
type watchStore struct {
	games   *Table[watchRow]
	records *Table[recordRow]
}

func (s watchStore) AddRecord(_ context.Context, id string, n int, payload []byte) error {
	s.records.Put(recordRow{Game: id, N: n, Payload: string(payload)})
	return nil
}

func (s watchStore) PutNow(_ context.Context, now watch.Now) error {
	s.games.Put(watchRow{Game: now.Game, Position: int64(now.Position), N: now.N, At: now.At, View: now.View})
	return nil
}
