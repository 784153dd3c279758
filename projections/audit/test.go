package audit

import "math"

// A Null is the distribution that a statistic has under fair chance.
type Null string

// The null distributions.
const (
	ChiSquared Null = "chi-squared" // upper tail; Param: degrees of freedom
	Normal     Null = "normal"      // both tails; mean 0, variance 1
	Poisson    Null = "poisson"     // both tails; Param: mean
)

// A Test is a classical test: one statistic, and what it is compared with. P and Holm
// are for whoever can calculate them; this package cannot.
type Test struct {
	Of    string  `json:"of"`
	Name  string  `json:"name"`
	N     int     `json:"n"` // shuffles, rolls or dice looked at
	Value float64 `json:"value"`
	Null  Null    `json:"null"`
	Param float64 `json:"param,omitempty"`
	P     float64 `json:"p"`
	Holm  float64 `json:"holm"` // P after Holm's correction for all tests of a report
}

// pearson is Σ(O−E)²/E. With fewer than five expected in some category, or twenty where
// there are but two, the statistic is not yet what its null says, and there is no test.
func pearson(of, name string, n int, observed, expected []float64) []Test {
	sum, cells, least := 0.0, 0, math.Inf(1)
	for i, e := range expected {
		if e == 0 {
			continue
		}
		least = min(least, e)
		sum += (observed[i] - e) * (observed[i] - e) / e
		cells++
	}
	if cells < 2 || least < 5 || cells == 2 && least < 20 {
		return nil
	}
	return []Test{{Of: of, Name: name, N: n, Value: sum, Null: ChiSquared, Param: float64(cells - 1)}}
}

// A sum of standardised statistics, which is normal for long enough sums.
type sum struct {
	Value    float64 // minus what was expected
	Variance float64
}

func (s *sum) add(value, mean, variance float64) {
	s.Value += value - mean
	s.Variance += variance
}

func (s sum) z() float64 { return s.Value / math.Sqrt(s.Variance) }

func (s sum) test(of, name string, n int) Test {
	return Test{Of: of, Name: name, N: n, Value: s.z(), Null: Normal}
}
