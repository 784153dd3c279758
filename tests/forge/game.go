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
	Seed    int         // chance, and what the players do
	Records int         // after so many records the game is brought to its End; 0: played on
	End     game.Action // nil: the seat to act resigns
	Pause   bool        // the server stops the clocks for a while
	Stop    bool        // the first seat loses its chain
}

// Plans lists the games: of every variant, with all the ways of mixing in chance.
func Plans() []Plan {
	both := [2]bool{true, true}
	live := game.Options{"pile": game.TextValue("live")}
	duet := game.Options{"duet": game.BoolValue(true)}
	liveDuet := game.Options{"pile": game.TextValue("live"), "duet": game.BoolValue(true)}
	return []Plan{
		{Name: "chess", Variant: "chess", Own: both, Clock: true, Color: game.PreferRandom, Seed: 1, Records: 16},
		{Name: "nocastle", Variant: "nocastle", Own: both, Seed: 2, Records: 14},
		{Name: "unochess", Variant: "unochess", Own: both, Clock: true, Seed: 3, Records: 18},
		{Name: "chessuno", Variant: "chessuno", Own: both, Clock: true, Seed: 4, Records: 16},
		{Name: "yugioh", Variant: "yugioh", Own: both, Clock: true, Seed: 5, Records: 16},
		{Name: "unachess1", Variant: "unachess1", Own: both, Seed: 6, Records: 14},
		{Name: "unachess2", Variant: "unachess2", Own: both, Seed: 7, Records: 14},
		{Name: "unachess3", Variant: "unachess3", Own: both, Seed: 8, Records: 14},

		{Name: "chess-cancelled", Variant: "chess", Own: both, Seed: 9, Records: 3, End: game.Cancel{}},
		{Name: "chess-flag", Variant: "chess", Own: both, Clock: true, Pause: true, Seed: 17, Records: 14, End: game.CallFlag{}},
		{Name: "chess-forfeit", Variant: "chess", Own: both, Seed: 18, Records: 6, End: game.CallForfeit{}},
		{Name: "unochess-aborted", Variant: "unochess", Own: both, Seed: 19, Records: 8, End: game.Abort{Reason: game.ByServer}},
		{Name: "unochess-delegated", Variant: "unochess", Seed: 10, Records: 12},
		{Name: "chessuno-live", Variant: "chessuno", Options: live, Own: [2]bool{true, false}, Seed: 11, Records: 12},
		{Name: "chessuno-duet", Variant: "chessuno", Options: liveDuet, Own: both, Seed: 12, Records: 16},
		{Name: "yugioh-stopped", Variant: "yugioh", Own: both, Stop: true, Seed: 20, Records: 14},
		{Name: "yugioh-duet", Variant: "yugioh", Options: duet, Own: both, Seed: 13, Records: 20},

		{Name: "yugioh-duet-served", Variant: "yugioh", Options: duet, Seed: 21, Records: 20},
		{Name: "chessuno-duet-served", Variant: "chessuno", Options: liveDuet, Own: [2]bool{false, true}, Seed: 22, Records: 16},

		{Name: "unochess-whole", Variant: "unochess", Own: both, Clock: true, Seed: 14},
		{Name: "chessuno-whole", Variant: "chessuno", Own: both, Seed: 15},
		{Name: "yugioh-whole", Variant: "yugioh", Own: both, Seed: 25},
		{Name: "no-eight", Variant: "yugioh", Own: both, Seed: 3}, // three records
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
	pl := p.player(crook)
	for !pl.game.State.Over() {
		by, a := pl.next()
		if err := pl.do(by, a); err != nil {
			return Game{}, fmt.Errorf("playing %s: %w", p.Name, err)
		}
	}
	return pl.Game, nil
}

// player is the game before its first record.
func (p Plan) player(crook func(*fair.Dealer) game.Chance) *player {
	pl := &player{Game: Game{Plan: p}, log: memory.New(), game: events.NewGame(p.Name), now: start}
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
	return pl
}

func (p *player) create() game.Create {
	c := game.Create{Variant: p.Variant, Options: p.Options, Color: p.Color, Anchor: p.anchor(0)}
	c.Seats[0].Player = "ada"
	if p.Clock {
		c.Clock = &game.ClockSpec{Base: 600_000, Increment: 2000}
	}
	return c
}

// next is what happens next: the opening, a link that is owed, an action of the seat to
// act, now and then an offer, and in the end what ends the game.
func (p *player) next() (game.Seat, game.Action) {
	switch {
	case p.game.N < 0:
		return game.First, p.create()
	case p.game.State.Phase == game.PhaseOpen:
		return game.Second, game.Join{Player: "bob", Anchor: p.anchor(1)}
	}
	if owing := p.game.State.Owing(); len(owing) > 0 {
		return owing[0], game.OpenLink{}
	}
	if p.game.State.AwaitsServer() {
		return game.Spectator, game.OpenLink{}
	}
	by, n := p.game.State.ToAct(), p.game.N+1
	switch {
	case p.Records > 0 && n >= p.Records:
		return p.end(by)
	case n == 7 && p.game.State.Offer == game.Spectator:
		return by.Other(), game.OfferDraw{}
	case n == 8 && p.Stop:
		return game.First, game.StopLinks{}
	case n == 9 && p.Pause:
		return game.Spectator, game.Pause{Reason: "downtime"}
	case p.game.State.Paused:
		left := p.game.State.Clock.Left
		return game.Spectator, game.Resume{Reason: "downtime", Clock: &left}
	}
	random := p.random(n)
	any, _ := bot.Lookup("random")
	a, ok := any.Act(game.ViewFor(p.game.State, by, p.chance), binary.BigEndian.Uint64(random[:8]))
	if !ok {
		return by, game.Resign{}
	}
	return by, a
}

// end is what brings the game to its end while it is up to the seat.
func (p *player) end(by game.Seat) (game.Seat, game.Action) {
	switch p.End {
	case nil:
		return by, game.Resign{}
	case game.Cancel{}:
		return game.Players[(p.game.N+1)%2], p.End
	case game.CallFlag{}:
		deadline, _ := p.game.State.Clock.Deadline()
		p.now = max(p.now, deadline)
		return game.Spectator, game.CallFlag{Seat: by}
	case game.CallForfeit{}:
		return game.Spectator, game.CallForfeit{Seat: by}
	}
	return game.Spectator, p.End
}

func (p *player) random(n int) fair.Hash { return fair.H("forge player", p.Name, p.Plan.Seed, n) }

// do asks for a with the link that is due, acknowledging the newest record with every
// third command of a player.
func (p *player) do(by game.Seat, a game.Action) error {
	n := p.game.N + 1
	random := p.random(n)
	p.now += game.Instant(700 + int(random[9])*20)
	c := game.Command{By: by, At: p.now, Action: a, Link: p.link(by, a)}
	if by != game.Spectator && n > 1 && n%3 == 0 {
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
	_, stops := a.(game.StopLinks)
	_, joins := a.(game.Join)
	_, opens := a.(game.OpenLink)
	due := !stops && game.IsTurn(a) && game.ViewFor(p.game.State, by, nil).Link
	if !due && !joins && !opens {
		return nil
	}
	return &p.Chains[by.Wire()].Link(p.game.State.Fair.Seat[by.Wire()].Opened + 1).Y
}
