package game

import (
	"slices"
	"strings"
	"testing"
)

const twoKings = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"

func TestOnlyTheMoverChooses(t *testing.T) {
	tb := diceGame(t, "4k3/P7/8/8/4P3/8/8/3K4 w - - 0 1", [2]string{"P", "p"}, []int{5, 1})
	tb.play("d1e1")
	for _, a := range []Action{Move{UCI: "e8d8"}, Promote{Square: "e4"}, Drop{UCI: "p@a7"}} {
		tb.refused(Second, a, NotYourTurn)
	}
	tb.refused(First, Move{UCI: "e1d1"}, WrongPhase)
	for _, a := range []Action{Pass{}, PlayCard{Card: "R5"}, Discard{Cards: []string{"R5"}}, CallUno{}} {
		tb.refused(First, a, BadCommand)
	}
	for _, a := range []Action{Promote{Square: "e1"}, Promote{Square: "nowhere"}, Promote{}, Drop{UCI: "Q@a2"}, Drop{UCI: "e4"}, Promote{Square: "Q@a2"}} {
		tb.refused(First, a, IllegalMove)
	}
	tb.refused(Spectator, Promote{Square: "e4"}, NotYourTurn)
	tb.play("a7")
	tb.refused(First, Promote{Square: "e4"}, NotYourTurn)
	tb.refused(Second, Promote{Square: "e4"}, WrongPhase)
}

func TestPoolsFollowTheMen(t *testing.T) {
	tb := diceGame(t, "4k3/8/8/3q4/4P3/8/8/R3K3 w Q - 0 1", [2]string{"B", "p"}, []int{1, 1}, []int{1, 1}, []int{3, 1}, []int{2, 8}, []int{5, 1})
	for i, step := range []struct {
		play         string
		white, black string
	}{
		{"e4d5", "B", "pq"},
		{"e8d7", "B", "pq"},
		{"a1b1 B@c1", "", "pq"}, // the bishop comes back
		{"d7d8", "", "pq"},      // nothing of White's is left to give
		{"d5d6 d6", "", "pq"},   // a promotion takes nothing from a pool
	} {
		tb.play(strings.Fields(step.play)...)
		if tb.s.Pools != [2]string{step.white, step.black} {
			t.Fatalf("step %d: pools %q", i, tb.s.Pools)
		}
	}
	v := ViewFor(tb.s, Spectator, nil)
	if v.Pools[WhiteArmy] != "" || v.Pools[BlackArmy] != "pq" || v.Dice.Effect != MakeQueen || !slices.Equal(v.Dice.Faces, []int{5, 1}) {
		t.Errorf("the view shows %+v and %+v", v.Pools, v.Dice)
	}
}

func TestEnPassantCapturesFillThePool(t *testing.T) {
	tb := diceGame(t, "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", [2]string{}, []int{1, 1}, []int{1, 1})
	tb.play("e2e4", "d4e3")
	if tb.s.Pools != [2]string{"P", ""} {
		t.Errorf("pools %q", tb.s.Pools)
	}
}

