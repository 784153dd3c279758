package audit

import (
	"maps"
	"math"
	"slices"
)

// minPile is the smallest pile that is looked at: shuffles of fewer cards say little.
const minPile = 8

// A shape is what is measured of one order. The card ranks 0, 1, 2, … of an order are
// the places that its cards have in the pile sorted by id.
type shape struct{ fixed, successions, descents, inversions, cycles, top int }

func shapeOf(order []int) shape {
	s := shape{top: order[0], inversions: countInversions(order), cycles: countCycles(order)}
	for i, c := range order {
		if c == i {
			s.fixed++
		}
		if i == 0 {
			continue
		}
		switch before := order[i-1]; {
		case c == before+1:
			s.successions++
		case c < before:
			s.descents++
		}
	}
	return s
}

// countInversions counts the pairs in the wrong order with a Fenwick tree.
func countInversions(order []int) (n int) {
	tree := make([]int32, len(order)+1)
	for seen, c := range order {
		n += seen
		for i := c + 1; i > 0; i &= i - 1 {
			n -= int(tree[i])
		}
		for i := c + 1; i < len(tree); i += i & -i {
			tree[i]++
		}
	}
	return n
}

func countCycles(order []int) (n int) {
	seen := make([]bool, len(order))
	for i := range order {
		if !seen[i] {
			n++
		}
		for j := i; !seen[j]; j = order[j] {
			seen[j] = true
		}
	}
	return n
}

// An Orders collects shuffled orders for the classical tests, by the size of the pile.
type Orders struct {
	Tables      map[int]*Table
	N           int // shuffles
	Fixed       int
	Successions int
	// Expected number of successions; of fixed points each shuffle has one.
	ExpectedSuccessions float64
	Descents            sum
	Inversions          sum
	Cycles              sum
	Likeness            sum // Spearman's ρ of consecutive shuffles, times √(n-1)
	Compared            int // pairs of consecutive shuffles
}

// A Table counts, for piles of one size n, how often each card rank was at each
// position.
type Table struct {
	N       int     // shuffles
	Cells   []int32 // position·n + rank
	Squares int64   // Σ O²
	Last    []int   // the newest order
}

// NewOrders is a collection without any.
func NewOrders() *Orders { return &Orders{Tables: map[int]*Table{}} }

// Add takes the next order in, a permutation of 0…n-1.
func (o *Orders) Add(order []int) { o.add(order, shapeOf(order)) }

func (o *Orders) add(order []int, s shape) {
	n := float64(len(order))
	harmonic, squares := 0.0, 0.0
	for i := 1.0; i <= n; i++ {
		harmonic += 1 / i
		squares += 1 / (i * i)
	}
	o.N++
	o.Fixed += s.fixed
	o.Successions += s.successions
	o.ExpectedSuccessions += (n - 1) / n
	o.Descents.add(float64(s.descents), (n-1)/2, (n+1)/12)
	o.Inversions.add(float64(s.inversions), n*(n-1)/4, n*(n-1)*(2*n+5)/72)
	o.Cycles.add(float64(s.cycles), harmonic, harmonic-squares)
	t := o.Tables[len(order)]
	if t == nil {
		t = &Table{Cells: make([]int32, len(order)*len(order))}
		o.Tables[len(order)] = t
	}
	if t.Last != nil {
		o.Likeness.add(spearman(t.Last, order)*math.Sqrt(n-1), 0, 1)
		o.Compared++
	}
	t.add(order)
}

func (t *Table) add(order []int) {
	for i, c := range order {
		cell := &t.Cells[i*len(order)+c]
		t.Squares += 2*int64(*cell) + 1
		*cell++
	}
	t.N++
	t.Last = append(t.Last[:0], order...)
}

// spearman is the rank correlation of two orders, position by position.
func spearman(a, b []int) float64 {
	n, sum := float64(len(a)), 0
	for i := range a {
		sum += (a[i] - b[i]) * (a[i] - b[i])
	}
	return 1 - 6*float64(sum)/(n*(n*n-1))
}

// minShuffles is how many shuffles a test of sums takes, minTable how many a test of a
// table: below that it is too skewed.
const (
	minShuffles = 10
	minTable    = 20
)

// Tests are the classical tests of the orders.
func (o *Orders) Tests(of string) []Test {
	if o.N < minShuffles {
		return nil
	}
	list := []Test{
		{Of: of, Name: "fixed points", N: o.N, Value: float64(o.Fixed), Null: Poisson, Param: float64(o.N)},
		{Of: of, Name: "successions", N: o.N, Value: float64(o.Successions), Null: Poisson, Param: o.ExpectedSuccessions},
		o.Descents.test(of, "descents", o.N),
		o.Inversions.test(of, "inversions", o.N),
		o.Cycles.test(of, "cycles", o.N),
	}
	if o.Compared >= minShuffles {
		list = append(list, o.Likeness.test(of, "likeness of consecutive shuffles", o.Compared))
	}
	list = append(list, o.tables(of, "position and card", minTable, (*Table).positions)...)
	return append(list, o.tables(of, "top card", 0, (*Table).tops)...)
}

// tables is one test of all tables: χ² of one, and z/√k of several (Stouffer).
func (o *Orders) tables(of, name string, least int, statistic func(t *Table, size int) (x, df float64)) []Test {
	var all sum
	var only Test
	count, shuffles := 0, 0
	for _, size := range slices.Sorted(maps.Keys(o.Tables)) {
		t := o.Tables[size]
		x, df := statistic(t, size)
		if t.N < least || df == 0 {
			continue
		}
		count++
		shuffles += t.N
		only = Test{Of: of, Name: name, N: t.N, Value: x, Null: ChiSquared, Param: df}
		all.add((x-df)/math.Sqrt(2*df*(1-1/float64(t.N))), 0, 1)
	}
	switch count {
	case 0:
		return nil
	case 1:
		return []Test{only}
	}
	return []Test{all.test(of, name, shuffles)}
}

// positions is Anderson's statistic of a table of rankings, (n-1)/N·(ΣO² − N²). It is
// (n-1)/n of Pearson's, for every row and every column of the table adds up to N; mean
// (n-1)² and variance 2(n-1)²(1−1/N) are exact for any N.
func (t *Table) positions(size int) (x, df float64) {
	n, shuffles := float64(size), float64(t.N)
	return (n - 1) / shuffles * (float64(t.Squares) - shuffles*shuffles), (n - 1) * (n - 1)
}

// tops is Pearson's statistic of the top card; nothing while there are fewer than two
// expected of each.
func (t *Table) tops(size int) (x, df float64) {
	if t.N < 2*size {
		return 0, 0
	}
	e := float64(t.N) / float64(size)
	for _, c := range t.Cells[:size] {
		x += (float64(c) - e) * (float64(c) - e) / e
	}
	return x, float64(size - 1)
}
