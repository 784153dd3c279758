package chess

import "testing"

func TestInsufficientMaterial(t *testing.T) {
	for _, c := range []struct {
		name, fen string
		law       Law
		want      bool
	}{
		{"king v king", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", Orthodox, true},
		{"king and bishop", "4k3/8/8/8/8/8/8/4KB2 w - - 0 1", NoCastling, true},
		{"king and knight", "4kn2/8/8/8/8/8/8/4K3 w - - 0 1", Orthodox, true},
		{"two knights may be helped", "4k3/8/8/8/8/8/8/4KNN1 w - - 0 1", Orthodox, false},
		{"a knight each", "4kn2/8/8/8/8/8/8/4KN2 w - - 0 1", Orthodox, false},
		{"bishops on one shade, of both sides", "4kb2/8/8/8/8/8/8/B1B1K3 w - - 0 1", Orthodox, true},
		{"bishops on both shades", "4k1b1/8/8/8/8/8/8/2B1K3 w - - 0 1", Orthodox, false},
		{"a pawn", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1", Orthodox, false},
		{"a rook", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", Orthodox, false},
		{"king v king where kings are taken", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", KingCapture, false},
		{"a rook in reserve", "4k3/8/8/8/8/8/8/4K3[R] w - - 0 1", dropLaw1, false},
		{"a knight in reserve", "4k3/8/8/8/8/8/8/4K3[N] w - - 0 1", dropLaw1, true},
		{"kings in reserve", "8/8/8/8/8/8/8/8[KNk] w - - 0 1", dropLaw2, true},
		{"empty reserves", "4k3/8/8/8/8/8/8/4K3[] w - - 0 1", dropLaw3, true},
		{"bishops of one shade with drops", "4k3/8/8/8/8/8/8/B1B1K3[] w - - 0 1", dropLaw1, false},
		{"a bishop each with drops", "4kb2/8/8/8/8/8/8/B3K3[] w - - 0 1", dropLaw1, false},
		{"the full reserve", emptyFEN, dropLaw1, false},
	} {
		p := parse(t, c.fen, c.law)
		if got := p.InsufficientMaterial(); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestCannotMate(t *testing.T) {
	for _, c := range []struct {
		fen  string
		law  Law
		want bool
	}{
		{"4k3/8/8/8/8/8/8/4K3 w - - 0 1", Orthodox, true},
		{"4k3/8/8/8/8/8/8/4KB2 w - - 0 1", Orthodox, true},
		{"4k3/8/8/8/8/8/8/4KN2 w - - 0 1", Orthodox, true},
		{"4k3/8/8/8/8/8/8/3BKB2 w - - 0 1", Orthodox, false},
		{"4k3/8/8/8/8/8/P7/4K3 w - - 0 1", Orthodox, false},
		{"4k3/8/8/8/8/8/8/4K3[P] w - - 0 1", dropLaw1, false},
		{"4k3/8/8/8/8/8/8/8[KN] w - - 0 1", dropLaw1, true},
		{"4k3/8/8/8/8/8/8/4KB2[N] w - - 0 1", dropLaw1, false},
	} {
		p := parse(t, c.fen, c.law)
		if got := p.CannotMate(White); got != c.want {
			t.Errorf("%s: %v", c.fen, got)
		}
		if !p.CannotMate(Black) {
			t.Errorf("%s: a bare king can mate", c.fen)
		}
	}
}
