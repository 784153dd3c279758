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
func (d *decision) drawOpen(seat Seat) {
	draw := d.state.Fair.Draw(1, fair.Public)
	open := d.chance.Open(d.state.Fair.Evolve(&fair.Part{Draw: draw}), draw.S, draw.I[0])
	card := d.deck().Dealt(cards.ID(open.Card))
	d.emit(CardDrawn{Card: &card, Count: 1, Seat: seat}, &fair.Part{Draw: draw, Open: []fair.Open{open}})
}

// deal gives a seat its first hand.
func (d *decision) deal(seat Seat, n int) {
	d.emit(HandDealt{Count: n, Seat: seat}, d.toHand(seat, n))
}

// mostPiles bounds how often a game may shuffle, because the record that ends it
// shows the order of every pile and has to fit into one message.
const mostPiles = 128

// exhausted says that nothing random can happen any more: a chain of links has run
// out, or there are as many piles as a last record can show.
func exhausted(f fair.State) bool { return f.Exhausted() || len(f.Piles) >= mostPiles }

// drawToHand gives the seat n cards of the draw pile. Where the pile runs out it is
// made anew from the cards of refill, which must be enough. A chain of links that
// has run out ends the game instead.
func (d *decision) drawToHand(seat Seat, n int, refill func() []cards.ID) {
	if k := left(d.state.Fair); k < n {
		if k > 0 {
			d.emit(CardDrawn{Count: k, Seat: seat}, &fair.Part{Draw: d.state.Fair.Draw(k, seat.Wire())})
			n -= k
		}
		if exhausted(d.state.Fair) {
			d.draw(Exhausted)
			return
		}
		d.shuffle(refill())
	}
	d.emit(CardDrawn{Count: n, Seat: seat}, d.toHand(seat, n))
}

// toHand is the proof of a draw to the seat's hand, with the envelopes of the whole
// hand that it makes.
func (d *decision) toHand(seat Seat, n int) *fair.Part {
	part := &fair.Part{Draw: d.state.Fair.Draw(n, seat.Wire())}
	drawn := d.state.Fair.Evolve(part)
	part.Hand = d.chance.Hand(drawn, seat.Wire(), held(drawn, seat, d.chance))
	return part
}

// outOfHand is the proof that the cards come out of the hand of the seat that acts,
// together with the link that its turn action has to carry.
func (d *decision) outOfHand(list ...cards.Dealt) (*fair.Part, error) {
	by := d.command.By
	part, err := d.link(by)
	if err != nil {
		return nil, err
	}
	if part == nil {
		part = new(fair.Part)
	}
	for _, c := range list {
		part.Play = append(part.Play, d.chance.Play(d.state.Fair, by.Wire(), int(c.ID)))
	}
	return part, nil
}

// hand is the cards that the seat holds, by ID ascending.
func (d *decision) hand(seat Seat) []cards.Dealt {
	return dealt(d.deck(), held(d.state.Fair, seat, d.chance))
}

func dealt(deck cards.Deck, ids []int) []cards.Dealt {
	list := make([]cards.Dealt, len(ids))
	for i, id := range ids {
		list[i] = deck.Dealt(cards.ID(id))
	}
	return list
}

// revealCards shows the hands and the order of every pile, once there is any.
func revealCards(d *decision) {
	f := d.state.Fair
	if len(f.Piles) == 0 {
		return
	}
	shown := HandsRevealed{Piles: make([][]cards.ID, len(f.Piles))}
	for _, seat := range Players {
		shown.Hands[seat.Wire()] = d.hand(seat)
	}
	for i := range f.Piles {
		order := d.chance.Order(f, i)
		shown.Piles[i] = make([]cards.ID, len(order))
		for j, id := range order {
			shown.Piles[i][j] = cards.ID(id)
		}
	}
	d.emit(shown, nil)
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
