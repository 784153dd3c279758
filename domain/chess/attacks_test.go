package chess

import (
	"slices"
	"testing"
)

// The magic tables agree with walking the rays, on boards of every density.
func TestSliders(t *testing.T) {
	seed := uint64(1)
	next := func() Bitboard { seed += weyl; return Bitboard(mix(seed)) }
	for s := A1; s <= H8; s++ {
		for range 2000 {
			a, b, c := next(), next(), next()
			for _, occupied := range []Bitboard{a, a & b, a & b & c, a | b} {
				if got, want := rookAttacks(s, occupied), rays(s, rookDirections, occupied); got != want {
					t.Fatalf("rook on %s, board %x: %x, want %x", s, occupied, got, want)
				}
				if got, want := bishopAttacks(s, occupied), rays(s, bishopDirections, occupied); got != want {
					t.Fatalf("bishop on %s, board %x: %x, want %x", s, occupied, got, want)
				}
			}
		}
	}
}

func TestLines(t *testing.T) {
	for _, c := range []struct {
		a, b          Square
		between, line []Square
	}{
		{A1, A1, nil, nil},
		{A1, B3, nil, nil},
		{A1, A4, []Square{A2, A3}, []Square{A1, A2, A3, A4, A5, A6, A7, A8}},
		{F6, D4, []Square{E5}, []Square{A1, B2, C3, D4, E5, F6, G7, H8}},
		{H1, G2, nil, []Square{H1, G2, F3, E4, D5, C6, B7, A8}},
	} {
		got := betweenTable[c.a][c.b]
		if len(c.between) != got.Count() || got.Count() > 0 && !slices.Equal(got.Squares(), c.between) {
			t.Errorf("between %s and %s: %v", c.a, c.b, got.Squares())
		}
		line := Bitboard(0)
		for _, s := range c.line {
			line |= s.bit()
		}
		if lineTable[c.a][c.b] != line || lineTable[c.b][c.a] != line {
			t.Errorf("through %s and %s: %v", c.a, c.b, lineTable[c.a][c.b].Squares())
		}
	}
}

func TestAttackedKings(t *testing.T) {
	for _, c := range []struct {
		name, fen string
		law       Law
		check     bool
		want      []Square
	}{
		{"nobody", startFEN, Orthodox, false, []Square{}},
		{"the side to move", "4k3/8/8/8/8/8/8/4K2r w - - 0 1", Orthodox, true, []Square{E1}},
		{"the other side, where kings are taken", "4k3/8/8/8/8/8/8/4R1K1 w - - 0 1", KingCapture, false, []Square{E8}},
		{"both, by each other", "8/8/8/4k3/4K3/8/8/8 w - - 0 1", KingCapture, true, []Square{E4, E5}},
		{"by a pawn, where kings are taken", "8/8/8/3k4/4P3/8/8/K7 w - - 0 1", KingCapture, false, []Square{D5}},
		{"a quasi-check is none", "4k3/8/8/8/8/8/8/4Q3[K] b - - 0 1", dropLaw1, false, []Square{}},
		{"with the king it is", "4k3/8/8/8/8/8/8/K3Q3[] b - - 0 1", dropLaw1, true, []Square{E8}},
		{"no king, no check", "8/8/8/8/8/8/8/8[Kk] w - - 0 1", dropLaw1, false, []Square{}},
	} {
		p := parse(t, c.fen, c.law)
		if got := p.AttackedKings().Squares(); !slices.Equal(got, c.want) || p.InCheck() != c.check {
			t.Errorf("%s: %v, check %v", c.name, got, p.InCheck())
		}
	}
}

func TestAttacks(t *testing.T) {
	p := parse(t, "4k3/8/8/3p4/4P3/8/8/R3K3 w - - 0 1", Orthodox)
	for _, c := range []struct {
		from Square
		want []Square
	}{
		{A1, []Square{B1, C1, D1, E1, A2, A3, A4, A5, A6, A7, A8}},
		{E4, []Square{D5, F5}},
		{D5, []Square{C4, E4}},
		{H8, []Square{}},
		{NoSquare, []Square{}},
	} {
		if got := p.Attacks(c.from).Squares(); !slices.Equal(got, c.want) {
			t.Errorf("%s attacks %v, want %v", c.from, got, c.want)
		}
	}
	if p.IsAttacked(NoSquare, White) || !p.IsAttacked(D5, White) || p.IsAttacked(D5, Black) {
		t.Error("d5 is attacked by the wrong side, or no square is attacked")
	}
}
