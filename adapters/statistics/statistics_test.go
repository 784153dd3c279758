package statistics_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"chancery/adapters/statistics"
	"chancery/projections/audit"
)

// TestP compares with tables.
func TestP(t *testing.T) {
	for _, c := range []struct {
		test audit.Test
		want float64
	}{
		{audit.Test{Null: audit.ChiSquared, Param: 1, Value: 3.841458820694124}, 0.05},
		{audit.Test{Null: audit.ChiSquared, Param: 9, Value: 21.665994333461924}, 0.01},
		{audit.Test{Null: audit.ChiSquared, Param: 11449, Value: 11449}, 0.4982},
		{audit.Test{Null: audit.ChiSquared, Param: 3, Value: -1e-9}, 1},
		{audit.Test{Null: audit.Normal, Value: -1.959963984540054}, 0.05},
		{audit.Test{Null: audit.Poisson, Param: 1, Value: 0}, math.Exp(-1)},
		{audit.Test{Null: audit.Poisson, Param: 2, Value: 5}, 2 * (0.0526530173437111 - 0.0360894088630967/2)},
	} {
		if got := statistics.P(c.test); math.Abs(got-c.want) > 2e-4 {
			t.Errorf("%+v: %.6f, want %.6f", c.test, got, c.want)
		}
	}
}

func TestHolm(t *testing.T) {
	normal := func(z float64) audit.Test { return audit.Test{Null: audit.Normal, Value: z} }
	r := audit.Report{Tests: []audit.Test{normal(2.5758), normal(0), normal(1.96), normal(3.2905)}}
	statistics.Judge(&r)
	for i, want := range []float64{0.03, 1, 0.1, 0.004} {
		if got := r.Tests[i].Holm; math.Abs(got-want) > 1e-4 {
			t.Errorf("z = %.2f: corrected %.4f, want %.4f", r.Tests[i].Value, got, want)
		}
	}
	if r.Calibration != nil {
		t.Errorf("four p-values say nothing of their distribution: %+v", r.Calibration)
	}
}

// TestCalibrate tells even p-values from others.
func TestCalibrate(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	draw := func(f func() float64) []float64 {
		p := make([]float64, 1000)
		for i := range p {
			p[i] = f()
		}
		return p
	}
	if c := statistics.Calibrate(draw(random.Float64)); !c.OK || c.KS < 0.01 {
		t.Errorf("even values: %+v", c)
	}
	if c := statistics.Calibrate(draw(func() float64 { x := random.Float64(); return x * x })); c.OK || c.KS > 1e-6 {
		t.Errorf("values too small: %+v", c)
	}
	if c := statistics.Calibrate(draw(func() float64 { return 0.2 + 0.8*random.Float64() })); c.OK || c.KS > 1e-6 {
		t.Errorf("values never small: %+v", c)
	}
}

// TestCalibration simulates fair sites, each with its rolls and shuffles, and looks at
// the p-values of every classical test: by itself each must be even between 0 and 1.
func TestCalibration(t *testing.T) {
	const sites = 400
	random := rand.New(rand.NewPCG(11, 12))
	values := map[string][]float64{}
	for range sites {
		for _, test := range fairSite(random) {
			values[test.Of+": "+test.Name] = append(values[test.Of+": "+test.Name], statistics.P(test))
		}
	}
	if len(values) < 40 {
		t.Fatalf("only %d tests", len(values))
	}
	for name, p := range values {
		c := statistics.Calibrate(p)
		if len(p) != sites || c.KS < 1e-4 || c.Uniformity < 1e-5 || c.Share < c.Least-0.01 {
			t.Errorf("%s: %d p-values, %+v", name, len(p), c)
		}
	}
}

// fairSite is what the tests find of a small site whose chance is fair.
func fairSite(random *rand.Rand) []audit.Test {
	dice := audit.NewDiceWatch()
	var before *audit.Roll
	for range 2000 {
		roll := audit.Roll{Sides: []int{10, 10}, Out: []int{random.IntN(10), random.IntN(10)}}
		dice.Add(roll, false, before)
		before = &roll
	}
	for range 1500 {
		dice.Add(audit.Roll{Sides: []int{20, 20}, Out: []int{random.IntN(20), random.IntN(20)}}, false, nil)
		m := 3 + random.IntN(80)
		dice.Add(audit.Roll{Sides: []int{m}, Out: []int{random.IntN(m)}}, true, nil)
	}
	orders := audit.NewOrders()
	for range 120 {
		orders.Add(random.Perm(40))
	}
	back := audit.NewOrders()
	for range 300 {
		back.Add(random.Perm(20 + random.IntN(4)))
	}
	return append(append(dice.Tests(), orders.Tests("deck")...), back.Tests("put back")...)
}

// TestWealth simulates fair streams: wealth ever reaches 20 with a probability of 1/20
// at most.
func TestWealth(t *testing.T) {
	const sites = 2000
	random := rand.New(rand.NewPCG(13, 14))
	reached, highest := map[int]int{}, map[int]float64{}
	for range sites {
		w := audit.NewShuffleWatch()
		for range 20 {
			w.Add(random.Perm(20 + random.IntN(3)))
		}
		die := audit.NewProcess(6, 3)
		for range 100 {
			die.ObserveEven(random.IntN(6))
		}
		for i, p := range append(w.Processes, die) {
			highest[i] = max(highest[i], p.MaxLogE)
			if p.MaxLogE >= math.Log(20) {
				reached[i]++
			}
		}
	}
	for i, most := range highest {
		if share := float64(reached[i]) / sites; share > 0.05+3*math.Sqrt(0.05*0.95/sites) || most == 0 {
			t.Errorf("process %d reaches 20 in %.3f of the streams, and at most 10^%.1f", i, share, most/math.Ln10)
		}
	}
}
