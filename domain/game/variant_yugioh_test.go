package game

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"chancery/domain/fair"
)

// loaded is chance whose dice fall as they are told to, and by themselves after that.
type loaded struct {
	*fair.Dealer
	rolls [][]int // faces as printed
}

func (l *loaded) Roll(at fair.State, sides ...int) *fair.Roll {
	r := l.Dealer.Roll(at, sides...)
	if len(l.rolls) == 0 {
		return r
	}
	r.Out = slices.Clone(l.rolls[0])
	l.rolls = l.rolls[1:]
	for i := range r.Out {
		if sides[i] != 10 {
			r.Out[i]--
		}
	}
	return r
}

// A diceTable is a game with loaded dice.
type diceTable struct {
	t    *testing.T
	s    State
	dice *loaded
	now  Instant
}

func newDiceTable(t *testing.T, c Create, rolls ...[]int) *diceTable {
	t.Helper()
	tb := &diceTable{t: t, s: New("test-game"), dice: &loaded{fair.NewDealer("test-game", fair.Seed{5}), rolls}, now: 1_000_000}
	c.Variant = "yugioh"
	if c.Options["duet"].Bool() {
		c.Anchor = ptr(player(First).Anchor())
	}
	tb.must(First, c)
	return tb
}

var (
	firstIsWhite = []int{20, 1}
	oneEight     = []int{1, 2, 3, 8, 5, 6, 7, 1, 2, 3}
	noEight      = []int{4, 4, 1, 7, 2, 6, 3, 5, 7, 7}
)

// diceGame is a game with the first seat as White, from a position and pools.
func diceGame(t *testing.T, fen string, pools [2]string, rolls ...[]int) *diceTable {
	t.Helper()
	tb := newDiceTable(t, Create{Start: fen}, append([][]int{firstIsWhite, oneEight}, rolls...)...)
	tb.must(Second, Join{})
	tb.s.Pools = pools
	tb.s.past = &past{key: tb.s.past.key, men: pools}
	return tb
}

func (tb *diceTable) do(by Seat, a Action) ([]Event, error) {
	c := Command{By: by, At: tb.now, Action: a}
	if _, link := a.(OpenLink); link && by != Spectator {
		c.Link = ptr(player(by).Link(tb.s.Fair.Seat[by.Wire()].Opened + 1))
	}
	events, err := Decide(tb.s, c, tb.dice)
	tb.s = Fold(tb.s, events...)
	return events, err
}

func (tb *diceTable) must(by Seat, a Action) []Event {
	tb.t.Helper()
	events, err := tb.do(by, a)
	if err != nil {
		tb.t.Fatalf("%#v by %s: %v", a, by, err)
	}
	return events
}

// play plays moves and choices by whoever must act, and gives the types of the last
// record's events.
func (tb *diceTable) play(actions ...string) (last string) {
	tb.t.Helper()
	for _, a := range actions {
		last = types(tb.must(tb.s.ToAct(), ActionOf(a)))
	}
	return last
}

func (tb *diceTable) refused(by Seat, a Action, code Code) {
	tb.t.Helper()
	before := tb.s
	if _, err := tb.do(by, a); !errors.Is(err, code) {
		tb.t.Errorf("%#v by %s: got %v, want %s", a, by, err, code)
	}
	if tb.s.N != before.N || tb.s.FEN != before.FEN {
		tb.t.Errorf("the refused %#v changed something", a)
	}
}

func (tb *diceTable) ended(r Result, winner Seat, why Reason) {
	tb.t.Helper()
	if tb.s.Result != r || tb.s.Winner != winner || tb.s.Reason != why || tb.s.Phase != PhaseOver || !tb.s.Fair.Revealed {
		tb.t.Fatalf("ended %s %s %s (phase %s), want %s %s %s", tb.s.Result, tb.s.Winner, tb.s.Reason, tb.s.Phase, r, winner, why)
	}
}

func (tb *diceTable) waits(phase Phase, army Army, fen string) {
	tb.t.Helper()
	if tb.s.Phase != phase || tb.s.Army(tb.s.ToAct()) != army || !strings.HasPrefix(tb.s.FEN, fen) {
		tb.t.Fatalf("%s of %s in %s, want %s of %s in %s", tb.s.Phase, tb.s.Army(tb.s.ToAct()), tb.s.FEN, phase, army, fen)
	}
}

