package game

// A Series is the moves of one turn, where a card grants them.
type Series struct {
	Left  int  // moves left, the next one included
	Place int  // pawns to be put on the board before them
	Moved bool // a move has been made in this turn
	Acted bool // a move has been made or a pawn placed in this turn
}
