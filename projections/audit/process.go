package audit

import "math"

// A Process bets, observation by observation, against the claim that something is drawn
// by known chances. Its wealth E begins at 1 and is a martingale while the claim is
// true, so that E ever reaches x with probability 1/x at most (Ville), whenever and
// however often one looks, and though games end because of what was drawn.
//
// The bet is Dirichlet's mixture: κ imagined observations in the claimed proportions,
// and those made so far. With the same chances every time the wealth after t
// observations depends on the counts alone, not on their order.
type Process struct {
	Prior    float64 // κ: how slowly it learns
	Seen     int     // observations
	Counts   []float64
	Expected []float64 // sums of the claimed chances
	LogE     float64   // natural logarithm of the wealth
	MaxLogE  float64
}

// NewProcess bets on that many categories.
func NewProcess(categories int, prior float64) Process {
	return Process{Prior: prior, Counts: make([]float64, categories), Expected: make([]float64, categories)}
}

// Observe takes an observation of category c in, to which the claim gives chances[c].
// Chances may change from one observation to the next, if they are known before it.
func (p *Process) Observe(chances []float64, c int) {
	total := 0.0
	for i, chance := range chances {
		total += chance * p.leaning(i, chance)
	}
	p.take(math.Log(p.leaning(c, chances[c])/total), c)
	for i, chance := range chances {
		p.Expected[i] += chance
	}
}

// ObserveEven is Observe with the same chance for every category, always: it does not
// go through all of them.
func (p *Process) ObserveEven(c int) {
	n := float64(len(p.Counts))
	p.take(math.Log((p.Counts[c]*n+p.Prior)/(float64(p.Seen)+p.Prior)), c)
}

// leaning is how much more often category i came up than was claimed.
func (p *Process) leaning(i int, chance float64) float64 {
	if chance == 0 {
		return 1
	}
	return (p.Counts[i] + p.Prior*chance) / (p.Expected[i] + p.Prior*chance)
}

func (p *Process) take(gain float64, c int) {
	p.Counts[c]++
	p.Seen++
	p.LogE += gain
	p.MaxLogE = max(p.MaxLogE, p.LogE)
}

// expectedIn is what the claim expects in category i.
func (p *Process) expectedIn(i int) float64 {
	if total(p.Expected) == 0 { // it is even, and does not count them
		return float64(p.Seen) / float64(len(p.Counts))
	}
	return p.Expected[i]
}

// Levels of concern: with fair chance no process of a site ever reaches the first with
// probability 10⁻³ at most, the second with 10⁻⁶ at most.
const (
	WarningLevel = 1e-3
	AlarmLevel   = 1e-6
)

// Reaches says whether one of m processes has ever been so high that, under fair
// chance, any of them gets there with probability level at most.
func (p *Process) Reaches(level float64, m int) bool {
	return p.MaxLogE >= math.Log(float64(m)/level)
}

// evenly are the chances of n equal categories.
func evenly(n int) []float64 {
	chances := make([]float64, n)
	for i := range chances {
		chances[i] = 1 / float64(n)
	}
	return chances
}
