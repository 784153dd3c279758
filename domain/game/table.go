package game

import "chancery/domain/cards"

// A Table is what lies open in a card game. What is hidden is in no State: it
// follows from the sealed seed.
type Table struct {
	Draw     cards.Set        // a draw pile without an order
	Discards [2][]cards.Dealt // discard piles, top last; a variant with one pile uses the first
	Color    cards.Color      // the color in force
	InPlay   cards.Dealt      // the card of this turn, where a variant has one
	By       Seat             // whose card it is: who played or drew it
	Uno      [2]Uno           // what each seat owes or has said about its bare king, by wire number
	Revealed *HandsRevealed   // what was hidden, once the game is over
}

// An Uno is what a seat owes or has said about its bare king.
type Uno string

// The zero Uno is a seat that owes nothing.
const (
	OwesUno   Uno = "needed" // must be called before the end of the seat's next turn
	SaidUno   Uno = "called"
	ForgotUno Uno = "forgot" // the other side may catch it
	SpentUno  Uno = "spent"  // forgotten, and not caught in time
)