func TestDiceGiveTheColors(t *testing.T) {
	tests := []struct {
		name   string
		color  ColorPref // of no account
		rolls  [][]int
		record string
		white  Seat
	}{
		{
			"the first is higher", PreferBlack,
			[][]int{firstIsWhite, oneEight},
			"PlayerJoined LinkOpened DiceRolled ColorsDrawn DiceRolled GameStarted", First,
		},
		{
			"the second is higher", PreferWhite,
			[][]int{{3, 4}, oneEight},
			"PlayerJoined LinkOpened DiceRolled ColorsDrawn DiceRolled GameStarted", Second,
		},
		{
			"ties are rolled again", PreferRandom,
			[][]int{{17, 17}, {1, 1}, {4, 17}, oneEight},
			"PlayerJoined LinkOpened DiceRolled DiceRolled DiceRolled ColorsDrawn DiceRolled GameStarted", Second,
		},
		{
			"no eight", "",
			[][]int{firstIsWhite, noEight},
			"PlayerJoined LinkOpened DiceRolled ColorsDrawn DiceRolled GameStarted GameEnded SeedRevealed", First,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tb := newDiceTable(t, Create{Color: test.color}, test.rolls...)
			if got := types(tb.must(Second, Join{})); got != test.record {
				t.Errorf("joining gave %s", got)
			}
			if tb.s.White != test.white || tb.s.FEN != orthodoxStart {
				t.Errorf("%s is White in %s", tb.s.White, tb.s.FEN)
			}
			if faces := tb.s.Dice.Faces; !slices.Equal(faces, test.rolls[len(test.rolls)-1]) || tb.s.Dice.Purpose != "eight" {
				t.Errorf("the last roll is %+v", tb.s.Dice)
			}
		})
	}
}

func TestNoEightLoses(t *testing.T) {
	tb := newDiceTable(t, Create{}, []int{2, 19}, noEight)
	tb.must(Second, Join{})
	tb.ended(WhiteWins, Second, NoEight)
	tb.refused(Second, Move{UCI: "e2e4"}, GameOver)
}

// TestTurns plays one move, rolls, and looks at what comes of it.
func TestTurns(t *testing.T) {
	const mating, matingMove = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8"
	const bare = "4k3/8/8/8/8/8/8/4K3 w - - 12 7"
	tests := []struct {
		name, fen    string
		white, black string
		play         string
		rolls        [][]int
		record       string // types of the last record
		phase        Phase
		acts         Army
		want         string // beginning of the FEN
	}{
		{
			"a tie", orthodoxStart, "P", "p", "e2e4",
			[][]int{{0, 0}},
			"MovePlayed DiceRolled TurnEnded", PhaseMove, BlackArmy,
			"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
		},
		{"nine against zero", orthodoxStart, "", "", "e2e4", [][]int{{9, 0}}, "MovePlayed DiceRolled GameEnded SeedRevealed", PhaseOver, 0, ""},
		{"a choice is waited for", bare, "P", "", "e1d1", [][]int{{3, 2}}, "MovePlayed DiceRolled", PhaseChoose, WhiteArmy, "4k3/8/8/8/8/8/8/3K4 b - - 13 7"},
		{"a pawn comes back", bare, "P", "", "e1d1 P@c2", [][]int{{3, 2}}, "PieceDropped TurnEnded", PhaseMove, BlackArmy, "4k3/8/8/8/8/8/2P5/3K4 b - - 0 7"},
		{
			"a pawn is promoted", "4k3/8/8/8/4P3/8/8/4K3 w - - 12 7", "", "", "e1d1 e4",
			[][]int{{5, 1}},
			"PawnPromoted TurnEnded", PhaseMove, BlackArmy,
			"4k3/8/8/8/4Q3/8/8/3K4 b - - 0 7",
		},
		{"an impossible effect", bare, "Q", "", "e1d1", [][]int{{2, 1}}, "MovePlayed DiceRolled TurnEnded", PhaseMove, BlackArmy, "4k3/8/8/8/8/8/8/3K4 b - - 13 7"},
		{
			"a skip", orthodoxStart, "", "", "g1f3",
			[][]int{{8, 2}},
			"MovePlayed DiceRolled TurnSkipped TurnEnded", PhaseMove, WhiteArmy,
			"rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 1 2",
		},
		{"a skip in check", mating, "", "", matingMove, [][]int{{4, 1}}, "MovePlayed DiceRolled TurnSkipped GameEnded SeedRevealed", PhaseOver, 0, ""},
		{
			"a skip without another move", "7k/8/6Q1/p7/8/P7/8/K7 b - - 0 1", "", "", "a5a4",
			[][]int{{8, 2}},
			"MovePlayed DiceRolled TurnEnded", PhaseMove, WhiteArmy,
			"7k/8/6Q1/8/p7/P7/8/K7 w - - 0 2",
		},
		{
			"a skip of a stalemated side", "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "", "", "f1f7",
			[][]int{{9, 2}},
			"MovePlayed DiceRolled TurnSkipped TurnEnded", PhaseMove, WhiteArmy,
			"7k/5Q2/6K1/8/8/8/8/8 w - - 1 2",
		},
		{"stalemate", "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "", "", "f1f7", [][]int{{1, 3}}, "MovePlayed DiceRolled TurnEnded GameEnded SeedRevealed", PhaseOver, 0, ""},
		{"mate", mating, "", "", matingMove, [][]int{{1, 1}, {5, 12}}, "MovePlayed DiceRolled TurnEnded DiceRolled GameEnded SeedRevealed", PhaseOver, 0, ""},
		{
			"a gift blocks the mate", mating, "", "n", matingMove + " n@b8",
			[][]int{{1, 5}},
			"PieceDropped TurnEnded", PhaseMove, BlackArmy,
			"Rn4k1/5ppp/8/8/8/8/8/6K1 b - - 0 1",
		},
		{"a queen mates", "6k1/5ppp/8/8/8/8/P7/R5K1 w - - 0 1", "", "", "a1d1 a2", [][]int{{5, 1}, {4, 4}}, "PawnPromoted TurnEnded", PhaseMove, BlackArmy, ""},
		{
			"the right to castle dies with the rook", "4k3/7p/8/8/8/8/7P/4K3 w - - 0 1", "R", "", "h2h3 R@h1",
			[][]int{{3, 1}},
			"PieceDropped TurnEnded", PhaseMove, BlackArmy,
			"4k3/7p/8/8/8/7P/8/4K2R b - - 0 1",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tb := diceGame(t, test.fen, [2]string{test.white, test.black}, test.rolls...)
			if got := tb.play(strings.Fields(test.play)...); got != test.record {
				t.Errorf("the record is %s, want %s", got, test.record)
			}
			tb.waits(test.phase, tb.s.Army(tb.s.ToAct()), test.want)
			if test.phase != PhaseOver && tb.s.Army(tb.s.ToAct()) != test.acts {
				t.Errorf("%s acts", tb.s.Army(tb.s.ToAct()))
			}
		})
	}
}

