package game

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"chancery/domain/chess"
	"chancery/domain/fair"
)

var unachessKeys = []string{"unachess1", "unachess2", "unachess3"}

// fromFEN is a game of the variant that begins with an agreed position.
func fromFEN(t *testing.T, variant, fen string) *table {
	t.Helper()
	return newTable(t, Create{Variant: variant, Start: fen})
}

func TestFirstDrops(t *testing.T) {
	for _, c := range []struct {
		variant      string
		english      bool
		first, reply uint64
	}{
		{"unachess1", false, 344, 116076},
		{"unachess2", false, 344, 112786},
		{"unachess3", false, 344, 96496},
		{"unachess2", true, 352, 0},
		{"unachess3", true, 352, 0},
	} {
		options := Options{}
		if c.english {
			options["englishPawns"] = BoolValue(true)
		}
		tb := newTable(t, Create{Variant: c.variant, Options: options})
		if n := len(LegalMoves(tb.s)); n != int(c.first) {
			t.Errorf("%s, englishPawns %v: %d first drops, want %d", c.variant, c.english, n, c.first)
		}
		p, err := tb.s.Position()
		if err != nil {
			t.Fatal(err)
		}
		if n := chess.Perft(&p, 2); c.reply != 0 && n != c.reply {
			t.Errorf("%s: %d sequences of two, want %d", c.variant, n, c.reply)
		}
	}
	if _, err := unachess1.Complete(Options{"englishPawns": BoolValue(true)}); !errors.Is(err, BadOption) {
		t.Errorf("Unachess I took an option of the others: %v", err)
	}
}

func TestDropIsWrittenDown(t *testing.T) {
	tb := clocked(t, Create{Variant: "unachess1", Start: "4k3/8/8/8/8/8/8/K7[Rnn] w - - 7 30"})
	tb.now += 5_000
	events := tb.must(First, Drop{UCI: "R@e4"})
	want := PieceDropped{
		Army: WhiteArmy, Check: true, FEN: "4k3/8/8/8/4R3/8/8/K7[nn] b - - 0 30",
		From: "reserve", Piece: "R", SAN: "R@e4+", Square: "e4",
	}
	got, _ := events[0].Fact.(PieceDropped)
	if got.Clock == nil || *got.Clock != (Clocks{57_000, minute}) {
		t.Errorf("clocks %v", got.Clock)
	}
	if got.Clock = nil; got != want {
		t.Errorf("\n got %+v\nwant %+v", got, want)
	}
	tb.must(Second, Drop{UCI: "n@e7"})
	if tb.s.Last != "n@e7" || tb.s.Plies != 2 || tb.s.ToAct() != First {
		t.Errorf("last %s, ply %d, %s acts", tb.s.Last, tb.s.Plies, tb.s.ToAct())
	}
}

func TestDropsAreReadStrictly(t *testing.T) {
	for _, c := range []struct {
		drop string
		code Code
		rule chess.Rule
	}{
		{"N@f6", IllegalMove, chess.RuleNotYours},
		{"n@e8", IllegalMove, chess.RuleOccupied},
		{"q@f6", IllegalMove, chess.RuleReserve},
		{"k@f6", IllegalMove, chess.RuleReserve},
		{"p@f4", IllegalMove, chess.RulePawnRank},
		{"p@f8", IllegalMove, chess.RulePawnRank},
		{"@f1", IllegalMove, chess.RulePawnRank},
		{"n@d7", IllegalMove, chess.RuleDropAttacksMan},
		{"n@b4", IllegalMove, chess.RuleDropAttacksKing},
		{"", BadCommand, ""},
		{"n@", BadCommand, ""},
		{"n@f9", BadCommand, ""},
		{"x@f6", BadCommand, ""},
		{"nn@f6", BadCommand, ""},
		{"f6n@", BadCommand, ""},
		{"f7f6", BadCommand, ""},
		{"é@f6", BadCommand, ""},
	} {
		tb := fromFEN(t, "unachess3", "4k3/8/8/2Q1P3/8/8/2K5/8[Nnp] b - - 0 1")
		before := tb.s.FEN
		_, err := tb.do(Second, Drop{UCI: c.drop})
		var illegal *chess.IllegalMoveError
		if !errors.Is(err, c.code) || c.rule != "" && (!errors.As(err, &illegal) || illegal.Rule != c.rule) {
			t.Errorf("%q: got %v, want %s %s", c.drop, err, c.code, c.rule)
		}
		if tb.s.FEN != before {
			t.Errorf("%q was refused and changed the position", c.drop)
		}
	}
	tb := fromFEN(t, "unachess3", "4k3/8/8/8/8/8/2K5/8[p] b - - 0 1")
	tb.refused(Second, Move{UCI: "p@h5"}, BadCommand)
	tb.refused(Second, Move{UCI: "@h5"}, BadCommand)
	tb.refused(Second, Promote{Square: "e4"}, BadCommand)
	tb.refused(First, Drop{UCI: "p@h5"}, NotYourTurn)
	if events := tb.must(Second, Drop{UCI: "@h5"}); events[0].Fact.(PieceDropped).Piece != "p" {
		t.Errorf("a pawn without a letter is %v", events[0].Fact)
	}
}

