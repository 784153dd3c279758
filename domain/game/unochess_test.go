package game

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"chancery/domain/cards"
	"chancery/domain/chess"
	"chancery/domain/fair"
)

// stacked is chance with the order of the first pile laid by hand.
type stacked struct {
	*fair.Dealer
	first []int
}

func (c stacked) Order(at fair.State, s int) []int {
	if s == 0 && c.first != nil {
		return slices.Clone(c.first)
	}
	return c.Dealer.Order(at, s)
}

func (c stacked) Open(at fair.State, s, i int) fair.Open {
	open := c.Dealer.Open(at, s, i)
	open.Card = c.Order(at, s)[i]
	return open
}

// unoTable is a game of UNO Chess with cards laid by hand.
type unoTable struct {
	t      *testing.T
	s      State
	chance Chance
	now    Instant
}

// layout is a table: both hands, the card turned up and those drawn first, by code.
type layout struct {
	options      Options
	start        string
	white, black string
	top, draw    string
	clock        *ClockSpec
}

// layOut deals the cards of l and then the rest of the deck in its order.
func layOut(t *testing.T, l layout) *unoTable {
	t.Helper()
	tb := &unoTable{t: t, s: New("uno"), now: 1000}
	deck := unoDeck(l.options)
	for _, hand := range []string{l.white, l.black} {
		if n := len(strings.Fields(hand)); n != 0 && n != 7 {
			t.Fatalf("a hand of %d cards: %s", n, hand)
		}
	}
	var order []int
	for _, code := range strings.Fields(strings.Join([]string{l.white, l.black, l.top, l.draw}, " ")) {
		i := slices.IndexFunc(deck, func(c cards.Card) bool { return c.Code() == code })
		for i >= 0 && slices.Contains(order, i) {
			j := slices.IndexFunc(deck[i+1:], func(c cards.Card) bool { return c.Code() == code })
			if j < 0 {
				t.Fatalf("the deck holds no %s more", code)
			}
			i += j + 1
		}
		order = append(order, i)
	}
	for i := range deck {
		if !slices.Contains(order, i) {
			order = append(order, i)
		}
	}
	tb.chance = stacked{fair.NewDealer("uno", fair.Seed{5}), order}
	tb.must(First, Create{Variant: "unochess", Options: l.options, Start: l.start, Clock: l.clock})
	tb.must(Second, Join{})
	return tb
}

func (tb *unoTable) do(by Seat, a Action) ([]Event, error) {
	events, err := Decide(tb.s, Command{By: by, At: tb.now, Action: a}, tb.chance)
	tb.s = Fold(tb.s, events...)
	return events, err
}

func (tb *unoTable) must(by Seat, a Action) []Event {
	tb.t.Helper()
	events, err := tb.do(by, a)
	if err != nil {
		tb.t.Fatalf("%#v by %s: %v", a, by, err)
	}
	return events
}

func (tb *unoTable) refused(by Seat, a Action, code Code) {
	tb.t.Helper()
	before := tb.s
	if _, err := tb.do(by, a); !errors.Is(err, code) {
		tb.t.Fatalf("%#v by %s: got %v, want %s", a, by, err, code)
	}
	if tb.s.N != before.N {
		tb.t.Fatalf("%#v by %s was refused and changed the game", a, by)
	}
}

// turn plays a card and, where one is named, a move.
func (tb *unoTable) turn(card string, move ...string) {
	tb.t.Helper()
	code, color, _ := strings.Cut(card, " ")
	by := tb.s.ToAct()
	tb.must(by, PlayCard{Card: code, Color: color})
	for _, m := range move {
		tb.must(by, Move{UCI: m})
	}
}

