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
}

// A match is one game to be played.
type match struct {
	id       string
	variant  string
	seed     fair.Seed
	players  [2]bot.Bot   // by seat
	accounts [2]string    // under whose ids they play a rated game; empty: under their own names
	random   *rand.Rand   // of the bots
	looks    map[int]look // what was seen while the game was played, by record; nil: nobody looks
}

// play plays a match from its creation to its end.
func (a arena) play(ctx context.Context, m match) (events.Game, error) {
	dealer := fair.NewDealer(m.id, m.seed)
	defer dealer.Wipe()
	g, err := a.open(ctx, m, dealer)
	for err == nil && !g.State.Over() {
		if g, err = a.turn(ctx, m, g, dealer); err == nil {
			err = m.look(g.State, dealer)
		}
	}
	return g, err
}

// apart is how many records lie between two looks.
const apart = 16

// look keeps what is seen of the game, now and then and at its end.
func (m match) look(s game.State, dealer *fair.Dealer) (err error) {
	if m.looks != nil && (s.N%apart == 0 || s.Over()) {
		m.looks[s.N], err = lookAt(s, dealer)
	}
	return err
}

// open creates the game and seats both bots.
func (a arena) open(ctx context.Context, m match, dealer *fair.Dealer) (events.Game, error) {
	box, err := a.ring.Seal(m.id, fair.Commitment(m.id, m.seed), m.seed)
	if err != nil {
		return events.Game{}, err
	}
	first, second := m.sitter(0), m.sitter(1)
	create := game.Create{Variant: m.variant, Color: game.PreferRandom, Rated: first.Player != "", Seats: [2]game.Sitter{first}}
	g, err := a.do(ctx, events.NewGame(m.id), game.First, create, events.Terms{Chance: dealer, Sealed: box})
	if err != nil {
		return g, err
	}
	return a.do(ctx, g, game.Second, game.Join{Bot: second.Bot, Player: second.Player}, events.Terms{Chance: dealer})
}

// sitter is who takes the seat of that number.
func (m match) sitter(i int) game.Sitter {
	if m.accounts[i] != "" {
		return game.Sitter{Player: m.accounts[i]}
	}
	return game.Sitter{Bot: m.players[i].Name}
}

// turn lets the bot whose turn it is act.
func (a arena) turn(ctx context.Context, m match, g events.Game, dealer *fair.Dealer) (events.Game, error) {
	seat := g.State.ToAct()
	if g.State.AwaitsServer() {
		return a.do(ctx, g, game.Spectator, game.OpenLink{}, events.Terms{Chance: dealer})
	}
	if seat == game.Spectator {
		return g, fmt.Errorf("game %s is stuck after record %d: phase %s, and nobody has to act", g.State.ID, g.N, g.State.Phase)
	}
	action, ok := m.players[seat.Wire()].Act(game.ViewFor(g.State, seat, dealer), m.random.Uint64())
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
// played, and what in it cannot be; nil if there is nothing. Every part of its chance is
// proved, and every seat sees what it saw.
func (a arena) replays(ctx context.Context, m match, live events.Game) error {
	g, chance := events.NewGame(live.State.ID), fair.State{Game: live.State.ID}
	dealer := fair.NewDealer(m.id, m.seed)
	defer dealer.Wipe()
	judge := newReferee(dealer)
	for step, err := range events.Steps(ctx, a.log, g) {
		if err != nil {
			return err
		}
		if err := m.replay(judge, &chance, g.State, step); err != nil {
			return fmt.Errorf("game %s, record %d: %w", live.State.ID, step.Record.N, err)
		}
		g = step.Game
	}
	if g.Head != live.Head || g.Revision != live.Revision || !reflect.DeepEqual(g.State, live.State) {
		return fmt.Errorf("game %s: its records lead to another state than its play did", live.State.ID)
	}
	return nil
}

// replay checks one record of the game, which stood at s.
func (m match) replay(judge *referee, chance *fair.State, s game.State, step events.Step) error {
	for _, e := range step.Record.Events {
		if err := chance.Check(e.Fair, nil); err != nil {
			return err
		}
		*chance = chance.Evolve(e.Fair)
		next := game.Evolve(s, e)
		if err := judge.event(s, next, e.Fact); err != nil {
			return err
		}
		s = next
	}
	if want, looked := m.looks[s.N]; looked {
		if have, err := lookAt(step.Game.State, judge.dealer); err != nil || have != want {
			return fmt.Errorf("a seat sees something else than it saw while the game was played (%w)", err)
		}
	}
	return judge.record(step.Game.State)
}
