package chess

import (
	"errors"
	"testing"
)

// TestSeriesOfMoves makes several moves of one side and hands the turn over.
func TestSeriesOfMoves(t *testing.T) {
	for name, c := range map[string]struct {
		fen   string
		moves []string
		want  string
	}{
		"two quiet moves":                         {startFEN, []string{"b1c3", "c3d5"}, "rnbqkbnr/pppppppp/8/3N4/8/8/PPPPPPPP/R1BQKBNR b KQkq - 2 1"},
		"the last double step can be answered":    {"4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", []string{"e1d1", "e2e4"}, "4k3/8/8/8/3pP3/8/8/3K4 b - e3 0 1"},
		"an earlier one cannot":                   {"4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", []string{"e2e4", "e1d1"}, "4k3/8/8/8/3pP3/8/8/3K4 b - - 1 1"},
		"nor one that nobody stands ready for":    {"4k3/8/8/8/p7/8/4P3/4K3 w - - 0 1", []string{"e2e4"}, "4k3/8/8/8/p3P3/8/8/4K3 b - - 0 1"},
		"two single steps make no double step":    {"4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", []string{"e2e3", "e3e4"}, "4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1"},
		"nor does a rook's way":                   {"4k3/8/8/8/3p4/8/4R3/4K3 w - - 0 1", []string{"e2e4"}, "4k3/8/8/8/3pR3/8/8/4K3 b - - 1 1"},
		"Black's turn ends the numbered move":     {"4k3/4p3/8/3P4/8/8/8/4K3 b - - 0 7", []string{"e8d8", "e7e5"}, "3k4/8/8/3Pp3/8/8/8/4K3 w - e6 0 8"},
		"a right to capture is gone after a move": {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", []string{"e1e2"}, "4k3/8/8/3pP3/8/8/4K3/8 b - - 1 1"},
	} {
		t.Run(name, func(t *testing.T) {
			p := parse(t, c.fen, KingCapture)
			us := p.Turn()
			var last Move
			for _, uci := range c.moves {
				m, err := p.ParseUCI(uci)
				if err != nil {
					t.Fatal(err)
				}
				p.PlayOn(m)
				if last = m; p.Turn() != us || p.EnPassant() != NoSquare {
					t.Fatalf("after %s %s is to move, en passant %s", uci, p.Turn(), p.EnPassant())
				}
			}
			p.Yield(last.From(), last.To())
			if p.FEN() != c.want {
				t.Errorf("got %s, want %s", p.FEN(), c.want)
			}
		})
	}
}

// TestFindUCI looks moves up in a list that is not the board's own.
func TestFindUCI(t *testing.T) {
	p := parse(t, "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", KingCapture)
	if m, err := p.FindUCI("a1b2", p.QueenMoves(nil)); err != nil || !m.IsQueenPower() {
		t.Errorf("a queen's move of the rook: %v, %v", m, err)
	}
	for uci, rule := range map[string]Rule{"e1d1": RuleNotOpen, "e1c1": RuleNotOpen, "a1b2": RuleMovement, "e8e7": RuleNotYours} {
		_, err := p.FindUCI(uci, p.Moves(nil)[:0])
		var illegal *IllegalMoveError
		if !errors.As(err, &illegal) || illegal.Rule != rule {
			t.Errorf("%s: %v, want the rule %s", uci, err, rule)
		}
	}
}