// TestEnPassantAtTheEndOfATurn is about the one move at which a double step may be
// answered, while dice change the board in between.
func TestEnPassantAtTheEndOfATurn(t *testing.T) {
	tests := []struct {
		name, fen    string
		white, black string
		play         string
		roll         []int
		take         string
		open         bool
	}{
		{"a placed pawn leaves it", "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "P", "", "e2e4 P@a2", []int{3, 2}, "d4e3", true},
		{"a pawn placed where the step began leaves it", "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "P", "", "e2e4 P@e2", []int{3, 2}, "d4e3", true},
		{"the pawn is a queen now", "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "", "", "e2e4 e4", []int{5, 1}, "d4e3", false},
		{"another pawn is a queen now", "4k3/8/8/8/3p4/8/P3P3/4K3 w - - 0 1", "", "", "e2e4 a2", []int{5, 1}, "d4e3", true},
		{"an impossible effect leaves it", "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "", "", "e2e4", []int{3, 2}, "d4e3", true},
		{"an own pawn blocks the pin", "3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1", "P", "", "e2e4 P@d2", []int{3, 2}, "d4e3", true},
		{"an own pawn elsewhere leaves the pin", "3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1", "P", "", "e2e4 P@c2", []int{3, 2}, "d4e3", false},
		{"a gift blocks the pin", "3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1", "", "p", "e2e4 p@d7", []int{1, 2}, "d4e3", true},
		{"a bishop pins the pawn", "8/8/7k/8/5p2/8/6P1/4K3 w - - 0 1", "B", "", "g2g4 B@c1", []int{3, 1}, "f4g3", false},
		{"a bishop elsewhere does not", "8/8/7k/8/5p2/8/6P1/4K3 w - - 0 1", "B", "", "g2g4 B@f1", []int{3, 1}, "f4g3", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tb := diceGame(t, test.fen, [2]string{test.white, test.black}, test.roll)
			tb.play(strings.Fields(test.play)...)
			if open := slices.Contains(LegalMoves(tb.s), test.take); open != test.open {
				t.Errorf("%s open: %v in %s", test.take, open, tb.s.FEN)
			}
		})
	}
}

func TestEnPassantIsGoneAfterASkip(t *testing.T) {
	tb := diceGame(t, "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", [2]string{}, []int{4, 1}, []int{0, 0})
	tb.play("e2e4")
	tb.waits(PhaseMove, WhiteArmy, "4k3/8/8/8/3pP3/8/8/4K3 w - - 0 2")
	tb.play("e1e2")
	tb.refused(Second, Move{UCI: "d4e3"}, IllegalMove)
}

func TestReturnedPawnsMayStepTwice(t *testing.T) {
	tb := diceGame(t, twoKings, [2]string{"P", "p"}, []int{3, 2}, []int{3, 2}, []int{0, 0})
	tb.play("e1f1", "P@e2", "e8f8", "p@d7", "e2e4")
	if !slices.Contains(LegalMoves(tb.s), "d7d5") {
		t.Errorf("open are %v", LegalMoves(tb.s))
	}
}

func TestReturnedRooksDoNotCastle(t *testing.T) {
	tb := diceGame(t, "r3k2r/8/8/3Q4/8/8/6b1/R3K2R b KQkq - 0 1", [2]string{},
		[]int{0, 0}, []int{0, 0}, []int{0, 0}, []int{3, 1}, []int{0, 0})
	tb.play("g2h1", "d5h1", "e8e7", "h1h3", "R@h1", "e7d8")
	tb.waits(PhaseMove, WhiteArmy, "r2k3r/8/8/8/8/7Q/8/R3K2R w Q -")
	if open := LegalMoves(tb.s); slices.Contains(open, "e1g1") || !slices.Contains(open, "e1c1") {
		t.Errorf("open are %v", open)
	}
}

// A position counts once its turn has ended, with the men that were captured.
func TestRepetitionCountsPools(t *testing.T) {
	// Ties leave pools alone: the third occurrence may be claimed.
	tb := diceGame(t, "4k3/7p/8/8/8/8/7P/4K3 w - - 0 1", [2]string{"N", "n"}, slices.Repeat([][]int{{2, 2}}, 8)...)
	tb.play("e1d1", "e8d8", "d1e1", "d8e8")
	if n := tb.s.Occurrences(); n != 2 {
		t.Fatalf("%d occurrences, want 2", n)
	}
	tb.play("e1d1", "e8d8", "d1e1")
	tb.refused(Second, ClaimDraw{}, NotPending)
	tb.play("d8e8")
	if v := ViewFor(tb.s, First, nil); !v.Claim {
		t.Error("the view does not offer the claim")
	}
	tb.must(First, ClaimDraw{})
	tb.ended(Drawn, Spectator, Repetition)
}

func TestOtherPoolsAreAnotherPosition(t *testing.T) {
	tb := diceGame(t, "4k3/7p/8/8/r7/8/8/5K2 w - - 0 1", [2]string{}, []int{1, 0}, []int{2, 2}, []int{2, 2}, []int{2, 2})
	start := tb.s.FEN
	tb.play("f1e1", "Q@a2", "a4a2", "e1f1", "a2a4") // a queen came and went
	if positionKey(tb.s.FEN) != positionKey(start) {
		t.Fatalf("the board is %s", tb.s.FEN)
	}
	if n := tb.s.Occurrences(); n != 1 {
		t.Errorf("%d occurrences with pools %q, want 1", n, tb.s.Pools)
	}
}

// A man that is taken and given back leaves no trace: positions before the capture
// may recur behind it.
func TestRepetitionReachesBehindCaptures(t *testing.T) {
	tie := []int{2, 2}
	cycle := [][]int{tie, {1, 5}, tie, tie, tie, tie, tie, tie}
	tb := diceGame(t, "4k1n1/8/8/8/8/8/1B2K2P/8 b - - 0 1", [2]string{}, append(slices.Clone(cycle), cycle...)...)
	for n := 1; n < 3; n++ {
		if got := tb.s.Occurrences(); got != n {
			t.Fatalf("%d occurrences, want %d", got, n)
		}
		tb.play("g8f6", "b2f6", "n@g8", "e8d7", "f6b2", "d7d8", "e2f2", "d8e8", "f2e2")
	}
	tb.must(Second, ClaimDraw{})
	tb.ended(Drawn, Spectator, Repetition)
}

func TestFifthOccurrenceDraws(t *testing.T) {
	tb := diceGame(t, "4k3/7p/8/8/8/8/7P/4K3 w - - 0 1", [2]string{}, slices.Repeat([][]int{{2, 2}}, 16)...)
	for range 4 {
		tb.play("e1d1", "e8d8", "d1e1", "d8e8")
	}
	tb.ended(Drawn, Spectator, Repetition)
}

func TestNothingIsClaimedInAChoice(t *testing.T) {
	tb := diceGame(t, "4k2r/7p/8/8/8/8/8/R3K3 b - - 100 80", [2]string{"", "p"}, []int{3, 2}, []int{0, 0})
	if v := ViewFor(tb.s, Second, nil); !v.Claim {
		t.Error("fifty moves may be claimed before the move")
	}
	tb.play("h8g8")
	if v := ViewFor(tb.s, Second, nil); v.Claim || v.Legal == nil {
		t.Errorf("while choosing the view offers claim %v, choices %v", v.Claim, v.Legal)
	}
	tb.refused(Second, ClaimDraw{}, NotPending)
	tb.play("p@a7") // which begins the count anew
	tb.refused(First, ClaimDraw{}, NotPending)
}

func TestBareKingsPlayOn(t *testing.T) {
	tb := diceGame(t, twoKings, [2]string{}, []int{0, 0}, []int{1, 0})
	tb.play("e1d1", "e8d8")
	tb.waits(PhaseChoose, BlackArmy, "3k4/8/8/8/8/8/8/3K4 w")
	tb.play("q@e7")
	if tb.s.Over() {
		t.Errorf("over: %s", tb.s.Reason)
	}
}

func TestClockOfAChoice(t *testing.T) {
	tb := newDiceTable(t, Create{Start: twoKings, Clock: &ClockSpec{Base: minute, Increment: 2_000}}, firstIsWhite, oneEight, []int{1, 0}, []int{0, 0})
	tb.must(Second, Join{})
	tb.now += 10_000
	tb.play("e1d1")
	if tb.s.Clock.Running != First || tb.s.Clock.Left != (Clocks{52_000, minute}) {
		t.Errorf("while White chooses: %s runs, %v", tb.s.Clock.Running, tb.s.Clock.Left)
	}
	tb.now += 5_000
	tb.play("Q@a2") // takes its time, and brings no second increment
	if tb.s.Clock.Running != Second || tb.s.Clock.Left != (Clocks{47_000, minute}) {
		t.Errorf("after the choice: %s runs, %v", tb.s.Clock.Running, tb.s.Clock.Left)
	}
	tb.now += minute
	tb.must(Spectator, CallFlag{Seat: Second})
	tb.ended(WhiteWins, First, Timeout)
}

func TestFlagFallsInAChoice(t *testing.T) {
	tb := newDiceTable(t, Create{Start: twoKings, Clock: &ClockSpec{Base: minute}}, firstIsWhite, oneEight, []int{1, 0})
	tb.must(Second, Join{})
	tb.play("e1d1")
	tb.now += minute
	tb.refused(First, Drop{UCI: "Q@a2"}, GameOver)
	tb.refused(Spectator, CallFlag{Seat: Second}, NotPending)
	tb.must(Spectator, CallFlag{Seat: First})
	tb.ended(BlackWins, Second, Timeout) // a bare king may get a queen, so it may win
}

func TestLeavingInAChoice(t *testing.T) {
	tb := diceGame(t, twoKings, [2]string{}, []int{1, 0})
	tb.play("e1d1")
	resigning := *tb
	resigning.must(First, Resign{})
	resigning.ended(BlackWins, Second, Resignation)
	tb.must(Second, OfferDraw{})
	declined := *tb
	declined.play("Q@a2")
	declined.refused(First, AcceptDraw{}, NotPending) // the choice let the offer lapse
	tb.must(First, AcceptDraw{})
	tb.ended(Drawn, Spectator, Agreement)
}

func TestOffersLapseWithAPromotion(t *testing.T) {
	tb := diceGame(t, "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", [2]string{}, []int{8, 0})
	tb.play("e1d1")
	tb.must(Second, OfferDraw{})
	tb.play("e4")
	tb.refused(First, AcceptDraw{}, NotPending)
}

func TestOnlyWhoMustActIsToldTheChoices(t *testing.T) {
	tb := diceGame(t, twoKings, [2]string{"P", ""}, []int{3, 2})
	tb.play("e1d1")
	if v := ViewFor(tb.s, First, nil); len(v.Legal) != 8 || v.Phase != PhaseChoose || v.Dice.Effect != ReturnPawn {
		t.Errorf("the mover's view: %+v", v)
	}
	for _, seat := range []Seat{Second, Spectator} {
		if v := ViewFor(tb.s, seat, nil); v.Legal != nil || !slices.Equal(v.Act, []Seat{First}) {
			t.Errorf("%s sees %v, acting %v", seat, v.Legal, v.Act)
		}
	}
}

func TestAnExhaustedChainDraws(t *testing.T) {
	tb := diceGame(t, twoKings, [2]string{})
	tb.s.Fair.Len = tb.s.Fair.Rolls
	if got := tb.play("e1d1"); got != "MovePlayed GameEnded SeedRevealed" {
		t.Errorf("the record is %s", got)
	}
	tb.ended(Drawn, Spectator, Exhausted)
}

func TestSelfCheckIsNoMove(t *testing.T) {
	tb := diceGame(t, "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", [2]string{})
	tb.refused(First, Move{UCI: "e2c3"}, IllegalMove)
	if tb.s.Fair.Rolls != 2 {
		t.Error("a refused move rolled dice")
	}
}

func TestStartOfAnEndedGameIsRefused(t *testing.T) {
	for _, fen := range []string{"R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"} {
		tb := &diceTable{t: t, s: New("test-game"), dice: &loaded{}}
		tb.refused(First, Create{Variant: "yugioh", Start: fen}, BadPosition)
	}
}
