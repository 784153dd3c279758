package cards

import "math/bits"

// A Set is some cards of a deck of at most 128, by ID. It is a value: copies are
// independent. The zero Set is empty.
type Set [2]uint64

// SetOf is the set of these cards.
func SetOf(ids ...ID) (s Set) {
	for _, id := range ids {
		s = s.With(id)
	}
	return s
}

// All is the set of all cards of the deck.
func (d Deck) All() (s Set) {
	for id := range d {
		s = s.With(ID(id))
	}
	return s
}

// With is s and the card; an ID that no such deck has changes nothing.
func (s Set) With(id ID) Set {
	if 0 <= id && id < 128 {
		s[id/64] |= 1 << (id % 64)
	}
	return s
}

// Without is s but for the card.
func (s Set) Without(id ID) Set {
	if 0 <= id && id < 128 {
		s[id/64] &^= 1 << (id % 64)
	}
	return s
}

// Len is the number of cards.
func (s Set) Len() int { return bits.OnesCount64(s[0]) + bits.OnesCount64(s[1]) }

// IDs lists the cards, ascending.
func (s Set) IDs() []ID {
	ids := make([]ID, 0, s.Len())
	for i, word := range s {
		for ; word != 0; word &= word - 1 {
			ids = append(ids, ID(64*i+bits.TrailingZeros64(word)))
		}
	}
	return ids
}
