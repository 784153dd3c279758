package sqlstore

import (
	"context"
	"strings"

	"chancery/domain/rating"
	"chancery/events"
	"chancery/projections"
	"chancery/projections/ratings"
)

// Ratings is the projection of where players stand.
func Ratings() Projection {
	return Projection{
		Name: "ratings", Tables: []string{"ratings_table", "ratings_game", "ratings_standing", "ratings_change"},
		Project: func(ctx context.Context, tx *Tx, batch []projections.Record) error {
			return ratings.Project(ctx, newRatingsStore(tx), batch)
		},
	}
}

// standingRow is a row of ratings_standing.
type standingRow struct {
	Player   string `db:"player"`
	Pool     string `db:"pool"`
	Position int64  `db:"position"`
	standingColumns
}

// standingColumns are a standing, which two tables have.
type standingColumns struct {
	Rating     int64   `db:"rating"`
	Games      int     `db:"games"`
	Won        int     `db:"won"`
	Drawn      int     `db:"drawn"`
	Lost       int     `db:"lost"`
	Glicko     float64 `db:"glicko"`
	Deviation  float64 `db:"deviation"`
	Volatility float64 `db:"volatility"`
}

func (c standingColumns) standing() rating.Standing {
	return rating.Standing{
		Rating: rating.Hundredths(c.Rating), Games: c.Games, Total: rating.Total{Won: c.Won, Drawn: c.Drawn, Lost: c.Lost},
		Glicko: rating.Glicko{Rating: c.Glicko, Deviation: c.Deviation, Volatility: c.Volatility},
	}
}

func standingColumnsOf(s rating.Standing) standingColumns {
	return standingColumns{
		Rating: int64(s.Rating), Games: s.Games, Won: s.Won, Drawn: s.Drawn, Lost: s.Lost,
		Glicko: s.Glicko.Rating, Deviation: s.Glicko.Deviation, Volatility: s.Glicko.Volatility,
	}
}

// changeRow is a row of ratings_change.
type changeRow struct {
	Player   string `db:"player"`
	Pool     string `db:"pool"`
	Position int64  `db:"position"`
	Game     string `db:"game"`
	Variant  string `db:"variant"`
	Ended    string `db:"ended"`
	Opponent string `db:"opponent"`
	Score    int64  `db:"score"`
	Before   int64  `db:"before"`
	standingColumns
}

// ratedTableRow is a row of ratings_table.
type ratedTableRow struct {
	Game    string `db:"game"`
	Variant string `db:"variant"`
	Player0 string `db:"player_0"`
	Player1 string `db:"player_1"`
}

// ratedGameRow is a row of ratings_game.
type ratedGameRow struct {
	Game     string `db:"game"`
	Position int64  `db:"position"`
	Ended    string `db:"ended"`
	Variant  string `db:"variant"`
	Player0  string `db:"player_0"`
	Player1  string `db:"player_1"`
	Score    int64  `db:"score"`
}

func (r ratedGameRow) game() ratings.Game {
	return ratings.Game{
		Game:     rating.Game{ID: r.Game, Variant: r.Variant, Players: [2]string{r.Player0, r.Player1}, Score: scoreOf(r.Score)},
		Position: events.Position(r.Position), Ended: r.Ended,
	}
}

// halfPoints is how a score is kept.
func halfPoints(s rating.Score) int64 { return int64(2 * s) }

func scoreOf(half int64) rating.Score { return rating.Score(half) / 2 }

// ratingsStore is the ratings.Store of one batch.
type ratingsStore struct {
	tx        *Tx
	tables    *Table[ratedTableRow]
	games     *Table[ratedGameRow]
	standings *Table[standingRow]
	changes   *Table[changeRow]
}

func newRatingsStore(tx *Tx) ratingsStore {
	return ratingsStore{
		tx: tx, tables: NewTable[ratedTableRow](tx, "ratings_table", "game"), games: NewTable[ratedGameRow](tx, "ratings_game", "game"),
		standings: NewTable[standingRow](tx, "ratings_standing", "player", "pool"),
		changes:   NewTable[changeRow](tx, "ratings_change", "player", "pool", "position"),
	}
}

func (s ratingsStore) Tables(ctx context.Context, ids []string) (map[string]ratings.Table, error) {
	if err := s.tables.Load(ctx, keys(ids)...); err != nil {
		return nil, err
	}
	tables := map[string]ratings.Table{}
	for _, id := range ids {
		row, ok, err := s.tables.Get(ctx, Key{id})
		if err != nil {
			return nil, err
		}
		if ok {
			tables[id] = ratings.Table{Game: id, Variant: row.Variant, Players: [2]string{row.Player0, row.Player1}}
		}
	}
	return tables, nil
}

