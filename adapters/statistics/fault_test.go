package statistics_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"chancery/adapters/statistics"
	"chancery/events/verify"
	"chancery/projections/audit"
)

// processes is how many processes a site has.
var processes = len(audit.New(nil, verify.Legal).Report(time.Time{}).Processes)

// A shuffler fills a with 0, 1, 2, … in an order that may be faulty.
type shuffler func(a []int, r *rand.Rand)

func fisherYates(below func(r *rand.Rand, n int) int) shuffler {
	return func(a []int, r *rand.Rand) {
		for i := len(a) - 1; i > 0; i-- {
			j := below(r, i+1)
			a[i], a[j] = a[j], a[i]
		}
	}
}

// sattolo never lets a card stay: below i where it should be below i+1.
func sattolo(a []int, r *rand.Rand) {
	for i := len(a) - 1; i > 0; i-- {
		j := r.IntN(i)
		a[i], a[j] = a[j], a[i]
	}
}

// swapWithAny swaps every position with any other.
func swapWithAny(a []int, r *rand.Rand) {
	for i := range a {
		j := r.IntN(len(a))
		a[i], a[j] = a[j], a[i]
	}
}

// offByOne does so and never swaps with the last, as a poker site of 1999 did.
func offByOne(a []int, r *rand.Rand) {
	for i := range a {
		j := r.IntN(len(a) - 1)
		a[i], a[j] = a[j], a[i]
	}
}

// randomComparator sorts by a comparison that flips a coin.
func randomComparator(a []int, r *rand.Rand) {
	slices.SortFunc(a, func(int, int) int { return 2*r.IntN(2) - 1 })
}

// insertionComparator is the same with the simplest of sorts.
func insertionComparator(a []int, r *rand.Rand) {
	for i := 1; i < len(a); i++ {
		for j := i; j > 0 && r.IntN(2) == 0; j-- {
			a[j], a[j-1] = a[j-1], a[j]
		}
	}
}

// riffles are riffle shuffles as Gilbert, Shannon and Reeds describe them.
func riffles(times int) shuffler {
	return func(a []int, r *rand.Rand) {
		left, right := make([]int, 0, len(a)), make([]int, 0, len(a))
		for range times {
			left, right = left[:0], right[:0]
			heads := 0
			for range a {
				heads += r.IntN(2)
			}
			left, right = append(left, a[:heads]...), append(right, a[heads:]...)
			for i := range a {
				if r.IntN(len(left)+len(right)) < len(left) {
					a[i], left = left[0], left[1:]
				} else {
					a[i], right = right[0], right[1:]
				}
			}
		}
	}
}

func fair(a []int, r *rand.Rand) { fisherYates((*rand.Rand).IntN)(a, r) }

// found is after how many shuffles the fault is found by a process, and after how many
// by a test at one of the looks; 0: not by most.
func found(s shuffler, seed uint64, most int) (byProcess, byTest int) {
	const size = 108
	w, random, order := audit.NewShuffleWatch(), rand.New(rand.NewPCG(seed, 1)), make([]int, size)
	for n := 1; n <= most; n++ {
		for i := range order {
			order[i] = i
		}
		s(order, random)
		w.Add(order)
		if byProcess == 0 && slices.ContainsFunc(w.Processes, func(p audit.Process) bool { return p.Reaches(audit.AlarmLevel, processes) }) {
			byProcess = n
		}
		if byTest == 0 && slices.Contains(looks, n) && alarmed(w.Orders.Tests("")) {
			byTest = n
		}
		if byProcess > 0 && byTest > 0 {
			break
		}
	}
	return byProcess, byTest
}

// looks are when somebody who tests now and then would look.
var looks = []int{10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000}

// alarmed is Bonferroni's correction for all tests and all looks.
func alarmed(tests []audit.Test) bool {
	return slices.ContainsFunc(tests, func(t audit.Test) bool {
		return statistics.P(t)*8*float64(len(looks)) < audit.AlarmLevel
	})
}

