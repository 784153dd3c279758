package game

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"chancery/domain/cards"
	"chancery/domain/chess"
	"chancery/domain/fair"
)

// An unoGame is a game of UNO Chess between two seats that play anything.
type unoGame struct {
	t      testing.TB
	r      *rand.Rand
	s      State
	chance Chance
	events []Event
	asked  []Command      // those that were not refused
	before map[Ref]string // the position before each move, by its event
}

// everyOption is the variant's options by the bits of a number.
func everyOption(bits uint8) Options {
	o := Options{"extendedDeck": BoolValue(bits&1 != 0), "blockedIsDraw": BoolValue(bits&8 != 0), "idleTurns": IntValue(2 + int(bits>>4))}
	if bits&2 != 0 {
		o["repetition"] = IntValue(3)
	}
	if bits&4 != 0 {
		o["moveRule"] = IntValue(50)
	}
	return o
}

func newUnoGame(t testing.TB, seed uint64, create Create) *unoGame {
	g := &unoGame{
		t: t, r: rand.New(rand.NewPCG(seed, 1)), s: New("uno"), before: map[Ref]string{},
		chance: fair.NewDealer("uno", fair.Seed{byte(seed), byte(seed >> 8)}),
	}
	create.Variant = "unochess"
	g.ask(First, create)
	g.ask(Second, Join{})
	return g
}

// ask makes a command that cannot be refused and checks each event with the protocol.
func (g *unoGame) ask(by Seat, a Action) {
	g.t.Helper()
	c := Command{By: by, At: g.s.At + 10, Action: a}
	list, err := Decide(g.s, c, g.chance)
	if err != nil {
		g.t.Fatalf("%#v by %s in phase %s of %s: %v", a, by, g.s.Phase, g.s.FEN, err)
	}
	for i, e := range list {
		if e.Fair != nil {
			if err := g.s.Fair.Check(e.Fair, nil); err != nil {
				g.t.Fatalf("%T: %v", e.Fact, err)
			}
		}
		if _, moved := e.Fact.(MovePlayed); moved {
			g.before[Ref{I: i, N: e.N}] = g.s.FEN
		}
		if f, undone := e.Fact.(MoveUndone); undone && f.FEN != g.before[f.Ref] {
			g.t.Fatalf("undone %v leads to %s, not back to %s", f.Ref, f.FEN, g.before[f.Ref])
		}
		g.s = Evolve(g.s, e)
	}
	g.events, g.asked = append(g.events, list...), append(g.asked, c)
}

// step lets somebody do something, and tries one thing that may be refused.
func (g *unoGame) step() {
	seat := g.s.ToAct()
	if other := seat.Other(); g.s.Cards.Uno[other.Wire()] == OwesUno && g.r.IntN(2) == 0 {
		g.ask(other, CallUno{})
		return
	}
	actions := ViewFor(g.s, seat, g.chance).Actions()
	if len(actions) == 0 {
		g.t.Fatalf("nothing is open to %s in phase %s of %s", seat, g.s.Phase, g.s.FEN)
	}
	g.tryAny(seat, actions)
	g.ask(seat, actions[g.r.IntN(len(actions))])
}

// tryAny asks for anything: it is accepted if and only if the view lists it.
func (g *unoGame) tryAny(seat Seat, open []Action) {
	deck := unoDeck(g.s.Options)
	card := deck[g.r.IntN(len(deck))]
	anything := []Action{
		PlayCard{Card: card.Code()},
		Discard{Cards: []string{card.Code()}},
		Move{UCI: randomUCI(uint16(g.r.Uint32()))},
		Pass{},
		CallUno{},
		CatchUno{},
	}
	a := anything[g.r.IntN(len(anything))]
	if p, ok := a.(PlayCard); ok && card.IsWild() {
		p.Color = "blue"
		a = p
	}
	_, err := Decide(g.s, Command{By: seat, At: g.s.At, Action: a}, g.chance)
	listed := slices.ContainsFunc(open, func(o Action) bool { return reflect.DeepEqual(o, a) })
	if m, ok := a.(Move); ok && !listed {
		listed = slices.Contains(open, Action(Move{UCI: m.UCI + "q"})) // a queen where no letter is given
		listed = listed || len(m.UCI) == 5 && kingOnLastRank(g.s.FEN, m.UCI) && slices.Contains(open, Action(Move{UCI: m.UCI[:4]}))
	}
	if listed != (err == nil) {
		g.t.Fatalf("%#v in phase %s of %s: listed %v, but %v", a, g.s.Phase, g.s.FEN, listed, err)
	}
}

