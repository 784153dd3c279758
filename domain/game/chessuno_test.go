package game

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"chancery/domain/cards"
	"chancery/domain/fair"
)

// openPile is chance whose cards come off a sealed pile in an order laid by hand.
// Behind them the dealer goes on.
type openPile struct {
	*fair.Dealer
	deck cards.Deck
	next []string     // codes of the cards to come
	seen map[int]bool // by card ID
}

func (c *openPile) Open(at fair.State, s, i int) fair.Open {
	open := c.Dealer.Open(at, s, i)
	if len(c.next) > 0 {
		open.Card = c.take(c.next[0])
		c.next = c.next[1:]
	}
	return open
}

func (c *openPile) take(code string) int {
	for id, card := range c.deck {
		if card.Code() == code && !c.seen[id] {
			c.seen[id] = true
			return id
		}
	}
	return -1
}

// A seriesTable is a game of Chess-Uno whose cards are laid by hand.
type seriesTable struct {
	t      *testing.T
	s      State
	chance Chance
	now    Instant
}

// series opens a game in which the cards of these codes are drawn first.
func series(t *testing.T, c Create, draws string) *seriesTable {
	t.Helper()
	c.Variant = "chessuno"
	options, err := chessUno.Complete(c.Options)
	if err != nil {
		t.Fatal(err)
	}
	pile := &openPile{
		Dealer: fair.NewDealer("series", fair.Seed{4}), deck: chessUnoDeck(options), next: strings.Fields(draws), seen: map[int]bool{},
	}
	tb := &seriesTable{t: t, s: New("series"), chance: pile, now: 1_000_000}
	tb.must(First, c)
	tb.must(Second, Join{})
	return tb
}

// fromPosition opens a game that begins with this position.
func fromPosition(t *testing.T, o Options, fen, draws string) *seriesTable {
	t.Helper()
	return series(t, Create{Options: o, Start: fen}, draws)
}

func (tb *seriesTable) do(by Seat, a Action) ([]Event, error) {
	events, err := Decide(tb.s, Command{By: by, At: tb.now, Action: a}, tb.chance)
	tb.s = Fold(tb.s, events...)
	return events, err
}

func (tb *seriesTable) must(by Seat, a Action) []Event {
	tb.t.Helper()
	events, err := tb.do(by, a)
	if err != nil {
		tb.t.Fatalf("%#v by %s: %v", a, by, err)
	}
	return events
}

func (tb *seriesTable) refused(by Seat, a Action, code Code) {
	tb.t.Helper()
	if events, err := tb.do(by, a); !errors.Is(err, code) || events != nil {
		tb.t.Fatalf("%#v by %s: got %v, want %s", a, by, err, code)
	}
}

// play lets the seat that must act make moves, drops and passes, and gives the types
// of all that follows.
func (tb *seriesTable) play(actions ...string) string {
	tb.t.Helper()
	var all []string
	for _, text := range actions {
		a := ActionOf(text)
		if text == "pass" {
			a = Pass{}
		}
		all = append(all, types(tb.must(tb.s.ToAct(), a)))
	}
	return strings.Join(all, " ")
}

func (tb *seriesTable) ended(r Result, winner Seat, why Reason) {
	tb.t.Helper()
	if tb.s.Result != r || tb.s.Winner != winner || tb.s.Reason != why || !tb.s.Over() || !tb.s.Fair.Revealed {
		tb.t.Fatalf("ended %s %s %s in phase %s, want %s %s %s", tb.s.Result, tb.s.Winner, tb.s.Reason, tb.s.Phase, r, winner, why)
	}
}

const bareKings = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"

