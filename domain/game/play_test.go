package game

import (
	"slices"
	"testing"

	"chancery/domain/chess"
)

func TestDrawsByAgreement(t *testing.T) {
	tb := newTable(t, Create{Variant: "chess"})
	tb.refused(Second, AcceptDraw{}, NotPending)
	tb.must(First, OfferDraw{})
	tb.refused(First, AcceptDraw{}, NotPending)
	tb.refused(First, OfferDraw{}, NotPending)
	tb.play("e2e4") // the offerer's own move lets nothing lapse
	if tb.s.Offer != First {
		t.Fatal("the offer lapsed with the offerer's own move")
	}
	tb.play("e7e5")
	tb.refused(Second, AcceptDraw{}, NotPending)
	tb.must(First, OfferDraw{})
	tb.must(Second, DeclineDraw{})
	tb.refused(Second, AcceptDraw{}, NotPending)
	tb.must(Second, OfferDraw{})
	if got := types(tb.must(First, OfferDraw{})); got != "DrawAccepted GameEnded SeedRevealed" {
		t.Errorf("offering what is offered gave %s", got)
	}
	tb.ended(Drawn, Spectator, Agreement)
}

func TestRepetition(t *testing.T) {
	dance := []string{"g1f3", "g8f6", "f3g1", "f6g8"}
	tb := newTable(t, Create{Variant: "chess"})
	tb.play(dance...)
	tb.play(dance[:3]...)
	tb.refused(Second, ClaimDraw{}, NotPending)
	tb.play(dance[3])
	tb.refused(Second, ClaimDraw{}, NotYourTurn)
	if v := ViewFor(tb.s, First, nil); !v.Claim {
		t.Error("the view does not offer the claim")
	}
	tb.play(dance...)
	tb.play(dance[:3]...)
	if tb.s.Over() {
		t.Fatal("drawn before the fifth occurrence")
	}
	tb.play(dance[3])
	tb.ended(Drawn, Spectator, Repetition)
}

func TestRepetitionIgnoresImpossibleEnPassant(t *testing.T) {
	tb := newTable(t, Create{Variant: "chess"})
	tb.play("e2e4")
	for range 2 {
		tb.play("b8c6", "g1f3", "c6b8", "f3g1")
	}
	if n := tb.s.Occurrences(); n != 3 {
		t.Errorf("%d occurrences, want 3", n)
	}
	tb.must(Second, ClaimDraw{})
}

func TestMoveCounters(t *testing.T) {
	tb := newTable(t, Create{Variant: "chess", Start: "4k2r/p7/8/8/8/8/7P/R3K3 w - - 98 80"})
	tb.play("a1a2")
	tb.refused(Second, ClaimDraw{}, NotPending)
	tb.play("h8h7")
	tb.must(First, ClaimDraw{})
	tb.ended(Drawn, Spectator, FiftyMoves)

	tb = newTable(t, Create{Variant: "chess", Start: "4k2r/p7/8/8/8/8/7P/R3K3 w - - 149 80"})
	tb.play("a1a2")
	tb.ended(Drawn, Spectator, FiftyMoves)

	tb = newTable(t, Create{Variant: "chess", Start: "6k1/5ppp/8/8/8/8/8/R3K3 w - - 149 90"})
	tb.play("a1a8") // mate comes before the counter
	tb.ended(WhiteWins, First, Checkmate)
}

const minute = 60_000

func clocked(t *testing.T, c Create) *table {
	c.Clock = &ClockSpec{Base: minute, Increment: 2_000}
	return newTable(t, c)
}

func TestClockChargesWhoMustAct(t *testing.T) {
	tb := clocked(t, Create{Variant: "chess"})
	tb.now += 10_000
	tb.play("e2e4")
	if got := tb.s.Clock.Left; got != (Clocks{52_000, minute}) {
		t.Errorf("after White's move %v", got)
	}
	tb.now += 5_000
	tb.must(First, OfferDraw{})
	tb.now += 5_000
	tb.play("e7e5")
	if got := tb.s.Clock.Left; got != (Clocks{52_000, 52_000}) {
		t.Errorf("after Black's move %v", got)
	}
}

func TestFlag(t *testing.T) {
	tb := clocked(t, Create{Variant: "chess"})
	tb.now += minute - 1
	tb.refused(Spectator, CallFlag{Seat: First}, NotPending)
	tb.now++
	tb.refused(First, Move{UCI: "e2e4"}, GameOver)
	tb.refused(Spectator, CallFlag{Seat: Second}, NotPending)
	tb.must(Spectator, CallFlag{Seat: First})
	tb.ended(BlackWins, Second, Timeout)
	if tb.s.Clock.Left != (Clocks{0, minute}) {
		t.Errorf("clocks at the end: %v", tb.s.Clock.Left)
	}

	tb = clocked(t, Create{Variant: "chess", Start: "4k3/8/8/8/8/8/4P3/4KN2 b - - 0 1"})
	tb.now += minute
	tb.must(Spectator, CallFlag{Seat: Second})
	tb.ended(WhiteWins, First, Timeout)

	tb = clocked(t, Create{Variant: "chess", Start: "4kn2/8/8/8/8/8/4P3/4K3 w - - 0 1"})
	tb.now += minute
	tb.must(Spectator, CallFlag{Seat: First})
	tb.ended(Drawn, Spectator, Timeout)
}

