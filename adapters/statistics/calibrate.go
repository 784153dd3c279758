package statistics

import (
	"math"
	"slices"

	"chancery/projections/audit"
)

// minCalibration is how many p-values a calibration takes: NIST's rule for its classes.
const minCalibration = 55

// Calibrate looks whether p-values are even between 0 and 1, as fair chance makes them;
// nil while there are too few to say. The rules on classes and on the share above 0.01
// are those of NIST SP 800-22, section 4.2.
func Calibrate(p []float64) *audit.Calibration {
	n := float64(len(p))
	if n < minCalibration {
		return nil
	}
	const share, least = 0.99, 0.0001
	margin := 3 * math.Sqrt(share*(1-share)/n)
	c := &audit.Calibration{
		N: len(p), KS: KolmogorovSmirnov(p), Uniformity: uniformity(p),
		Share: shareAbove(p, 1-share), Least: share - margin, Most: share + margin,
	}
	c.OK = c.Uniformity >= least && c.Least <= c.Share && c.Share <= c.Most
	return c
}

// uniformity is the p-value of χ² of ten equal classes.
func uniformity(p []float64) float64 {
	var classes [10]float64
	for _, x := range p {
		classes[min(9, int(10*x))]++
	}
	expected, sum := float64(len(p))/10, 0.0
	for _, o := range classes {
		sum += (o - expected) * (o - expected) / expected
	}
	return upperChiSquared(sum, 9)
}

func shareAbove(p []float64, bound float64) float64 {
	above := 0
	for _, x := range p {
		if x >= bound {
			above++
		}
	}
	return float64(above) / float64(len(p))
}

// KolmogorovSmirnov is the p-value of the greatest distance between the distribution of
// the values and the even one, by Kolmogorov's series with Stephens's correction for
// small samples.
func KolmogorovSmirnov(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n, distance := float64(len(sorted)), 0.0
	for i, x := range sorted {
		distance = max(distance, x-float64(i)/n, float64(i+1)/n-x)
	}
	x := distance * (math.Sqrt(n) + 0.12 + 0.11/math.Sqrt(n))
	if x < 0.3 {
		return 1 // where the series is slow
	}
	sum, sign := 0.0, 1.0
	for j := 1.0; j <= 100; j++ {
		sum += sign * math.Exp(-2*j*j*x*x)
		sign = -sign
	}
	return max(0, min(1, 2*sum))
}
