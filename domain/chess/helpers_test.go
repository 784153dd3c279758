package chess

import (
	"slices"
	"strings"
	"testing"
)

const (
	startFEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
	emptyFEN = "8/8/8/8/8/8/8/8[KQRRBBNNPPPPPPPPkqrrbbnnpppppppp] w - - 0 1"
	kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
)

// dropLawEnglish lets pawns drop on the first rank and never step twice.
var dropLawEnglish = Law{Drops: true, PawnDrops: RankRange{1, 4}, NoDoubleStep: true, DropSparesKing: true}

// grounds are where the fuzz tests and random walks begin.
var grounds = []struct {
	fen string
	law Law
}{
	{startFEN, Orthodox},
	{kiwipete, Orthodox},
	{kiwipete, NoCastling},
	{startFEN, KingCapture},
	{kiwipete, KingCapture},
	{"3k1r2/4P3/8/8/8/8/3p4/2R1K3 w - - 0 1", KingCapture},
	{"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", Orthodox},
	{"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", Orthodox},
	{emptyFEN, dropLaw1},
	{emptyFEN, dropLaw2},
	{emptyFEN, dropLaw3},
	{emptyFEN, dropLawEnglish},
	{"4k3/8/8/8/1p1p4/8/2P1P3/4K3[QRRBBNNPPPPPPqrrbbnnpppppp] w Ee - 0 1", dropLaw1},
	{"r3k2r/8/8/8/8/8/8/R3K2R[QBp] w KQkq - 0 1", dropLaw1},
}

func parse(t testing.TB, fen string, law Law) Position {
	t.Helper()
	p, err := ParsePosition(fen, law)
	if err != nil {
		t.Fatalf("ParsePosition(%q): %v", fen, err)
	}
	return p
}

// play plays moves given in UCI.
func play(t testing.TB, p *Position, moves ...string) {
	t.Helper()
	for _, uci := range moves {
		m, err := p.ParseUCI(uci)
		if err != nil {
			t.Fatalf("%s: %v", p.FEN(), err)
		}
		p.Play(m)
	}
}

// ucis are the moves of the position in UCI, sorted.
func ucis(p *Position) []string {
	var texts []string
	for _, m := range p.Moves(nil) {
		texts = append(texts, m.UCI())
	}
	slices.Sort(texts)
	return texts
}

// walk begins on a ground and lets each byte choose a move, until the game is
// over or the bytes are used up; visit sees every position on the way.
func walk(t testing.TB, ground uint8, choices []byte, visit func(*Position)) {
	t.Helper()
	g := grounds[int(ground)%len(grounds)]
	p := parse(t, g.fen, g.law)
	for _, choice := range choices {
		visit(&p)
		moves := p.Moves(nil)
		if len(moves) == 0 {
			return
		}
		// A byte cannot name each of 344 drops, so it is spread out.
		p.Play(moves[int(choice)*7919%len(moves)])
	}
	visit(&p)
}

// addWalks gives a fuzz target seeds on every ground.
func addWalks(f *testing.F) {
	f.Helper()
	for ground := range grounds {
		for seed := range 3 {
			choices := make([]byte, 60)
			for i := range choices {
				choices[i] = byte(mix(uint64(ground<<16 | seed<<8 | i)))
			}
			f.Add(uint8(ground), choices)
		}
	}
}

// fields is the FEN without its counters.
func fields(fen string) string { return strings.Join(strings.Fields(fen)[:4], " ") }
