package chess

import (
	"errors"
	"testing"
)

func TestSAN(t *testing.T) {
	for _, c := range []struct {
		name, fen string
		law       Law
		uci, san  string
	}{
		{"a pawn", startFEN, Orthodox, "e2e4", "e4"},
		{"a knight", startFEN, Orthodox, "g1f3", "Nf3"},
		{"a pinned rival needs no other name", "4k3/4r3/8/8/8/2N1N3/8/4K3 w - - 0 1", NoCastling, "c3d5", "Nd5"},
		{"where nothing is pinned it does", "4k3/4r3/8/8/8/2N1N3/8/4K3 w - - 0 1", KingCapture, "c3d5", "Ncd5"},
		{"rivals on one file", "4k3/8/8/3N4/8/3N4/8/K7 w - - 0 1", Orthodox, "d3f4", "N3f4"},
		{"three queens", "8/k7/8/8/4Q2Q/8/8/1K5Q w - - 0 1", Orthodox, "h4e1", "Qh4e1"},
		{"a man that lands where en passant was possible takes nothing", "4k3/8/8/4n3/5P2/8/8/K7 b - f3 0 1", Orthodox, "e5f3", "Nf3"},
		{"en passant", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", Orthodox, "e5d6", "exd6"},
		{"a capture", kiwipete, Orthodox, "e2a6", "Bxa6"},
		{"castling short", kiwipete, Orthodox, "e1g1", "O-O"},
		{"castling long", kiwipete, Orthodox, "e1c1", "O-O-O"},
		{"castling with check", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", Orthodox, "e1g1", "O-O+"},
		{"a promotion with check", "7k/P7/8/8/8/8/8/K7 w - - 0 1", Orthodox, "a7a8q", "a8=Q+"},
		{"a promotion by capture", "1n5k/P7/8/8/8/8/8/K7 w - - 0 1", Orthodox, "a7b8n", "axb8=N"},
		{"mate", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", Orthodox, "a1a8", "Ra8#"},
		{"no mate while a drop can answer", "6k1/5ppp/8/8/8/8/8/R5K1[n] w - - 0 1", dropLaw1, "a1a8", "Ra8+"},
		{"no mate where kings are taken", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", KingCapture, "a1a8", "Ra8+"},
		{"a king is taken", "6k1/8/8/8/8/8/8/K5R1 w - - 0 1", KingCapture, "g1g8", "Rxg8"},
		{"a pawn takes the king on the last rank", "k7/1P6/8/8/8/8/8/4K3 w - - 0 1", KingCapture, "b7a8", "bxa8"},
		{"a drop", emptyFEN, dropLaw1, "N@f3", "N@f3"},
		{"a pawn's drop", emptyFEN, dropLaw1, "P@e4", "P@e4"},
		{"a drop that mates", "6k1/5ppp/8/8/8/8/8/6K1[R] w - - 0 1", dropLaw1, "R@a8", "R@a8#"},
		{"a quasi-check is none", "4k3/8/8/8/8/8/8/8[QK] w - - 0 1", dropLaw1, "Q@e1", "Q@e1"},
		{"a king's drop that makes it one", "4k3/8/8/8/8/8/8/4Q3[K] w - - 0 1", dropLaw1, "K@a1", "K@a1+"},
	} {
		p := parse(t, c.fen, c.law)
		m, err := p.ParseUCI(c.uci)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := p.SAN(m); got != c.san {
			t.Errorf("%s: %s is %s, want %s", c.name, c.uci, got, c.san)
		}
		if again, err := p.ParseSAN(c.san); err != nil || again != m {
			t.Errorf("%s: %s is read as %s, %v", c.name, c.san, again, err)
		}
	}
}

func TestParseSANForms(t *testing.T) {
	for _, c := range []struct{ fen, san, uci string }{
		{startFEN, "Ng1f3", "g1f3"},
		{startFEN, "Ngf3", "g1f3"},
		{startFEN, "N1f3!?", "g1f3"},
		{startFEN, "Pe4", "e2e4"},
		{startFEN, "e2e4", "e2e4"},
		{kiwipete, "0-0", "e1g1"},
		{kiwipete, "O-O-O", "e1c1"},
		{kiwipete, "Ba6", "e2a6"},
		{kiwipete, "dxe6", "d5e6"},
		{"8/P7/7k/8/8/8/8/K7 w - - 0 1", "a8Q", "a7a8q"},
		{"8/P7/7k/8/8/8/8/K7 w - - 0 1", "a8", "a7a8q"},
		{"4k3/4r3/8/8/8/2N1N3/8/4K3 w - - 0 1", "Ncd5", "c3d5"},
		{"4k3/4r3/8/8/8/2N1N3/8/4K3 w - - 0 1", "Nc3d5", "c3d5"},
	} {
		p := parse(t, c.fen, Orthodox)
		m, err := p.ParseSAN(c.san)
		if err != nil || m.UCI() != c.uci {
			t.Errorf("%s is read as %s, %v, want %s", c.san, m, err, c.uci)
		}
	}
}

func TestParseSANRefuses(t *testing.T) {
	illegal := func(err error) bool { return errors.As(err, new(*IllegalMoveError)) }
	syntax := func(err error) bool { return errors.Is(err, ErrSyntax) }
	ambiguous := func(err error) bool { return errors.Is(err, ErrAmbiguous) }
	for _, c := range []struct {
		fen, san string
		is       func(error) bool
	}{
		{startFEN, "e5", illegal},
		{startFEN, "Nxf3", illegal},
		{startFEN, "O-O", illegal},
		{startFEN, "N@f3", illegal},
		{startFEN, "e4=Q", illegal},
		{kiwipete, "de6x", syntax},
		{kiwipete, "e6", illegal}, // a capture names the pawn's file
		{startFEN, "", syntax},
		{startFEN, "+", syntax},
		{startFEN, "N", syntax},
		{startFEN, "Nf9", syntax},
		{startFEN, "=Q", syntax},
		{startFEN, "Ng1-f3", syntax},
		{startFEN, "Nf3Nf3Nf3Nf3Nf3Nf3", syntax},
		{"4k3/8/8/8/8/2N1N3/8/4K3 w - - 0 1", "Nd5", ambiguous},
	} {
		p := parse(t, c.fen, Orthodox)
		if m, err := p.ParseSAN(c.san); !c.is(err) {
			t.Errorf("%s is read as %s, %v", c.san, m, err)
		}
	}
}
