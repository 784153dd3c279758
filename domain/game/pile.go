package game

import (
	"slices"

	"chancery/domain/cards"
	"chancery/domain/fair"
)

// deck is the cards of this game.
func (d *decision) deck() cards.Deck { return d.variant.Deck(d.state.Options) }

// shuffle lays the cards into a new draw pile.
func (d *decision) shuffle(ids []cards.ID) {
	in := make([]int, len(ids))
	for i, id := range ids {
		in[i] = int(id)
	}
	slices.Sort(in)
	d.emit(PileShuffled{Count: len(in)}, &fair.Part{Shuffle: d.chance.Shuffle(d.state.Fair, in)})
}

// drawOpen takes the top card of the draw pile for everybody to see, on behalf of
// the seat, if any. The pile must not be empty.
func (d *decision) drawOpen(seat Seat) cards.Dealt {
	draw := d.state.Fair.Draw(1, fair.Public)
	open := d.chance.Open(d.state.Fair.Evolve(&fair.Part{Draw: draw}), draw.S, draw.I[0])
	card := d.deck().Dealt(cards.ID(open.Card))
	d.emit(CardDrawn{Card: &card, Count: 1, Seat: seat}, &fair.Part{Draw: draw, Open: []fair.Open{open}})
	return card
}

// left is the number of cards in the draw pile.
func left(f fair.State) int {
	if len(f.Piles) == 0 {
		return 0
	}
	return f.Piles[len(f.Piles)-1].Left()
}

// held is the hand of the seat, by card ID ascending: what it drew and has not
// played. It needs the secrets.
func held(f fair.State, seat Seat, secrets Secrets) []int {
	w := seat.Wire()
	var hand []int
	orders := make([][]int, len(f.Piles))
	for _, p := range f.Drawn[w] {
		if orders[p.S] == nil {
			orders[p.S] = secrets.Order(f, p.S)
		}
		hand = append(hand, orders[p.S][p.I])
	}
	for _, id := range f.Played[w] {
		if i := slices.Index(hand, id); i >= 0 {
			hand = slices.Delete(hand, i, i+1)
		}
	}
	slices.Sort(hand)
	return hand
}

// handSize is the number of cards the seat holds, which everybody knows.
func handSize(f fair.State, seat Seat) int {
	return len(f.Drawn[seat.Wire()]) - len(f.Played[seat.Wire()])
}
