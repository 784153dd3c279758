package ratings

import (
	"context"

	"chancery/domain/rating"
	"chancery/events"
)

// recounted is how many games are read at once to be counted again.
const recounted = 500

// void takes the games that count for nothing any more out, as if they had never been
// played: whatever came after the first of them is counted again.
func (t *tally) void(ctx context.Context) error {
	var ids []string
	var from events.Position
	for _, id := range t.voided {
		g, counted, err := t.store.Game(ctx, id)
		if err != nil {
			return err
		}
		if counted {
			ids = append(ids, id)
			if from == 0 || g.Position < from {
				from = g.Position
			}
		}
	}
	if ids == nil {
		return nil
	}
	if err := t.store.TakeBack(ctx, ids, from); err != nil {
		return err
	}
	return t.recount(ctx, from)
}

func (t *tally) recount(ctx context.Context, after events.Position) error {
	for {
		games, err := t.store.Later(ctx, after, recounted)
		if err != nil || len(games) == 0 {
			return err
		}
		if err := t.count(ctx, games); err != nil {
			return err
		}
		after = games[len(games)-1].Position
	}
}

// count takes the games in, one after the other.
func (t *tally) count(ctx context.Context, games []Game) error {
	if len(games) == 0 {
		return nil
	}
	standings, err := t.store.Standings(ctx, keysOf(games))
	if err != nil {
		return err
	}
	for _, g := range games {
		var entries []Entry
		changes := g.Count(func(player, pool string) rating.Standing {
			if s, ok := standings[Key{player, pool}]; ok {
				return s
			}
			return rating.NewStanding()
		})
		for _, c := range changes {
			standings[Key{c.Player, c.Pool}] = c.After
			e := Entry{Change: c, Game: g, Opponent: g.Players[1], Score: g.Score}
			if c.Player == g.Players[1] {
				e.Opponent, e.Score = g.Players[0], g.Score.Against()
			}
			entries = append(entries, e)
		}
		t.store.Count(g, entries)
	}
	return nil
}

// keysOf names the standings that the games move.
func keysOf(games []Game) []Key {
	var keys []Key
	seen := map[Key]bool{}
	for _, g := range games {
		for _, player := range g.Players {
			for _, k := range []Key{{player, rating.Overall}, {player, g.Variant}} {
				if !seen[k] {
					seen[k] = true
					keys = append(keys, k)
				}
			}
		}
	}
	return keys
}
