// Package statistics turns what an audit has measured into probabilities: p-values,
// Holm's correction for their number, and whether p-values are calibrated.
package statistics

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"

	"chancery/projections/audit"
)

// Judge fills in the p-values of a report: of its tests, corrected for their number, of
// every week's, and whether the weeks' are calibrated.
func Judge(r *audit.Report) {
	holm(r.Tests)
	var weekly []float64
	for i := range r.Weeks {
		holm(r.Weeks[i].Tests)
		for _, t := range r.Weeks[i].Tests {
			weekly = append(weekly, t.P)
		}
	}
	r.Calibration = Calibrate(weekly)
}

// P is the chance of a statistic at least as extreme as the test's, were everything
// fair. That of a count is the mid-p-value: half of the chance of the very count is
// left out, without which p-values of counts would be too large on the average.
func P(t audit.Test) float64 {
	switch t.Null {
	case audit.ChiSquared:
		return upperChiSquared(t.Value, t.Param)
	case audit.Normal:
		return math.Erfc(math.Abs(t.Value) / math.Sqrt2)
	case audit.Poisson:
		return twoSidedPoisson(t.Value, t.Param)
	}
	return math.NaN()
}

func upperChiSquared(x, df float64) float64 {
	if x <= 0 {
		return 1
	}
	return mathext.GammaIncRegComp(df/2, x/2)
}

// twoSidedPoisson is twice the smaller tail, half of the count's own chance included.
func twoSidedPoisson(k, mean float64) float64 {
	lg, _ := math.Lgamma(k + 1)
	own := math.Exp(k*math.Log(mean) - mean - lg)
	upper := own / 2
	lower := own / 2
	if k > 0 {
		lower += mathext.GammaIncRegComp(k, mean)
	}
	upper += mathext.GammaIncReg(k+1, mean)
	return min(1, 2*min(lower, upper))
}

// holm fills in p-values, and those after Holm's step-down correction: with fair chance
// the smallest of them is below x with probability x at most, however the tests hang
// together.
func holm(tests []audit.Test) {
	order := make([]int, len(tests))
	for i := range tests {
		tests[i].P, order[i] = P(tests[i]), i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(tests[a].P, tests[b].P) })
	corrected := 0.0
	for rank, i := range order {
		corrected = max(corrected, min(1, tests[i].P*float64(len(tests)-rank)))
		tests[i].Holm = corrected
	}
}
