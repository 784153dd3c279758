package game

import (
	"slices"
	"strings"
	"testing"

	"chancery/domain/chess"
)

// The outcomes of the mover's and the opponent's die, by effect, as the rules list
// them: mover first. Equal dice do nothing, and every lower roll gives a man back.
var outcomes = map[Effect]string{
	NoEffect:    "00 11 22 33 44 55 66 77 88 99",
	WinAtOnce:   "90",
	MakeQueen:   "10 20 30 40 50 60 70 80 51 61 71 81 91",
	SkipTurn:    "41 82 92",
	ReturnPiece: "31 62 72 93",
	ReturnPawn:  "21 32 42 52 43 53 63 73 83 54 64 74 84 94 65 75 85 95 76 86 96 87 97 98",
	GiveBack: "01 02 03 04 05 06 07 08 09 12 13 14 15 16 17 18 19 23 24 25 26 27 28 29 34 35 36 37 38 39 " +
		"45 46 47 48 49 56 57 58 59 67 68 69 78 79 89",
}

func TestAllHundredRolls(t *testing.T) {
	seen := map[Effect]int{}
	for m := range 10 {
		for n := range 10 {
			effect, roll := rowOf(m, n).effect, string([]byte{'0' + byte(m), '0' + byte(n)})
			seen[effect]++
			if !slices.Contains(strings.Fields(outcomes[effect]), roll) {
				t.Errorf("%d against %d: %s", m, n, effect)
			}
		}
	}
	for effect, n := range map[Effect]int{NoEffect: 10, WinAtOnce: 1, MakeQueen: 13, SkipTurn: 3, ReturnPiece: 4, ReturnPawn: 24, GiveBack: 45} {
		if seen[effect] != n || len(strings.Fields(outcomes[effect])) != n {
			t.Errorf("%s: %d of 100 rolls, want %d", effect, seen[effect], n)
		}
	}
}

func TestOddsOfPawns(t *testing.T) {
	var byOpponent [10]int
	for _, roll := range strings.Fields(outcomes[ReturnPawn]) {
		byOpponent[roll[1]-'0']++
	}
	if byOpponent != [10]int{0, 1, 3, 5, 5, 4, 3, 2, 1, 0} {
		t.Errorf("pawn rolls by the opponent's die: %v", byOpponent)
	}
}

// On the first move the pools are empty, so that 17 of 100 rolls do anything.
func TestOddsOfTheFirstMove(t *testing.T) {
	s := State{FEN: "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", Variant: "yugioh"}
	p, err := s.Position()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for i := range 100 {
		if row := rowOf(i/10, i%10); row.effect != NoEffect && !row.impossible(&s, &p) {
			n++
		}
	}
	if n != 17 {
		t.Errorf("%d of 100 rolls do something, want 17", n)
	}
}

// Of the 64 ways two eight-sided dice fall, 49 show no eight; ten dice fail in
// 282475249 of 1073741824 cases, which is 26.3 %. Were sums to count, it were 56 %.
func TestOddsOfTheEights(t *testing.T) {
	fails, all := 1, 1
	for range 5 {
		failed := 0
		for i := range 64 {
			if !slices.Contains(fromOne([]int{i / 8, i % 8}), 8) {
				failed++
			}
		}
		fails, all = fails*failed, all*64
	}
	if fails != 282475249 || all != 1073741824 {
		t.Errorf("%d of %d games are lost before the first move", fails, all)
	}
}

const pawnRow2, pawnRow7 = "P@a2 P@b2 P@c2 P@d2 P@e2 P@f2 P@g2 P@h2", "p@a7 p@b7 p@c7 p@d7 p@e7 p@f7 p@g7 p@h7"