// TestFaultyShuffles injects the faults that shuffles of real servers have had, into
// piles of 108 cards. Each is found by what watches continuously within three times the
// number of shuffles that a good test takes.
func TestFaultyShuffles(t *testing.T) {
	for _, c := range []struct {
		name   string
		s      shuffler
		within int
	}{
		{"sorted by a random comparator", randomComparator, 10},
		{"inserted by a random comparator", insertionComparator, 10},
		{"no card may stay", sattolo, 10},
		{"4 riffles", riffles(4), 10},
		{"7 riffles", riffles(7), 200},
		{"10 riffles", riffles(10), 20_000},
		{"swapped with any", swapWithAny, 200},
		{"swapped with any but the last", offByOne, 200},
		{"a byte modulo n", fisherYates(func(r *rand.Rand, n int) int { return r.IntN(256) % n }), 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			for seed := range uint64(3) {
				byProcess, byTest := found(c.s, seed, 3*c.within)
				if byProcess == 0 || byTest == 0 {
					t.Errorf("seed %d: in %d shuffles found by a process after %d, by a test after %d (0: not)", seed, 3*c.within, byProcess, byTest)
				}
				t.Logf("found by a process after %d shuffles, by a test after %d", byProcess, byTest)
				if c.within > 1000 {
					break // one such series is long enough
				}
			}
		})
	}
}

// TestFairShuffles: no false alarm in twenty thousand, nor for a fault that no
// statistics can see, 16 bits modulo n, which deriving every order again finds at once.
func TestFairShuffles(t *testing.T) {
	for name, s := range map[string]shuffler{
		"fair": fair, "16 bits modulo n": fisherYates(func(r *rand.Rand, n int) int { return r.IntN(1<<16) % n }),
	} {
		if byProcess, byTest := found(s, 99, 20_000); byProcess != 0 || byTest != 0 {
			t.Errorf("%s: alarm of a process after %d shuffles, of a test after %d", name, byProcess, byTest)
		}
	}
}

// TestLoadedDice loads one face of a d10.
func TestLoadedDice(t *testing.T) {
	for _, c := range []struct {
		chance float64
		within int
	}{{0.20, 718}, {0.15, 3371}, {0.12, 21_293}, {0.11, 105_218}, {0.105, 449_183}} {
		p, random := audit.NewProcess(10, 5), rand.New(rand.NewPCG(5, uint64(c.within)))
		for p.Seen < 3*c.within && !p.Reaches(audit.AlarmLevel, processes) {
			face := random.IntN(9)
			if random.Float64() < c.chance {
				face = 9
			}
			p.ObserveEven(face)
		}
		if !p.Reaches(audit.AlarmLevel, processes) {
			t.Errorf("a face of probability %.3f is not found in %d rolls: E = 10^%.1f", c.chance, p.Seen, p.LogE/math.Ln10)
		}
		t.Logf("a face of probability %.3f is found after %d rolls (E of 10^6 takes some %d)", c.chance, p.Seen, c.within)
	}
}

// TestFairDice: 200,000 fair rolls in each of 100 series, looked at after every one,
// never reach the alarm.
func TestFairDice(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 6))
	for series := range 100 {
		p := audit.NewProcess(10, 5)
		for range 200_000 {
			p.ObserveEven(random.IntN(10))
		}
		if p.Reaches(audit.WarningLevel, 1) {
			t.Errorf("series %d reaches E = 10^%.1f", series, p.MaxLogE/math.Ln10)
		}
	}
}

// TestChosenDeals deals an account's opening hand again until it is the best of some.
func TestChosenDeals(t *testing.T) {
	deal := func(r *rand.Rand) audit.Deal {
		deck := r.Perm(76)
		d := audit.Deal{Size: 76, Good: 8}
		for _, card := range deck[:7] {
			if card < 8 {
				d.Got++
			}
		}
		return d
	}
	for _, c := range []struct{ best, within int }{{2, 135}, {3, 63}, {10, 24}} {
		luck, random := audit.NewLuck(), rand.New(rand.NewPCG(7, uint64(c.best)))
		for luck.LogE < math.Log(1e6) && luck.Seen < 3*c.within {
			best := deal(random)
			for range c.best - 1 {
				if d := deal(random); d.Got > best.Got {
					best = d
				}
			}
			luck.Add(best)
		}
		if luck.LogE < math.Log(1e6) {
			t.Errorf("the best of %d deals is not found in %d games: E = 10^%.1f", c.best, luck.Seen, luck.LogE/math.Ln10)
		}
		t.Logf("the best of %d deals is found after %d games (some %d)", c.best, luck.Seen, c.within)
	}
}
