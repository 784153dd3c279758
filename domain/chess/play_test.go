package chess

import (
	"slices"
	"testing"
)

func TestPlay(t *testing.T) {
	for _, c := range []struct {
		name, fen string
		law       Law
		moves     []string
		want      string // the first four fields
	}{
		{
			"a rook taken at home takes its right along", "r3k2r/8/8/8/3B4/8/8/R3K2R w KQkq - 0 1", Orthodox,
			[]string{"d4h8"},
			"r3k2B/8/8/8/8/8/8/R3K2R b KQq -",
		},
		{
			"and another rook in the corner does not bring it back", "r3k2r/8/8/8/3B4/8/8/R3K2R w KQkq - 0 1", Orthodox,
			[]string{"d4h8", "a8a7", "h8e5", "a7h7", "a1a2", "h7h8", "e5b2", "h8g8"},
			"4k1r1/8/8/8/8/8/RB6/4K2R w K -",
		},
		{
			"a rook taken away from home takes no other right along", "4k2r/7p/8/8/8/8/P6P/R3K2R w KQ - 0 1", Orthodox,
			[]string{"a2a4", "h8g8", "a1a3", "g8h8", "a3h3", "h8g8", "h3h4", "g8g4", "h2h3", "g4h4"},
			"4k3/7p/8/8/P6r/7P/8/4K2R w K -",
		},
		{
			"a man in between is in the way for a while only", "4k3/8/8/8/8/8/6R1/4K2R w K - 0 1", Orthodox,
			[]string{"g2g1", "e8d8", "g1g2", "d8e8", "e1g1"},
			"4k3/8/8/8/8/8/6R1/5RK1 b - -",
		},
		{
			"a rook that went and came back has moved", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", Orthodox,
			[]string{"h1h2", "e8d8", "h2h1", "d8e8"},
			"4k3/8/8/8/8/8/8/R3K2R w Q -",
		},
		{
			"so has a king", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", Orthodox,
			[]string{"e1e2", "e8d8", "e2e1", "d8e8"},
			"4k3/8/8/8/8/8/8/R3K2R w - -",
		},
		{
			"castling long moves the rook", "r3k3/8/8/8/8/8/8/4K3 b q - 0 1", Orthodox,
			[]string{"e8c8"},
			"2kr4/8/8/8/8/8/8/4K3 w - -",
		},
		{
			"a man that goes to the skipped square by another way takes nothing", "4k3/8/8/4n3/5P2/8/8/K7 b - f3 0 1", Orthodox,
			[]string{"e5f3"},
			"4k3/8/8/8/5P2/5n2/8/K7 w - -",
		},
		{
			"en passant takes the pawn beside", "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", Orthodox,
			[]string{"d7d5", "e5d6"},
			"4k3/8/3P4/8/8/8/8/4K3 b - -",
		},
		{
			"its right lasts one move", "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", Orthodox,
			[]string{"d7d5", "e1e2", "e8e7"},
			"8/4k3/8/3pP3/8/8/4K3/8 w - -",
		},
		{
			"a promotion stays what it became", "8/P6k/8/8/8/8/8/K7 w - - 0 1", Orthodox,
			[]string{"a7a8n", "h7h8", "a8b6"},
			"7k/8/1N6/8/8/8/8/K7 b - -",
		},
		{
			"a pawn that took the king stands there as a queen", "k7/1P6/8/8/8/8/8/4K3 w - - 0 1", KingCapture,
			[]string{"b7a8n"},
			"Q7/8/8/8/8/8/8/4K3 b - -",
		},
		{
			"a king is taken", "8/8/8/4k3/4K3/8/8/8 w - - 0 1", KingCapture,
			[]string{"e4e5"},
			"8/8/8/4K3/8/8/8/8 b - -",
		},
		{
			"drops leave the reserve", "8/8/8/8/8/8/8/8[QKk] w - - 0 1", dropLaw1,
			[]string{"Q@d4", "k@e8", "K@e1"},
			"4k3/8/8/8/3Q4/8/8/4K3[] b Ee -",
		},
		{
			"king and rook dropped at home have not moved", "4k3/7p/8/8/8/8/8/8[KRP] w - - 0 1", dropLaw1,
			[]string{"R@h1", "e8d8", "K@e1", "d8e8", "e1g1"},
			"4k3/7p/8/8/8/8/8/5RK1[P] b - -",
		},
		{
			"castling leaves the other rook's mark", "4k3/8/8/8/8/8/8/R3K2R[] w KQ - 0 1", dropLaw1,
			[]string{"e1g1"},
			"4k3/8/8/8/8/8/8/R4RK1[] b A -",
		},
		{
			"a king that walked home has moved", "4k3/8/8/8/8/8/4K3/8[RP] w - - 0 1", dropLaw1,
			[]string{"R@h1", "e8d8", "e2e1", "d8e8"},
			"4k3/8/8/8/8/8/8/4K2R[P] w H -",
		},
		{
			"a new rook makes a new right for an unmoved king", "4k3/8/8/8/8/8/8/4K2R[R] w K - 0 1", dropLaw1,
			[]string{"h1h2", "e8d8", "R@h1", "d8e8"},
			"4k3/8/8/8/8/8/7R/4K2R[] w K -",
		},
		{
			"a rook dropped in the enemy's corner has no mark there", "4k3/8/8/8/8/8/8/4K3[R] w Ee - 0 1", dropLaw1,
			[]string{"R@a8"},
			"R3k3/8/8/8/8/8/8/4K3[] b Ee -",
		},
		{
			"no marks grow where there is no castling", "8/8/8/8/8/8/8/8[KRk] w - - 0 1", dropLaw2,
			[]string{"K@e1", "k@e8", "R@h1"},
			"4k3/8/8/8/8/8/8/4K2R[] b - -",
		},
	} {
		p := parse(t, c.fen, c.law)
		play(t, &p, c.moves...)
		if got := fields(p.FEN()); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		again := parse(t, p.FEN(), c.law)
		if !slices.Equal(ucis(&p), ucis(&again)) {
			t.Errorf("%s: the position read back has other moves", c.name)
		}
	}
}

