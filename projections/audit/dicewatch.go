package audit

import (
	"maps"
	"slices"

	"chancery/domain/game"
)

// A Roll is one roll of a game as its record tells it: each die counts from 0.
type Roll struct{ Sides, Out []int }

// An effectTable is what the two ten-sided dice do.
type effectTable struct {
	names   []game.Effect
	chances []float64 // of 100 pairs
	of      [100]int  // index of the effect of a pair, 10·mover + opponent
}

var effects = newEffectTable()

func newEffectTable() (t effectTable) {
	for pair := range t.of {
		effect := game.EffectOf(pair/10, pair%10)
		i := slices.Index(t.names, effect)
		if i < 0 {
			i = len(t.names)
			t.names, t.chances = append(t.names, effect), append(t.chances, 0)
		}
		t.chances[i] += 0.01
		t.of[pair] = i
	}
	return t
}

// What is watched of dice besides their faces.
const (
	pairOfTens = "pairs of d10"       // the mover's and the opponent's
	nextTen    = "d10 after d10"      // the mover's in one roll and the next of a game
	effectDice = "effects"            // what the pair does
	luckRoll   = "no eight in ten d8" // (7/8)^10
	firstTie   = "equal d20"          // 1/20
	liveCard   = "cards drawn by lot" // one of the cards left
	sameArray  = "start array again"  // as in the first player's game before
	liveBins   = 8                    // classes of cards drawn by lot
	diceShare  = 0.5                  // κ of dice, a side
	otherPrior = 20                   // κ of everything with few categories
	noEight    = 7. / 8 * 7 / 8 * 7 / 8 * 7 / 8 * 7 / 8 * 7 / 8 * 7 / 8 * 7 / 8 * 7 / 8 * 7 / 8
)

// knownDice are the kinds of dice that games roll.
var knownDice = []int{2, 8, 10, 12, 20, 2880}

// A DiceWatch watches all rolls, in the order of the ledger. Nothing about a roll waits
// for the end of its game, so that nothing is selected.
type DiceWatch struct {
	Dice      map[int]*Dice       // by sides
	Processes map[string]*Process // by what is watched
}

// NewDiceWatch is one that has seen nothing.
func NewDiceWatch() *DiceWatch {
	w := &DiceWatch{Dice: map[int]*Dice{}, Processes: map[string]*Process{}}
	watch := func(name string, categories int, prior float64) {
		w.Processes[name] = new(NewProcess(categories, prior))
	}
	for _, sides := range knownDice {
		w.Dice[sides] = NewDice(sides)
		watch(diceName(sides), sides, diceShare*float64(sides))
	}
	watch(pairOfTens, 100, diceShare*100)
	watch(nextTen, 100, diceShare*100)
	watch(effectDice, len(effects.names), otherPrior)
	watch(luckRoll, 2, otherPrior)
	watch(firstTie, 2, otherPrior)
	watch(liveCard, liveBins, otherPrior)
	watch(sameArray, 2, otherPrior)
	return w
}

// Add takes a roll in. Before is the roll of effects before it in the same game, nil if
// there was none; live says that one die is a card drawn by lot.
func (w *DiceWatch) Add(r Roll, live bool, before *Roll) {
	if live && len(r.Sides) == 1 && r.Sides[0] != 2 {
		w.addLive(r.Sides[0], r.Out[0])
		return
	}
	for i, sides := range r.Sides {
		die := w.Dice[sides]
		if die == nil || r.Out[i] < 0 || r.Out[i] >= sides {
			return // no variant rolls it; the level legal refuses it
		}
		die.Add(r.Out[i])
		w.Processes[diceName(sides)].ObserveEven(r.Out[i])
	}
	switch {
	case slices.Equal(r.Sides, []int{10, 10}):
		w.addEffect(r.Out, before)
	case slices.Equal(r.Sides, []int{20, 20}):
		w.observe(firstTie, []float64{0.95, 0.05}, r.Out[0] == r.Out[1])
	case len(r.Sides) == 10 && r.Sides[0] == 8:
		w.observe(luckRoll, []float64{1 - noEight, noEight}, !slices.Contains(r.Out, 7))
	}
}

func (w *DiceWatch) addEffect(out []int, before *Roll) {
	pair := 10*out[0] + out[1]
	w.Processes[pairOfTens].ObserveEven(pair)
	w.Processes[effectDice].Observe(effects.chances, effects.of[pair])
	if before != nil {
		chances := make([]float64, 100) // the roll before is known by now
		copy(chances[10*before.Out[0]:], evenly(10))
		w.Processes[nextTen].Observe(chances, 10*before.Out[0]+out[0])
	}
}

// mostLeft is more cards than any deck has: a roll of more is none of a game.
const mostLeft = 1000

// addLive takes in a card drawn by lot from those left.
func (w *DiceWatch) addLive(left, out int) {
	if left < 2 || left > mostLeft || out < 0 || out >= left {
		return
	}
	b := levelled(evenly(left), min(liveBins, left)).widened(liveBins)
	w.Processes[liveCard].Observe(b.chances, b.bin(out))
}

// Array takes in whether a player's start array is the one of his game before.
func (w *DiceWatch) Array(again bool) { w.observe(sameArray, []float64{1 - 1./2880, 1. / 2880}, again) }

func (w *DiceWatch) observe(name string, chances []float64, second bool) {
	c := 0
	if second {
		c = 1
	}
	w.Processes[name].Observe(chances, c)
}

// Tests are the classical tests of all dice, and of what they do together.
func (w *DiceWatch) Tests() (list []Test) {
	for _, sides := range slices.Sorted(maps.Keys(w.Dice)) {
		list = append(list, w.Dice[sides].Tests(diceName(sides))...)
	}
	for _, name := range slices.Sorted(maps.Keys(w.Processes)) {
		if !isDice(name) && name != nextTen { // which are tested above
			list = append(list, w.Processes[name].pearson(name, "counts")...)
		}
	}
	return list
}

func isDice(name string) bool {
	return slices.ContainsFunc(knownDice, func(sides int) bool { return diceName(sides) == name })
}

// pearson is the classical test of what a process has counted.
func (p *Process) pearson(of, name string) []Test {
	expected := make([]float64, len(p.Counts))
	for i := range expected {
		expected[i] = p.expectedIn(i)
	}
	return pearson(of, name, p.Seen, p.Counts, expected)
}
