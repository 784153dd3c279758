package fair

import (
	"slices"
	"testing"
)

// TestMineTellsTheOwner compares what a seat is told with what it holds, after
// every part of a game.
func TestMineTellsTheOwner(t *testing.T) {
	g := deal(1, false)
	var told int
	check := func() {
		t.Helper()
		for seat := range Seats {
			var cards []int
			for _, m := range g.dealer.Mine(g.State, seat) {
				told++
				cards = append(cards, m.Card)
				if err := g.CheckMine(seat, m); err != nil {
					t.Errorf("seat %d, %+v: %v", seat, m, err)
				}
			}
			if !slices.Equal(cards, g.held[seat]) {
				t.Errorf("seat %d is told of %v and holds %v", seat, cards, g.held[seat])
			}
		}
	}
	check()
	g.shuffle(0)
	g.draw(0, 3)
	g.draw(1, 6)
	check()
	g.play(0)
	g.play(0)
	check()
	for range 5 {
		g.play(1)
	}
	g.shuffle(1) // the cards played come back
	g.draw(0, 7)
	g.play(0)
	check()
	if told < 20 {
		t.Errorf("only %d cards were told of", told)
	}
}

func TestCheckMineFindsALie(t *testing.T) {
	g := deal(1, false)
	g.shuffle(0)
	g.draw(0, 3)
	g.draw(1, 3)
	honest := g.dealer.Mine(g.State, 0)[1]
	tests := []struct {
		name, step string
		seat       int
		lie        func(m *Mine)
	}{
		{"another card", StepOpen, 0, func(m *Mine) { m.Card++ }},
		{"a negative card", StepOpen, 0, func(m *Mine) { m.Card = -1 }},
		{"another position", StepOpen, 0, func(m *Mine) { m.I = 0 }},
		{"a position not drawn", StepOpen, 0, func(m *Mine) { m.I = 8 }},
		{"a wrong salt", StepOpen, 0, func(m *Mine) { m.Salt[0]++ }},
		{"a wrong hand salt", StepHand, 0, func(m *Mine) { m.HSalt[0]++ }},
		{"the other hand", StepHand, 0, func(m *Mine) { m.H = 1 }},
		{"no such hand", StepHand, 0, func(m *Mine) { m.H = 2 }},
		{"the other seat", StepHand, 1, func(m *Mine) {}},
		{"no seat", StepHand, 2, func(m *Mine) {}},
	}
	for _, tt := range tests {
		m := honest
		tt.lie(&m)
		if err := g.CheckMine(tt.seat, m); stepOf(err) != tt.step {
			t.Errorf("%s: %v, want step %q", tt.name, err, tt.step)
		}
	}
}

// TestEnvelopesTellNothing deals one hand in two orders: its commitment is the
// same, and a play says nothing of the pile.
func TestEnvelopesTellNothing(t *testing.T) {
	d := newDealer(vectorGame, vectorSeed(), 4)
	at := vectorState(1, 1, 0)
	a, b := d.Hand(at, 0, []int{5, 9, 40}), d.Hand(at, 0, []int{40, 5, 9})
	if !slices.Equal(a.Leaves, b.Leaves) {
		t.Error("the order of a hand shows in its commitment")
	}
	at = at.Evolve(&Part{Hand: a})
	c := d.Hand(at, 0, []int{5, 9, 40})
	for _, l := range c.Leaves {
		if slices.Contains(a.Leaves, l) {
			t.Error("a card that stayed in the hand can be followed from one commitment to the next")
		}
	}
}