// What a drop may attack, by game. The first king alone has a rule for both.
func TestWhatDropsMayAttack(t *testing.T) {
	for _, c := range []struct {
		name, fen, drop string
		legal           [3]bool
	}{
		{"nothing", "4k3/8/8/8/8/8/8/8[KQ] w - - 0 1", "Q@d1", [3]bool{true, true, true}},
		{"the king, own king in reserve", "4k3/8/8/8/8/8/8/8[KQ] w - - 0 1", "Q@e1", [3]bool{true, false, false}},
		{"the king, own king placed", "4k3/8/8/8/8/8/8/K7[Q] w - - 0 1", "Q@e1", [3]bool{true, false, false}},
		{"the king, by a pawn", "8/8/8/4k3/8/8/8/K7[P] w - - 0 1", "P@d4", [3]bool{true, false, false}},
		{"nothing, by the pawn in front", "8/8/8/4k3/8/8/8/K7[P] w - - 0 1", "P@e4", [3]bool{true, true, true}},
		{"the king behind a man", "4k3/4n3/8/8/8/8/8/K7[B] w - - 0 1", "B@a4", [3]bool{true, false, false}},
		{"a man before the king", "4k3/3n4/8/8/8/8/8/K7[B] w - - 0 1", "B@a4", [3]bool{true, true, false}},
		{"a protected pawn", "4k3/8/3p4/4p3/8/8/8/K7[R] w - - 0 1", "R@e1", [3]bool{true, true, false}},
		{"a man, while nothing can be captured", "4k3/8/8/8/8/n7/8/8[KR] w - - 0 1", "R@a1", [3]bool{true, true, false}},
		{"a neighbor that it does not attack", "4k3/8/8/4p3/8/8/8/K7[B] w - - 0 1", "B@d5", [3]bool{true, true, true}},
		{"men, by the king", "7k/8/8/4p3/8/8/8/8[K] w - - 0 1", "K@e4", [3]bool{true, true, false}},
		{"the king, by the king", "8/8/8/4k3/8/8/8/8[Kp] w - - 0 1", "K@e4", [3]bool{false, false, false}},
		// The older man attacked already, the one that lands does not.
		{"the king, by an older man", "4k3/8/8/8/8/8/8/4Q3[K] w - - 0 1", "K@a1", [3]bool{true, true, true}},
		{"men, by an older man", "4k3/8/8/8/8/4p3/8/4Q3[K] w - - 0 1", "K@a1", [3]bool{true, true, true}},
	} {
		for i, variant := range unachessKeys {
			tb := fromFEN(t, variant, c.fen)
			if _, err := tb.do(First, Drop{UCI: c.drop}); (err == nil) != c.legal[i] {
				t.Errorf("%s, a drop that attacks %s: legal is %v, but %v", variant, c.name, c.legal[i], err)
			}
		}
	}
}

