package chess

import "testing"

var benchmarkPositions = []struct {
	name, fen string
	law       Law
	depth     int
	leaves    uint64
}{
	{"start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Orthodox, 5, 4865609},
	{"kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", Orthodox, 4, 4085603},
	{"kingcapture", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", KingCapture, 5, 4897256},
	{"drops", "8/8/8/8/8/8/8/8[KQRRBBNNPPPPPPPPkqrrbbnnpppppppp] w - - 0 1", dropLaw3, 3, 26001142},
}

func BenchmarkPerft(b *testing.B)       { benchmarkPerft(b, Perft) }
func BenchmarkPerftPlayed(b *testing.B) { benchmarkPerft(b, PerftPlayed) }

func benchmarkPerft(b *testing.B, perft func(*Position, int) uint64) {
	for _, c := range benchmarkPositions {
		b.Run(c.name, func(b *testing.B) {
			p, err := ParsePosition(c.fen, c.law)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if n := perft(&p, c.depth); n != c.leaves {
					b.Fatalf("%d leaves, want %d", n, c.leaves)
				}
			}
			b.ReportMetric(float64(c.leaves)*float64(b.N)/b.Elapsed().Seconds(), "leaves/s")
			b.ReportAllocs()
		})
	}
}

func benchmarkPosition(b *testing.B) Position {
	p, err := ParsePosition(benchmarkPositions[1].fen, Orthodox)
	if err != nil {
		b.Fatal(err)
	}
	return p
}

func BenchmarkMoves(b *testing.B) {
	p := benchmarkPosition(b)
	buf := make([]Move, 0, 256)
	b.ReportAllocs()
	for b.Loop() {
		buf = p.Moves(buf[:0])
	}
}

func BenchmarkFEN(b *testing.B) {
	p := benchmarkPosition(b)
	b.ReportAllocs()
	for b.Loop() {
		_ = p.FEN()
	}
}

func BenchmarkParsePosition(b *testing.B) {
	p := benchmarkPosition(b)
	fen := p.FEN()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParsePosition(fen, Orthodox); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkKey(b *testing.B) {
	p := benchmarkPosition(b)
	for b.Loop() {
		_ = p.Key()
	}
}

func BenchmarkParseUCI(b *testing.B) {
	p := benchmarkPosition(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.ParseUCI("e2b5"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSAN(b *testing.B) {
	p := benchmarkPosition(b)
	m, err := p.ParseUCI("e2b5")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		_ = p.SAN(m)
	}
}