// Every deck is the full one of 108 without what its settings leave out.
func TestDecksOfChessUno(t *testing.T) {
	for highest := 1; highest <= 9; highest++ {
		for _, zeros := range []bool{true, false} {
			for _, jokers := range []bool{true, false} {
				o := Options{"maxCardNumber": IntValue(highest), "includeZero": BoolValue(zeros), "includeJokers": BoolValue(jokers)}
				want := map[string]int{"S": 8, "R": 8, "+2": 8, "W+4": 4}
				if zeros {
					want["0"] = 4
				}
				if jokers {
					want["W"] = 4
				}
				for n := 1; n <= highest; n++ {
					want[string(rune('0'+n))] = 8
				}
				have := map[string]int{}
				for _, c := range chessUnoDeck(o) {
					have[strings.TrimLeft(c.Code(), "RBGY")+strings.Repeat("R", strings.Count(c.Code()[1:], "R"))]++
				}
				if !mapsEqual(have, want) {
					t.Errorf("with %v the deck is %v, want %v", o, have, want)
				}
			}
		}
	}
}

func mapsEqual(a, b map[string]int) bool {
	for k, n := range a {
		if b[k] != n {
			return false
		}
	}
	return len(a) == len(b)
}

// What the deck of an ordinary table grants: 144 moves in 76 turns, none in 12 of them,
// a series in 32.
func TestMovesOfTheOrdinaryDeck(t *testing.T) {
	o, err := chessUno.Complete(nil)
	if err != nil {
		t.Fatal(err)
	}
	cardsInAll, moves, none, several := 0, 0, 0, 0
	for _, c := range chessUnoDeck(o) {
		n := MovesGranted(c)
		cardsInAll, moves = cardsInAll+1, moves+n
		if n == 0 {
			none++
		}
		if n > 1 {
			several++
		}
	}
	if cardsInAll != 76 || moves != 144 || none != 12 || several != 32 {
		t.Errorf("%d cards, %d moves, %d without, %d series", cardsInAll, moves, none, several)
	}
}

func TestOptionsOfChessUno(t *testing.T) {
	for name, c := range map[string]struct {
		options Options
		refused bool
	}{
		"the defaults":                  {nil, false},
		"the largest":                   {Options{"maxCardNumber": IntValue(9), "drawAfterTurnsWithoutMove": IntValue(50)}, false},
		"the smallest":                  {Options{"maxCardNumber": IntValue(1), "drawAfterTurnsWithoutMove": IntValue(2)}, false},
		"no number above nine":          {Options{"maxCardNumber": IntValue(10)}, true},
		"at least the ones":             {Options{"maxCardNumber": IntValue(0)}, true},
		"an idle limit of one":          {Options{"drawAfterTurnsWithoutMove": IntValue(1)}, true},
		"an idle limit above fifty":     {Options{"drawAfterTurnsWithoutMove": IntValue(51)}, true},
		"a number where yes or no is":   {Options{"includeZero": IntValue(1)}, true},
		"a live pile":                   {Options{"pile": TextValue("live")}, false},
		"no pile of another kind":       {Options{"pile": TextValue("open")}, true},
		"duet with a live pile":         {Options{"pile": TextValue("live"), "duet": BoolValue(true)}, false},
		"no duet with a sealed pile":    {Options{"duet": BoolValue(true)}, true},
		"no option of another variant":  {Options{"idleTurns": IntValue(6)}, true},
		"no option of any variant":      {Options{"startingCards": IntValue(7)}, true},
		"no number written differently": {Options{"maxCardNumber": TextValue("5")}, true},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := chessUno.Complete(c.options); (err != nil) != c.refused || err != nil && !errors.Is(err, BadOption) {
				t.Errorf("got %v, want a refusal: %v", err, c.refused)
			}
		})
	}
}