func TestPawnsOfDropGames(t *testing.T) {
	for _, c := range []struct {
		variant    string
		english    bool
		ranks      string // on which White's pawns may be dropped, and Black's seen from Black
		doubleStep bool
	}{
		{"unachess1", false, "234", true},
		{"unachess2", false, "234", true},
		{"unachess3", false, "234", true},
		{"unachess2", true, "1234", false},
		{"unachess3", true, "1234", false},
	} {
		options := Options{}
		if c.english {
			options["englishPawns"] = BoolValue(true)
		}
		for i, turn := range []string{"w", "b"} {
			// Pawns of the side to move on its second, third and fourth rank.
			tb := newTable(t, Create{Variant: c.variant, Options: options, Start: "8/5p2/4p3/3p4/3P4/4P3/5P2/8[KPkp] " + turn + " - - 0 1"})
			legal := LegalMoves(tb.s)
			for rank := 1; rank <= 8; rank++ {
				absolute := [2]int{rank, 9 - rank}[i]
				drop := []string{"P", "p"}[i] + "@a" + string('0'+rune(absolute))
				if want := strings.ContainsRune(c.ranks, '0'+rune(rank)); slices.Contains(legal, drop) != want {
					t.Errorf("%s, englishPawns %v: %s listed is %v", c.variant, c.english, drop, !want)
				}
			}
			for from, double := range map[string][2]string{"second": {"f2f4", "f7f5"}, "third": {"e3e5", "e6e4"}, "fourth": {"d4d6", "d5d3"}} {
				if want := c.doubleStep && from == "second"; slices.Contains(legal, double[i]) != want {
					t.Errorf("%s, englishPawns %v: double step from the %s rank is %v", c.variant, c.english, from, !want)
				}
			}
		}
	}
	tb := newTable(t, Create{Variant: "unachess2", Options: Options{"englishPawns": BoolValue(true)}, Start: "4k3/8/8/8/8/8/8/4K3[Pp] w - - 0 1"})
	tb.play("P@a1", "e8e7", "a1a2")
	tb.play("e7e8")
	tb.refused(First, Move{UCI: "a2a4"}, IllegalMove)
}

func TestCastlingIsGainedByDrops(t *testing.T) {
	const castle = "e1g1"
	for _, c := range []struct {
		name  string
		fen   string // empty: the empty board
		moves []string
		legal bool
	}{
		{"king, then rook", "", []string{"K@e1", "k@a8", "R@h1", "k"}, true},
		{"rook, then king", "", []string{"R@h1", "k@a8", "K@e1", "k"}, true},
		{"no castling mark", "k7/8/8/8/8/8/8/4K3[R] w - - 0 1", []string{"R@h1", "k"}, false},
		{"a king that came on foot", "k7/8/8/8/8/8/4K3/7R[] w H - 0 1", []string{"e2e1", "k"}, false},
		{"a king that went and came", "k7/8/8/8/8/8/8/4K2R[] w K - 0 1", []string{"e1e2", "k", "e2e1", "k"}, false},
		{"a rook that went and came", "k7/8/8/8/8/8/8/4K2R[] w K - 0 1", []string{"h1h2", "k", "h2h1", "k"}, false},
		{"another rook after the first has left", "k7/8/8/8/8/8/8/4K2R[R] w K - 0 1", []string{"h1h2", "k", "R@h1", "k"}, true},
		{"another rook after the first was taken", "k7/8/8/8/8/8/6b1/4K2R[R] b K - 0 1", []string{"g2h1", "e1d1"}, false},
		{"the same with the king at home", "k6r/8/8/8/8/8/4P3/3QK2R[RP] b K - 0 1", []string{"h8h1", "e1d2", "h1d1", "d2d1"}, false},
		{"a man between", "k7/8/8/8/8/8/8/4K1NR[] w K - 0 1", nil, false},
		{"in check", "k3r3/8/8/8/8/8/8/4K2R[] w K - 0 1", nil, false},
		{"across an attacked square", "k4r2/8/8/8/8/8/8/4K2R[] w K - 0 1", nil, false},
		{"onto an attacked square", "k5r1/8/8/8/8/8/8/4K2R[] w K - 0 1", nil, false},
		{"an attacked rook", "k6r/8/8/8/8/8/8/4K2R[] w K - 0 1", nil, true},
		{"across a square that a kingless side eyes", "5r2/8/8/8/8/8/8/4K2R[k] w K - 0 1", nil, true},
	} {
		tb := newTable(t, Create{Variant: "unachess1", Start: c.fen})
		for _, m := range c.moves {
			if m == "k" { // the black king steps aside and back
				m = map[bool]string{true: "a8b8", false: "b8a8"}[slices.Contains(LegalMoves(tb.s), "a8b8")]
			}
			tb.play(m)
		}
		if slices.Contains(LegalMoves(tb.s), castle) != c.legal {
			t.Errorf("%s: castling listed is %v in %s", c.name, !c.legal, tb.s.FEN)
		}
	}
	for _, variant := range unachessKeys[1:] {
		tb := newTable(t, Create{Variant: variant})
		tb.play("K@e1", "k@a8", "R@h1", "a8b7")
		if slices.Contains(LegalMoves(tb.s), castle) || strings.Fields(tb.s.FEN)[2] != "-" {
			t.Errorf("%s knows castling: %s", variant, tb.s.FEN)
		}
	}
}

