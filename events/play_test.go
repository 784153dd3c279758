package events_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"chancery/adapters/memory"
	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
)

// A table plays one game on a real log, with the real protocol of chance, and keeps
// what it saw on the way.
type table struct {
	t      testing.TB
	log    events.Log
	game   events.Game
	dealer *fair.Dealer
	chains [2]*fair.ClientChain // nil: delegated
	now    game.Instant
	keys   int
	before []events.Game // the game before each record
	live   []events.Record
}

const (
	start   = game.Instant(1_795_982_405_000)
	gameID  = "Zq3_xY-0123456789abcdE"
	sealBox = "2026-11.AAAA"
)

func newTable(t testing.TB, own [2]bool) *table {
	tb := &table{t: t, log: memory.New(), game: events.NewGame(gameID), now: start, dealer: fair.NewDealer(gameID, fair.Seed{1, 2, 3})}
	for i := range own {
		if own[i] {
			tb.chains[i] = fair.NewClientChain(gameID, i, fair.Hash{byte(7 + i)}, 512)
		}
	}
	return tb
}

// ask sends a command under a fresh key.
func (tb *table) ask(by game.Seat, a game.Action) (events.Outcome, error) {
	tb.keys++
	return tb.askAs(fmt.Sprint("key/", tb.keys), by, a, nil)
}

func (tb *table) askAs(key string, by game.Seat, a game.Action, ack *fair.Hash) (events.Outcome, error) {
	c := game.Command{By: by, At: tb.now, Action: a, Ack: ack, Link: tb.link(by, a)}
	before := tb.game
	g, o, err := events.Transact(tb.t.Context(), tb.log, tb.game, c, tb.terms(key))
	tb.game = g
	if err == nil && !o.Repeated {
		tb.before, tb.live = append(tb.before, before), append(tb.live, o.Record)
		if !events.Answers(o.Record, c) {
			tb.t.Fatalf("%+v by %s is not what record %d answers: %+v", a, by, o.Record.N, o.Record.Events[0].Fact)
		}
	}
	return o, err
}

func (tb *table) terms(key string) events.Terms {
	return events.Terms{Cause: fair.Cause(gameID, key), Chance: tb.dealer, Sealed: sealBox}
}

// must is ask for a command that cannot be refused.
func (tb *table) must(by game.Seat, a game.Action) events.Outcome {
	tb.t.Helper()
	o, err := tb.ask(by, a)
	if err != nil {
		tb.t.Fatalf("%T of %v: %v", a, by, err)
	}
	return o
}

// link is the link that an honest client sends along, or nil.
func (tb *table) link(by game.Seat, a game.Action) *fair.Hash {
	if by == game.Spectator || tb.chains[by.Wire()] == nil {
		return nil
	}
	_, joins := a.(game.Join)
	due := joins || game.IsTurn(a) && game.ViewFor(tb.game.State, by, nil).Link
	if !due {
		return nil
	}
	return &tb.chains[by.Wire()].Link(tb.game.State.Fair.Seat[by.Wire()].Opened + 1).Y
}

func (tb *table) anchor(seat int) *fair.Hash {
	if tb.chains[seat] == nil {
		return nil
	}
	return new(tb.chains[seat].Anchor().Y)
}

// open seats both and starts the game.
func (tb *table) open(c game.Create) {
	tb.t.Helper()
	c.Anchor = tb.anchor(0)
	tb.must(game.First, c)
	tb.must(game.Second, game.Join{Player: "p2", Anchor: tb.anchor(1)})
	if tb.chains[0] != nil {
		tb.must(game.First, game.OpenLink{})
	}
}

// move does the i-th thing that is open to the seat that must act, counted round.
func (tb *table) move(i int) (events.Outcome, error) {
	seat := tb.game.State.ToAct()
	open := game.ViewFor(tb.game.State, seat, tb.dealer).Actions()
	if len(open) == 0 {
		return events.Outcome{}, errors.New("no move")
	}
	return tb.ask(seat, open[i%len(open)])
}