// What is written down of a turn, given the cards that are drawn.
func TestRecordsOfChessUno(t *testing.T) {
	for name, c := range map[string]struct {
		options Options
		start   string
		pool    string // White's
		draws   string
		play    []string
		want    string
	}{
		"a turn ends with its last move": {draws: "R1 B1", play: []string{"e2e4"}, want: "MovePlayed CardDrawn CardRevealed"},
		"a series is passed":             {draws: "R3 B1", play: []string{"e2e4", "pass"}, want: "MovePlayed Passed TurnEnded CardDrawn CardRevealed"},
		"the safeguard ends a series": {
			start: "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", draws: "R3 B1", play: []string{"a1a8"},
			want: "MovePlayed SeriesEnded TurnEnded CardDrawn CardRevealed",
		},
		"no move is left": {
			start: "4k3/7p/8/7P/1p6/pPp5/PRP5/KB6 w - - 0 1", draws: "R3 B1", play: []string{"h5h6"},
			want: "MovePlayed SeriesEnded TurnEnded CardDrawn CardRevealed",
		},
		"a nought and a Skip pass by":  {draws: "R1 B0 GS Y1", play: []string{"e2e4"}, want: "MovePlayed CardDrawn CardRevealed TurnSkipped TurnEnded CardDrawn CardRevealed TurnSkipped TurnEnded CardDrawn CardRevealed"},
		"a Reverse swaps the armies":   {draws: "R1 BR", play: []string{"e2e4"}, want: "MovePlayed CardDrawn CardRevealed ControlSwapped"},
		"a recovered pawn goes before": {start: bareKings, pool: "P", draws: "R1 B1 W+4 R2", play: []string{"e1d1", "e8d8", "P@a2", "a2a4"}, want: "MovePlayed CardDrawn CardRevealed MovePlayed CardDrawn CardRevealed PieceDropped MovePlayed CardDrawn CardRevealed"},
		"too many turns without a move": {
			options: Options{"drawAfterTurnsWithoutMove": IntValue(2)}, draws: "R1 B0 GS", play: []string{"e2e4"},
			want: "MovePlayed CardDrawn CardRevealed TurnSkipped TurnEnded CardDrawn CardRevealed TurnSkipped TurnEnded GameEnded HandsRevealed SeedRevealed",
		},
		"the king stands exposed": {
			start: "4r1k1/8/8/8/8/8/P7/4K3 w - - 0 1", draws: "R1 B1", play: []string{"a2a3"},
			want: "MovePlayed CardDrawn CardRevealed GameEnded HandsRevealed SeedRevealed",
		},
	} {
		t.Run(name, func(t *testing.T) {
			tb := fromPosition(t, c.options, c.start, c.draws)
			tb.s.Pools[WhiteArmy] = c.pool
			if have := tb.play(c.play...); have != c.want {
				t.Errorf("got %s, want %s", have, c.want)
			}
		})
	}
}

func TestFirstRecordOfChessUno(t *testing.T) {
	for pile, want := range map[string]string{
		"sealed": "PlayerJoined LinkOpened ColorsDrawn GameStarted PileShuffled CardDrawn CardRevealed",
		"live":   "PlayerJoined LinkOpened ColorsDrawn GameStarted CardDrawn CardRevealed",
	} {
		chance := &openPile{Dealer: fair.NewDealer("first", fair.Seed{1}), seen: map[int]bool{}}
		s := New("first")
		for _, c := range []Command{{By: First, Action: Create{Variant: "chessuno", Options: Options{"pile": TextValue(pile)}}}, {By: Second, Action: Join{}}} {
			events, err := Decide(s, c, chance)
			if err != nil {
				t.Fatal(err)
			}
			s = Fold(s, events...)
			if _, ok := c.Action.(Join); ok && !strings.HasPrefix(types(events), want) {
				t.Errorf("%s: got %s, want %s", pile, types(events), want)
			}
			if created, ok := events[0].Fact.(GameCreated); ok && created.Rules.Deck != chessUnoDeck(created.Options).Hash() {
				t.Errorf("the deck of %d cards is not pinned", len(chessUnoDeck(created.Options)))
			}
		}
	}
}

