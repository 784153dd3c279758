// Package forge plays short games of every variant and tells consistent lies about
// them, so that every verifier can be shown what it must refuse, and at which level.
// All of it follows from fixed numbers: the same games and lies on every machine.
package forge

import (
	"context"
	"encoding/binary"
	"fmt"

	"chancery/adapters/memory"
	"chancery/domain/bot"
	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
)

// A Plan says which game to play.
type Plan struct {
	Name    string // of the game, its id and its file
	Variant string
	Options game.Options
	Own     [2]bool // which seats keep a chain of their own
	Color   game.ColorPref
	Clock   bool
	Seed    int // chance, and what the players do
	Records int // after so many the seat to act resigns; 0: played to its end
	Cancel  bool
}

// Plans lists the games: of every variant, with all the ways of mixing in chance.
func Plans() []Plan {
	both := [2]bool{true, true}
	return []Plan{
		{Name: "chess", Variant: "chess", Own: both, Clock: true, Color: game.PreferRandom, Seed: 1, Records: 16},
		{Name: "nocastle", Variant: "nocastle", Own: both, Seed: 2, Records: 14},
		{Name: "unochess", Variant: "unochess", Own: both, Clock: true, Seed: 3, Records: 18},
		{Name: "chessuno", Variant: "chessuno", Own: both, Clock: true, Seed: 4, Records: 16},
		{Name: "yugioh", Variant: "yugioh", Own: both, Clock: true, Seed: 5, Records: 16},
		{Name: "unachess1", Variant: "unachess1", Own: both, Seed: 6, Records: 14},
		{Name: "unachess2", Variant: "unachess2", Own: both, Seed: 7, Records: 14},
		{Name: "unachess3", Variant: "unachess3", Own: both, Seed: 8, Records: 14},
		{Name: "chess-cancelled", Variant: "chess", Own: both, Seed: 9, Records: 3, Cancel: true},
		{Name: "unochess-delegated", Variant: "unochess", Seed: 10, Records: 12},
		{Name: "chessuno-live", Variant: "chessuno", Options: game.Options{"pile": game.TextValue("live")}, Own: [2]bool{true, false}, Seed: 11, Records: 12},
		{Name: "chessuno-duet", Variant: "chessuno", Options: game.Options{"pile": game.TextValue("live"), "duet": game.BoolValue(true)}, Own: both, Seed: 12, Records: 16},
		{Name: "yugioh-duet", Variant: "yugioh", Options: game.Options{"duet": game.BoolValue(true)}, Own: both, Seed: 13, Records: 20},
		{Name: "unochess-whole", Variant: "unochess", Own: both, Clock: true, Seed: 14},
		{Name: "chessuno-whole", Variant: "chessuno", Own: both, Seed: 15},
		{Name: "yugioh-whole", Variant: "yugioh", Own: both, Seed: 17},
	}
}

// A Game is a game that was played, and everything that only its server and its
// players know.
type Game struct {
	Plan
	Payloads [][]byte
	Seed     fair.Seed
	Chains   [2]*fair.ClientChain // nil where the server keeps the chain
}

// start is when every game begins.
const start = game.Instant(1_795_982_405_000)

// chainLen is the length of the players' chains.
const chainLen = 1024

// A player plays one game through a ledger in memory.
type player struct {
	Game
	log    events.Log
	game   events.Game
	chance game.Chance
	now    game.Instant
}

// Play plays the game of a plan. A crooked server, if not nil, makes another chance of
// the honest one.
func Play(p Plan, crook func(*fair.Dealer) game.Chance) (Game, error) {
	pl := player{Game: Game{Plan: p}, log: memory.New(), game: events.NewGame(p.Name), now: start}
	pl.Seed = fair.Seed(fair.H("forge", p.Name, p.Seed))
	for seat, own := range p.Own {
		if own {
			pl.Chains[seat] = fair.NewClientChain(p.Name, seat, fair.H("forge chain", p.Name, p.Seed, seat), chainLen)
		}
	}
	dealer := fair.NewDealer(p.Name, pl.Seed)
	pl.chance = dealer
	if crook != nil {
		pl.chance = crook(dealer)
	}
	if err := pl.play(); err != nil {
		return Game{}, fmt.Errorf("playing %s: %w", p.Name, err)
	}
	return pl.Game, nil
}

func (p *player) play() error {
	create := game.Create{Variant: p.Variant, Options: p.Options, Color: p.Color, Anchor: p.anchor(0)}
	create.Seats[0].Player = "ada"
	if p.Clock {
		create.Clock = &game.ClockSpec{Base: 600_000, Increment: 2000}
	}
	if err := p.do(game.First, create); err != nil {
		return err
	}
	if err := p.do(game.Second, game.Join{Player: "bob", Anchor: p.anchor(1)}); err != nil {
		return err
	}
	for !p.game.State.Over() {
		by, a := p.next()
		if err := p.do(by, a); err != nil {
			return err
		}
	}
	return nil
}

// next is what happens next: a link that is owed, an action of the seat to act, now
// and then an offer, and in the end what ends the game.
func (p *player) next() (game.Seat, game.Action) {
	if owing := p.game.State.Owing(); len(owing) > 0 {
		return owing[0], game.OpenLink{}
	}
	by, n := p.game.State.ToAct(), p.game.N+1
	random := p.random(n)
	switch {
	case p.Cancel && n >= p.Records:
		return game.Players[n%2], game.Cancel{}
	case p.Records > 0 && n >= p.Records:
		return by, game.Resign{}
	case n == 7 && p.game.State.Offer == game.Spectator:
		return by.Other(), game.OfferDraw{}
	}
	any, _ := bot.Lookup("random")
	a, ok := any.Act(game.ViewFor(p.game.State, by, p.chance), binary.BigEndian.Uint64(random[:8]))
	if !ok {
		return by, game.Resign{}
	}
	return by, a
}

func (p *player) random(n int) fair.Hash { return fair.H("forge player", p.Name, p.Plan.Seed, n) }

// do asks for a with the link that is due, acknowledging the newest record with every
// third command of a player.
func (p *player) do(by game.Seat, a game.Action) error {
	n := p.game.N + 1
	random := p.random(n)
	p.now += game.Instant(700 + int(random[9])*20)
	c := game.Command{By: by, At: p.now, Action: a, Link: p.link(by, a)}
	if n > 1 && n%3 == 0 {
		c.Ack = &p.game.Head
	}
	terms := events.Terms{Cause: fair.Cause(p.Name, fmt.Sprint("forge/", n)), Chance: p.chance, Sealed: "forge"}
	next, o, err := events.Transact(context.Background(), p.log, p.game, c, terms)
	if err != nil {
		return fmt.Errorf("record %d, %T: %w", n, a, err)
	}
	p.game, p.Payloads = next, append(p.Payloads, o.Stored.Payload)
	return nil
}

func (p *player) anchor(seat int) *fair.Hash {
	if p.Chains[seat] == nil {
		return nil
	}
	return new(p.Chains[seat].Anchor().Y)
}

// link is what the seat's client sends along with a, or nil.
func (p *player) link(by game.Seat, a game.Action) *fair.Hash {
	if by == game.Spectator || p.Chains[by.Wire()] == nil {
		return nil
	}
	_, joins := a.(game.Join)
	_, opens := a.(game.OpenLink)
	if !joins && !opens && !(game.IsTurn(a) && game.ViewFor(p.game.State, by, nil).Link) {
		return nil
	}
	return &p.Chains[by.Wire()].Link(p.game.State.Fair.Seat[by.Wire()].Opened + 1).Y
}
