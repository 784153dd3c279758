package sqlstore

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"chancery/domain/game"
	"chancery/events"
	"chancery/projections"
	"chancery/projections/history"
)

// History is the projection of the games that are over. The log is asked for games that
// are not in memory.
func History(log events.Log) Projection {
	return Projection{
		Name: "history", Tables: []string{"history_game", "history_option"},
		Project: func(ctx context.Context, tx *Tx, batch []projections.Record) error {
			store := historyStore{NewTable[historyRow](tx, "history_game", "game"), NewTable[optionRow](tx, "history_option", "game", "name")}
			return history.Project(ctx, store, tx.Games(log), batch)
		},
	}
}

// Games lists the games that are over and that q asks for, the newest first. More says
// that there are others behind the last one, whose Position is the next query's Before.
func (db *DB) Games(ctx context.Context, q history.Query) (page []history.Game, more bool, err error) {
	where, args := historyWhere(q)
	query := "SELECT * FROM history_game WHERE " + where + " ORDER BY position DESC"
	if q.Limit > 0 {
		query += " LIMIT ?"
		args = append(args, q.Limit+1)
	}
	var rows []historyRow
	if err := db.read(ctx, "history", &rows, query, args...); err != nil {
		return nil, false, err
	}
	if q.Limit > 0 && len(rows) > q.Limit {
		rows, more = rows[:q.Limit], true
	}
	for _, r := range rows {
		g, rowErr := r.game()
		page, err = append(page, g), errors.Join(err, rowErr)
	}
	return page, more, err
}

func historyWhere(q history.Query) (string, []any) {
	parts, args := []string{"true"}, []any(nil)
	add := func(use bool, part string, values ...any) {
		if use {
			parts, args = append(parts, part), append(args, values...)
		}
	}
	add(q.Player != "", "(player_0 = ? OR player_1 = ?)", q.Player, q.Player)
	add(q.Bot != "", "(bot_0 = ? OR bot_1 = ?)", q.Bot, q.Bot)
	add(q.Variant != "", "variant = ?", q.Variant)
	add(q.Result != "", "result = ?", string(q.Result))
	add(q.Reason != "", "reason = ?", string(q.Reason))
	add(q.Rated != nil, "rated = ?", q.Rated)
	add(q.From != "", "ended >= ?", q.From)
	add(q.Until != "", "ended < ?", q.Until)
	add(!q.Voided, "voided = false")
	add(q.Before > 0, "position < ?", int64(q.Before))
	for _, name := range slices.Sorted(maps.Keys(q.Options)) {
		add(true, "EXISTS (SELECT 1 FROM history_option o WHERE o.game = history_game.game AND o.name = ? AND o.value = ?)", name, string(q.Options[name]))
	}
	return strings.Join(parts, " AND "), args
}

// historyRow is a row of history_game.
type historyRow struct {
	Game     string `db:"game"`
	Position int64  `db:"position"`
	Variant  string `db:"variant"`
	Options  string `db:"options"`
	Rated    bool   `db:"rated"`
	Clock    string `db:"clock"`
	Player0  string `db:"player_0"`
	Player1  string `db:"player_1"`
	Bot0     string `db:"bot_0"`
	Bot1     string `db:"bot_1"`
	White    int    `db:"white"`
	Result   string `db:"result"`
	Reason   string `db:"reason"`
	Winner   int    `db:"winner"`
	Voided   bool   `db:"voided"`
	Plies    int    `db:"plies"`
	Records  int    `db:"records"`
	FEN      string `db:"fen"`
	Created  string `db:"created"`
	Ended    string `db:"ended"`
}

func (r historyRow) game() (history.Game, error) {
	g := history.Game{
		Game: r.Game, Position: events.Position(r.Position), Variant: r.Variant, Rated: r.Rated,
		Seats: []game.Sitter{{Player: r.Player0, Bot: r.Bot0}, {Player: r.Player1, Bot: r.Bot1}},
		White: game.SeatFromWire(r.White), Result: game.Result(r.Result), Reason: game.Reason(r.Reason), Winner: game.SeatFromWire(r.Winner),
		Voided: r.Voided, Plies: r.Plies, Records: r.Records, FEN: r.FEN, Created: r.Created, Ended: r.Ended,
	}
	return g, errors.Join(fromJSON(r.Options, &g.Options), fromJSON(r.Clock, &g.Clock))
}

func historyRowOf(g history.Game) historyRow {
	return historyRow{
		Game: g.Game, Position: int64(g.Position), Variant: g.Variant, Options: toJSON(g.Options), Rated: g.Rated, Clock: toJSON(g.Clock),
		Player0: g.Seats[0].Player, Player1: g.Seats[1].Player, Bot0: g.Seats[0].Bot, Bot1: g.Seats[1].Bot,
		White: g.White.Wire(), Result: string(g.Result), Reason: string(g.Reason), Winner: g.Winner.Wire(),
		Voided: g.Voided, Plies: g.Plies, Records: g.Records, FEN: g.FEN, Created: g.Created, Ended: g.Ended,
	}
}

// optionRow is a row of history_option.
type optionRow struct {
	Game  string `db:"game"`
	Name  string `db:"name"`
	Value string `db:"value"`
}

// historyStore is the history.Store of one batch.
type historyStore struct {
	games   *Table[historyRow]
	options *Table[optionRow]
}

func (s historyStore) Game(ctx context.Context, id string) (g history.Game, ok bool, err error) {
	row, ok, err := s.games.Get(ctx, Key{id})
	if err == nil && ok {
		g, err = row.game()
	}
	return g, ok, err
}

func (s historyStore) Put(_ context.Context, g history.Game) error {
	s.games.Put(historyRowOf(g))
	for name, value := range g.Options {
		s.options.Put(optionRow{Game: g.Game, Name: name, Value: string(value)})
	}
	return nil
}
