package fair

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"testing"
)

func TestWordLimit(t *testing.T) {
	tests := []struct {
		n    int
		want uint64
	}{
		{1, 1 << 32},
		{2, 1 << 32},
		{3, 1<<32 - 1},
		{6, 1<<32 - 4},
		{10, 1<<32 - 6},
		{108, 4294967220},
		{2880, 4294967040},
		{1610612736, 3221225472},
		{MaxSides - 1, 4294967294},
		{MaxSides, 1 << 32},
	}
	for _, tt := range tests {
		if got := wordLimit(tt.n); got != tt.want || got%uint64(tt.n) != 0 {
			t.Errorf("wordLimit(%d) = %d, want %d", tt.n, got, tt.want)
		}
	}
}

// TestBelowRejects feeds the sampler words around the limit of n = 10.
func TestBelowRejects(t *testing.T) {
	const limit = 1<<32 - 6
	words := []uint32{limit, math.MaxUint32, limit - 1, limit + 1, 0, 19}
	st := &stream{}
	for i, w := range words {
		binary.BigEndian.PutUint32(st.block[4*i:], w)
	}
	for i, want := range []struct{ value, used int }{{9, 12}, {0, 20}, {9, 24}} {
		if got := st.below(10); got != want.value || st.at != want.used {
			t.Errorf("number %d is %d after %d bytes, want %d after %d", i, got, st.at, want.value, want.used)
		}
	}
}

// chiSquare is Pearson's statistic of equally likely cells.
func chiSquare(counts map[string]int, cells, total int) float64 {
	want, sum := float64(total)/float64(cells), 0.0
	for _, n := range counts {
		sum += (float64(n) - want) * (float64(n) - want) / want
	}
	return sum + want*float64(cells-len(counts))
}

// TestOrdersAreEquallyLikely shuffles four cards under 24,000 seeds. The seeds
// are fixed, so the test is deterministic; 49.7 is the 0.1% point of
// chi-square with 23 degrees of freedom. Sattolo's shuffle, which never leaves
// a card in place, would reach 72,000.
func TestOrdersAreEquallyLikely(t *testing.T) {
	const total = 24_000
	at, counts := vectorState(1, 1, 0), map[string]int{}
	for i := range total {
		d := newDealer(vectorGame, Seed(H("cause", vectorGame, i)), 4)
		counts[fmt.Sprint(d.orderOf(0, Pile{In: upTo(4), Links: at.links()}))]++
	}
	if len(counts) != 24 {
		t.Errorf("%d orders of four cards, want 24", len(counts))
	}
	if x := chiSquare(counts, 24, total); x > 49.7 {
		t.Errorf("chi-square of the orders is %.1f", x)
	}
}

// TestFacesAreEquallyLikely rolls dice under 6,000 fixed links; the critical
// values are the 0.1% points of chi-square.
func TestFacesAreEquallyLikely(t *testing.T) {
	at := vectorState(1, 1, 0)
	for sides, critical := range map[int]float64{2: 10.8, 8: 24.3, 10: 27.9, 12: 31.3, 20: 43.8} {
		const total = 6_000
		counts := map[string]int{}
		for i := range total {
			out := rollOut(vectorGame, 1, H("cause", vectorGame, i), at.links(), []int{sides})
			counts[fmt.Sprint(out[0])]++
		}
		if x := chiSquare(counts, sides, total); x > critical {
			t.Errorf("chi-square of a die with %d sides is %.1f", sides, x)
		}
	}
}

// TestOutcomesDependOnEveryParty changes one party's secret at a time.
func TestOutcomesDependOnEveryParty(t *testing.T) {
	base := vectorState(1, 1, 0)
	d := newDealer(vectorGame, vectorSeed(), 4)
	order, roll := d.Shuffle(base, upTo(52)).Leaves, d.Roll(base, 1<<31, 1<<31).Out
	dice := []int{1 << 31, 1 << 31}
	others := map[string]func() (Leaves, []int){
		"server": func() (Leaves, []int) {
			d := newDealer(vectorGame, Seed(filled(9)), 4)
			return d.Shuffle(base, upTo(52)).Leaves, d.Roll(base, dice...).Out
		},
		"seat 0": func() (Leaves, []int) {
			s := vectorState(2, 1, 0)
			return d.Shuffle(s, upTo(52)).Leaves, d.Roll(s, dice...).Out
		},
		"seat 1": func() (Leaves, []int) {
			s := vectorState(1, 2, 0)
			return d.Shuffle(s, upTo(52)).Leaves, d.Roll(s, dice...).Out
		},
	}
	for who, other := range others {
		if l, out := other(); slices.Equal(l, order) || slices.Equal(out, roll) {
			t.Errorf("an outcome does not depend on the %s", who)
		}
	}
}
