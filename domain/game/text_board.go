package game

import (
	"strings"

	"chancery/domain/chess"
)

// The lines of what happens on the board.

// line of a move names the man as it stood before: "White's pawn on e5 took the pawn
// on d6 in passing", "Black moved the knight from g8 to f6, check".
func (f MovePlayed) line(c scene) string {
	if strings.HasPrefix(f.SAN, "O-O") {
		return armyName(f.Army) + " castled on the " + castlingSide(f.SAN) + "'s side" + f.threat()
	}
	from, to, ok := squaresOf(f.UCI)
	setup, err := chess.ParseFEN(c.fen)
	if !ok || err != nil {
		return armyName(f.Army) + " played " + f.SAN
	}
	man := roleNames[setup.Board[from].Role()]
	text := armyName(f.Army) + " moved the " + man + " from " + from.String() + " to " + to.String()
	if f.Captured != "" {
		text = armyName(f.Army) + "'s " + man + " on " + from.String() + " took the " + manName(f.Captured) + " on " + to.String()
		if setup.Board[to] == chess.NoPiece {
			text = armyName(f.Army) + "'s " + man + " on " + from.String() + " took a pawn in passing on " + to.String()
		}
	}
	if became := f.UCI[4:]; became != "" {
		text += " and became a " + manName(became)
	}
	return text + f.threat()
}

func castlingSide(san string) string {
	if strings.HasPrefix(san, "O-O-O") {
		return "queen"
	}
	return "king"
}

func (f MovePlayed) threat() string {
	switch {
	case strings.HasSuffix(f.SAN, "#"):
		return ", mate"
	case f.Check:
		return ", check"
	}
	return ""
}

// line of a drop says where the man comes from: the reserve, the captured men, or
// nowhere but the dice.
func (f PieceDropped) line(c scene) string {
	name, owner := armyName(f.Army), armyOf(f.Piece)
	text := name + " put a " + manName(f.Piece) + " back on " + f.Square
	switch {
	case f.From == fromReserve:
		text = name + " dropped a " + manName(f.Piece) + " on " + f.Square
	case f.From == fromDice:
		text = name + " put a new " + manName(f.Piece) + " on " + f.Square
	case owner != f.Army:
		text = name + " gave " + armyName(owner) + " a " + manName(f.Piece) + " back on " + f.Square
	}
	switch {
	case strings.HasSuffix(f.SAN, "#"):
		return text + ", mate"
	case f.Check:
		return text + ", check"
	}
	return text
}

func (f PawnPromoted) line(c scene) string {
	mover, _ := c.mover()
	return mover + "'s pawn on " + f.Square + " became a queen"
}

func (f MoveUndone) line(c scene) string {
	owner := turnOf(f.FEN)
	text := armyName(Army(owner.Color().Other())) + " took " + armyName(owner) + "'s last move back"
	if from, to, ok := squaresOf(c.last); ok {
		text += ", " + from.String() + " to " + to.String()
	}
	return text
}
