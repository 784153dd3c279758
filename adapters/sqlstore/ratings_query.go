package sqlstore

import (
	"context"
	"strings"

	"chancery/domain/rating"
	"chancery/events"
	"chancery/projections/ratings"
)

// Ranking lists the players of a pool, the best first, from the place after skip of
// them; at most limit. At is the position in the ledger up to which the list is true.
func (db *DB) Ranking(ctx context.Context, pool string, skip, limit int) (page []ratings.Ranked, at events.Position, err error) {
	var rows []struct {
		Rank int `db:"rank"`
		standingRow
	}
	stands, err := db.Model(Ratings()).snapshot(ctx, func(tx *Tx) error {
		return tx.Select(ctx, &rows, "SELECT RANK() OVER (ORDER BY rating DESC) AS rank, "+standingNames+
			" FROM ratings_standing WHERE pool = ? ORDER BY rating DESC, player LIMIT ? OFFSET ?", pool, limit, skip)
	})
	for _, r := range rows {
		page = append(page, ratings.Ranked{Standing: r.standing(), Rank: r.Rank, Player: r.Player})
	}
	return page, stands.Position, err
}

// Pools says where a player stands, in every pool he has played in. At is the position
// in the ledger up to which that is true.
func (db *DB) Pools(ctx context.Context, player string) (pools []ratings.Pool, at events.Position, err error) {
	var rows []standingRow
	stands, err := db.Model(Ratings()).snapshot(ctx, func(tx *Tx) error {
		return tx.Select(ctx, &rows, "SELECT * FROM ratings_standing WHERE player = ? ORDER BY pool", player)
	})
	for _, r := range rows {
		pools = append(pools, ratings.Pool{Standing: r.standing(), Pool: r.Pool})
	}
	return pools, stands.Position, err
}

// Entries lists what games did to a player, the newest first, and whether there is
// more. Of Before only the rating is known.
func (db *DB) Entries(ctx context.Context, q ratings.Query) (page []ratings.Entry, more bool, err error) {
	parts, args := []string{"player = ?", "pool = ?"}, []any{q.Player, q.Pool}
	if q.Opponent != "" {
		parts, args = append(parts, "opponent = ?"), append(args, q.Opponent)
	}
	if q.Before > 0 {
		parts, args = append(parts, "position < ?"), append(args, int64(q.Before))
	}
	var rows []changeRow
	err = db.Model(Ratings()).Select(ctx, &rows, "SELECT * FROM ratings_change WHERE "+strings.Join(parts, " AND ")+
		" ORDER BY position DESC LIMIT ?", append(args, q.Limit+1)...)
	if len(rows) > q.Limit {
		rows, more = rows[:q.Limit], true
	}
	for _, r := range rows {
		page = append(page, r.entry())
	}
	return page, more, err
}

func (r changeRow) entry() ratings.Entry {
	g := rating.Game{ID: r.Game, Variant: r.Variant, Players: [2]string{r.Player, r.Opponent}, Score: scoreOf(r.Score)}
	return ratings.Entry{
		Change: rating.Change{
			Player: r.Player, Pool: r.Pool, Before: rating.Standing{Rating: rating.Hundredths(r.Before)}, After: r.standing(),
		},
		Game: ratings.Game{Game: g, Position: events.Position(r.Position), Ended: r.Ended}, Opponent: r.Opponent, Score: g.Score,
	}
}

// totals are how many games ended how, from the player's side.
const totals = "COUNT(CASE score WHEN 2 THEN 1 END) AS won, COUNT(CASE score WHEN 1 THEN 1 END) AS drawn, COUNT(CASE score WHEN 0 THEN 1 END) AS lost"

// HeadToHead is a's record against b, in all variants.
func (db *DB) HeadToHead(ctx context.Context, a, b string) (pair rating.Pair, err error) {
	var sums []struct{ Won, Drawn, Lost int }
	var form []int64
	_, err = db.Model(Ratings()).snapshot(ctx, func(tx *Tx) error {
		const games = "FROM ratings_change WHERE player = ? AND pool = '' AND opponent = ?"
		if err := tx.Select(ctx, &sums, "SELECT "+totals+" "+games, a, b); err != nil {
			return err
		}
		return tx.Select(ctx, &form, "SELECT score "+games+" ORDER BY position DESC LIMIT ?", a, b, rating.Form)
	})
	if err != nil {
		return pair, err
	}
	pair.Total = rating.Total(sums[0])
	for _, half := range form {
		pair.Form = append(pair.Form, scoreOf(half))
	}
	return pair, nil
}

// Rivals lists a player's opponents, those he has played most first; at most limit.
func (db *DB) Rivals(ctx context.Context, player string, limit int) ([]ratings.Rival, error) {
	var rows []struct {
		Opponent         string
		Won, Drawn, Lost int
	}
	err := db.Model(Ratings()).Select(ctx, &rows, "SELECT opponent, "+totals+
		" FROM ratings_change WHERE player = ? AND pool = '' GROUP BY opponent ORDER BY COUNT(*) DESC, opponent LIMIT ?", player, limit)
	rivals := make([]ratings.Rival, len(rows))
	for i, r := range rows {
		rivals[i] = ratings.Rival{Total: rating.Total{Won: r.Won, Drawn: r.Drawn, Lost: r.Lost}, Opponent: r.Opponent}
	}
	return rivals, err
}