func TestHowTheDiceEndGames(t *testing.T) {
	const mating = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
	tests := []struct {
		name, fen, move string
		rolls           [][]int
		result          Result
		winner          Seat
		reason          Reason
	}{
		{"nine against zero", orthodoxStart, "e2e4", [][]int{{9, 0}}, WhiteWins, First, NineZero},
		{"nine against zero for Black", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", "e8e7", [][]int{{9, 0}}, BlackWins, Second, NineZero},
		{"nine against zero after mate", mating, "a1a8", [][]int{{9, 0}}, WhiteWins, First, NineZero},
		{"skipped while mated", mating, "a1a8", [][]int{{8, 2}}, WhiteWins, First, SkippedCheck},
		{"mate", mating, "a1a8", [][]int{{0, 7}, {12, 1}}, WhiteWins, First, Checkmate},
		{"the mater's twelve", mating, "a1a8", [][]int{{0, 7}, {12, 12}}, WhiteWins, First, Checkmate},
		{"two ones", mating, "a1a8", [][]int{{0, 7}, {1, 1}}, WhiteWins, First, Checkmate},
		{"one against twelve", mating, "a1a8", [][]int{{0, 7}, {1, 12}}, BlackWins, Second, TwelveOne},
		{"Black's one against twelve", "r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 1", "a8a1", [][]int{{0, 0}, {1, 12}}, WhiteWins, First, TwelveOne},
		{"stalemate", "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7", [][]int{{5, 5}}, Drawn, Spectator, Stalemate},
		{"seventy-five moves", "4k2r/8/8/8/8/8/8/R3K3 w - - 149 90", "e1e2", [][]int{{1, 1}}, Drawn, Spectator, FiftyMoves},
		{"mate beats the counter", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 149 90", "a1a8", [][]int{{1, 1}, {2, 2}}, WhiteWins, First, Checkmate},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tb := diceGame(t, test.fen, [2]string{}, test.rolls...)
			tb.play(test.move)
			tb.ended(test.result, test.winner, test.reason)
		})
	}
}