// Every move and drop brings the increment, and so does a turn that ends without one.
func TestClockOfSeries(t *testing.T) {
	tb := series(t, Create{Clock: &ClockSpec{Base: minute, Increment: 2_000}}, "R3 B0 G2 YS R1")
	want := func(when string, left Clocks) {
		t.Helper()
		if tb.s.Clock.Left != left || tb.s.Clock.Running != tb.s.ToAct() {
			t.Errorf("%s: %v and %s runs, want %v and %s", when, tb.s.Clock.Left, tb.s.Clock.Running, left, tb.s.ToAct())
		}
	}
	want("at the start", Clocks{minute, minute})
	tb.now += 10_000
	tb.play("e2e4")
	want("after a move of a series", Clocks{52_000, minute})
	tb.now += 10_000
	tb.play("d2d4")
	want("after its second move", Clocks{44_000, minute})
	tb.now += 4_000
	tb.play("pass")
	want("after a pass, and a turn of Black without a move", Clocks{40_000, 62_000})
	tb.now += 2_000
	tb.play("a2a3", "b2b3")
	want("after the last move, and a Skip of Black", Clocks{42_000, 64_000})
	tb.now += 42_000
	tb.refused(First, Move{UCI: "h2h3"}, GameOver)
	tb.must(Spectator, CallFlag{Seat: First})
	tb.ended(BlackWins, Second, Timeout)
}

func TestFlagOfASwappedArmy(t *testing.T) {
	tb := series(t, Create{Clock: &ClockSpec{Base: minute}}, "RR")
	tb.now += minute
	tb.must(Spectator, CallFlag{Seat: Second})
	tb.ended(BlackWins, First, Timeout)
}

func TestClockOfPlacing(t *testing.T) {
	tb := series(t, Create{Start: bareKings, Clock: &ClockSpec{Base: minute, Increment: 1_000}}, "R1 B1 G+2 R1")
	tb.s.Pools[WhiteArmy] = "PP"
	tb.play("e1d1", "e8d8")
	for _, action := range []string{"P@a2", "P@h2", "a2a4"} {
		before := tb.s.Clock.Left[0]
		tb.now += 5_000
		tb.play(action)
		if got := tb.s.Clock.Left[0]; got != before-4_000 {
			t.Errorf("%s: %d left of %d", action, got, before)
		}
	}
}

