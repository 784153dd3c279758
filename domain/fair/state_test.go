package fair

import (
	"reflect"
	"testing"
)

// Two futures of one State do not disturb each other, nor the State, even where its
// slices have room left to grow into.
func TestFuturesShareNothing(t *testing.T) {
	now := State{Piles: []Pile{{In: []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}}}.Own()
	for card := range 3 {
		now.Absorb(&Part{Draw: now.Draw(1, 0), Play: []Play{{Card: card}}, Hand: &Hand{H: card}})
	}
	past := func() State {
		s := now
		s.Piles = []Pile{s.Piles[0]}
		s.Drawn[0] = append([]Position(nil), s.Drawn[0]...)
		s.Played[0] = append([]int(nil), s.Played[0]...)
		s.Hands = append([]CommittedHand(nil), s.Hands...)
		return s
	}()
	next := func(card int) *Part {
		return &Part{Draw: now.Draw(1+card, 0), Play: []Play{{Card: card}}, Hand: &Hand{H: 3, Seat: card}}
	}
	left := now.Evolve(next(0))
	want := past.Evolve(next(0))
	if _ = now.Evolve(next(1)); !reflect.DeepEqual(left, want) {
		t.Errorf("the other future changed this one:\n%+v\n%+v", left, want)
	}
	if !reflect.DeepEqual(now, past) {
		t.Errorf("the present changed:\n%+v\n%+v", now, past)
	}
}