// kingOnLastRank says whether the move takes a king, so that a letter behind it is
// ignored.
func kingOnLastRank(fen, uci string) bool {
	p, err := chess.ParsePosition(fen, chess.KingCapture)
	to, _ := chess.ParseSquare(uci[2:4])
	from, _ := chess.ParseSquare(uci[:2])
	return err == nil && p.At(to).Role() == chess.King && p.At(from).Role() == chess.Pawn
}

// check says what must be true after every record.
func (g *unoGame) check() {
	g.t.Helper()
	s := g.s
	if err := cardsConserved(s, g.chance); err != nil {
		g.t.Fatal(err)
	}
	for _, seat := range Players {
		want := 7
		if s.Phase == PhaseMove || s.Phase == PhaseDiscard {
			if s.ToAct() == seat {
				want = 6
			}
		}
		if n := handSize(s.Fair, seat); !s.Over() && n != want {
			g.t.Fatalf("%s holds %d cards in phase %s", seat, n, s.Phase)
		}
	}
	if !s.Over() && s.Idle >= s.Options["idleTurns"].Int() {
		g.t.Fatalf("%d idle turns and no draw", s.Idle)
	}
	kings := strings.Count(boardOf(s.FEN), "k") + strings.Count(boardOf(s.FEN), "K")
	if (kings == 1) != (s.Reason == KingCaptured || s.Phase == PhaseRescue || s.Phase == PhaseDiscard && kings == 1) && !s.Over() {
		g.t.Fatalf("%d kings in phase %s, reason %q", kings, s.Phase, s.Reason)
	}
	g.checkViews()
	if s.Over() {
		g.checkEnd(kings)
	}
}

// checkViews: nobody sees what is not his.
func (g *unoGame) checkViews() {
	watching := ViewFor(g.s, Spectator, g.chance)
	if watching.Table.Hand != nil || watching.Actions() != nil || !sameJSON(watching, ViewFor(g.s, Spectator, nil)) {
		g.t.Fatal("a spectator sees more than the table")
	}
	for _, seat := range Players {
		v := ViewFor(g.s, seat, g.chance)
		if len(v.Table.Hand) != handSize(g.s.Fair, seat) {
			g.t.Fatalf("%s sees %d of its cards", seat, len(v.Table.Hand))
		}
		if g.s.ToAct() != seat && (v.Legal != nil || v.Cards != nil || v.Can != nil || v.Discard != 0) {
			g.t.Fatalf("%s need not act and is told what is open", seat)
		}
	}
}

func sameJSON(a, b any) bool {
	x, err1 := json.Marshal(a)
	y, err2 := json.Marshal(b)
	return err1 == nil && err2 == nil && string(x) == string(y)
}

func (g *unoGame) checkEnd(kings int) {
	s := g.s
	drawn := s.Reason == IdleTurns || s.Reason == Repetition || s.Reason == FiftyMoves || s.Reason == Stalemate
	won := s.Reason == KingCaptured || s.Reason == UncalledUno
	switch {
	case !drawn && !won, drawn != (s.Winner == Spectator), drawn != (s.Result == Drawn), (s.Reason == KingCaptured) != (kings == 1):
		g.t.Fatalf("%s for %s by %s with %d kings", s.Result, s.Winner, s.Reason, kings)
	case !s.Fair.Revealed || s.Cards.Revealed == nil || len(s.Cards.Revealed.Piles) != len(s.Fair.Piles):
		g.t.Fatal("not all is revealed")
	}
}

// play goes on until the game is over or the steps are used up.
func (g *unoGame) play(steps int) {
	for ; steps > 0 && !g.s.Over(); steps-- {
		g.step()
		g.check()
	}
}

// FuzzUnoChess plays whole games with every option: the proofs of chance hold, cards
// and undone moves are conserved, replay equals live, and exactly what the view lists
// is accepted.
func FuzzUnoChess(f *testing.F) {
	for seed := range uint64(24) {
		f.Add(seed, uint8(seed*11), uint16(400))
	}
	f.Fuzz(func(t *testing.T, seed uint64, bits uint8, steps uint16) {
		g := newUnoGame(t, seed, Create{Options: everyOption(bits), Color: PreferRandom})
		g.play(int(steps % 1000))
		again := Fold(New("uno"), g.events...)
		if !reflect.DeepEqual(again, g.s) {
			t.Error("replay differs from live")
		}
	})
}