func TestChoices(t *testing.T) {
	tests := []struct {
		name, fen    string // the board after the move: the opponent of the mover is to move
		white, black string // captured men
		effect       Effect
		open         string
	}{
		{"any pawn, wherever it stands", "4k3/P7/8/3p4/4P3/8/8/4K3 b - - 0 1", "", "", MakeQueen, "a7 e4"},
		{"Black's pawns are his", "4k3/P7/8/3p4/4P3/8/8/4K3 w - - 0 1", "", "", MakeQueen, "d5"},
		{"a new queen on the second row", "4k3/p7/8/8/8/8/2N5/4K3 b - - 0 1", "PQ", "q", MakeQueen, "Q@a2 Q@b2 Q@d2 Q@e2 Q@f2 Q@g2 Q@h2"},
		{"a new black queen", "4k3/rnbbqnnr/8/8/8/8/8/4K3 w - - 0 1", "", "", MakeQueen, ""},
		{
			"any kind of the pool once", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", "RPRNBQ", "q", ReturnPiece,
			pawnRow2 + " R@a1 R@h1 N@b1 N@g1 B@c1 B@f1 Q@d1",
		},
		{
			"black men on Black's side", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "R", "rnbqp", ReturnPiece,
			pawnRow7 + " r@a8 r@h8 n@b8 n@g8 b@c8 b@f8 q@d8",
		},
		{"occupied squares are not open", "rnb1kbnr/8/8/8/8/8/8/R1Bn1KN1 b - - 0 1", "RNBQ", "", ReturnPiece, "R@h1 N@b1"},
		{"an enemy man occupies too", "3bk3/8/8/8/8/8/8/3qK3 w - - 0 1", "Q", "q", ReturnPiece, ""},
		{"a full pool finds no square", "4k3/8/8/8/8/8/PPPPPPPP/R2QK2R b - - 0 1", "PRQ", "", ReturnPiece, ""},
		{"only pawns in the pawn row", "4k3/8/8/8/8/8/1P6/4K3 b - - 0 1", "QPP", "p", ReturnPawn, strings.Replace(pawnRow2, "P@b2 ", "", 1)},
		{"no pawn was taken", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", "QRB", "p", ReturnPawn, ""},
		{"the pawn row is full", "4k3/8/8/8/8/8/PPPPPPPP/4K3 b - - 0 1", "P", "", ReturnPawn, ""},
		{"the opponent's men on his side", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", "Q", "rb", GiveBack, "r@a8 r@h8 b@c8 b@f8"},
		{"nothing of the opponent was taken", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", "Q", "", GiveBack, ""},
		{"no man that checks the giver", "4k3/8/8/3K4/8/8/8/8 b - - 0 1", "", "qp", GiveBack, pawnRow7},
		{"a rook on one square, not on the other", "4k3/8/8/8/8/8/8/K7 b - - 0 1", "", "r", GiveBack, "r@h8"},
		{"a knight and pawns beside the giver's king", "7k/8/2K5/8/8/8/8/8 b - - 0 1", "", "np", GiveBack, "n@g8 p@a7 p@c7 p@e7 p@f7 p@g7 p@h7"},
		{"a white bishop does not check Black", "8/8/8/8/5k2/8/8/4K3 w - - 0 1", "B", "", GiveBack, "B@f1"},
		{"a blocked line checks nobody", "4k3/8/P7/8/8/8/8/K7 b - - 0 1", "", "r", GiveBack, "r@a8 r@h8"},
		{"nothing to choose in a skip", "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", "P", "p", SkipTurn, ""},
		{"nothing to choose after a tie", "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", "P", "p", NoEffect, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p, err := chess.ParsePosition(test.fen, chess.Orthodox)
			if err != nil {
				t.Fatal(err)
			}
			s := State{Phase: PhaseChoose, Effect: test.effect, Pools: [2]string{test.white, test.black}}
			got, want := writtenChoices(s, &p), strings.Fields(test.open)
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("open are %v, want %v", got, want)
			}
		})
	}
}

func TestSamePools(t *testing.T) {
	tests := []struct {
		a, b [2]string
		same bool
	}{
		{[2]string{"PNP", "q"}, [2]string{"NPP", "q"}, true},
		{[2]string{"", ""}, [2]string{"", ""}, true},
		{[2]string{"PN", ""}, [2]string{"PP", ""}, false},
		{[2]string{"P", ""}, [2]string{"", "p"}, false},
		{[2]string{"PPN", "q"}, [2]string{"PNN", "q"}, false},
	}
	for _, test := range tests {
		if samePools(test.a, test.b) != test.same {
			t.Errorf("%v and %v: same is not %v", test.a, test.b, test.same)
		}
	}
}
