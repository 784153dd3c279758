package sqlstore

import (
	"context"
	"fmt"
	"strings"

	"chancery/domain/game"
	"chancery/events"
	"chancery/projections"
	"chancery/projections/stats"
)

// Stats is the projection of what is counted of games that are over. The log is asked for
// games that are not in memory.
func Stats(log events.Log) Projection {
	return Projection{
		Name: "stats", Tables: []string{"stats_outcome", "stats_opening", "stats_dice", "stats_length"},
		Project: func(ctx context.Context, tx *Tx, batch []projections.Record) error {
			store := statsStore{
				outcomes: NewTable[outcomeRow](tx, "stats_outcome", "day", "variant", "outcome"),
				openings: NewTable[openingRow](tx, "stats_opening", "variant", "opening", "result"),
				dice:     NewTable[diceRow](tx, "stats_dice", "variant", "effect", "fate"),
				lengths:  NewTable[lengthRow](tx, "stats_length", "variant", "plies"),
			}
			return stats.Project(ctx, store, tx.Rows(log), batch)
		},
	}
}

// Stats reads what was counted, all of it as of one moment.
func (db *DB) Stats(ctx context.Context, q stats.Query) (stats.Figures, error) {
	m, known := db.models.Load("stats")
	if !known {
		return stats.Figures{}, fmt.Errorf("reading stats: %w: they are not kept here", projections.ErrUnavailable)
	}
	var rows statsRows
	if _, err := m.(*Model).snapshot(ctx, func(tx *Tx) error { return rows.read(ctx, tx, q) }); err != nil {
		return stats.Figures{}, err
	}
	return rows.figures(), nil
}

// statsRows are rows of all tables of stats.
type statsRows struct {
	outcomes []outcomeRow
	openings []openingRow
	dice     []diceRow
	lengths  []lengthRow
}

func (s *statsRows) read(ctx context.Context, tx *Tx, q stats.Query) error {
	days, args := "games > 0 AND day >= ?", []any{q.From}
	if q.Until != "" {
		days, args = days+" AND day < ?", append(args, q.Until)
	}
	for _, t := range []struct {
		into                any
		table, where, order string
		args                []any
	}{
		{&s.outcomes, "stats_outcome", days, "day, variant, outcome", args},
		{&s.openings, "stats_opening", "games > 0", "variant, opening, result", nil},
		{&s.dice, "stats_dice", "rolls > 0", "variant, effect, fate", nil},
		{&s.lengths, "stats_length", "games > 0", "variant, plies", nil},
	} {
		if q.Variant != "" {
			t.where, t.args = t.where+" AND variant = ?", append(t.args, q.Variant)
		}
		if err := tx.Select(ctx, t.into, "SELECT * FROM "+t.table+" WHERE "+t.where+" ORDER BY "+t.order, t.args...); err != nil {
			return err
		}
	}
	return nil
}

func (s *statsRows) figures() stats.Figures {
	f := stats.Figures{Outcomes: []stats.Outcome{}, Openings: []stats.Opening{}, Dice: []stats.Dice{}, Expected: stats.Expected(), Lengths: []stats.Length{}}
	for _, r := range s.outcomes {
		f.Outcomes = append(f.Outcomes, r.outcome())
	}
	for _, r := range s.openings {
		f.Openings = append(f.Openings, stats.Opening{Variant: r.Variant, Opening: r.Opening, Result: game.Result(r.Result), Games: r.Games})
	}
	for _, r := range s.dice {
		f.Dice = append(f.Dice, stats.Dice{Variant: r.Variant, Effect: game.Effect(r.Effect), Impossible: r.Fate == fateImpossible, Rolls: r.Rolls})
	}
	for _, r := range s.lengths {
		f.Lengths = append(f.Lengths, stats.Length(r))
	}
	return f
}

// Rows of the tables of stats.
type (
	outcomeRow struct {
		Day     string `db:"day"`
		Variant string `db:"variant"`
		Outcome string `db:"outcome"`
		Games   int64  `db:"games"`
		Plies   int64  `db:"plies"`
		Millis  int64  `db:"millis"`
	}
	openingRow struct {
		Variant string `db:"variant"`
		Opening string `db:"opening"`
		Result  string `db:"result"`
		Games   int64  `db:"games"`
	}
	diceRow struct {
		Variant string `db:"variant"`
		Effect  string `db:"effect"`
		Fate    string `db:"fate"`
		Rolls   int64  `db:"rolls"`
	}
	lengthRow struct {
		Variant string `db:"variant"`
		Plies   int64  `db:"plies"`
		Games   int64  `db:"games"`
	}
)

// The fates of what dice do.
const (
	fateDone       = "done"
	fateImpossible = "impossible"
)

func (r outcomeRow) outcome() stats.Outcome {
	result, reason, _ := strings.Cut(r.Outcome, " ")
	return stats.Outcome{
		Day: r.Day, Variant: r.Variant, Result: game.Result(result), Reason: game.Reason(reason), Games: r.Games, Plies: r.Plies, Millis: r.Millis,
	}
}

// statsStore is the stats.Store of one batch.
type statsStore struct {
	outcomes *Table[outcomeRow]
	openings *Table[openingRow]
	dice     *Table[diceRow]
	lengths  *Table[lengthRow]
}

func (s statsStore) AddOutcome(ctx context.Context, o stats.Outcome) error {
	outcome := string(o.Result) + " " + string(o.Reason)
	row, _, err := s.outcomes.Get(ctx, Key{o.Day, o.Variant, outcome})
	row.Day, row.Variant, row.Outcome = o.Day, o.Variant, outcome
	row.Games, row.Plies, row.Millis = row.Games+o.Games, row.Plies+o.Plies, row.Millis+o.Millis
	s.outcomes.Put(row)
	return err
}

func (s statsStore) AddOpening(ctx context.Context, o stats.Opening) error {
	row, _, err := s.openings.Get(ctx, Key{o.Variant, o.Opening, string(o.Result)})
	row.Variant, row.Opening, row.Result = o.Variant, o.Opening, string(o.Result)
	row.Games += o.Games
	s.openings.Put(row)
	return err
}

func (s statsStore) AddDice(ctx context.Context, d stats.Dice) error {
	fate := fateDone
	if d.Impossible {
		fate = fateImpossible
	}
	row, _, err := s.dice.Get(ctx, Key{d.Variant, string(d.Effect), fate})
	row.Variant, row.Effect, row.Fate = d.Variant, string(d.Effect), fate
	row.Rolls += d.Rolls
	s.dice.Put(row)
	return err
}

func (s statsStore) AddLength(ctx context.Context, l stats.Length) error {
	row, _, err := s.lengths.Get(ctx, Key{l.Variant, l.Plies})
	row.Variant, row.Plies = l.Variant, l.Plies
	row.Games += l.Games
	s.lengths.Put(row)
	return err
}
