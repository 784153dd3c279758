package fair

import (
	"bytes"
	"crypto/sha256"
	"slices"
)

// Hand commits the cards that a seat holds now, under fresh salts.
func (d *Dealer) Hand(at State, seat int, held []int) *Hand {
	h := len(at.Hands)
	return &Hand{H: h, Leaves: d.envelopes(h, held), Seat: seat}
}

// Play opens the envelope of a card in the seat's newest hand commitment.
func (d *Dealer) Play(at State, seat, card int) Play {
	h, _ := at.newestHand(seat)
	return Play{Card: card, Salt: d.handSalt(h, card), Seat: seat}
}

// A Mine is what the owner of a card in hand is told in private: where it came
// from and the two salts with which he checks it at once.
type Mine struct {
	Card  int  `json:"card"`
	H     int  `json:"h"`     // the hand commitment that holds it
	HSalt Salt `json:"hsalt"` // opens its envelope
	I     int  `json:"i"`
	S     int  `json:"s"`
	Salt  Salt `json:"salt"` // opens its position
}

// Mine tells a seat of every card in its newest hand commitment that it has
// not played since, in the order they were drawn. It is for that seat's eyes only.
func (d *Dealer) Mine(at State, seat int) []Mine {
	h, ok := at.newestHand(seat)
	if !ok {
		return nil
	}
	drawn, cards := at.Drawn[seat][:at.Hands[h].Drawn], []int(nil)
	for _, p := range drawn {
		cards = append(cards, d.orderOf(p.S, at.Piles[p.S])[p.I])
	}
	gone := slices.Clone(at.Played[seat])
	var out []Mine
	for i, p := range drawn {
		if j := slices.Index(gone, cards[i]); j >= 0 {
			gone = slices.Delete(gone, j, j+1)
			continue
		}
		out = append(out, Mine{
			Card: cards[i], H: h, HSalt: d.handSalt(h, cards[i]), I: p.I, S: p.S, Salt: d.salt(p.S, p.I),
		})
	}
	return out
}

// CheckMine is the owner's check of what he was told in private: the card lies
// at that position of the pile and in that envelope of his hand. It returns a
// [*Violation] that names the one which is false.
func (s State) CheckMine(seat int, m Mine) error {
	if err := s.checkOpen(&Open{Card: m.Card, I: m.I, S: m.S, Salt: m.Salt}); err != nil {
		return err
	}
	if !isSeat(seat) || m.H < 0 || m.H >= len(s.Hands) || s.Hands[m.H].Seat != seat {
		return violated(StepHand, "seat %d has no hand commitment %d", seat, m.H)
	}
	if !slices.Contains(s.Hands[m.H].Leaves, envelope(s.Game, m.H, m.Card, m.HSalt)) {
		return violated(StepHand, "card %d is not in hand commitment %d", m.Card, m.H)
	}
	return nil
}

func (d *Dealer) handSalt(h, card int) Salt {
	return Salt(d.key.of(d.key.begin("hsalt").str(d.game).num(h).num(card))[:16])
}

// envelopes of the held cards in hand commitment h, sorted so that their order
// tells nothing.
func (d *Dealer) envelopes(h int, held []int) Leaves {
	out := make(Leaves, len(held))
	for i, card := range held {
		out[i] = envelope(d.game, h, card, d.handSalt(h, card))
	}
	slices.SortFunc(out, func(a, b Hash) int { return bytes.Compare(a[:], b[:]) })
	return out
}

// envelope binds a card to hand commitment h.
func envelope(game string, h, card int, salt Salt) Hash {
	var buf [256]byte
	return sha256.Sum256(begin(buf[:0], "hand").str(game).num(h).num(card).bin(salt[:]))
}