// randomGame plays a game of at most n commands in which everything happens that may:
// offers, claims, clocks, pauses, lost chains, and many refusals.
func randomGame(t testing.TB, seed uint64, n int) *table {
	r := rand.New(rand.NewPCG(seed, 1))
	tb := newTable(t, [2]bool{r.IntN(2) == 0, r.IntN(2) == 0})
	variants := game.Variants()
	c := game.Create{Variant: variants[r.IntN(len(variants))].Key, Rated: r.IntN(2) == 0}
	c.Options = duetOf(variants, c.Variant, r.IntN(2) == 0)
	c.Color = []game.ColorPref{"", game.PreferBlack, game.PreferRandom}[r.IntN(3)]
	if r.IntN(2) == 0 {
		c.Clock = &game.ClockSpec{Base: 60_000, Increment: 2000}
	}
	c.Options = someOptions(r, c.Variant)
	tb.open(c)
	for range n {
		tb.now += game.Instant(r.IntN(900))
		tb.randomCommand(r)
	}
	return tb
}

// duetOf is the options of a game in duet, where the variant has it and it is wanted.
func duetOf(variants []game.Variant, key string, wanted bool) game.Options {
	o := game.Options{}
	for _, v := range variants {
		for _, option := range v.Options {
			switch {
			case v.Key != key || !wanted:
			case option.Name == "duet":
				o["duet"] = game.BoolValue(true)
			case option.Name == "pile":
				o["pile"] = game.TextValue("live")
			}
		}
	}
	return o
}

// someOptions switches some of the variant's switches.
func someOptions(r *rand.Rand, variant string) game.Options {
	v, err := game.Lookup(variant)
	if err != nil {
		panic(err)
	}
	options := game.Options{}
	for _, o := range v.Options {
		if o.Default == "true" || o.Default == "false" {
			options[o.Name] = game.BoolValue(r.IntN(3) == 0)
		}
		if o.Name == "pile" { // which duet needs to be live
			options[o.Name] = game.TextValue("live")
			if r.IntN(2) == 0 {
				return nil
			}
		}
	}
	return options
}

func (tb *table) randomCommand(r *rand.Rand) {
	if owing := tb.game.State.Owing(); len(owing) > 0 && r.IntN(100) < 75 {
		_, err := tb.ask(owing[r.IntN(len(owing))], game.OpenLink{})
		tb.refused(err)
		return
	}
	for _, seat := range tb.game.State.Owing() { // in duet
		_, err := tb.ask(seat, game.OpenLink{})
		tb.refused(err)
	}
	if tb.game.State.AwaitsServer() && r.IntN(100) < 75 {
		_, err := tb.ask(game.Spectator, game.OpenLink{})
		tb.refused(err)
		return
	}
	by := game.Players[r.IntN(2)]
	if acts := tb.game.State.ToAct(); acts != game.Spectator && r.IntN(5) > 0 {
		by = acts
	}
	if open := game.ViewFor(tb.game.State, by, tb.dealer).Actions(); len(open) > 0 && r.IntN(10) > 0 {
		_, err := tb.ask(by, open[r.IntN(len(open))])
		tb.refused(err)
		return
	}
	rare := []struct {
		by game.Seat
		a  game.Action
	}{
		{by, game.OfferDraw{}},
		{by, game.DeclineDraw{}},
		{by, game.ClaimDraw{}},
		{by, game.StopLinks{}},
		{by, game.Move{UCI: "e2e4"}},
		{game.Spectator, game.CallFlag{Seat: by}},
		{game.Spectator, game.Pause{Reason: "downtime"}},
		{game.Spectator, game.Resume{Reason: "downtime", Clock: tb.clock()}},
	}
	i := r.IntN(len(rare))
	switch r.IntN(100) {
	case 0:
		rare[i].by, rare[i].a = by, game.Resign{}
	case 1:
		rare[i].by, rare[i].a = by, game.Cancel{}
	}
	var ack *fair.Hash
	if rare[i].by != game.Spectator && r.IntN(2) == 0 {
		ack = &tb.game.Head
	}
	tb.keys++
	_, err := tb.askAs(fmt.Sprint("key/", tb.keys), rare[i].by, rare[i].a, ack)
	tb.refused(err)
}

func (tb *table) clock() *game.Clocks {
	if !tb.game.State.Clock.Used {
		return nil
	}
	left := tb.game.State.Clock.Left
	return &left
}

// refused lets refusals pass, which change nothing, and nothing else.
func (tb *table) refused(err error) {
	var r *game.Refusal
	if err != nil && err.Error() != "no move" && !errors.As(err, &r) {
		tb.t.Fatal(err)
	}
}

// typesOfOurs lets comparisons look into the types of this module.
func typesOfOurs(t reflect.Type) bool { return strings.HasPrefix(t.PkgPath(), "chancery/") }
