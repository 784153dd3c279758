// Package stats counts games that are over, for plots: how they ended and when, what
// they opened with, what the dice did, how long they were. Games that were voided count
// for nothing. Days are days of UTC.
package stats

import (
	"context"
	"time"

	"chancery/domain/game"
	"chancery/projections"
	"chancery/projections/tables"
)

// An Outcome counts the games of a variant that ended on a day with a result for a
// reason.
type Outcome struct {
	Day     string      `json:"day" doc:"On which they ended, UTC: 2026-11-29"`
	Variant string      `json:"variant"`
	Result  game.Result `json:"result" doc:"1-0, 0-1, 1/2-1/2, or * for games that were called off"`
	Reason  game.Reason `json:"reason"`
	Games   int64       `json:"games"`
	Plies   int64       `json:"plies" doc:"Moves on the board, of all of them together"`
	Millis  int64       `json:"duration_ms" doc:"From the beginning of play to the end, of all of them together"`
}

// An Opening counts the games of a variant that chance opened in a way, by result.
type Opening struct {
	Variant string      `json:"variant"`
	Opening string      `json:"opening" doc:"An array, a card, or the dice for the first move"`
	Result  game.Result `json:"result"`
	Games   int64       `json:"games"`
}

// Dice count what the dice at the end of a turn did.
type Dice struct {
	Variant    string      `json:"variant"`
	Effect     game.Effect `json:"effect"`
	Impossible bool        `json:"impossible" doc:"It could not be carried out"`
	Rolls      int64       `json:"rolls"`
}

// A Length counts games by moves on the board.
type Length struct {
	Variant string `json:"variant"`
	Plies   int64  `json:"plies" doc:"So many moves and up to nine more"`
	Games   int64  `json:"games"`
}

// A Store adds to counts, within the transaction of one batch. What is added may be
// negative.
type Store interface {
	AddOutcome(ctx context.Context, more Outcome) error
	AddOpening(ctx context.Context, more Opening) error
	AddDice(ctx context.Context, more Dice) error
	AddLength(ctx context.Context, more Length) error
}

// Project absorbs the records, which come in stream order. The errors are the store's,
// and those of the games.
func Project(ctx context.Context, store Store, games *tables.Games, batch []projections.Record) error {
	for _, r := range batch {
		g, _, over, err := games.Absorb(ctx, r)
		if err != nil {
			return err
		}
		if !over {
			continue
		}
		if sign := counts(g, r); sign != 0 {
			if err := add(ctx, store, g, sign); err != nil {
				return err
			}
		}
	}
	return nil
}

// counts is 1 for a game that ends with the record, -1 for one that is voided by it, and
// 0 for one that has never counted.
func counts(g tables.Game, r projections.Record) int64 {
	switch {
	case g.EndedPos == int64(r.Position) && !g.Voided:
		return 1
	case g.EndedPos < int64(r.Position) && r.Says("GameVoided"):
		return -1
	}
	return 0
}

func add(ctx context.Context, store Store, g tables.Game, sign int64) error {
	outcome := Outcome{
		Day: time.UnixMicro(g.EndedAt).UTC().Format(time.DateOnly), Variant: g.Variant, Result: game.Result(g.Result), Reason: game.Reason(g.Reason),
		Games: sign, Plies: sign * int64(g.Plies), Millis: sign * g.DurationMS,
	}
	if err := store.AddOutcome(ctx, outcome); err != nil || outcome.Result == game.Ongoing {
		return err
	}
	if g.Opening != "" {
		if err := store.AddOpening(ctx, Opening{Variant: g.Variant, Opening: g.Opening, Result: outcome.Result, Games: sign}); err != nil {
			return err
		}
	}
	for _, roll := range g.Rolls() {
		if err := store.AddDice(ctx, Dice{Variant: g.Variant, Effect: roll.Effect, Impossible: roll.Impossible, Rolls: sign}); err != nil {
			return err
		}
	}
	return store.AddLength(ctx, Length{Variant: g.Variant, Plies: int64(g.Plies) / 10 * 10, Games: sign})
}