// A double step that ends a series, however it ends, may be answered en passant; any
// further move of either army lets the right lapse.
func TestEnPassantBehindASeries(t *testing.T) {
	for name, c := range map[string]struct {
		start, draws string
		play         []string
		can          bool
	}{
		"passed behind it":              {"4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "R3 B1", []string{"e2e4", "pass"}, true},
		"passed behind another move":    {"4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "R3 B1", []string{"e2e4", "e1d1", "pass"}, false},
		"made as the last move":         {"4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "R2 B1", []string{"e1d1", "e2e4"}, true},
		"in two single steps":           {"4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "R3 B1", []string{"e2e3", "e3e4", "pass"}, false},
		"stopped, for it opened a line": {"8/8/8/8/3p4/8/k3P2R/4K3 w - - 0 1", "R3 B1", []string{"e2e4"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			tb := fromPosition(t, nil, c.start, c.draws)
			tb.play(c.play...)
			if tb.s.Turn() != BlackArmy || tb.s.Phase != PhaseMove {
				t.Fatalf("%s is to move in phase %s", tb.s.Turn(), tb.s.Phase)
			}
			if got := slices.Contains(LegalMoves(tb.s), "d4e3"); got != c.can {
				t.Errorf("d4e3 open: %v, want %v, in %s", got, c.can, tb.s.FEN)
			}
		})
	}
}

// The careful setting keeps the king alone, under a Joker as well, from attacked
// squares; it neither protects the enemy king nor binds other men.
func TestCarefulKing(t *testing.T) {
	for name, c := range map[string]struct {
		start, draws string
		open, closed string
		won          bool
	}{
		"beside an attacked file":            {start: "3r3k/8/8/8/8/8/8/4K3 w - - 0 1", draws: "R1", open: "e1e2 e1f1 e1f2", closed: "e1d1 e1d2"},
		"a defended man":                     {start: "4r2k/8/8/8/8/8/4p3/4K3 w - - 0 1", draws: "R1", open: "e1d2 e1f2", closed: "e1e2 e1d1 e1f1"},
		"an undefended man":                  {start: "7k/8/8/8/8/8/4p3/4K3 w - - 0 1", draws: "R1", open: "e1e2", closed: "e1d1 e1f1"},
		"behind itself on a file":            {start: "3r3k/8/8/8/8/3K4/8/8 w - - 0 1", draws: "R1", open: "d3c2", closed: "d3d2 d3d4"},
		"beside the other king":              {start: "8/8/8/8/8/4k3/8/4K3 w - - 0 1", draws: "R1", open: "e1d1 e1f1", closed: "e1d2 e1e2 e1f2"},
		"the enemy king, though defended":    {start: "7r/8/8/8/8/8/8/r2Kk2r w - - 0 1", draws: "R1", won: true},
		"a pinned man":                       {start: "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", draws: "R1", open: "e2c3 e1d1"},
		"castling out of and through attack": {start: "3rr2k/8/8/8/8/8/8/R3K3 w Q - 0 1", draws: "R1", open: "e1c1"},
		"castling into attack":               {start: "2r4k/8/8/8/8/8/8/R3K3 w Q - 0 1", draws: "R1", open: "e1d1", closed: "e1c1"},
		"castling behind the rook's shield":  {start: "7k/8/8/8/8/8/8/R3K2r w Q - 0 1", draws: "R1", open: "e1c1", closed: "e1d1 e1f1"},
		"a Joker's king":                     {start: "3r3k/8/8/8/8/8/8/4K3 w - - 0 1", draws: "W", open: "e1e2 e1a5 e1h4", closed: "e1d1 e1d2"},
		"attack by a Joker's power is none":  {start: "3n3k/8/8/8/8/8/8/4K3 w - - 0 1", draws: "W", open: "e1d1 e1d2"},
	} {
		t.Run(name, func(t *testing.T) {
			tb := fromPosition(t, Options{"kingAvoidsAttackedSquares": BoolValue(true)}, c.start, c.draws+" B1")
			if c.won {
				tb.ended(WhiteWins, First, KingExposed)
				return
			}
			legal := LegalMoves(tb.s)
			for _, m := range strings.Fields(c.open) {
				if !slices.Contains(legal, m) {
					t.Errorf("%s is not open", m)
				}
			}
			for _, m := range strings.Fields(c.closed) {
				if slices.Contains(legal, m) {
					t.Errorf("%s is open", m)
				}
				if _, err := tb.do(First, Move{UCI: m}); !errors.Is(err, IllegalMove) || !strings.Contains(err.Error(), "attacked square") {
					t.Errorf("%s: %v", m, err)
				}
			}
		})
	}
}

// What the army on turn may ask for besides what its card grants.
func TestRefusalsOfSeries(t *testing.T) {
	tb := series(t, Create{}, "R3 B1")
	tb.refused(First, Pass{}, MustPlay)
	tb.refused(Second, Pass{}, NotYourTurn)
	tb.refused(First, Drop{UCI: "P@a3"}, WrongPhase)
	tb.refused(First, PlayCard{Card: "R3"}, BadCommand)
	tb.refused(First, Discard{Cards: []string{"R3"}}, BadCommand)
	tb.refused(First, CallUno{}, BadCommand)
	tb.refused(First, Move{UCI: "e2e5"}, IllegalMove)
	tb.refused(First, Move{UCI: "e7e5"}, IllegalMove)
	tb.refused(First, Move{UCI: "e2"}, BadCommand)
	tb.refused(First, ClaimDraw{}, NotPending)
	tb.play("e2e4")
	tb.refused(Second, Move{UCI: "e7e5"}, NotYourTurn)
	tb.play("pass")
	tb.refused(Second, Pass{}, MustPlay)
}

func TestRefusalsOfPlacing(t *testing.T) {
	tb := fromPosition(t, nil, "4k3/8/8/8/8/8/8/4K3 b - - 0 1", "R1 W+4 B1")
	tb.s.Pools = [2]string{"PN", "p"}
	tb.play("e8d8")
	if v := ViewFor(tb.s, First, nil); v.Phase != PhasePlace || v.Table.Place != 1 || v.Table.Left != 1 || len(v.Legal) != 8 {
		t.Fatalf("in phase %s %d to place, %d moves left, %v", v.Phase, v.Table.Place, v.Table.Left, v.Legal)
	}
	tb.refused(First, Move{UCI: "e1e2"}, WrongPhase)
	tb.refused(First, Pass{}, WrongPhase)
	tb.refused(Second, Drop{UCI: "p@a7"}, NotYourTurn)
	for drop, code := range map[string]Code{"N@a2": IllegalMove, "p@a2": IllegalMove, "P@a3": IllegalMove, "P@e1": IllegalMove, "P@i2": BadCommand, "": BadCommand} {
		tb.refused(First, Drop{UCI: drop}, code)
	}
	tb.play("P@a2")
	if tb.s.Pools != [2]string{"N", "p"} || tb.s.Phase != PhaseMove {
		t.Errorf("pools %v, phase %s", tb.s.Pools, tb.s.Phase)
	}
}

// Captured men lie in the pool of their army; a promoted man is what it was taken as,
// so it does not come back as a pawn.
func TestPoolsOfChessUno(t *testing.T) {
	tb := fromPosition(t, nil, "7k/8/8/8/8/8/r7/1N5K b - - 0 1", "R2 B1")
	tb.play("a2a1", "a1b1")
	if tb.s.Pools != [2]string{"N", ""} {
		t.Errorf("after a knight was taken: %v", tb.s.Pools)
	}
	tb = fromPosition(t, nil, "7k/P7/1r6/8/8/8/8/7K w - - 0 1", "R1 B2 G+2 R1")
	tb.play("a7a8n", "b6b8", "b8a8")
	if tb.s.Pools != [2]string{"N", ""} || tb.s.Phase != PhaseMove {
		t.Errorf("after a promoted knight was taken: %v, phase %s", tb.s.Pools, tb.s.Phase)
	}
}

// Views of Chess-Uno ask for no secret: all that a seat may know lies open.
func TestViewsOfChessUno(t *testing.T) {
	tb := series(t, Create{}, "R1 B3 G1")
	tb.play("e2e4", "d7d5")
	own, other, spectator := ViewFor(tb.s, Second, noSecrets{t}), ViewFor(tb.s, First, noSecrets{t}), ViewFor(tb.s, Spectator, noSecrets{t})
	if own.Table.Left != 2 || own.Table.InPlay.Card.Code() != "B3" || own.Table.Draw != 74 || !slices.Equal(own.Can, []string{"pass"}) || len(own.Legal) == 0 {
		t.Errorf("the seat that acts sees %+v, legal %v, can %v", own.Table, own.Legal, own.Can)
	}
	if len(own.Table.Discards[0]) != 1 || len(own.Table.Discards[1]) != 0 {
		t.Errorf("discards %v", own.Table.Discards)
	}
	for _, v := range []View{other, spectator} {
		if v.Legal != nil || v.Can != nil || v.Claim || v.Link {
			t.Errorf("%s is told what is open: %v %v", v.As, v.Legal, v.Can)
		}
		if v.Table.Left != 2 || v.Table.InPlay == nil || v.Table.InPlay.Card.Code() != "B3" || v.Table.Draw != 74 || v.Seats[0].Army != "white" {
			t.Errorf("%s sees %+v", v.As, v.Table)
		}
	}
}

// noSecrets is for views that have no need of any.
type noSecrets struct{ t *testing.T }

func (n noSecrets) Order(fair.State, int) []int {
	n.t.Error("a view asked for the order of a pile")
	return nil
}

// The end of a sealed game shows the order of its piles; a live one has none to show.
func TestPilesAreShownAtTheEnd(t *testing.T) {
	for pile, shown := range map[string]int{"sealed": 1, "live": 0} {
		tb := series(t, Create{Options: Options{"pile": TextValue(pile)}}, "")
		events := tb.must(First, Resign{})
		v := ViewFor(tb.s, Spectator, nil)
		switch {
		case shown == 0 && (v.Table.Revealed != nil || strings.Contains(types(events), "HandsRevealed")):
			t.Errorf("a live pile showed %v", v.Table.Revealed)
		case shown == 1 && (v.Table.Revealed == nil || len(v.Table.Revealed.Piles) != 1 || len(v.Table.Revealed.Piles[0]) != 76):
			t.Errorf("a sealed pile showed %v", v.Table.Revealed)
		}
	}
}

// A game that outlasts a chain of links is drawn where the next card needs one.
func TestExhaustedPile(t *testing.T) {
	for name, c := range map[string]struct {
		pile  string
		spend func(*State)
	}{
		"no roll is left for a live pile": {"live", func(s *State) { s.Fair.Rolls = s.Fair.Len }},
		"no link is left for a shuffle": {"sealed", func(s *State) {
			s.Fair.Seat[0].Opened, s.Fair.Seat[0].Fresh = fair.DefaultLen, true
			s.Fair.Piles = slices.Clone(s.Fair.Piles)
			s.Fair.Piles[0].Cursor = len(s.Fair.Piles[0].In)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			tb := series(t, Create{Options: Options{"pile": TextValue(c.pile), "includeZero": BoolValue(false)}}, "R1")
			if c.pile == "live" {
				tb.s.Cards.InPlay, tb.s.Series = cards.Dealt{Card: cards.Card{Kind: cards.Number, Color: cards.Red, Number: 1}}, Series{Left: 1}
				tb.s.Phase = PhaseMove
			}
			c.spend(&tb.s)
			tb.play("e2e4")
			tb.ended(Drawn, Spectator, Exhausted)
		})
	}
}

// duetOfTwo is a game in duet whose seats both keep chains, White to make his only
// move of the turn.
func duetOfTwo(t *testing.T, clock *ClockSpec) *seriesGame {
	t.Helper()
	for seed := range uint64(100) {
		o := Options{"pile": TextValue("live"), "duet": BoolValue(true), "maxCardNumber": IntValue(1), "includeZero": BoolValue(false)}
		g := newSeriesGame(t, seed, Create{Options: o, Clock: clock}, 3)
		for len(g.s.Owing()) > 0 {
			g.ask(g.s.Owing()[0], OpenLink{})
		}
		if g.s.Turn() == WhiteArmy && g.s.Phase == PhaseMove && g.s.White == First {
			return g
		}
	}
	t.Fatal("no card of a hundred games grants White a move")
	return nil
}

// In duet the next card waits for a fresh link of both seats; whoever owes one pays for
// the time. Links let no offer lapse.
func TestDuetOfChessUno(t *testing.T) {
	g := duetOfTwo(t, &ClockSpec{Base: minute})
	g.ask(Second, OfferDraw{})
	if v := ViewFor(g.s, First, nil); v.Link {
		t.Error("in duet a move has to carry a link")
	}
	legal := LegalMoves(g.s)
	g.ask(First, ActionOf(legal[0])) // lets the offer lapse
	g.ask(First, OfferDraw{})
	if !slices.Equal(g.s.Owing(), []Seat{First, Second}) || g.s.Phase != PhaseLink || g.s.ToAct() != Spectator {
		t.Fatalf("in phase %s %v owe a link", g.s.Phase, g.s.Owing())
	}
	if _, err := Decide(g.s, Command{By: Second, At: g.s.At, Action: Move{UCI: "e7e5"}}, g.dealer); !errors.Is(err, WrongPhase) {
		t.Errorf("a move before the card: %v", err)
	}
	if v := ViewFor(g.s, Second, nil); !v.Link || v.Legal != nil || v.Table.InPlay != nil {
		t.Errorf("the seat that owes a link sees %v, legal %v, card %v", v.Link, v.Legal, v.Table.InPlay)
	}
	rolls, before := g.s.Fair.Rolls, g.s.Clock.Left
	g.s.At += 1_000
	g.ask(First, OpenLink{})
	if g.s.Fair.Rolls != rolls || g.s.Clock.Running != Second || g.s.Clock.Left[0] >= before[0]-1_000 {
		t.Errorf("after one link %d rolls, %s runs, %v left of %v", g.s.Fair.Rolls-rolls, g.s.Clock.Running, g.s.Clock.Left, before)
	}
	g.ask(Second, OpenLink{})
	if g.s.Fair.Rolls != rolls+1 || g.s.Offer != First {
		t.Errorf("after both links %d rolls, the offer of %s stands", g.s.Fair.Rolls-rolls, g.s.Offer)
	}
}

// A client may send the link of the next card along with its move.
func TestDuetLinkWithAMove(t *testing.T) {
	g := duetOfTwo(t, nil)
	link := g.chains[0].Link(g.s.Fair.Seat[0].Opened + 1)
	events, err := Decide(g.s, Command{By: First, At: g.s.At, Action: ActionOf(LegalMoves(g.s)[0]), Link: &link}, g.dealer)
	if err != nil {
		t.Fatal(err)
	}
	g.s = Fold(g.s, events...)
	if !slices.Equal(g.s.Owing(), []Seat{Second}) {
		t.Errorf("%v owe a link", g.s.Owing())
	}
	g.s.At += 60_000
	late, err := Decide(g.s, Command{At: g.s.At, Action: CallForfeit{Seat: Second}}, g.dealer)
	if err != nil || Fold(g.s, late...).Winner != First {
		t.Errorf("a link that never comes: %s, %v", types(late), err)
	}
}

// An offer lapses with the other seat's next action, and with nothing that happens by
// itself.
func TestOffersInASeries(t *testing.T) {
	tb := series(t, Create{}, "R3 B0 G1 Y1")
	tb.play("e2e4")
	tb.must(Second, OfferDraw{})
	tb.play("pass")
	if tb.s.Offer != Spectator {
		t.Error("an offer outlasts the other seat's pass")
	}
	tb.must(First, OfferDraw{})
	tb.play("a2a3")
	if tb.s.Turn() != BlackArmy || tb.s.Offer != First {
		t.Errorf("%s is to move, the offer of %s stands", tb.s.Turn(), tb.s.Offer)
	}
	tb.must(Second, AcceptDraw{})
	tb.ended(Drawn, Spectator, Agreement)
}

// Positions that are over before they begin cannot be agreed upon.
func TestStartsOfChessUno(t *testing.T) {
	for fen, code := range map[string]Code{
		"4k3/8/8/8/8/8/8/8 w - - 0 1":      BadPosition,
		"8/8/8/8/8/8/8/8 w - - 0 1":        BadPosition,
		"4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1": BadPosition,
	} {
		c := Command{By: First, Action: Create{Variant: "chessuno", Start: fen}}
		if _, err := Decide(New("start"), c, fair.NewDealer("start", fair.Seed{})); !errors.Is(err, code) {
			t.Errorf("%s: %v, want %s", fen, err, code)
		}
	}
}

func TestAGameShufflesAsOftenAsItsLastRecordCanShow(t *testing.T) {
	for piles, want := range map[int]bool{mostPiles - 1: false, mostPiles: true} {
		if got := exhausted(fair.State{Piles: make([]fair.Pile, piles)}); got != want {
			t.Errorf("with %d piles exhausted is %v", piles, got)
		}
	}
	order := make([]cards.ID, 108)
	for i := range order {
		order[i] = cards.ID(i)
	}
	piles := make([][]cards.ID, mostPiles)
	for i := range piles {
		piles[i] = order
	}
	b, err := json.Marshal(HandsRevealed{Piles: piles})
	if err != nil || len(b) > 60_000 {
		t.Errorf("the fullest reveal takes %d bytes (%v), which leaves no room in a record", len(b), err)
	}
}
