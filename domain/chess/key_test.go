package chess

import "testing"

func TestKeyRepeats(t *testing.T) {
	p := parse(t, startFEN, Orthodox)
	play(t, &p, "e2e4")
	first := p.Key()
	for range 2 {
		play(t, &p, "b8c6", "g1f3", "c6b8", "f3g1")
		if p.Key() != first {
			t.Errorf("%s does not repeat: an en passant right that nobody can use counts", p.FEN())
		}
	}
}

// What must differ for positions to differ, two by two.
func TestKeyDiffers(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		law        Law
	}{
		{"side to move", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/4K2R b K - 0 1", Orthodox},
		{"castling", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", Orthodox},
		{"en passant that can be taken", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", Orthodox},
		{"color", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", "4k3/8/8/8/8/8/8/4K2r w - - 0 1", KingCapture},
		{"role", "4k3/8/8/8/8/8/8/4K2N w - - 0 1", "4k3/8/8/8/8/8/8/4K2B w - - 0 1", Orthodox},
		{"square", "4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", "4k3/8/8/8/8/8/8/4K2N w - - 0 1", Orthodox},
		{"reserve", "4k3/8/8/8/8/8/8/4K3[N] w - - 0 1", "4k3/8/8/8/8/8/8/4K3[B] w - - 0 1", dropLaw1},
		{"whose reserve", "4k3/8/8/8/8/8/8/4K3[N] w - - 0 1", "4k3/8/8/8/8/8/8/4K3[n] w - - 0 1", dropLaw1},
		{"a lone mark", "4k3/8/8/8/8/8/8/4K3[N] w E - 0 1", "4k3/8/8/8/8/8/8/4K3[N] w - - 0 1", dropLaw1},
	} {
		a, b := parse(t, c.a, c.law), parse(t, c.b, c.law)
		if a.Key() == b.Key() {
			t.Errorf("%s makes no difference", c.name)
		}
	}
	p := parse(t, startFEN, Orthodox)
	if k := p.Key(); k.With(0) == k || k.With(1) == k.With(2) || k.With(1).With(2) == k.With(2).With(1) {
		t.Error("what a variant adds makes no difference")
	}
}

func TestKeyForgets(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		law        Law
	}{
		{"the counters", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 40 71", Orthodox},
		{"en passant that would expose the king", "4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4r2k/8/8/3pP3/8/8/8/4K3 w - - 0 1", Orthodox},
		{"rights that the law does not know", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", NoCastling},
	} {
		a, b := parse(t, c.a, c.law), parse(t, c.b, c.law)
		if a.Key() != b.Key() {
			t.Errorf("%s makes a difference", c.name)
		}
	}
}
