package pgn

import (
	"errors"
	"math/rand/v2"
	"testing"

	"chancery/domain/fair"
	"chancery/domain/game"
)

// A table plays games of any variant: seats that keep their own chain, or leave it to
// the server, do at random what is open to them.
type table struct {
	t       testing.TB
	r       *rand.Rand
	s       game.State
	dealer  *fair.Dealer
	chain   [2]*fair.ClientChain // nil: the server's
	history []game.Event
	now     game.Instant
}

const tableID = "any-game"

// agreedStarts are positions near the ends of games.
var agreedStarts = map[string][]string{
	"chess":     {"4k3/P6p/8/8/8/8/p6P/4K3 b - - 7 40", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"},
	"nocastle":  {"bbknnqrr/pppppppp/8/8/8/8/PPPPPPPP/BBKNNQRR w - - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1"},
	"unochess":  {"4k3/3q4/8/8/8/8/4P3/4K3 w - - 0 1", "3qk3/8/8/8/8/8/1r6/K2P4 b - - 0 9", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"},
	"chessuno":  {"4k3/8/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", "k7/pppppppp/8/8/8/8/8/K7 b - - 3 5", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"},
	"yugioh":    {"7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "4k3/3r4/8/8/8/8/8/R3K2R w KQ - 98 70"},
	"unachess1": {"4k3/8/8/8/8/8/8/8[KQRPqrp] w - - 0 1"},
	"unachess2": {"4k3/8/8/8/8/8/8/8[KQRPqrp] w - - 0 1"},
	"unachess3": {"4k3/8/8/8/8/8/8/8[KQRPqrp] b - - 0 1"},
}

func newTable(t testing.TB, seed uint64) *table {
	return &table{
		t: t, r: rand.New(rand.NewPCG(seed, 7)), s: game.New(tableID), now: 1_795_977_600_000,
		dealer: fair.NewDealer(tableID, fair.Seed{byte(seed), byte(seed >> 8), 1}),
	}
}

// try asks, with the link that is due, and says whether it was not refused.
func (b *table) try(by game.Seat, a game.Action) error {
	c := game.Command{By: by, At: b.now, Action: a}
	if by != game.Spectator {
		if chain := b.chain[by.Wire()]; chain != nil {
			_, opens := a.(game.OpenLink)
			_, joins := a.(game.Join)
			if opens || joins || game.IsTurn(a) && b.s.Fair.Owes(by.Wire()) {
				c.Link = &chain.Link(b.s.Fair.Seat[by.Wire()].Opened + 1).Y
			}
		}
	}
	list, err := game.Decide(b.s, c, b.dealer)
	if err == nil {
		b.s, b.history = game.Fold(b.s, list...), append(b.history, list...)
	}
	return err
}

func (b *table) do(by game.Seat, a game.Action) {
	b.t.Helper()
	if err := b.try(by, a); err != nil {
		b.t.Fatalf("%#v by %s in %s: %v", a, by, b.s.FEN, err)
	}
}

// open makes a table of the variant with options at random, and seats both players.
func (b *table) open(v game.Variant, own [2]bool) {
	create := game.Create{
		Variant: v.Key, Options: b.anyOptions(v), Rated: b.r.IntN(2) == 0,
		Color: []game.ColorPref{game.PreferWhite, game.PreferBlack, game.PreferRandom}[b.r.IntN(3)],
		Seats: [2]game.Sitter{{Player: "alice \"[x]\" \\"}},
	}
	if starts := agreedStarts[v.Key]; !create.Rated && len(starts) > 0 && b.r.IntN(3) == 0 {
		create.Start = starts[b.r.IntN(len(starts))]
	}
	if b.r.IntN(2) == 0 {
		create.Clock = &game.ClockSpec{Base: 60_000 + b.r.Int64N(5000), Increment: b.r.Int64N(3) * 1500}
	}
	join := game.Join{Bot: "random"}
	for i, mine := range own {
		if mine {
			b.chain[i] = fair.NewClientChain(tableID, i, fair.Hash{byte(i), 5}, fair.DefaultLen)
		}
	}
	if b.chain[0] != nil {
		create.Anchor = new(b.chain[0].Anchor().Y)
	}
	if b.chain[1] != nil {
		join.Anchor = new(b.chain[1].Anchor().Y)
	}
	b.do(game.First, create)
	b.do(game.Second, join)
}

func (b *table) anyOptions(v game.Variant) game.Options {
	for {
		o := game.Options{}
		for _, option := range v.Options {
			switch b.r.IntN(2) {
			case 0:
				continue
			default:
				o[option.Name] = b.anyValue(option)
			}
		}
		if full, err := v.Complete(o); err == nil {
			return full
		}
	}
}

func (b *table) anyValue(o game.Option) game.Value {
	switch {
	case o.Default == "true" || o.Default == "false":
		return game.BoolValue(b.r.IntN(2) == 0)
	case len(o.Among) > 0:
		return game.IntValue(o.Among[b.r.IntN(len(o.Among))])
	case o.Name == "array":
		return game.TextValue(game.Arrays()[b.r.IntN(2880)])
	case o.Name == "pile":
		return game.TextValue([]string{"sealed", "live"}[b.r.IntN(2)])
	}
	return game.IntValue(o.Min + b.r.IntN(o.Max-o.Min+1))
}

// play lets steps go by, or fewer if the game ends.
func (b *table) play(steps int) {
	for ; steps > 0 && !b.s.Over(); steps-- {
		b.now += game.Instant(b.r.IntN(900))
		b.talk()
		if b.s.Over() {
			return
		}
		if owing := b.s.Owing(); len(owing) > 0 {
			b.do(owing[b.r.IntN(len(owing))], game.OpenLink{})
			continue
		}
		if b.s.AwaitsServer() {
			b.do(game.Spectator, game.OpenLink{})
			continue
		}
		seat := b.s.ToAct()
		open := game.ViewFor(b.s, seat, b.dealer).Actions()
		if len(open) == 0 {
			b.t.Fatalf("nothing is open to %s in phase %s of %s", seat, b.s.Phase, b.s.FEN)
		}
		if err := b.try(seat, open[b.r.IntN(len(open))]); err != nil {
			if !errors.Is(err, game.GameOver) {
				b.t.Fatal(err)
			}
			b.do(game.Spectator, game.CallFlag{Seat: b.s.Clock.Running})
		}
	}
}

// talk now and then asks for something beside the moves, which may be refused.
func (b *table) talk() {
	seat := game.Players[b.r.IntN(2)]
	actions := []game.Action{
		game.OfferDraw{},
		game.DeclineDraw{},
		game.CallUno{},
		game.CatchUno{},
		game.ClaimDraw{},
		game.Cancel{},
		game.Pause{Reason: "a {very} [%odd] reason"},
		game.AcceptDraw{},
		game.StopLinks{},
	}
	weight := b.r.IntN(400)
	if weight >= len(actions) && weight < 20 {
		weight = b.r.IntN(4)
	}
	if weight >= len(actions) || weight == 7 && b.r.IntN(4) > 0 {
		return
	}
	_ = b.try(seat, actions[weight])
	if b.s.Paused {
		b.now += 5000
		resume := game.Resume{Reason: "restart"}
		if b.s.Clock.Used {
			left := b.s.Clock.Left
			resume.Clock = &left
		}
		b.do(game.Spectator, resume)
	}
}

// finish ends a game that has not ended in one of the ways in which it can be left.
func (b *table) finish(how int) {
	if b.s.Over() {
		return
	}
	switch how % 7 {
	case 0:
		b.do(game.First, game.Resign{})
	case 1:
		b.do(game.Spectator, game.Abort{Reason: game.ByServer})
	case 2:
		b.do(game.Spectator, game.Void{Reason: game.SeedLost})
	case 3:
		late := append(b.s.Owing(), b.s.ToAct())
		b.do(game.Spectator, game.CallForfeit{Seat: late[0]})
	case 4:
		if at, ok := b.s.Clock.Deadline(); ok && b.s.Playing() {
			b.now = at
			b.do(game.Spectator, game.CallFlag{Seat: b.s.Clock.Running})
		}
	default: // it goes on
	}
}

// anyGame is a game at random, of any length, ended in any way or not at all.
func anyGame(t testing.TB, v game.Variant, seed uint64, length int) *table {
	b := newTable(t, seed)
	b.open(v, [2]bool{b.r.IntN(2) == 0, b.r.IntN(3) == 0})
	if length == 0 {
		return b
	}
	b.play(length)
	b.finish(b.r.IntN(8))
	if b.r.IntN(12) == 0 && !b.s.Voided {
		b.do(game.Spectator, game.Void{Reason: game.Administrator})
	}
	return b
}
