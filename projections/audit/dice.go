package audit

import "math"

// longDice have too many sides for anything but counting their faces.
const longDice = 20

// A Dice counts what one kind of die showed, in the order in which it was rolled, for
// the classical tests. Faces are numbered from 0.
type Dice struct {
	Sides int
	N     int
	Faces []float64
	Pairs []float64 // first face·sides + second, of consecutive dice
	Gaps  []float64 // face·gapClasses + class of the time since it last came
	Runs  []float64 // lengths of runs up, 1 to maxRun and longer
	Lag   float64   // Σ (x−μ)(next x−μ)
	First int       // the first face
	Last  int       // the newest
	Since []int     // dice since each face came; -1: it has not yet
	Run   int       // length of the run that goes on; 0: the next begins one
}

const (
	gapClasses = 5
	maxRun     = 5
)

// NewDice counts dice with that many sides.
func NewDice(sides int) *Dice {
	d := &Dice{Sides: sides, Faces: make([]float64, sides)}
	if sides <= longDice {
		d.Pairs, d.Gaps, d.Runs = make([]float64, sides*sides), make([]float64, sides*gapClasses), make([]float64, maxRun)
		d.Since = make([]int, sides)
		for i := range d.Since {
			d.Since[i] = -1
		}
	}
	return d
}

// Add takes the next die in.
func (d *Dice) Add(face int) {
	if d.Sides <= longDice {
		if d.N > 0 {
			mean := float64(d.Sides-1) / 2
			d.Pairs[d.Last*d.Sides+face]++
			d.Lag += (float64(d.Last) - mean) * (float64(face) - mean)
		} else {
			d.First = face
		}
		d.addGap(face)
		d.addRun(face)
	}
	d.Faces[face]++
	d.Last = face
	d.N++
}

func (d *Dice) addGap(face int) {
	if gap := d.Since[face]; gap >= 0 {
		d.Gaps[face*gapClasses+gapClass(d.Sides, gap)]++
	}
	for f, n := range d.Since {
		if n >= 0 {
			d.Since[f] = n + 1
		}
	}
	d.Since[face] = 0
}

// addRun follows runs up. The die that ends one is thrown away, which makes their
// lengths independent (Knuth, The Art of Computer Programming, 3.3.2, exercise 14).
func (d *Dice) addRun(face int) {
	if d.Run > 0 && face <= d.Last {
		d.Runs[min(d.Run, maxRun)-1]++
		d.Run = 0
		return
	}
	d.Run++
}

// gapClass sorts the dice that showed something else in between into classes of about
// the same chance.
func gapClass(sides, gap int) int {
	shorter := 1 - math.Pow(1-1/float64(sides), float64(gap)+0.5)
	return min(gapClasses-1, int(gapClasses*shorter))
}

// gapChances are those of the classes: the gap is geometric.
func gapChances(sides int) []float64 {
	chances := make([]float64, gapClasses)
	p := 1 / float64(sides)
	left := 1.0
	for gap := range 64 * sides {
		chances[gapClass(sides, gap)] += left * p
		left *= 1 - p
	}
	chances[gapClasses-1] += left
	return chances
}

// runChances are those of the lengths of runs up: r dice ascend with chance C(s,r)/s^r.
func runChances(sides int) []float64 {
	ascend := func(r int) float64 {
		return math.Exp(logChoose(sides, r) - float64(r)*math.Log(float64(sides)))
	}
	chances := make([]float64, maxRun)
	for r := 1; r < maxRun; r++ {
		chances[r-1] = ascend(r) - ascend(r+1)
	}
	chances[maxRun-1] = ascend(maxRun)
	return chances
}

// Tests are the classical tests of the dice.
func (d *Dice) Tests(of string) []Test {
	list := pearson(of, "faces", d.N, d.Faces, scaled(evenly(d.Sides), float64(d.N)))
	if d.Sides > longDice || d.Sides < 3 {
		return list
	}
	list = append(list, d.pairTest(of)...)
	list = append(list, d.runTest(of)...)
	list = append(list, d.gapTests(of)...)
	if d.N > minTable {
		variance := (float64(d.Sides*d.Sides) - 1) / 12
		list = append(list, Test{
			Of: of, Name: "each and the next", N: d.N, Null: Normal,
			Value: d.Lag / (variance * math.Sqrt(float64(d.N-1))),
		})
	}
	return list
}

// pairTest is Good's ∇ψ² = ψ²₂ − ψ²₁ of overlapping pairs, the last die before the
// first: χ² with s²−s degrees of freedom.
func (d *Dice) pairTest(of string) []Test {
	s, n := float64(d.Sides), float64(d.N)
	if n < 5*s*s {
		return nil
	}
	pairs, faces := 0.0, 0.0
	for i, o := range d.Pairs {
		if i == d.Last*d.Sides+d.First {
			o++
		}
		pairs += o * o
	}
	for _, o := range d.Faces {
		faces += o * o
	}
	value := (s*s/n*pairs - n) - (s/n*faces - n)
	return []Test{{Of: of, Name: "pairs", N: d.N, Value: value, Null: ChiSquared, Param: s*s - s}}
}

func (d *Dice) runTest(of string) []Test {
	runs := total(d.Runs)
	return pearson(of, "runs up", d.N, d.Runs, scaled(runChances(d.Sides), runs))
}

func (d *Dice) gapTests(of string) (list []Test) {
	chances := gapChances(d.Sides)
	for f := range d.Sides {
		gaps := d.Gaps[f*gapClasses : (f+1)*gapClasses]
		list = append(list, pearson(of, "gaps of "+faceName(d.Sides, f), d.N, gaps, scaled(chances, total(gaps)))...)
	}
	return list
}

func total(list []float64) (sum float64) {
	for _, x := range list {
		sum += x
	}
	return sum
}

func scaled(list []float64, by float64) []float64 {
	out := make([]float64, len(list))
	for i, x := range list {
		out[i] = x * by
	}
	return out
}