func TestEndsWithReserves(t *testing.T) {
	for _, c := range []struct {
		name, fen, move string
		reason          [3]Reason // by game; empty: play goes on
	}{
		{"mate, nothing in reserve", "r3k3/8/8/8/8/8/5PPP/6K1[] b - - 0 1", "a8a1", [3]Reason{Checkmate, Checkmate, Checkmate}},
		{"a knight blocks", "r3k3/8/8/8/8/8/5PPP/6K1[N] b - - 0 1", "a8a1", [3]Reason{}},
		{"a queen blocks where she attacks", "r3k3/8/8/8/8/8/5PPP/6K1[Q] b - - 0 1", "a8a1", [3]Reason{"", "", Checkmate}},
		{"the only block attacks the king", "1r6/8/8/8/8/3r4/7k/K7[R] b - - 0 1", "d3a3", [3]Reason{"", Checkmate, Checkmate}},
		{"no drop cures a double check", "4k3/8/8/8/4N3/8/8/K3R3[qq] w - - 0 1", "e4f6", [3]Reason{}},
		{"a drop mates", "6k1/5ppp/8/8/8/8/8/6K1[R] w - - 0 1", "R@a8", [3]Reason{Checkmate, "refused", "refused"}},
		{"the king's drop mates", "k7/1Q6/8/8/8/8/8/8[K] w - - 0 1", "K@b6", [3]Reason{Checkmate, Checkmate, Checkmate}},
		{"stalemate", "8/8/8/8/8/6k1/3q4/7K[] b - - 0 1", "d2f2", [3]Reason{Stalemate, Stalemate, Stalemate}},
		{"a pawn lifts it", "8/8/8/8/8/6k1/3q4/7K[P] b - - 0 1", "d2f2", [3]Reason{}},
		{"a man that may not land does not", "8/8/3p3p/5p2/4b3/pp6/8/K3k3[Q] b - - 0 1", "e1f2", [3]Reason{"", "", Stalemate}},
		{"a king in reserve with a safe square", "8/8/8/8/8/8/1k6/8[Kq] b - - 0 1", "q@d4", [3]Reason{}},
		{"a king in reserve without one", "5q1k/8/3q4/8/4q3/8/q7/q7[K] b - - 0 1", "f8f5", [3]Reason{Stalemate, Stalemate, Stalemate}},
		{"bare kings, one in reserve", "8/8/8/8/8/8/3r4/4K3[k] w - - 0 1", "e1d2", [3]Reason{DeadPosition, DeadPosition, DeadPosition}},
		{"a knight in reserve", "4k3/8/8/8/8/8/3r4/4K3[N] w - - 0 1", "e1d2", [3]Reason{DeadPosition, DeadPosition, DeadPosition}},
		{"two knights in reserve", "4k3/8/8/8/8/8/3r4/4K3[NN] w - - 0 1", "e1d2", [3]Reason{}},
		{"a knight for each", "4k3/8/8/8/8/8/3r4/4K3[Nn] w - - 0 1", "e1d2", [3]Reason{}},
		{"a pawn in reserve", "4k3/8/8/8/8/8/3r4/4K3[p] w - - 0 1", "e1d2", [3]Reason{}},
	} {
		for i, variant := range unachessKeys {
			tb := fromFEN(t, variant, c.fen)
			_, err := tb.do(tb.s.ToAct(), ActionOf(c.move))
			switch want := c.reason[i]; {
			case want == "refused":
				if err == nil {
					t.Errorf("%s, %s: %s was not refused", variant, c.name, c.move)
				}
			case err != nil:
				t.Errorf("%s, %s: %v", variant, c.name, err)
			case tb.s.Reason != want:
				t.Errorf("%s, %s: ended with %q, want %q", variant, c.name, tb.s.Reason, want)
			}
		}
	}
}