// Games reach every way to end, from positions where the rare ones are near.
func TestUnoChessEndsInEveryWay(t *testing.T) {
	near := map[Reason]Create{
		KingCaptured: {},
		UncalledUno:  {Start: "4k2n/8/8/8/8/8/8/RR2K2R w - - 0 1"},
		IdleTurns:    {Start: "k7/p7/P7/8/8/p7/P7/K7 w - - 0 1", Options: Options{"idleTurns": IntValue(3)}},
		FiftyMoves:   {Start: "k7/p7/P7/8/8/p7/P7/K7 w - - 96 60", Options: Options{"moveRule": IntValue(50)}},
		Repetition:   {Start: "kb6/p7/P7/8/8/p7/P7/K7 w - - 0 1", Options: Options{"repetition": IntValue(3), "idleTurns": IntValue(99)}},
		Stalemate:    {Start: "4k3/8/8/8/1p6/pPp5/PRP5/KB6 b - - 0 1", Options: Options{"blockedIsDraw": BoolValue(true)}},
	}
	for why, create := range near {
		seen := map[Reason]int{}
		for seed := uint64(0); seed < 100 && seen[why] == 0; seed++ {
			g := newUnoGame(t, seed, create)
			g.play(300)
			seen[g.s.Reason]++
		}
		if seen[why] == 0 {
			t.Errorf("no game ended by %s: %v", why, seen)
		}
	}
}

// reordered is chance whose first pile has another order.
type reordered struct {
	*fair.Dealer
	order []int
}

func (c reordered) Order(at fair.State, s int) []int {
	if s == 0 {
		return slices.Clone(c.order)
	}
	return c.Dealer.Order(at, s)
}

func (c reordered) Open(at fair.State, s, i int) fair.Open {
	open := c.Dealer.Open(at, s, i)
	open.Card = c.Order(at, s)[i]
	return open
}

// Two games that differ only in what White cannot see - Black's hand and the draw
// pile - look the same to White and to a spectator, event by event and view by view.
func TestHiddenCardsDoNotShow(t *testing.T) {
	compared := 0
	for seed := range uint64(60) {
		g := newUnoGame(t, seed, Create{Options: everyOption(uint8(seed & 1))})
		g.play(12)
		if g.s.Over() || len(g.s.Fair.Piles) > 1 {
			continue
		}
		other := newTwin(g)
		for i, c := range g.asked[2:] {
			list, err := Decide(other.s, c, other.chance)
			if err != nil {
				break // Black, with another hand, would have had to do something else
			}
			other.s = Fold(other.s, list...)
			mine := eventsOf(g.events, list[0].N)
			if c.By == Second && !sameJSON(mine[0].Fact, list[0].Fact) {
				break // of two equal cards it has the other one
			}
			if !sameShape(mine, list) {
				t.Fatalf("seed %d, command %d: the records differ\n%v\n%v", seed, i, mine, list)
			}
			live := Fold(New("uno"), until(g.events, list[0].N)...)
			for _, seat := range []Seat{Spectator, First} {
				if !sameJSON(ViewFor(live, seat, g.chance), ViewFor(other.s, seat, other.chance)) {
					t.Fatalf("seed %d, command %d: %s sees a difference", seed, i, seat)
				}
			}
			compared++
		}
	}
	if compared < 100 {
		t.Errorf("only %d records were compared", compared)
	}
}

// newTwin begins the game again with everything hidden from White in another order.
func newTwin(g *unoGame) *unoGame {
	order := g.chance.Order(g.s.Fair, 0)
	known := map[int]bool{14: true} // positions that White knows: the card turned up,
	for _, p := range g.s.Fair.Drawn[First.Wire()] {
		known[p.I] = true // its own,
	}
	for _, p := range g.s.Fair.Drawn[Second.Wire()] {
		if slices.Contains(g.s.Fair.Played[Second.Wire()], order[p.I]) {
			known[p.I] = true // and what Black has played
		}
	}
	var hidden []int
	for i := range order {
		if !known[i] {
			hidden = append(hidden, i)
		}
	}
	mixed := slices.Clone(order)
	for i, j := range g.r.Perm(len(hidden)) {
		mixed[hidden[i]] = order[hidden[j]]
	}
	twin := &unoGame{t: g.t, s: New("uno"), chance: reordered{g.chance.(*fair.Dealer), mixed}}
	for _, c := range g.asked[:2] {
		list, err := Decide(twin.s, c, twin.chance)
		if err != nil {
			g.t.Fatal(err)
		}
		twin.s = Fold(twin.s, list...)
	}
	return twin
}

func eventsOf(list []Event, n int) (record []Event) {
	for _, e := range list {
		if e.N == n {
			record = append(record, e)
		}
	}
	return record
}

func until(list []Event, n int) []Event {
	return slices.DeleteFunc(slices.Clone(list), func(e Event) bool { return e.N > n })
}

// sameShape says that the facts are equal and the proofs as long as each other.
func sameShape(a, b []Event) bool {
	return slices.EqualFunc(a, b, func(x, y Event) bool {
		p, _ := json.Marshal(x.Fair)
		q, _ := json.Marshal(y.Fair)
		return sameJSON(x.Fact, y.Fact) && len(p) == len(q)
	})
}