func (tb *unoTable) ended(r Result, winner Seat, why Reason) {
	tb.t.Helper()
	if tb.s.Result != r || tb.s.Winner != winner || tb.s.Reason != why || !tb.s.Over() || !tb.s.Fair.Revealed {
		tb.t.Fatalf("ended %s %s %s in phase %s, want %s %s %s", tb.s.Result, tb.s.Winner, tb.s.Reason, tb.s.Phase, r, winner, why)
	}
}

func (tb *unoTable) codes(seat Seat) string {
	return codesOf(ViewFor(tb.s, seat, tb.chance).Table.Hand)
}

func codesOf(hand []cards.Dealt) string {
	codes := make([]string, len(hand))
	for i, c := range hand {
		codes[i] = c.Card.Code()
	}
	slices.Sort(codes)
	return strings.Join(codes, " ")
}

const (
	dullWhite = "Y7 G7 Y6 G6 Y4 G4" // six cards; with red on top none of them fits
	dullBlack = "Y7 G7 Y6 G6 Y4 G4"
)

// What each card moves in the first position, by the rule alone.
func TestEveryNumberMovesSomethingAtTheStart(t *testing.T) {
	for _, c := range []struct {
		fen  string
		want [9]string // from squares and number of moves, by number; wild at 0
	}{
		{orthodoxStart, [9]string{
			"a2 b1 b2 c2 d2 e2 f2 g1 g2 h2 / 20", "a2 b1 g1 / 6", "a2 b1 b2 c2 d2 e2 f2 g2 h2 / 18",
			"c2 / 2", "d2 / 2", "e2 / 2", "f2 / 2", "g1 g2 / 4", "h2 / 2",
		}},
		{strings.Replace(orthodoxStart, " w ", " b ", 1), [9]string{
			"a7 b7 b8 c7 d7 e7 f7 g7 g8 h7 / 20", "a7 / 2", "b7 b8 / 4", "c7 / 2", "d7 / 2", "e7 / 2", "f7 / 2",
			"a7 b7 c7 d7 e7 f7 g7 g8 h7 / 18", "b8 g8 h7 / 6",
		}},
	} {
		p, err := chess.ParsePosition(c.fen, chess.KingCapture)
		if err != nil {
			t.Fatal(err)
		}
		for n, want := range c.want {
			card := cards.Card{Kind: cards.Number, Color: cards.Red, Number: n}
			if n == 0 {
				card = cards.Card{Kind: cards.Wild}
			}
			var from []string
			moves := movesWith(card, &p)
			for _, m := range moves {
				from = append(from, m.From().String())
			}
			slices.Sort(from)
			if got := fmt.Sprintf("%s / %d", strings.Join(slices.Compact(from), " "), len(moves)); got != want {
				t.Errorf("%s in %s moves %s, want %s", card, c.fen, got, want)
			}
		}
	}
}

func TestTheDeal(t *testing.T) {
	for _, c := range []struct {
		extended bool
		draw     int
	}{{false, 61}, {true, 93}} {
		tb := layOut(t, layout{options: Options{"extendedDeck": BoolValue(c.extended)}})
		v := ViewFor(tb.s, Second, tb.chance)
		if v.Table.Draw != c.draw || !slices.Equal(v.Table.Hands, []int{7, 7}) || len(v.Table.Discards[0]) != 1 || len(v.Table.Hand) != 7 {
			t.Errorf("extended %v: %+v", c.extended, v.Table)
		}
	}
	tb := &unoTable{t: t, s: New("uno"), chance: fair.NewDealer("uno", fair.Seed{5}), now: 1}
	tb.must(First, Create{Variant: "unochess", Color: PreferBlack})
	events := tb.must(Second, Join{})
	if got := types(events); got != "PlayerJoined LinkOpened ColorsDrawn PileShuffled HandDealt HandDealt CardDrawn GameStarted" {
		t.Errorf("the opening record: %s", got)
	}
	if f := tb.s.Fair; tb.s.White != Second || f.Drawn[1][0].I != 0 || f.Drawn[0][0].I != 7 {
		t.Errorf("White, who sits second, must be dealt first: %v", f.Drawn)
	}
}

