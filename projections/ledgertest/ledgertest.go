// Package ledgertest fills ledgers with games for tests of what is computed from them:
// the same games every time.
package ledgertest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"chancery/domain/bot"
	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
)

// Games says which games to play. The zero Games plays none.
type Games struct {
	From, To int      // numbers of the games, To excluded; they give ids, players and chance
	Variants []string // keys, taken in turn; all variants if empty
	Moves    int      // after so many actions of the players somebody resigns; 0: 30
	AtOnce   int      // so many games are played in turn; 0: 8
}

// Start is when the first game begins. Every further game begins a minute later.
const Start game.Instant = 1_790_000_000_000

// ID is the id of a game.
func ID(n int) string { return fmt.Sprintf("game-%06d", n) }

// Play appends the games to the log, interleaved. Two thirds are rated; there are nine
// players, p0 to p8, and guests; one game in eleven never finds a second player, one in
// twelve is aborted, one in thirteen voided when it is over. In front of game 0 stand
// games of the ledger's own.
func Play(ctx context.Context, log events.Log, games Games) error {
	if games.AtOnce == 0 {
		games.AtOnce = 8
	}
	if games.Moves == 0 {
		games.Moves = 30
	}
	if games.From == 0 && games.To > 0 {
		if err := announce(ctx, log); err != nil {
			return fmt.Errorf("the ledger's own games: %w", err)
		}
	}
	for from := games.From; from < games.To; from += games.AtOnce {
		var tables []*table
		for n := from; n < min(from+games.AtOnce, games.To); n++ {
			tables = append(tables, newTable(log, n, games))
		}
		for playing := true; playing; {
			playing = false
			for _, t := range tables {
				more, err := t.step(ctx)
				if err != nil {
					return fmt.Errorf("game %s, step %d: %w", ID(t.n), t.steps, err)
				}
				playing = playing || more
			}
		}
	}
	return nil
}

// Own are the games of the ledger's own that [Play] begins with.
var Own = []string{"_software", "_keys"}

// announce appends a record of every kind that the ledger writes by itself.
func announce(ctx context.Context, log events.Log) error {
	for i, facts := range [][]game.Fact{
		{game.SoftwareReleased{Name: "a.mjs", SHA256: fair.H("vector", 1).String()}, game.SoftwareReleased{Name: "b.mjs", SHA256: fair.H("vector", 2).String()}},
		{game.LogKeyAdded{Key: "chess.example/ledger+e9b2c71e+AQ==", Sig: "AAAA"}},
	} {
		id := Own[i]
		r := events.Record{At: Start, Cause: fair.Cause(id, "0"), Game: id}
		entry := events.Entry{Game: id, Cause: r.Cause.String()}
		for _, f := range facts {
			r.Events = append(r.Events, game.Event{At: Start, Fact: f})
			name, _ := events.TypeOf(f)
			entry.Types = append(entry.Types, name)
		}
		var err error
		if entry.Payload, err = events.EncodeRecord(r); err != nil {
			return err
		}
		if _, err := log.Append(ctx, 0, entry); err != nil {
			return err
		}
	}
	return nil
}

type table struct {
	log     events.Log
	n       int
	variant string
	moves   int
	dealer  *fair.Dealer
	g       events.Game
	steps   int
	voided  bool
	random  *rand.Rand
}

func newTable(log events.Log, n int, games Games) *table {
	keys := games.Variants
	if len(keys) == 0 {
		for _, v := range game.Variants() {
			keys = append(keys, v.Key)
		}
	}
	seed := fair.Seed{byte(n), byte(n >> 8), byte(n >> 16), 1}
	return &table{
		log: log, n: n, variant: keys[n%len(keys)], moves: games.Moves + n%7, g: events.NewGame(ID(n)),
		dealer: fair.NewDealer(ID(n), seed), random: rand.New(rand.NewPCG(uint64(n), 1)),
	}
}

// step makes one record, and says whether there may be another.
func (t *table) step(ctx context.Context) (bool, error) {
	c, ok := t.command()
	if !ok {
		return false, nil
	}
	c.At = Start + game.Instant(t.n*60_000+t.steps*250)
	terms := events.Terms{Cause: fair.Cause(ID(t.n), fmt.Sprint(t.steps)), Chance: t.dealer}
	next, _, err := events.Transact(ctx, t.log, t.g, c, terms)
	var refused *game.Refusal
	if errors.As(err, &refused) && t.g.State.Playing() {
		c.Action = game.Resign{} // a program that is at a loss
		next, _, err = events.Transact(ctx, t.log, t.g, c, terms)
	}
	t.g = next
	t.steps++
	return err == nil, err
}

// command is the next one of the game, if there is one.
func (t *table) command() (game.Command, bool) {
	s := t.g.State
	switch {
	case t.g.N < 0:
		return game.Command{By: game.First, Action: game.Create{
			Variant: t.variant, Color: []game.ColorPref{game.PreferWhite, game.PreferBlack, game.PreferRandom}[t.n%3],
			Rated: t.n%3 < 2, Seats: [2]game.Sitter{t.player(t.n), {}},
		}}, true
	case s.Over() && t.n%13 == 12 && !s.Voided && !t.voided:
		t.voided = true
		return game.Command{Action: game.Void{Reason: game.Administrator}}, true
	case s.Over(), t.n%11 == 10 && !s.Joined:
		return game.Command{}, false
	case !s.Joined:
		return game.Command{By: game.Second, Action: game.Join{Player: t.player(t.n + 1 + t.n/9%8).Player}}, true
	case t.n%12 == 11 && t.steps > 4:
		return game.Command{Action: game.Abort{Reason: game.ByServer}}, true
	}
	return t.act()
}

// player has numbers 0 to 8; every tenth is a guest.
func (t *table) player(n int) game.Sitter {
	if n%10 == 9 {
		return game.Sitter{}
	}
	return game.Sitter{Player: fmt.Sprint("p", n%10)}
}

func (t *table) act() (game.Command, bool) {
	seat := t.g.State.ToAct()
	if seat == game.Spectator {
		seat = game.Players[t.n%2]
	}
	if t.steps > t.moves {
		return game.Command{By: seat, Action: game.Resign{}}, true
	}
	action := game.Action(game.Resign{})
	if b, err := bot.Lookup("random"); err == nil {
		if a, ok := b.Act(game.ViewFor(t.g.State, seat, t.dealer), t.random.Uint64()); ok {
			action = a
		}
	}
	return game.Command{By: seat, Action: action}, true
}
