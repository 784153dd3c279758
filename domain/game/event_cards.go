package game

import "chancery/domain/cards"

// What cards and dice do.
type (
	// DiceRolled shows dice; faces are as printed on them. Purpose is first (for the
	// colors), eight (before play), effect (at the end of a turn) or rescue (after mate).
	// Only the dice that end a turn have an Effect, which may be Impossible as things
	// stand: then nothing happens.
	DiceRolled struct {
		Effect     Effect `json:"effect,omitempty"`
		Faces      []int  `json:"faces"`
		Impossible bool   `json:"impossible,omitempty"`
		Purpose    string `json:"purpose"`
	}
	// PileShuffled makes a draw pile of so many cards.
	PileShuffled struct {
		Count int `json:"count"`
	}
	// HandDealt gives a seat its first hand.
	HandDealt struct {
		Count int  `json:"count"`
		Seat  Seat `json:"seat"`
	}
	// CardDrawn takes cards off the draw pile. Card is there only when everybody sees
	// it, Seat only when somebody in particular draws. A count of 0 says that a card
	// was due and none was left.
	CardDrawn struct {
		Card  *cards.Dealt `json:"card,omitempty"`
		Count int          `json:"count"`
		Seat  Seat         `json:"seat,omitzero"`
	}
	// CardRevealed says what the turn's card grants: moves, and pawns to place.
	CardRevealed struct {
		Card   cards.Dealt `json:"card"`
		Moves  int         `json:"moves"`
		Places int         `json:"places,omitempty"`
	}
	// CardPlayed puts a card of a hand on the discard pile for its effect.
	CardPlayed struct {
		Card  cards.Dealt `json:"card"`
		Color cards.Color `json:"color,omitempty"`
		Seat  Seat        `json:"seat"`
	}
	// CardsDiscarded puts cards on the discard pile without effect, the last on top.
	CardsDiscarded struct {
		Cards []cards.Dealt `json:"cards"`
		Seat  Seat          `json:"seat"`
	}
	// HandsRevealed shows, at the end, what was hidden: the hands by wire number of
	// the seat, and the order of every pile, top first.
	HandsRevealed struct {
		Hands [2][]cards.Dealt `json:"hands"`
		Piles [][]cards.ID     `json:"piles"`
	}
	// UnoCalled announces a bare king.
	UnoCalled struct {
		Seat Seat `json:"seat"`
	}
	// UnoCaught catches a seat that did not; Seat is the catcher.
	UnoCaught struct {
		Seat Seat `json:"seat"`
	}
	// ControlSwapped exchanges the armies; White is the seat that has it now.
	ControlSwapped struct {
		White Seat `json:"white"`
	}
	// TurnSkipped takes the seat's turn away.
	TurnSkipped struct {
		Reason string `json:"reason,omitempty"`
		Seat   Seat   `json:"seat"`
	}
	// SeriesEnded ends a series of moves before its last one.
	SeriesEnded struct {
		Reason string `json:"reason,omitempty"`
		Seat   Seat   `json:"seat"`
	}
	// Passed ends a series by the seat's own wish.
	Passed struct {
		Seat Seat `json:"seat"`
	}
	// RescueDeclined lets the captured king go.
	RescueDeclined struct {
		Seat Seat `json:"seat"`
	}
	// TurnEnded hands the turn to an army where that does not follow from a move.
	TurnEnded struct {
		Clock *Clocks `json:"clock_ms,omitempty"`
		FEN   string  `json:"fen,omitempty"` // where the position changed with the turn
		Idle  int     `json:"idle"`
		Mate  bool    `json:"mate,omitempty"` // the army is mated, and dice have to confirm it
		Turn  Army    `json:"turn"`
	}
)

// What happens to single men.
type (
	// PieceDropped puts a man on the board.
	PieceDropped struct {
		Army   Army    `json:"army"`
		Check  bool    `json:"check,omitempty"`
		Clock  *Clocks `json:"clock_ms,omitempty"`
		FEN    string  `json:"fen"`
		From   string  `json:"from"`  // reserve, pool or dice
		Piece  string  `json:"piece"` // FEN letter
		SAN    string  `json:"san,omitempty"`
		Square string  `json:"square"`
	}
	// PawnPromoted turns a pawn into a queen where it stands.
	PawnPromoted struct {
		FEN    string `json:"fen"`
		Square string `json:"square"`
	}
	// MoveUndone takes a move back.
	MoveUndone struct {
		FEN string `json:"fen"`
		Ref Ref    `json:"ref"`
	}
)

// A Ref names an event of the game: event I of record N.
type Ref struct {
	I int `json:"i"`
	N int `json:"n"`
}

func (DiceRolled) fact()     {}
func (PileShuffled) fact()   {}
func (HandDealt) fact()      {}
func (CardDrawn) fact()      {}
func (CardRevealed) fact()   {}
func (CardPlayed) fact()     {}
func (CardsDiscarded) fact() {}
func (HandsRevealed) fact()  {}
func (UnoCalled) fact()      {}
func (UnoCaught) fact()      {}
func (ControlSwapped) fact() {}
func (TurnSkipped) fact()    {}
func (SeriesEnded) fact()    {}
func (Passed) fact()         {}
func (RescueDeclined) fact() {}
func (TurnEnded) fact()      {}
func (PieceDropped) fact()   {}
func (PawnPromoted) fact()   {}
func (MoveUndone) fact()     {}