func (s ratingsStore) PutTable(t ratings.Table) {
	s.tables.Put(ratedTableRow{Game: t.Game, Variant: t.Variant, Player0: t.Players[0], Player1: t.Players[1]})
}

func (s ratingsStore) RemoveTable(id string) { s.tables.Delete(Key{id}) }

func (s ratingsStore) Game(ctx context.Context, id string) (ratings.Game, bool, error) {
	row, ok, err := s.games.Get(ctx, Key{id})
	return row.game(), ok, err
}

func (s ratingsStore) Standings(ctx context.Context, list []ratings.Key) (map[ratings.Key]rating.Standing, error) {
	keys := make([]Key, len(list))
	for i, k := range list {
		keys[i] = Key{k.Player, k.Pool}
	}
	if err := s.standings.Load(ctx, keys...); err != nil {
		return nil, err
	}
	standings := map[ratings.Key]rating.Standing{}
	for i, k := range keys {
		row, ok, err := s.standings.Get(ctx, k)
		if err != nil {
			return nil, err
		}
		if ok {
			standings[list[i]] = row.standing()
		}
	}
	return standings, nil
}

func (s ratingsStore) Count(g ratings.Game, entries []ratings.Entry) {
	s.games.Put(ratedGameRow{
		Game: g.ID, Position: int64(g.Position), Ended: g.Ended, Variant: g.Variant, Player0: g.Players[0], Player1: g.Players[1], Score: halfPoints(g.Score),
	})
	for _, e := range entries {
		after := standingColumnsOf(e.After)
		s.standings.Put(standingRow{Player: e.Player, Pool: e.Pool, Position: int64(g.Position), standingColumns: after})
		s.changes.Put(changeRow{
			Player: e.Player, Pool: e.Pool, Position: int64(g.Position), Game: g.ID, Variant: g.Variant, Ended: g.Ended,
			Opponent: e.Opponent, Score: halfPoints(e.Score), Before: int64(e.Before.Rating), standingColumns: after,
		})
	}
}

// Later writes what was counted before it reads on, so that memory does not grow with
// the number of games.
func (s ratingsStore) Later(ctx context.Context, after events.Position, limit int) ([]ratings.Game, error) {
	if err := s.tx.Flush(ctx); err != nil {
		return nil, err
	}
	s.games.forget()
	s.changes.forget()
	var rows []ratedGameRow
	if err := s.tx.Select(ctx, &rows, "SELECT * FROM ratings_game WHERE position > ? ORDER BY position LIMIT ?", int64(after), limit); err != nil {
		return nil, err
	}
	games := make([]ratings.Game, len(rows))
	for i, r := range rows {
		games[i] = r.game()
	}
	return games, nil
}

// TakeBack goes back to the last change of each standing before the position. No
// standing has been read in this batch, for games are counted behind it.
func (s ratingsStore) TakeBack(ctx context.Context, ids []string, from events.Position) error {
	for _, id := range ids {
		s.games.Delete(Key{id})
	}
	if err := s.tx.Flush(ctx); err != nil {
		return err
	}
	at := int64(from)
	for _, query := range []string{
		"DELETE FROM ratings_change WHERE position >= ?",
		"DELETE FROM ratings_standing WHERE position >= ? AND NOT EXISTS (SELECT 1 FROM ratings_change c WHERE c.player = ratings_standing.player AND c.pool = ratings_standing.pool)",
		strings.Join([]string{
			"INSERT INTO ratings_standing (" + standingNames + ")",
			"SELECT " + strings.ReplaceAll("c."+standingNames, ", ", ", c."),
			"FROM ratings_standing s JOIN ratings_change c ON c.player = s.player AND c.pool = s.pool",
			"AND c.position = (SELECT MAX(position) FROM ratings_change d WHERE d.player = s.player AND d.pool = s.pool)",
			"WHERE s.position >= ?",
			"ON CONFLICT (player, pool) DO UPDATE SET position = excluded.position, rating = excluded.rating, games = excluded.games,",
			"won = excluded.won, drawn = excluded.drawn, lost = excluded.lost, glicko = excluded.glicko, deviation = excluded.deviation, volatility = excluded.volatility",
		}, " "),
	} {
		if err := s.tx.Exec(ctx, query, at); err != nil {
			return err
		}
	}
	return nil
}

// standingNames are the columns of ratings_standing.
const standingNames = "player, pool, position, rating, games, won, drawn, lost, glicko, deviation, volatility"