// The chance that a hand of seven has no Reverse, and the same for Wild and Draw Two,
// is 0.67383: C(72,7) / C(76,7).
func TestHandsWithoutAReverse(t *testing.T) {
	for _, kind := range []cards.Kind{cards.Reverse, cards.Wild, cards.DrawTwo} {
		without, p := 0, 1.0
		for _, c := range cards.Short {
			if c.Kind != kind {
				without++
			}
		}
		for i := range 7 {
			p *= float64(without-i) / float64(len(cards.Short)-i)
		}
		if math.Abs(p-0.67383) > 5e-6 {
			t.Errorf("kind %d: %.5f", kind, p)
		}
	}
}

func TestOptionsOfUnoChess(t *testing.T) {
	for text, good := range map[string]bool{
		`{}`: true, `{"repetition":3,"moveRule":50,"blockedIsDraw":true,"extendedDeck":true,"idleTurns":999}`: true,
		`{"idleTurns":1}`: true, `{"idleTurns":0}`: false, `{"idleTurns":1000}`: false, `{"repetition":2}`: false,
		`{"repetition":5}`: false, `{"moveRule":49}`: false, `{"moveRule":true}`: false, `{"extendedDeck":1}`: false,
		`{"duet":true}`: false, `{"maxCardNumber":5}`: false,
	} {
		var given Options
		if err := json.Unmarshal([]byte(text), &given); err != nil {
			t.Fatal(err)
		}
		if _, err := unoChess.Complete(given); (err == nil) != good {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestRefusalsOfCards(t *testing.T) {
	tb := layOut(t, layout{white: "R1 R+2 W G3 Y5 BR Y2", black: "R5 R8 " + dullBlack[:11] + " Y4", top: "R7"})
	tb.refused(Second, PlayCard{Card: "R5"}, NotYourTurn)
	tb.refused(Spectator, PlayCard{Card: "R1"}, NotYourTurn)
	tb.refused(First, PlayCard{Card: "G3"}, CardNotLive)
	tb.refused(First, PlayCard{Card: "BR"}, CardNotLive)
	tb.refused(First, PlayCard{Card: "W"}, ColorNeeded)
	tb.refused(First, PlayCard{Card: "W", Color: "purple"}, ColorNeeded)
	tb.refused(First, PlayCard{Card: "R1", Color: "red"}, BadCommand)
	tb.refused(First, Discard{Cards: []string{"G3"}}, MustPlay)
	tb.refused(First, Move{UCI: "e2e4"}, WrongPhase)
	tb.refused(First, Pass{}, WrongPhase)
	tb.refused(First, Drop{UCI: "N@f3"}, BadCommand)
	tb.refused(First, ClaimDraw{}, NotPending)
	tb.must(First, PlayCard{Card: "R+2"})
	tb.refused(First, Discard{Cards: []string{"G3"}}, WrongCount)
	tb.refused(First, Discard{Cards: []string{"G3", "G3"}}, CardNotHeld)
	tb.refused(First, PlayCard{Card: "R1"}, WrongPhase)
	tb.refused(Second, Discard{Cards: []string{"R5", "R8"}}, NotYourTurn)
	tb.must(First, Discard{Cards: []string{"G3", "R1"}})
	tb.must(Second, PlayCard{Card: "R8"})
	tb.refused(Second, Move{UCI: "e7e5"}, IllegalMove)
}

// A card is refused in the same words wherever it is: in the pile, in the other hand,
// on the discard pile, or nowhere.
func TestARefusedCardTellsNothing(t *testing.T) {
	tb := layOut(t, layout{white: "R1 R2 R3 R4 R6 B5 G5", black: "R8 B7 B8 B6 Y4 Y6 Y8", top: "R7", draw: "G8"})
	texts := map[string]bool{}
	for _, code := range []string{"R8", "G8", "R7", "Z9", "", "?"} {
		for _, a := range []Action{PlayCard{Card: code}, PlayCard{Card: code, Color: "red"}} {
			_, err := tb.do(First, a)
			if !errors.Is(err, CardNotHeld) {
				t.Fatalf("%q: %v", code, err)
			}
			texts[err.Error()] = true
		}
	}
	if len(texts) != 1 {
		t.Errorf("the texts differ: %v", texts)
	}
}

func TestDrawTwoOverAnEmptyPile(t *testing.T) {
	for _, c := range []struct {
		left int
		want string
	}{
		{0, "CardsDiscarded PileShuffled CardDrawn TurnEnded"},
		{1, "CardsDiscarded CardDrawn PileShuffled CardDrawn TurnEnded"},
		{2, "CardsDiscarded CardDrawn PileShuffled CardDrawn TurnEnded"},
		{3, "CardsDiscarded CardDrawn TurnEnded"},
	} {
		tb := layOut(t, layout{white: "R+2 R1 B5 G3 Y5 BR B7", black: "R4 " + dullBlack, top: "R5"})
		tb.drain(c.left)
		tb.must(First, PlayCard{Card: "R+2"})
		hand := tb.codes(First)
		events := tb.must(First, Discard{Cards: []string{"B5", "BR"}})
		if got := types(events); got != c.want {
			t.Errorf("%d left: %s", c.left, got)
		}
		if got := handSize(tb.s.Fair, First); got != 7 || hand == tb.codes(First) {
			t.Errorf("%d left: a hand of %d: %s", c.left, got, tb.codes(First))
		}
		if pile := tb.s.Cards.Discards[0]; topOf(pile).Card.Code() != "BR" || tb.s.Cards.Color != cards.Blue || c.left < 3 && len(pile) != 1 {
			t.Errorf("%d left: the discard pile is %v", c.left, pile)
		}
		tb.conserved()
	}
}

// drain moves the draw pile, but for its last cards, under the discard pile.
func (tb *unoTable) drain(left int) {
	f := tb.s.Fair
	n := f.Piles[0].Left() - left
	draw := f.Draw(n, fair.Public)
	order := tb.chance.Order(f, 0)
	var under []cards.Dealt
	for _, i := range draw.I {
		under = append(under, cards.Short.Dealt(cards.ID(order[i])))
	}
	tb.s.Fair = f.Evolve(&fair.Part{Draw: draw})
	tb.s.Cards.Discards[0] = append(under, tb.s.Cards.Discards[0]...)
}

// conserved says that every card of the deck is in exactly one place.
func (tb *unoTable) conserved() {
	tb.t.Helper()
	if err := cardsConserved(tb.s, tb.chance); err != nil {
		tb.t.Error(err)
	}
}

func cardsConserved(s State, secrets Secrets) error {
	deck := unoDeck(s.Options)
	var all []int
	for _, seat := range Players {
		all = append(all, held(s.Fair, seat, secrets)...)
	}
	for _, c := range s.Cards.Discards[0] {
		if deck[c.ID] != c.Card {
			return fmt.Errorf("card %d is shown as %s", c.ID, c.Card)
		}
		all = append(all, int(c.ID))
	}
	newest := len(s.Fair.Piles) - 1
	all = append(all, secrets.Order(s.Fair, newest)[s.Fair.Piles[newest].Cursor:]...)
	slices.Sort(all)
	for i, id := range all {
		if i != id || len(all) != len(deck) {
			return fmt.Errorf("%d cards of %d, at %d: %d", len(all), len(deck), i, id)
		}
	}
	return nil
}

func TestTheNamedColorOutlivesAShuffle(t *testing.T) {
	tb := layOut(t, layout{white: "W R1 B5 G3 Y5 BR B7", black: "G4 " + dullBlack[:14] + " B8", top: "R5"})
	tb.drain(0)
	tb.turn("W green", "e2e4")
	if tb.s.Cards.Color != cards.Green || len(tb.s.Cards.Discards[0]) != 1 {
		t.Fatalf("after the shuffle: %+v", tb.s.Cards)
	}
	tb.must(Second, PlayCard{Card: "G4"})
}

// A table that would be over before its first turn is refused.
func TestStartsOfUnoChess(t *testing.T) {
	blockedWhite := "4k3/8/8/8/1p6/pPp5/PRP5/KB6 w - - 0 1"
	for _, c := range []struct {
		start   string
		options Options
		good    bool
	}{
		{"8/8/8/8/8/8/8/4K2R w - - 0 1", nil, false},
		{"3kK3/8/8/8/8/8/8/8 w - - 0 1", nil, true},
		{blockedWhite, nil, true},
		{blockedWhite, Options{"blockedIsDraw": BoolValue(true)}, false},
		{"4k3/8/8/8/8/8/8/4K2R w - - 100 80", nil, true},
		{"4k3/8/8/8/8/8/8/4K2R w - - 100 80", Options{"moveRule": IntValue(50)}, false},
	} {
		_, err := Decide(New("uno"), Command{By: First, Action: Create{Variant: "unochess", Start: c.start, Options: c.options}}, fair.NewDealer("uno", fair.Seed{}))
		if (err == nil) != c.good || err != nil && !errors.Is(err, BadPosition) {
			t.Errorf("%s with %v: %v", c.start, c.options, err)
		}
	}
}

// A side that is blocked after a turn without a move draws as well.
func TestBlockedAfterAnIdleTurn(t *testing.T) {
	tb := layOut(t, layout{
		start: "4k3/8/8/8/1p6/pPp5/PRP5/KB6 b - - 0 1", options: Options{"blockedIsDraw": BoolValue(true)}, top: "R6",
		white: "R8 " + dullWhite, black: "R+2 " + dullBlack,
	})
	tb.must(Second, PlayCard{Card: "R+2"})
	tb.must(Second, Discard{Cards: []string{"Y7", "G7"}})
	tb.ended(Drawn, Spectator, Stalemate)
}

func TestASkipIsTold(t *testing.T) {
	tb := layOut(t, layout{
		options: Options{"extendedDeck": BoolValue(true)}, top: "R6", white: "RS " + dullWhite,
		start: "4k3/3p4/8/3Pp3/8/8/8/4K3 w - e6 0 9",
	})
	if got := types(tb.must(First, PlayCard{Card: "RS"})); got != "CardPlayed TurnSkipped CardDrawn TurnEnded" {
		t.Errorf("a Skip: %s", got)
	}
	if tb.s.ToAct() != First || tb.s.FEN != "4k3/3p4/8/3Pp3/8/8/8/4K3 w - - 0 10" {
		t.Errorf("%s to act in %s: the right to capture en passant has lapsed", tb.s.ToAct(), tb.s.FEN)
	}
}

func TestRescueRecords(t *testing.T) {
	l := layout{
		start: "7k/8/8/8/8/8/8/4K2R w - - 0 1", top: "R5", clock: &ClockSpec{Base: 60_000, Increment: 1000},
		white: "R8 " + dullWhite, black: "RR " + dullBlack,
	}
	tb := layOut(t, l)
	tb.must(First, PlayCard{Card: "R8"})
	tb.now += 10_000
	if got := types(tb.must(First, Move{UCI: "h1h8"})); got != "MovePlayed CardDrawn" {
		t.Errorf("the capture: %s", got)
	}
	if tb.s.Clock.Running != Second || tb.s.Clock.Left != (Clocks{51_000, 60_000}) {
		t.Errorf("the victim's clock must run: %+v", tb.s.Clock)
	}
	if v := ViewFor(tb.s, Second, tb.chance); !slices.Equal(v.Can, []string{"pass"}) || !slices.Equal(v.Cards, []string{"RR"}) {
		t.Errorf("the victim is offered %v and %v", v.Can, v.Cards)
	}
	undone := tb.s.past.ref
	tb.now += 5000
	events := tb.must(Second, PlayCard{Card: "RR"})
	if got := types(events); got != "CardPlayed MoveUndone CardDrawn TurnEnded" {
		t.Errorf("the rescue: %s", got)
	}
	if f := events[1].Fact.(MoveUndone); f.Ref != undone || f.FEN != l.start {
		t.Errorf("undone %+v", f)
	}
	if tb.s.Clock.Running != First || tb.s.Clock.Left != (Clocks{51_000, 56_000}) || tb.s.Plies != 0 || tb.s.Last != "" {
		t.Errorf("after the rescue: %+v, ply %d, last %q", tb.s.Clock, tb.s.Plies, tb.s.Last)
	}

	tb = layOut(t, l)
	tb.turn("R8", "h1h8")
	if got := types(tb.must(Second, Pass{})); got != "RescueDeclined GameEnded HandsRevealed SeedRevealed" {
		t.Errorf("declined: %s", got)
	}
	tb.ended(WhiteWins, First, KingCaptured)

	tb = layOut(t, l)
	tb.turn("R8", "h1h8")
	tb.now += 60_000
	tb.must(Spectator, CallFlag{Seat: Second})
	tb.ended(WhiteWins, First, Timeout)

	tb = layOut(t, l)
	tb.turn("R8", "h1h8")
	tb.must(Second, Resign{})
	tb.ended(WhiteWins, First, Resignation)
}

// A rescue takes the capture off the stack: the move before it is the newest again.
func TestAReverseReachesBehindARescue(t *testing.T) {
	tb := layOut(t, layout{
		start: "6k1/8/8/8/8/8/8/4K2R b - - 0 1", top: "R5",
		white: "R8 BR " + dullWhite[:14], black: "R7 RR " + dullBlack[:14],
	})
	tb.turn("R7", "g8h8")
	tb.turn("R8", "h1h8")
	tb.turn("RR")
	if tb.s.FEN != "7k/8/8/8/8/8/8/4K2R w - - 1 2" {
		t.Fatalf("after the rescue: %s", tb.s.FEN)
	}
	tb.turn("BR")
	if tb.s.FEN != "6k1/8/8/8/8/8/8/4K2R b - - 0 1" || tb.s.ToAct() != Second {
		t.Fatalf("after the second Reverse: %s", tb.s.FEN)
	}
}

func TestCallAndCatch(t *testing.T) {
	base := layout{
		start: "4k2n/8/8/8/8/8/8/4K2R w - - 0 1", top: "R6", options: Options{"extendedDeck": BoolValue(true)},
		white: "R8 R1 " + dullWhite[:14], black: "R5 RS R7 " + dullBlack[:11],
	}
	capture := func(t *testing.T) *unoTable {
		tb := layOut(t, base)
		tb.refused(Second, CallUno{}, NotPending)
		tb.refused(First, CatchUno{}, NotPending)
		tb.turn("R8", "h1h8")
		return tb
	}
	for name, c := range map[string]func(t *testing.T, tb *unoTable){
		"caught": func(t *testing.T, tb *unoTable) {
			tb.turn("R5", "e8d7")
			tb.refused(Second, CatchUno{}, NotPending)
			if v := ViewFor(tb.s, First, nil); !slices.Equal(v.Can, []string{"catch"}) || v.Table.Uno[1] != ForgotUno {
				t.Errorf("the catcher sees %v %v", v.Can, v.Table.Uno)
			}
			tb.must(First, CatchUno{})
			tb.ended(WhiteWins, First, UncalledUno)
		},
		"called at once, in the opponent's turn": func(_ *testing.T, tb *unoTable) {
			tb.must(Second, CallUno{})
			tb.refused(Second, CallUno{}, NotPending)
			tb.turn("R5", "e8d7")
			tb.refused(First, CatchUno{}, NotPending)
		},
		"called between card and move": func(_ *testing.T, tb *unoTable) {
			tb.must(Second, PlayCard{Card: "R5"})
			tb.refused(First, CatchUno{}, NotPending)
			tb.must(Second, CallUno{})
			tb.must(Second, Move{UCI: "e8d7"})
			tb.refused(First, CatchUno{}, NotPending)
		},
		"called late": func(_ *testing.T, tb *unoTable) {
			tb.turn("R5", "e8d7")
			tb.must(Second, CallUno{})
			tb.refused(First, CatchUno{}, NotPending)
		},
		"too late to catch, and to call": func(_ *testing.T, tb *unoTable) {
			tb.turn("R5", "e8d7")
			tb.must(First, PlayCard{Card: "R1"})
			tb.refused(First, CatchUno{}, NotPending)
			tb.refused(Second, CallUno{}, NotPending)
			tb.must(First, Move{UCI: "e1e2"})
			tb.refused(Second, CallUno{}, NotPending)
		},
		"a Skip leaves the catch open": func(_ *testing.T, tb *unoTable) {
			tb.turn("RS")
			tb.must(Second, PlayCard{Card: "R5"})
			tb.must(First, CatchUno{})
			tb.ended(WhiteWins, First, UncalledUno)
		},
		"a Skip leaves the late call open": func(_ *testing.T, tb *unoTable) {
			tb.turn("RS")
			tb.turn("R5", "e8d7")
			tb.must(Second, CallUno{})
			tb.refused(First, CatchUno{}, NotPending)
		},
	} {
		t.Run(name, func(t *testing.T) { c(t, capture(t)) })
	}
}

// However call, card, move and catch cross each other, one history comes of it: a side
// is never both in time and caught.
func TestCallsAndCatchesCross(t *testing.T) {
	l := layout{
		start: "4k2n/8/8/8/8/8/8/4K2R w - - 0 1", top: "R6",
		white: "R8 R1 " + dullWhite[:14], black: "R5 R7 " + dullBlack[:14],
	}
	steps := []struct {
		by Seat
		a  Action
	}{{Second, PlayCard{Card: "R5"}}, {Second, Move{UCI: "e8d7"}}, {Second, CallUno{}}, {First, CatchUno{}}}
	caught := 0
	for order := range permutations(len(steps)) {
		tb := layOut(t, l)
		tb.turn("R8", "h1h8")
		called := false
		for _, i := range order {
			_, err := tb.do(steps[i].by, steps[i].a)
			called = called || i == 2 && err == nil
		}
		if tb.s.Over() {
			tb.ended(WhiteWins, First, UncalledUno)
			caught++
		}
		if called == tb.s.Over() {
			t.Errorf("order %v: called %v, caught %v", order, called, tb.s.Over())
		}
	}
	if caught != 1 {
		t.Errorf("only card, move, catch, call is a catch; there were %d", caught)
	}
}

// permutations are all orders of the numbers below n.
func permutations(n int) func(func([]int) bool) {
	return func(yield func([]int) bool) {
		var extend func(order []int) bool
		extend = func(order []int) bool {
			if len(order) == n {
				return yield(order)
			}
			for i := range n {
				if !slices.Contains(order, i) && !extend(append(slices.Clip(order), i)) {
					return false
				}
			}
			return true
		}
		extend(nil)
	}
}

// A game called off in the middle shows everything too.
func TestEverythingIsRevealed(t *testing.T) {
	tb := layOut(t, layout{white: "R1 " + dullWhite, black: "R8 " + dullBlack, top: "R5"})
	tb.turn("R1", "b1c3")
	tb.must(First, Cancel{})
	events := tb.must(Second, Cancel{})
	if got := types(events); got != "Cancelled GameAborted HandsRevealed SeedRevealed" {
		t.Fatalf("called off by both: %s", got)
	}
	shown := events[2].Fact.(HandsRevealed)
	if tb.codes(First) != codesOf(shown.Hands[0]) || tb.codes(Second) != codesOf(shown.Hands[1]) {
		t.Errorf("shown %v, held %s and %s", shown.Hands, tb.codes(First), tb.codes(Second))
	}
	for i, id := range tb.chance.Order(tb.s.Fair, 0) {
		if int(shown.Piles[0][i]) != id {
			t.Fatalf("position %d of the pile is shown as card %d, it was %d", i, shown.Piles[0][i], id)
		}
	}
	if v := ViewFor(tb.s, Spectator, nil); v.Table.Revealed == nil || codesOf(v.Table.Revealed.Hands[1]) != tb.codes(Second) {
		t.Error("a spectator does not see what was revealed")
	}
}

// The duty comes anew when the last man is brought back and taken again.
func TestABareKingTwice(t *testing.T) {
	tb := layOut(t, layout{
		start: "4k2n/8/8/8/8/8/8/4K2R w - - 0 1", top: "R6",
		white: "R8 R1 " + dullWhite[:14], black: "RR R5 " + dullBlack[:14],
	})
	tb.turn("R8", "h1h8")
	tb.must(Second, CallUno{})
	tb.turn("RR")
	if tb.s.Cards.Uno != [2]Uno{} {
		t.Fatalf("with its knight back Black owes nothing: %v", tb.s.Cards.Uno)
	}
	tb.turn("R1", "h1h8")
	if tb.s.Cards.Uno[1] != OwesUno {
		t.Fatalf("bare again, Black owes a call again: %v", tb.s.Cards.Uno)
	}
	tb.turn("R5", "e8e7")
	tb.must(First, CatchUno{})
	tb.ended(WhiteWins, First, UncalledUno)
}

// A bare king that forgot to call and took the enemy king can still be caught by a
// victim that holds a fitting Reverse.
func TestCatchDuringTheRescue(t *testing.T) {
	tb := layOut(t, layout{
		start: "4k2n/4K3/8/8/8/8/8/7R w - - 0 1", top: "R6",
		white: "R8 RR " + dullWhite[:14], black: "R5 " + dullBlack,
	})
	tb.turn("R8", "h1h8")
	tb.turn("R5", "e8e7")
	if v := ViewFor(tb.s, First, tb.chance); v.Phase != PhaseRescue || !slices.Equal(v.Can, []string{"pass", "catch"}) {
		t.Fatalf("phase %s, open %v", v.Phase, v.Can)
	}
	tb.must(First, CatchUno{})
	tb.ended(WhiteWins, First, UncalledUno)
}

func TestOffersLapseWithTheNextAction(t *testing.T) {
	l := layout{white: "R1 " + dullWhite, black: "R8 " + dullBlack, top: "R5"}
	for name, c := range map[string]func(tb *unoTable){
		"a card": func(tb *unoTable) {
			tb.must(Second, OfferDraw{})
			tb.must(First, PlayCard{Card: "R1"})
			tb.refused(First, AcceptDraw{}, NotPending)
		},
		"a discard": func(tb *unoTable) {
			tb.turn("R1", "a2a3")
			tb.must(First, OfferDraw{})
			tb.s.Cards.Color, tb.s.Cards.Discards[0] = cards.Blue, []cards.Dealt{cards.Short.Dealt(20)}
			tb.must(Second, Discard{Cards: []string{"R8"}})
			tb.refused(Second, AcceptDraw{}, NotPending)
		},
		"not one's own": func(tb *unoTable) {
			tb.must(First, OfferDraw{})
			tb.turn("R1", "a2a3")
			tb.must(Second, AcceptDraw{})
			tb.ended(Drawn, Spectator, Agreement)
		},
	} {
		t.Run(name, func(t *testing.T) { tb := layOut(t, l); tb.t = t; c(tb) })
	}
}