func TestKinglessSides(t *testing.T) {
	for _, variant := range unachessKeys {
		tb := fromFEN(t, variant, "4k3/3p4/8/8/8/8/8/3Q4[K] w - - 0 1")
		tb.refused(First, Move{UCI: "d1d7"}, IllegalMove)
		tb = fromFEN(t, variant, "1n6/P7/8/8/8/8/8/4q3[Kk] w - - 0 1")
		if legal := LegalMoves(tb.s); slices.Contains(legal, "a7b8q") || !slices.Contains(legal, "a7a8n") {
			t.Errorf("%s: a kingless pawn: %v", variant, legal)
		}
		tb.play("K@e8", "k@h1")
		if v := ViewFor(tb.s, First, nil); !v.Check || !slices.Equal(v.Attacked, []string{"e8"}) {
			t.Errorf("%s: the black king's drop made no check: %v", variant, v.Attacked)
		}
	}
}

func TestReservesAreOpen(t *testing.T) {
	tb := newTable(t, Create{Variant: "unachess2"})
	tb.play("Q@d4", "n@a8")
	tb.play("K@e1")
	for _, seat := range []Seat{Spectator, First, Second} {
		v := ViewFor(tb.s, seat, nil)
		if v.Reserves[WhiteArmy] != "RRBBNNPPPPPPPP" || v.Reserves[BlackArmy] != "kqrrbbnpppppppp" {
			t.Errorf("%s sees the reserves %v", seat, v.Reserves)
		}
		if (v.Legal != nil) != (seat == Second) {
			t.Errorf("%s is told %d legal actions", seat, len(v.Legal))
		}
	}
	if v := ViewFor(tb.s, Second, nil); !slices.Contains(v.Legal, "p@a7") || slices.Contains(v.Legal, "P@a7") {
		t.Error("Black's drops are not in lower case")
	}
	if v := ViewFor(newTable(t, Create{Variant: "chess"}).s, First, nil); v.Reserves != nil {
		t.Error("chess has reserves")
	}
}

func TestFlagWithReserves(t *testing.T) {
	for _, c := range []struct {
		fen    string
		result Result
	}{
		{"4k3/8/8/8/8/8/4P3/4K3[Pn] w - - 0 1", Drawn},
		{"8/8/8/8/8/8/4P3/4K3[Pk] w - - 0 1", Drawn},
		{"4k3/8/8/8/8/8/4P3/4K3[Pnn] w - - 0 1", BlackWins},
		{"4k3/8/8/8/8/8/4P3/4K3[Pp] w - - 0 1", BlackWins},
	} {
		tb := clocked(t, Create{Variant: "unachess3", Start: c.fen})
		tb.now += minute
		tb.refused(First, Drop{UCI: "P@a2"}, GameOver)
		tb.must(Spectator, CallFlag{Seat: First})
		if tb.s.Result != c.result {
			t.Errorf("%s: %s, want %s", c.fen, tb.s.Result, c.result)
		}
	}
}

