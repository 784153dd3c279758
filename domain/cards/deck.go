package cards

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// A Deck is the cards a game may use, unordered; a card's ID is its index. A Deck
// is a constant of the rules: nobody writes to it.
type Deck []Card

// Dealt is the physical card with this ID; face down where there is none.
func (d Deck) Dealt(id ID) Dealt {
	if id < 0 || int(id) >= len(d) {
		return Dealt{ID: id}
	}
	return Dealt{ID: id, Card: d[id]}
}

// Hash pins the list: SHA-256 of the codes joined by commas, in hexadecimal.
func (d Deck) Hash() string {
	codes := make([]string, len(d))
	for i, c := range d {
		codes[i] = c.Code()
	}
	sum := sha256.Sum256([]byte(strings.Join(codes, ",")))
	return hex.EncodeToString(sum[:])
}

// Full is the UNO deck of 108: in each color one 0, two each of 1 to 9, Skip,
// Reverse and Draw Two, then four Wild and four Wild Draw Four.
var Full = full()

func full() Deck {
	var d Deck
	for _, color := range Colors {
		d = append(d, Card{Number, color, 0})
		for n := 1; n <= 9; n++ {
			d = append(d, Card{Number, color, n}, Card{Number, color, n})
		}
		for _, kind := range []Kind{Skip, Reverse, DrawTwo} {
			d = append(d, Card{kind, color, 0}, Card{kind, color, 0})
		}
	}
	for _, kind := range []Kind{Wild, WildDrawFour} {
		for range 4 {
			d = append(d, Card{Kind: kind})
		}
	}
	return d
}

// Short is the deck of 76: 1 to 8 twice in each color, one Reverse and one Draw
// Two in each color, and four Wild.
var Short = short()

func short() Deck {
	var d Deck
	for _, color := range Colors {
		for n := 1; n <= 8; n++ {
			d = append(d, Card{Number, color, n}, Card{Number, color, n})
		}
		d = append(d, Card{Reverse, color, 0}, Card{DrawTwo, color, 0})
	}
	for range 4 {
		d = append(d, Card{Kind: Wild})
	}
	return d
}