func TestClocks(t *testing.T) {
	for _, c := range []struct {
		name, fen string
		law       Law
		move      string
		want      string // half-move clock and full-move number
	}{
		{"a quiet move counts", "4k3/8/8/8/8/8/8/R3K3 w - - 41 60", Orthodox, "a1a2", "42 60"},
		{"Black's move is the end of the move", "4k3/8/8/8/8/8/8/R3K3 b - - 41 60", Orthodox, "e8e7", "42 61"},
		{"a pawn begins the count anew", "4k3/8/8/8/8/8/P7/4K3 w - - 41 60", Orthodox, "a2a3", "0 60"},
		{"a capture does", "4k3/8/8/8/8/8/r7/R3K3 w - - 41 60", Orthodox, "a1a2", "0 60"},
		{"a drop does", "4k3/8/8/8/8/8/8/4K3[N] w - - 99 60", dropLaw1, "N@a1", "0 60"},
		{"castling does not", "4k3/8/8/8/8/8/8/R3K3 w Q - 41 60", Orthodox, "e1c1", "42 60"},
		{"the counters stop at their end", "4k3/8/8/8/8/8/8/R3K3 b - - 65535 65535", Orthodox, "e8e7", "65535 65535"},
	} {
		p := parse(t, c.fen, c.law)
		play(t, &p, c.move)
		if got := p.FEN()[len(p.FEN())-len(c.want):]; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestPass(t *testing.T) {
	p := parse(t, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 7 9", KingCapture)
	if p.EnPassant() != D6 {
		t.Fatal("the right is missing to begin with")
	}
	p.Pass()
	p.Pass()
	if got, want := p.FEN(), "4k3/8/8/3pP3/8/8/8/4K3 w - - 7 10"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestPut(t *testing.T) {
	for _, c := range []struct {
		name, fen string
		square    Square
		piece     Piece
		want      string
	}{
		{"on an empty square", "4k3/8/8/8/8/8/8/4K3 w - - 3 5", D1, NewPiece(White, Queen), "4k3/8/8/8/8/8/8/3QK3 w - - 3 5"},
		{"for another man", "4k3/8/8/8/4P3/8/8/4K3 b - - 3 5", E4, NewPiece(White, Queen), "4k3/8/8/8/4Q3/8/8/4K3 b - - 3 5"},
		{"nothing", "4k3/8/8/8/4P3/8/8/4K3 w - - 3 5", E4, NoPiece, "4k3/8/8/8/8/8/8/4K3 w - - 3 5"},
		{"a rook at home has no right", "4k3/8/8/8/8/8/8/R3K3 w Q - 3 5", H1, NewPiece(White, Rook), "4k3/8/8/8/8/8/8/R3K2R w Q - 3 5"},
		{"nor has one for the rook that had it", "4k3/8/8/8/8/8/8/R3K2R w KQ - 3 5", H1, NewPiece(White, Rook), "4k3/8/8/8/8/8/8/R3K2R w Q - 3 5"},
		{"a pawn elsewhere leaves en passant", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", A2, NewPiece(White, Pawn), "4k3/8/8/8/3pP3/8/P7/4K3 b - e3 0 1"},
		{"where the passing pawn came from too", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", E2, NewPiece(White, Pawn), "4k3/8/8/8/3pP3/8/4P3/4K3 b - e3 0 1"},
		{"a queen for the passing pawn ends it", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", E4, NewPiece(White, Queen), "4k3/8/8/8/3pQ3/8/8/4K3 b - - 0 1"},
		{"so does a man on the square", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", E3, NewPiece(White, Pawn), "4k3/8/8/8/3pP3/4P3/8/4K3 b - - 0 1"},
	} {
		p := parse(t, c.fen, Orthodox)
		p.Put(c.square, c.piece)
		if got := p.FEN(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if again := parse(t, p.FEN(), Orthodox); again.FEN() != c.want {
			t.Errorf("%s: read back as %s", c.name, again.FEN())
		}
	}
}

// Two games that part from one position do not touch each other.
func TestCopyIsIndependent(t *testing.T) {
	trunk := parse(t, kiwipete, Orthodox)
	before := trunk
	branch := trunk
	play(t, &branch, "e1g1", "h3g2")
	if trunk != before {
		t.Error("playing on a copy changed the original")
	}
	if trunk == branch {
		t.Error("the copy did not change")
	}
}

func TestPlayAllocatesNothing(t *testing.T) {
	p := parse(t, kiwipete, Orthodox)
	buf := make([]Move, 0, 256)
	if n := testing.AllocsPerRun(100, func() {
		for _, m := range p.Moves(buf[:0]) {
			after := p
			after.Play(m)
			after.HasMove()
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
