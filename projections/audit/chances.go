package audit

import "math"

// A binning sorts the values 0, 1, 2, … of a statistic into categories, and knows the
// exact chance of each.
type binning struct {
	of      []int // category of each value
	chances []float64
}

// bin is the category of a value.
func (b binning) bin(v int) int { return b.of[min(v, len(b.of)-1)] }

// capped makes each of the first values a category and the rest, from last on, one more.
func capped(chances []float64, last int) binning {
	b := binning{of: make([]int, len(chances)), chances: make([]float64, last+1)}
	for v, p := range chances {
		b.of[v] = min(v, last)
		b.chances[b.of[v]] += p
	}
	return b
}

// levelled makes n categories of about the same chance.
func levelled(chances []float64, n int) binning {
	b := binning{of: make([]int, len(chances)), chances: make([]float64, n)}
	below := 0.0
	for v, p := range chances {
		b.of[v] = max(0, min(n-1, int(float64(n)*(below+p/2))))
		b.chances[b.of[v]] += p
		below += p
	}
	return b
}

// derangements gives d_m, the share of the permutations of m things that leave none in
// its place: the sum of (-1)^j/j! for j up to m.
func derangements(m int) float64 {
	sum, term := 0.0, 1.0
	for j := 0; j <= m; j++ {
		sum += term
		term /= -float64(j + 1)
	}
	return sum
}

// fixedPoints is the distribution of the number of cards that stay in their place:
// d_{n-k}/k!, nearly Poisson's of mean 1.
func fixedPoints(n int) []float64 {
	chances := make([]float64, n+1)
	factorial := 1.0
	for k := range chances {
		chances[k] = derangements(n-k) / factorial
		factorial *= float64(k + 1)
	}
	return chances
}

// successions is the distribution of how often a card is followed by the next one:
// C(n-1,k)(D_{n-k}+D_{n-k-1})/n!, with D_m = m! d_m.
func successions(n int) []float64 {
	chances := make([]float64, n)
	factorial := 1.0
	for k := range chances {
		m := n - k
		chances[k] = (float64(m)*derangements(m) + derangements(m-1)) / (float64(n) * factorial)
		factorial *= float64(k + 1)
	}
	return chances
}

// descents is the distribution of how often a card is followed by a lower one: Euler's
// numbers over n!.
func descents(n int) []float64 {
	chances := []float64{1}
	for m := 2; m <= n; m++ {
		next := make([]float64, m)
		for d, p := range chances {
			next[d] += p * float64(d+1) / float64(m)
			next[d+1] += p * float64(m-1-d) / float64(m)
		}
		chances = next
	}
	return chances
}

// inversions is the distribution of the number of pairs that stand in the wrong order:
// the sum of independent numbers, of which the m-th is uniform below m.
func inversions(n int) []float64 {
	chances := []float64{1}
	for m := 2; m <= n; m++ {
		next := make([]float64, len(chances)+m-1)
		window := 0.0
		for v := range next {
			if v < len(chances) {
				window += chances[v]
			}
			if v >= m {
				window -= chances[v-m]
			}
			next[v] = math.Max(0, window) / float64(m)
		}
		chances = next
	}
	return chances
}

// cycles is the distribution of the number of cycles, from 0: the sum of independent
// indicators, of which the m-th is 1 with chance 1/m.
func cycles(n int) []float64 {
	chances := []float64{1}
	for m := 1; m <= n; m++ {
		next := make([]float64, m+1)
		for c, p := range chances {
			next[c] += p * float64(m-1) / float64(m)
			next[c+1] += p / float64(m)
		}
		chances = next
	}
	return chances
}

// tops sorts the rank of the top card into n classes of about equal size.
func tops(size, n int) binning { return levelled(evenly(size), min(n, size)).widened(n) }

// widened has n categories, the further ones without a chance.
func (b binning) widened(n int) binning {
	b.chances = append(b.chances, make([]float64, n-len(b.chances))...)
	return b
}

// hypergeometric is the distribution of how many of the good among size cards are among
// the drawn first.
func hypergeometric(size, good, drawn int) []float64 {
	chances := make([]float64, min(good, drawn)+1)
	for k := range chances {
		chances[k] = math.Exp(logChoose(good, k) + logChoose(size-good, drawn-k) - logChoose(size, drawn))
	}
	return chances
}

// logChoose is the logarithm of n over k, -Inf where that is 0.
func logChoose(n, k int) float64 {
	if k < 0 || k > n {
		return math.Inf(-1)
	}
	lg := func(x int) float64 { v, _ := math.Lgamma(float64(x + 1)); return v }
	return lg(n) - lg(k) - lg(n-k)
}
