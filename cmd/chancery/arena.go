package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strconv"
	"time"

	"chancery/adapters/keys"
	"chancery/domain/bot"
	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
)

// An arena lets bots play whole games through a ledger, as the server would store
// them: decided, appended, sealed. It may be used by many goroutines.
type arena struct {
	log  events.Log
	ring *keys.Ring
	bot  bot.Bot
}

// A match is one game to be played.
type match struct {
	id      string
	variant string
	seed    fair.Seed
	random  *rand.Rand // of the bots
}

// play plays a match from its creation to its end.
func (a arena) play(ctx context.Context, m match) (events.Game, error) {
	dealer := fair.NewDealer(m.id, m.seed)
	defer dealer.Wipe()
	g, err := a.open(ctx, m, dealer)
	for err == nil && !g.State.Over() {
		g, err = a.turn(ctx, g, dealer, m.random.Uint64())
	}
	return g, err
}

// open creates the game and seats both bots.
func (a arena) open(ctx context.Context, m match, dealer *fair.Dealer) (events.Game, error) {
	box, err := a.ring.Seal(m.id, fair.Commitment(m.id, m.seed), m.seed)
	if err != nil {
		return events.Game{}, err
	}
	create := game.Create{Variant: m.variant, Color: game.PreferRandom, Seats: [2]game.Sitter{{Bot: a.bot.Name}}}
	g, err := a.do(ctx, events.NewGame(m.id), game.First, create, events.Terms{Chance: dealer, Sealed: box})
	if err != nil {
		return g, err
	}
	return a.do(ctx, g, game.Second, game.Join{Bot: a.bot.Name}, events.Terms{Chance: dealer})
}

// turn lets the bot whose turn it is act.
func (a arena) turn(ctx context.Context, g events.Game, dealer *fair.Dealer, random uint64) (events.Game, error) {
	seat := g.State.ToAct()
	action, ok := a.bot.Act(game.ViewFor(g.State, seat, dealer), random)
	if !ok {
		return g, fmt.Errorf("game %s is stuck after record %d: phase %s, and nobody can act", g.State.ID, g.N, g.State.Phase)
	}
	return a.do(ctx, g, seat, action, events.Terms{Chance: dealer})
}

func (a arena) do(ctx context.Context, g events.Game, by game.Seat, action game.Action, t events.Terms) (events.Game, error) {
	t.Cause = fair.Cause(g.State.ID, "arena/"+strconv.Itoa(g.N+1))
	c := game.Command{By: by, At: game.Instant(time.Now().UnixMilli()), Action: action}
	next, _, err := events.Transact(ctx, a.log, g, c, t)
	if err != nil {
		return next, fmt.Errorf("game %s, record %d, %T by %s: %w", g.State.ID, g.N+1, action, by, err)
	}
	return next, nil
}

// replays says how the game that the ledger holds differs from the one that was
// played; nil if it does not, and every part of its chance is proved.
func (a arena) replays(ctx context.Context, live events.Game) error {
	g, chance := events.NewGame(live.State.ID), fair.State{Game: live.State.ID}
	for step, err := range events.Steps(ctx, a.log, g) {
		if err != nil {
			return err
		}
		for _, e := range step.Record.Events {
			if err := chance.Check(e.Fair, nil); err != nil {
				return fmt.Errorf("game %s, record %d: %w", live.State.ID, step.Record.N, err)
			}
			chance = chance.Evolve(e.Fair)
		}
		g = step.Game
	}
	if g.Head != live.Head || g.Revision != live.Revision || !reflect.DeepEqual(g.State, live.State) {
		return fmt.Errorf("game %s: its records lead to another state than its play did", live.State.ID)
	}
	return nil
}
