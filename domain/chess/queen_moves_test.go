package chess

import (
	"slices"
	"testing"
)

func TestQueenMoves(t *testing.T) {
	for _, c := range []struct {
		name, fen string
		law       Law
		includes  []string
		excludes  []string
	}{
		{
			"a pawn slides as a queen, back and to the last rank", "8/8/7k/8/P7/8/8/6K1 w - - 0 1", KingCapture,
			[]string{"a4a8q", "a4a8n", "a4a3", "a4h4", "a4e8q", "a4a7"},
			[]string{"a4a8", "a4a5"},
		},
		{"a pawn captures straight on", "4k3/8/8/8/4p3/4P3/8/4K3 w - - 0 1", KingCapture, []string{"e3e4", "e3e2"}, nil},
		{
			"a pawn takes the king on the last rank without a letter", "4k3/8/8/4P3/8/8/8/K7 w - - 0 1", KingCapture,
			[]string{"e5e8", "e5b8r"},
			[]string{"e5e8q"},
		},
		{
			"the king slides, and castling keeps its meaning", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", KingCapture,
			[]string{"e1e3", "e1c1", "e1h4"},
			[]string{"e1g1", "e1f1"},
		},
		{"en passant keeps its meaning", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", KingCapture, []string{"e5d5", "e5f6"}, []string{"e5d6"}},
		{"a queen gains nothing", "4k3/8/8/8/8/8/8/QK6 w - - 0 1", KingCapture, []string{"b1b3"}, []string{"a1a2"}},
		{"nobody moves once a king is gone", "8/8/8/8/8/8/8/4K3 w - - 0 1", KingCapture, nil, []string{"e1e3"}},
		{"it knows king capture only", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", Orthodox, nil, []string{"e1e3"}},
	} {
		p := parse(t, c.fen, c.law)
		var got []string
		for _, m := range p.QueenMoves(nil) {
			got = append(got, m.UCI())
			if !m.IsQueenPower() {
				t.Errorf("%s: %s does not say that it is by queen's power", c.name, m)
			}
		}
		for _, uci := range c.includes {
			if !slices.Contains(got, uci) {
				t.Errorf("%s: %s is missing from %v", c.name, uci, got)
			}
		}
		for _, uci := range c.excludes {
			if slices.Contains(got, uci) {
				t.Errorf("%s: %s is listed", c.name, uci)
			}
		}
	}
}

func TestQueenMovesArePlayed(t *testing.T) {
	for _, c := range []struct{ fen, uci, san, want string }{
		{"8/8/7k/8/P7/8/8/6K1 w - - 5 1", "a4a8n", "a4a8=N", "N7/8/7k/8/8/8/8/6K1 b - - 0 1"},
		{"4k3/8/8/8/4p3/4P3/8/4K3 w - - 5 1", "e3e4", "e3xe4", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"},
		{"4k3/8/8/8/8/8/P7/4K3 w - - 5 1", "a2a1", "a2a1", "4k3/8/8/8/8/8/8/P3K3 b - - 0 1"},
		{"4k3/8/8/8/8/8/8/4K2R w K - 5 1", "e1c1", "Ke1c1", "4k3/8/8/8/8/8/8/2K4R b - - 6 1"},
		{"4k3/8/8/7p/6N1/8/8/4K3 w - - 5 1", "g4h5", "Ng4xh5", "4k3/8/8/7N/8/8/8/4K3 b - - 0 1"},
	} {
		p := parse(t, c.fen, KingCapture)
		i := slices.IndexFunc(p.QueenMoves(nil), func(m Move) bool { return m.UCI() == c.uci })
		if i < 0 {
			t.Errorf("%s is missing", c.uci)
			continue
		}
		m := p.QueenMoves(nil)[i]
		if got := p.SAN(m); got != c.san {
			t.Errorf("%s is %s, want %s", c.uci, got, c.san)
		}
		p.Play(m)
		if got := p.FEN(); got != c.want {
			t.Errorf("%s leads to %s, want %s", c.uci, got, c.want)
		}
		if again := parse(t, p.FEN(), KingCapture); again != p {
			t.Errorf("%s: the position read back differs", c.uci)
		}
	}
}