func TestDowntimeIsNotCharged(t *testing.T) {
	tb := clocked(t, Create{Variant: "chess"})
	began := tb.now
	tb.now += 3_600_000
	alive := tb.s.Clock.At(began + 7_000)
	tb.refused(Spectator, Resume{Reason: "restart", Clock: &Clocks{minute + 1, minute}}, BadCommand)
	tb.must(Spectator, Resume{Reason: "restart", Clock: &alive})
	tb.now += 3_000
	tb.play("e2e4")
	if got := tb.s.Clock.Left; got != (Clocks{52_000, minute}) {
		t.Errorf("clocks %v: the hour in which the server was down was charged", got)
	}
	tb.must(Spectator, Pause{Reason: "maintenance"})
	tb.now += 3_600_000
	tb.refused(Second, Move{UCI: "e7e5"}, WrongPhase)
	left := tb.s.Clock.At(tb.now)
	tb.must(Spectator, Resume{Reason: "maintenance", Clock: &left})
	tb.play("e7e5")
	if got := tb.s.Clock.Left; got != (Clocks{52_000, minute + 2_000}) {
		t.Errorf("clocks %v after a pause", got)
	}
}

func TestTimeNeverGoesBack(t *testing.T) {
	tb := clocked(t, Create{Variant: "chess"})
	tb.now -= 999_999
	events := tb.must(First, Move{UCI: "e2e4"})
	if events[0].At != tb.s.At || tb.s.Clock.Left[0] != minute+2_000 {
		t.Errorf("a clock set back gave %v at %d", tb.s.Clock.Left, events[0].At)
	}
}

func TestEvolveBranches(t *testing.T) {
	tb := newTable(t, Create{Variant: "chess"})
	tb.play("e2e4", "e7e5")
	before := tb.s
	left, right := Fold(before, Event{N: 9, Fact: MovePlayed{FEN: "left w - - 0 1"}}), Fold(before, Event{N: 9, Fact: MovePlayed{FEN: "right w - - 0 1"}})
	if left.FEN == right.FEN || before.FEN == left.FEN || left.past.key == right.past.key || left.past.prev != before.past {
		t.Error("two branches from one state share memory")
	}
}

func TestIllegalMovesNameTheRule(t *testing.T) {
	tb := newTable(t, Create{Variant: "nocastle", Start: "rnbqk2r/pppp1ppp/5n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"})
	tb.refused(First, Move{UCI: "e1g1"}, IllegalMove)
	tb.refused(First, Move{UCI: "nonsense"}, BadCommand)
	tb.refused(First, Move{}, BadCommand)
	tb.refused(Spectator, Move{UCI: "e1f1"}, NotYourTurn)
	tb.refused(First, Drop{UCI: "N@f3"}, BadCommand)
	tb.play("e1f1")
}

func TestArrays(t *testing.T) {
	all := Arrays()
	if len(all) != 2880 || !slices.IsSorted(all) || all[0] != "BBKNNQRR" || all[2496] != "RNBQKBNR" || all[2879] != "RRQNNKBB" {
		t.Fatalf("%d arrays, from %s to %s, 2496 is %s", len(all), all[0], all[len(all)-1], all[2496])
	}
	kingOn, between, castling, first := [8]int{}, 0, 0, map[int]int{}
	for _, a := range all {
		king := slices.Index([]byte(a), 'K')
		rook1, rook2 := slices.Index([]byte(a), 'R'), len(a)-1-slices.Index(reversed(a), 'R')
		kingOn[king]++
		if rook1 < king && king < rook2 {
			between++
		}
		if king == 4 && (a[0] == 'R' || a[7] == 'R') {
			castling++
		}
		p, err := chess.ParsePosition(arrayFEN(a), chess.NoCastling)
		if err != nil {
			t.Fatal(a, err)
		}
		first[len(p.Moves(nil))]++
	}
	if kingOn != [8]int{360, 360, 360, 360, 360, 360, 360, 360} || between != 960 || castling != 186 {
		t.Errorf("kings %v, between rooks %d, as if castling %d", kingOn, between, castling)
	}
	if first[18] != 108 || first[19] != 1224 || first[20] != 1548 {
		t.Errorf("first moves %v", first)
	}
}

func reversed(s string) []byte { b := []byte(s); slices.Reverse(b); return b }
