package game

import (
	"chancery/domain/cards"
	"chancery/domain/fair"
)

// turnCard is the step that begins a turn.
const turnCard = "card"

// drawTurnCard draws for the commander of the army to move, and gives the turn to
// whoever commands it then.
var drawTurnCard = Step{
	Name:   turnCard,
	Chance: randomDraw,
	Due:    func(s State) bool { return s.Due == turnCard },
	Do:     beginTurn,
}

func beginTurn(d *decision) {
	d.takeCard(d.state.Commander(d.state.Turn()))
	// The game wrote the position itself, so it can be read.
	if p, err := d.state.Position(); err == nil && !d.state.Over() {
		d.revealCard(&p)
		d.goOn(&p)
	}
}

// randomDraw says whether the next card asks chance anew: every card of a live pile
// does, and the first of a sealed one, which is shuffled then.
func randomDraw(s State) bool {
	if livePile(s.Options) {
		return liveCards(&s).Len() > 0
	}
	return left(s.Fair) == 0 && unshuffled(s).Len() > 0
}

// takeCard draws the turn's card. Where the piles of both seats are empty too there is
// none, and the draw counts no card.
func (d *decision) takeCard(seat Seat) {
	switch live := livePile(d.state.Options); {
	case live && liveCards(&d.state).Len() > 0:
		d.drawLive(seat, liveCards(&d.state).IDs())
	case live || !d.fillPile():
		if !d.state.Over() {
			d.emit(CardDrawn{Seat: seat}, nil)
		}
	default:
		d.drawOpen(seat)
	}
}

// drawLive rolls for one of the cards left, in the order of their IDs.
func (d *decision) drawLive(seat Seat, ids []cards.ID) {
	d.roll(func(faces []int, part *fair.Part) {
		card := d.deck().Dealt(ids[faces[0]])
		d.emit(CardDrawn{Card: &card, Count: 1, Seat: seat}, part)
	}, len(ids))
}

// fillPile makes sure that the sealed pile has a card: an empty one takes in both
// discard piles. Where there are none either, or no link to mix them with, it has
// none.
func (d *decision) fillPile() bool {
	if left(d.state.Fair) > 0 {
		return true
	}
	in := unshuffled(d.state)
	switch {
	case in.Len() == 0:
		return false
	case exhausted(d.state.Fair):
		d.draw(Exhausted)
		return false
	}
	d.shuffle(in.IDs())
	return true
}

// unshuffled is what the next sealed pile is made of: the deck, later the discards.
func unshuffled(s State) cards.Set {
	if len(s.Fair.Piles) == 0 {
		return chessUnoDeck(s.Options).All()
	}
	return discarded(&s)
}

// liveCards are those that the next draw from a live pile may give.
func liveCards(s *State) cards.Set {
	if s.Cards.Draw.Len() > 0 {
		return s.Cards.Draw
	}
	return discarded(s)
}

func discarded(s *State) (all cards.Set) {
	for _, pile := range s.Cards.Discards {
		for _, c := range pile {
			all = all.With(c.ID)
		}
	}
	return all
}

// drawn puts the turn's card on the table, and takes it out of a live pile.
func (s *State) drawn(f CardDrawn) {
	s.Due, s.Phase = "", PhaseMove
	s.Cards.By, s.Cards.InPlay = f.Seat, cards.Dealt{}
	s.Series = Series{}
	if f.Card == nil {
		s.Series.Left = movesWithoutCard
		return
	}
	s.Cards.InPlay = *f.Card
	if !livePile(s.Options) {
		return
	}
	if s.Cards.Draw.Len() == 0 {
		s.Cards.Draw, s.Cards.Discards = discarded(s), [2][]cards.Dealt{}
	}
	s.Cards.Draw = s.Cards.Draw.Without(f.Card.ID)
}

// cardsLeft is the number of cards in the draw pile.
func cardsLeft(s State) int {
	if livePile(s.Options) {
		return s.Cards.Draw.Len()
	}
	return left(s.Fair)
}
