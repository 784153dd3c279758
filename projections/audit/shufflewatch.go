package audit

// The statistics of a shuffle that are watched, and into how many categories their
// values fall.
var shuffleStatistics = []struct {
	name       string
	categories int
}{
	{"fixed points", 7}, {"successions", 7}, {"descents", 12}, {"inversions", 16}, {"cycles", 13}, {"top card", 12},
}

// shufflePrior is κ of what is watched of shuffles.
const shufflePrior = 20

// A ShuffleWatch watches shuffles of piles of any size.
type ShuffleWatch struct {
	Orders    *Orders
	Processes []Process // one a statistic

	bins map[int][]binning // of the statistics, by the size of a pile
}

// NewShuffleWatch is one that has seen nothing.
func NewShuffleWatch() *ShuffleWatch {
	w := &ShuffleWatch{Orders: NewOrders()}
	for _, s := range shuffleStatistics {
		w.Processes = append(w.Processes, NewProcess(s.categories, shufflePrior))
	}
	return w
}

// Add takes the next order in, a permutation of 0…n-1; piles of fewer than eight cards
// are passed over.
func (w *ShuffleWatch) Add(order []int) {
	if len(order) < minPile {
		return
	}
	s := shapeOf(order)
	w.Orders.add(order, s)
	bins := w.binnings(len(order))
	for i, v := range [...]int{s.fixed, s.successions, s.descents, s.inversions, s.cycles, s.top} {
		w.Processes[i].Observe(bins[i].chances, bins[i].bin(v))
	}
}

// binnings are those of the statistics, for piles of that size; computed once.
func (w *ShuffleWatch) binnings(size int) []binning {
	if bins, known := w.bins[size]; known {
		return bins
	}
	bins := []binning{
		capped(fixedPoints(size), 6), capped(successions(size), 6), levelled(descents(size), 12),
		levelled(inversions(size), 16), capped(cycles(size), 12), tops(size, 12),
	}
	for i := range bins {
		bins[i] = bins[i].widened(shuffleStatistics[i].categories)
	}
	if w.bins == nil {
		w.bins = map[int][]binning{}
	}
	w.bins[size] = bins
	return bins
}