// Two futures of one State do not disturb each other.
func TestFuturesOfAHandAreApart(t *testing.T) {
	g := newUnoGame(t, 3, Create{})
	g.play(20)
	for range 40 {
		if g.s.Over() {
			break
		}
		actions := ViewFor(g.s, g.s.ToAct(), g.chance).Actions()
		first := func(a Action) State {
			list, err := Decide(g.s, Command{By: g.s.ToAct(), At: g.s.At, Action: a}, g.chance)
			if err != nil {
				t.Fatal(err)
			}
			return Fold(g.s, list...)
		}
		left := first(actions[0])
		want, _ := json.Marshal(ViewFor(left, Spectator, nil))
		first(actions[len(actions)-1])
		if got, _ := json.Marshal(ViewFor(left, Spectator, nil)); string(got) != string(want) {
			t.Fatalf("another future changed this one:\n%s\n%s", want, got)
		}
		g.step()
	}
}

func TestActionsOfAView(t *testing.T) {
	v := View{
		Legal: []string{"e2e4"}, Cards: []string{"R5", "W"}, Can: []string{"pass", "call", "catch"},
		Discard: 2, Table: &TableView{Hand: []cards.Dealt{cards.Short.Dealt(0), cards.Short.Dealt(2), cards.Short.Dealt(4)}},
	}
	want := []Action{
		Move{UCI: "e2e4"},
		PlayCard{Card: "R5"},
		PlayCard{Card: "W", Color: "red"},
		PlayCard{Card: "W", Color: "blue"},
		PlayCard{Card: "W", Color: "green"},
		PlayCard{Card: "W", Color: "yellow"},
		Discard{Cards: []string{"R1", "R2"}},
		Discard{Cards: []string{"R1", "R3"}},
		Discard{Cards: []string{"R2", "R3"}},
		Discard{Cards: []string{"R2", "R1"}},
		Discard{Cards: []string{"R3", "R1"}},
		Discard{Cards: []string{"R3", "R2"}},
		Pass{},
		CallUno{},
		CatchUno{},
	}
	if got := v.Actions(); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// BenchmarkFoldUnoChess folds a game of 200 records.
func BenchmarkFoldUnoChess(b *testing.B) {
	var g *unoGame
	for seed := uint64(1); g == nil || g.s.N < 200; seed++ {
		g = newUnoGame(b, seed, Create{Options: Options{"idleTurns": IntValue(999)}})
		for i := 0; i < 250 && g.s.N < 200 && !g.s.Over(); i++ {
			actions := ViewFor(g.s, g.s.ToAct(), g.chance).Actions()
			g.ask(g.s.ToAct(), actions[g.r.IntN(len(actions))])
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		Fold(New("uno"), g.events...)
	}
}

// BenchmarkDecideUnoChess plays a card, with its proofs.
func BenchmarkDecideUnoChess(b *testing.B) {
	g := newUnoGame(b, 1, Create{})
	seat := g.s.ToAct()
	a := ViewFor(g.s, seat, g.chance).Actions()[0]
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decide(g.s, Command{By: seat, At: g.s.At, Action: a}, g.chance); err != nil {
			b.Fatal(err)
		}
	}
}

// Which of several equal cards is played tells nothing about the others: each of them
// is as likely, so that nobody learns from a card's ID that its like is not held.
func TestEqualCardsAreEquallyLikely(t *testing.T) {
	type kind struct{ discarded, wild bool }
	seen, lowest := map[kind]int{}, map[kind]int{}
	for seed := range uint64(400) {
		g := newUnoGame(t, seed, Create{})
		for i := 0; i < 60 && !g.s.Over(); i++ {
			seat := g.s.ToAct()
			hand := ViewFor(g.s, seat, g.chance).Table.Hand
			g.step()
			k := kind{}
			var gone cards.Dealt
			switch f := eventsOf(g.events, g.s.N)[0].Fact.(type) {
			case CardPlayed:
				gone, k.wild = f.Card, f.Card.Card.IsWild()
			case CardsDiscarded:
				gone, k.discarded = f.Cards[0], true
			default:
				continue
			}
			equal := slices.DeleteFunc(hand, func(c cards.Dealt) bool { return c.Card != gone.Card })
			if len(equal) == 2 {
				seen[k]++
				if gone.ID == equal[0].ID {
					lowest[k]++
				}
			}
		}
	}
	for _, k := range []kind{{}, {wild: true}, {discarded: true}} {
		if n, low := seen[k], lowest[k]; n < 50 || low*10 < n*4 || low*10 > n*6 {
			t.Errorf("%+v: of %d pairs the lower card went %d times", k, n, low)
		}
	}
}
