package audit

import (
	"math"
	"testing"
)

// permutations calls f with all orders of 0…n-1.
func permutations(n int, f func([]int)) {
	a := make([]int, n)
	for i := range a {
		a[i] = i
	}
	var put func(k int)
	put = func(k int) {
		if k == n {
			f(a)
			return
		}
		for i := k; i < n; i++ {
			a[k], a[i] = a[i], a[k]
			put(k + 1)
			a[k], a[i] = a[i], a[k]
		}
	}
	put(0)
}

// TestExactChances compares every distribution with a count of all 5,040 orders.
func TestExactChances(t *testing.T) {
	const n = 7
	counts := map[string]map[int]int{}
	note := func(name string, v int) {
		if counts[name] == nil {
			counts[name] = map[int]int{}
		}
		counts[name][v]++
	}
	permutations(n, func(order []int) {
		s := shapeOf(order)
		note("fixed points", s.fixed)
		note("successions", s.successions)
		note("descents", s.descents)
		note("inversions", s.inversions)
		note("cycles", s.cycles)
	})
	for name, chances := range map[string][]float64{
		"fixed points": fixedPoints(n), "successions": successions(n), "descents": descents(n), "inversions": inversions(n), "cycles": cycles(n),
	} {
		for v, p := range chances {
			if want := float64(counts[name][v]) / 5040; math.Abs(p-want) > 1e-12 {
				t.Errorf("%s %d: chance %g, counted %g", name, v, p, want)
			}
		}
	}
}

// TestBinnings: the chances of a pile of any size add up to 1, and every value has a
// category.
func TestBinnings(t *testing.T) {
	w := NewShuffleWatch()
	for _, size := range []int{minPile, 9, 20, 75, 76, 107, 108, 250} {
		for i, b := range w.binnings(size) {
			if sum := total(b.chances); math.Abs(sum-1) > 1e-9 || len(b.chances) != shuffleStatistics[i].categories {
				t.Errorf("%s of %d cards: %d chances add up to %g", shuffleStatistics[i].name, size, len(b.chances), sum)
			}
			for v, c := range b.of {
				if c < 0 || c >= len(b.chances) {
					t.Errorf("%s of %d cards: value %d is in category %d", shuffleStatistics[i].name, size, v, c)
				}
			}
		}
	}
}

func TestHypergeometric(t *testing.T) {
	for k, want := range []float64{0.443, 0.401, 0.134, 0.021, 0.002} { // 8 good of 76, in a hand of 7
		if got := hypergeometric(76, 8, 7)[k]; math.Abs(got-want) > 0.0005 {
			t.Errorf("%d good cards: %.4f, want %.3f", k, got, want)
		}
	}
}

// TestDiceChances: chances add up to 1, and those of d6 are known.
func TestDiceChances(t *testing.T) {
	if sum := total(gapChances(10)); math.Abs(sum-1) > 1e-9 {
		t.Errorf("gaps: %g", sum)
	}
	for sides := 2; sides <= longDice; sides++ {
		if sum := total(runChances(sides)); math.Abs(sum-1) > 1e-9 {
			t.Errorf("runs of d%d: %g", sides, sum)
		}
	}
	if got, want := runChances(6)[0], 1-15./36; math.Abs(got-want) > 1e-12 {
		t.Errorf("a run of one of d6: %g, want %g", got, want)
	}
}

// TestEffects pins what the rules say of the hundred pairs of ten-sided dice.
func TestEffects(t *testing.T) {
	want := map[string]float64{"none": 10, "win": 1, "queen": 13, "skip": 3, "piece": 4, "pawn": 24, "give": 45}
	for i, name := range effects.names {
		if got := 100 * effects.chances[i]; math.Abs(got-want[string(name)]) > 1e-9 {
			t.Errorf("%s: %g of 100, want %g", name, got, want[string(name)])
		}
	}
	if math.Abs(noEight-0.2631) > 1e-4 {
		t.Errorf("no eight in ten: %g", noEight)
	}
}

// TestMartingale goes through every sequence of observations, with chances that change
// from one to the next: what a process wins on the average is nothing.
func TestMartingale(t *testing.T) {
	chances := [][]float64{{0.5, 0.3, 0.2}, {0.1, 0.1, 0.8}, {0.5, 0.5, 0}, {0.25, 0.5, 0.25}, {0.6, 0.3, 0.1}}
	var mean func(p Process, step int, chance float64) float64
	mean = func(p Process, step int, chance float64) float64 {
		if step == len(chances) {
			return chance * math.Exp(p.LogE)
		}
		sum := 0.0
		for c, x := range chances[step] {
			if x == 0 {
				continue
			}
			next := p
			next.Counts, next.Expected = append([]float64{}, p.Counts...), append([]float64{}, p.Expected...)
			next.Observe(chances[step], c)
			sum += mean(next, step+1, chance*x)
		}
		return sum
	}
	if got := mean(NewProcess(3, 2), 0, 1); math.Abs(got-1) > 1e-12 {
		t.Errorf("wealth on the average: %g, want 1", got)
	}
}

// TestObserveEven is Observe with equal chances.
func TestObserveEven(t *testing.T) {
	a, b := NewProcess(4, 2), NewProcess(4, 2)
	for i := range 50 {
		c := i * i % 4
		a.ObserveEven(c)
		b.Observe(evenly(4), c)
		if math.Abs(a.LogE-b.LogE) > 1e-9 || a.expectedIn(1) != b.expectedIn(1) {
			t.Fatalf("after %d: %g and %g", i+1, a.LogE, b.LogE)
		}
	}
}

// TestDiscoveries checks the step-up rule at its edges.
func TestDiscoveries(t *testing.T) {
	of := func(logs ...float64) (list []Finding) {
		for _, l := range logs {
			list = append(list, Finding{LogE: l})
		}
		return list
	}
	for _, c := range []struct {
		logs []float64
		want int
	}{
		{nil, 0},
		{[]float64{1.9}, 0},
		{[]float64{2}, 1},
		{[]float64{2, 2}, 2},                // each needs 2/(2·0.01)
		{[]float64{2, 1.9}, 0},              // alone it would need 200
		{[]float64{0, 2.4, 0}, 0},           // and of three, 300
		{[]float64{0, 2.5, 0}, 1},           //
		{[]float64{5, 0, 0, 2.4, 0, -3}, 1}, // two of six need 300 each
	} {
		if got := Discoveries(of(c.logs...)); len(got) != c.want {
			t.Errorf("%v: %d named, want %d", c.logs, len(got), c.want)
		}
	}
}
