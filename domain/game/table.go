package game

import "chancery/domain/cards"

// A Table is what lies open in a card game. What is hidden is in no State: it
// follows from the sealed seed.
type Table struct {
	Discards [2][]cards.Dealt // discard piles, top last; a variant with one pile uses the first
	Color    cards.Color      // the color in force
	InPlay   cards.Dealt      // the card of this turn, where a variant has one
}