func TestDropsAndTheRestOfTheTable(t *testing.T) {
	tb := newTable(t, Create{Variant: "unachess1", Color: PreferRandom})
	mover := tb.s.ToAct()
	tb.must(mover, OfferDraw{})
	events := tb.must(mover, Drop{UCI: "K@e1"})
	if events[0].Fair == nil || events[0].Fair.Link == nil {
		t.Error("the first drop after the lot for colors carries no link")
	}
	if tb.s.Offer != mover {
		t.Error("the offer lapsed with the offerer's own drop")
	}
	tb.must(mover.Other(), Drop{UCI: "k@e8"})
	if tb.s.Offer != Spectator {
		t.Error("the offer outlived its addressee's drop")
	}

	tb = fromFEN(t, "unachess1", "4k2r/8/8/8/8/8/8/R3K3[Pp] w - - 99 70")
	tb.play("P@a2")
	tb.refused(Second, ClaimDraw{}, NotPending)
	tb = fromFEN(t, "unachess1", "4k2r/8/8/8/8/8/8/R3K3[Pp] w - - 149 90")
	tb.play("P@a2")
	if tb.s.Over() {
		t.Error("a drop did not begin the count of quiet moves anew")
	}
}

func TestReservesAgreedUpon(t *testing.T) {
	for name, fen := range map[string]string{
		"two kings":        "4k3/8/8/8/8/8/8/4K3[K] w - - 0 1",
		"no such man":      "4k3/8/8/8/8/8/8/4K3[X] w - - 0 1",
		"an open bracket":  "4k3/8/8/8/8/8/8/4K3[P w - - 0 1",
		"dead":             "4k3/8/8/8/8/8/8/4K3[N] w - - 0 1",
		"no move, no drop": "7k/5Q2/6K1/8/8/8/8/8[] b - - 0 1",
		"pawns astray":     "4k3/8/8/8/8/8/8/P3K3[R] w - - 0 1",
	} {
		_, err := Decide(New("x"), Command{By: First, Action: Create{Variant: "unachess2", Start: fen}}, fair.NewDealer("x", fair.Seed{}))
		if !errors.Is(err, BadPosition) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	tb := fromFEN(t, "unachess2", "7k/5Q2/6K1/8/8/8/8/8/n b KQ - 3 60")
	if tb.s.FEN != "7k/5Q2/6K1/8/8/8/8/8[n] b - - 3 60" || len(LegalMoves(tb.s)) == 0 {
		t.Errorf("a reserve as a ninth rank became %s", tb.s.FEN)
	}
}

// The men of board and reserves are the set minus what was captured; reserves only
// shrink; the position of every event is the one that the board reads back.
func TestMenAreConserved(t *testing.T) {
	games := 60
	if testing.Short() {
		games = 6
	}
	for seed := range games {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		choice := make([]byte, 2*(40+r.IntN(300)))
		for i := range choice {
			choice[i] = byte(r.Uint32())
		}
		history, _ := randomGame(t, unachessKeys[seed%3], choice)
		captured, reserves := 0, [2]int{16, 16}
		s := New("law")
		for _, e := range history {
			if e.Fair != nil {
				if err := s.Fair.Check(e.Fair, nil); err != nil {
					t.Fatalf("%T: %v", e.Fact, err)
				}
			}
			s = Evolve(s, e)
			if f, ok := e.Fact.(MovePlayed); ok && f.Captured != "" {
				captured++
			}
			if s.FEN == "" {
				continue
			}
			checkMen(t, s, captured, &reserves)
		}
	}
}

func checkMen(t *testing.T, s State, captured int, reserves *[2]int) {
	t.Helper()
	p, err := s.Position()
	if err != nil {
		t.Fatal(err)
	}
	if p.FEN() != s.FEN {
		t.Fatalf("%s is read back as %s", s.FEN, p.FEN())
	}
	men := p.Occupied().Count() + captured
	for i, army := range []Army{WhiteArmy, BlackArmy} {
		n := len(reserve(&p, army))
		if n > reserves[i] {
			t.Fatalf("%s: the reserve of %s has grown to %d", s.FEN, army, n)
		}
		reserves[i] = n
		men += n
	}
	if men != 32 {
		t.Fatalf("%s: %d men with %d captured", s.FEN, men, captured)
	}
}
