package game

import (
	"errors"
	"testing"

	"chancery/domain/fair"
)

// table plays a game from commands, with a real dealer of a fixed seed.
type table struct {
	t      *testing.T
	s      State
	dealer *fair.Dealer
	now    Instant
}

func newTable(t *testing.T, c Create) *table {
	t.Helper()
	tb := &table{t: t, s: New("test-game"), dealer: fair.NewDealer("test-game", fair.Seed{1}), now: 1_000_000}
	tb.must(First, c)
	tb.must(Second, Join{})
	return tb
}

func (tb *table) do(by Seat, a Action) ([]Event, error) {
	events, err := Decide(tb.s, Command{By: by, At: tb.now, Action: a}, tb.dealer)
	for _, e := range events {
		if e.Fair != nil {
			if err := tb.s.Fair.Check(e.Fair, nil); err != nil {
				tb.t.Fatalf("%T: %v", e.Fact, err)
			}
		}
		tb.s = Evolve(tb.s, e)
	}
	return events, err
}

func (tb *table) must(by Seat, a Action) []Event {
	tb.t.Helper()
	events, err := tb.do(by, a)
	if err != nil {
		tb.t.Fatalf("%T by %s: %v", a, by, err)
	}
	return events
}

func (tb *table) refused(by Seat, a Action, code Code) {
	tb.t.Helper()
	if _, err := tb.do(by, a); !errors.Is(err, code) {
		tb.t.Fatalf("%T by %s: got %v, want %s", a, by, err, code)
	}
}

func (tb *table) play(moves ...string) {
	tb.t.Helper()
	for _, m := range moves {
		tb.must(tb.s.ToAct(), ActionOf(m))
	}
}

func (tb *table) ended(r Result, winner Seat, why Reason) {
	tb.t.Helper()
	if tb.s.Result != r || tb.s.Winner != winner || tb.s.Reason != why || !tb.s.Over() || !tb.s.Fair.Revealed {
		tb.t.Fatalf("ended %s %s %s (phase %s, revealed %v), want %s %s %s",
			tb.s.Result, tb.s.Winner, tb.s.Reason, tb.s.Phase, tb.s.Fair.Revealed, r, winner, why)
	}
}

func TestMateEndsTheGame(t *testing.T) {
	tb := newTable(t, Create{Variant: "chess"})
	tb.refused(Second, Move{UCI: "e7e5"}, NotYourTurn)
	tb.play("f2f3", "e7e5", "g2g4", "d8h4")
	tb.ended(BlackWins, Second, Checkmate)
	tb.refused(First, Move{UCI: "a2a3"}, GameOver)
}

func TestNoCastleDrawsItsArray(t *testing.T) {
	tb := newTable(t, Create{Variant: "nocastle", Color: PreferRandom})
	if tb.s.Array == "" || tb.s.Fair.Rolls != 2 || tb.s.Phase != PhaseMove {
		t.Fatalf("array %q, rolls %d, phase %s", tb.s.Array, tb.s.Fair.Rolls, tb.s.Phase)
	}
	mover := tb.s.ToAct()
	events := tb.must(mover, Move{UCI: LegalMoves(tb.s)[0]})
	if events[0].Fair == nil || events[0].Fair.Link == nil {
		t.Fatal("the first turn action after a roll carries a link")
	}
}
