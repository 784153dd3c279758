package fair

import "testing"

func BenchmarkShuffle108(b *testing.B) {
	d, at := newDealer(vectorGame, vectorSeed(), 4), vectorState(1, 1, 0)
	pile := Pile{In: upTo(108), Links: at.links()}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		d.orderOf(i, pile)
	}
}

func BenchmarkShuffle108WithLeaves(b *testing.B) {
	d, at := newDealer(vectorGame, vectorSeed(), 4), vectorState(1, 1, 0)
	in := upTo(108)
	b.ReportAllocs()
	for b.Loop() {
		d.known = [2]order{}
		d.Shuffle(at, in)
	}
}

func BenchmarkRollTwoD10(b *testing.B) {
	d := NewDealer(vectorGame, vectorSeed())
	at := vectorState(1, 1, 0)
	d.Roll(at, 10, 10)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		at.Rolls = i % 4096
		d.Roll(at, 10, 10)
	}
}

// BenchmarkVerifyRollWithBothLinks checks a roll and the two links before it.
func BenchmarkVerifyRollWithBothLinks(b *testing.B) {
	g := deal(1, true)
	g.roll(0, 10, 10)
	g.roll(0, 10, 10)
	n := len(g.parts)
	states := []State{g.after(n - 3), g.after(n - 2), g.after(n - 1)}
	b.ReportAllocs()
	for b.Loop() {
		for i, s := range states {
			if err := s.Check(g.parts[n-3+i], nil); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkOpenLeaf(b *testing.B) {
	var sink Hash
	for i := 0; b.Loop(); i++ {
		sink = leaf(vectorGame, 0, i&63, 19, Salt{})
	}
	_ = sink
}

func BenchmarkServerChain4096(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		NewDealer(vectorGame, vectorSeed()).server.Anchor()
	}
}

func BenchmarkSeal(b *testing.B) {
	master, c := Master(filled(7)), Commitment(vectorGame, vectorSeed())
	b.ReportAllocs()
	for b.Loop() {
		Seal(master, "2026-11", vectorGame, c, vectorSeed(), [12]byte{})
	}
}

func BenchmarkUnseal(b *testing.B) {
	master, c := Master(filled(7)), Commitment(vectorGame, vectorSeed())
	header := Seal(master, "2026-11", vectorGame, c, vectorSeed(), [12]byte{})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Unseal(master, header, vectorGame, c); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkVerifyGame checks and folds a whole game, its reveal included.
func BenchmarkVerifyGame(b *testing.B) {
	parts := full().parts
	b.ReportAllocs()
	for b.Loop() {
		if _, err := verify(parts); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkEvolve200 folds 200 events: half without a part, half with a link.
func BenchmarkEvolve200(b *testing.B) {
	start := full().State
	link := &Part{Link: &Link{Seat: 1}}
	b.ReportAllocs()
	for b.Loop() {
		s := start
		for range 100 {
			s = s.Evolve(nil).Evolve(link)
		}
	}
}
