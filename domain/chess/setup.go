package chess

import (
	"fmt"
	"strings"
)

// MaxClock is the largest half-move clock and full-move number that a setup may
// have and that a position counts to.
const MaxClock = 65535

// A Setup is any arrangement of men, possible or not. It is what FEN text is
// read into and what an editor works on. [Setup.Position] makes it playable.
//
// The zero Setup has no kings and its en passant target is A1, so it passes no
// door; begin with [EmptySetup].
type Setup struct {
	Board     [64]Piece // by square
	Turn      Color
	Castling  Castling
	EnPassant Square      // the square passed over by the last double step, or NoSquare
	Pockets   [2][7]uint8 // the reserves: how many men, by color and role
	HalfMoves int         // plies since the last capture, pawn move or drop
	FullMoves int         // the number of the move, from 1, counted after Black's
}

// EmptySetup is an empty board, White to move at move 1.
func EmptySetup() Setup { return Setup{EnPassant: NoSquare, FullMoves: 1} }

// A Fault is one reason why a setup cannot be played.
type Fault uint8

// The faults.
const (
	// InvalidMan: a byte on the board or in a reserve is no man, or the turn no color.
	InvalidMan Fault = iota + 1
	// MissingKing: a side has no king, and the law does not allow that.
	MissingKing
	// TooManyKings: a side has more than one king, its reserve included.
	TooManyKings
	// PawnOnEndRank: a pawn stands where it can never stand.
	PawnOnEndRank
	// ReserveWithoutDrops: there are men in reserve, but the law knows no drops.
	ReserveWithoutDrops
	// OpponentInCheck: the side not to move is in check.
	OpponentInCheck
	// ImpossibleEnPassant: no double step can have passed over the target.
	ImpossibleEnPassant
	// ImpossibleCastling: a castling right or mark without its man at home.
	ImpossibleCastling
	// ClockOutOfRange: a counter below its start or above MaxClock.
	ClockOutOfRange
)

var faultTexts = [...]string{
	InvalidMan:          "something on the board is no man",
	MissingKing:         "a king is missing",
	TooManyKings:        "a side has more than one king",
	PawnOnEndRank:       "a pawn stands on a first or last rank",
	ReserveWithoutDrops: "there is a reserve, but this game has no drops",
	OpponentInCheck:     "the side that is not to move is in check",
	ImpossibleEnPassant: "no pawn can have passed over the en passant square",
	ImpossibleCastling:  "a castling right names a king or rook that is not at home",
	ClockOutOfRange:     "a move counter is out of range",
}

// String says the fault in a sentence.
func (f Fault) String() string {
	if int(f) < len(faultTexts) && f != 0 {
		return faultTexts[f]
	}
	return "unknown fault"
}

// A SetupError names every fault of a setup, each once.
type SetupError struct{ Faults []Fault }

// Error lists the faults.
func (e *SetupError) Error() string {
	texts := make([]string, len(e.Faults))
	for i, f := range e.Faults {
		texts[i] = f.String()
	}
	return fmt.Sprintf("chess: this position cannot be played: %s; correct the position and send it again", strings.Join(texts, "; "))
}

// Position is the one door from an arrangement to a playable position. It
// returns a [*SetupError] that names every fault.
//
// How many men of a kind there are is no fault: variants bring men back. What
// the law does not know is dropped, castling rights and en passant targets
// alike. Under a king-capture law one king may be missing, for the game ends
// like that; with drops a king may be in reserve or nowhere.
func (s Setup) Position(law Law) (Position, error) {
	if faults := s.faults(law); len(faults) > 0 {
		return Position{}, &SetupError{faults}
	}
	p := Position{
		law:       law,
		turn:      s.Turn,
		castling:  law.marks(s.Castling | s.unspokenMarks(law)),
		target:    NoSquare,
		pockets:   s.Pockets,
		halfMoves: uint16(s.HalfMoves),
		fullMoves: uint16(s.FullMoves),
	}
	for square, piece := range s.Board {
		p.place(Square(square), piece)
	}
	if law.EnPassant && s.EnPassant != NoSquare {
		p.setTarget(s.EnPassant)
	}
	if p.opponentInCheck() {
		return Position{}, &SetupError{[]Fault{OpponentInCheck}}
	}
	return p, nil
}

func (s *Setup) faults(law Law) (faults []Fault) {
	for _, rule := range []struct {
		broken bool
		fault  Fault
	}{
		{!s.validMen(), InvalidMan},
		{s.kingMissing(law), MissingKing},
		{s.kings(White) > 1 || s.kings(Black) > 1, TooManyKings},
		{s.pawnAstray(law), PawnOnEndRank},
		{!law.Drops && s.Pockets != [2][7]uint8{}, ReserveWithoutDrops},
		{law.EnPassant && !s.possibleEnPassant(), ImpossibleEnPassant},
		{!s.possibleCastling(law), ImpossibleCastling},
		{s.HalfMoves < 0 || s.HalfMoves > MaxClock || s.FullMoves < 1 || s.FullMoves > MaxClock, ClockOutOfRange},
	} {
		if rule.broken {
			faults = append(faults, rule.fault)
		}
	}
	return faults
}

func (s *Setup) validMen() bool {
	for _, piece := range s.Board {
		if !piece.valid() {
			return false
		}
	}
	return s.Turn <= Black && s.Pockets[White][NoRole] == 0 && s.Pockets[Black][NoRole] == 0
}

// kings counts a side's kings on the board and in reserve.
func (s *Setup) kings(c Color) int {
	n := int(s.Pockets[c][King])
	for _, piece := range s.Board {
		if piece == NewPiece(c, King) {
			n++
		}
	}
	return n
}

func (s *Setup) kingMissing(law Law) bool {
	white, black := s.kings(White), s.kings(Black)
	switch {
	case law.Drops:
		return false
	case law.KingCapture:
		return white == 0 && black == 0
	}
	return white == 0 || black == 0
}

func (s *Setup) pawnAstray(law Law) bool {
	for file := range 8 {
		low, high := s.Board[SquareAt(file, 0)], s.Board[SquareAt(file, 7)]
		if low == NewPiece(Black, Pawn) || high == NewPiece(White, Pawn) {
			return true
		}
		first := low == NewPiece(White, Pawn) || high == NewPiece(Black, Pawn)
		if first && !law.pawnsOnFirstRank() {
			return true
		}
	}
	return false
}

// possibleEnPassant: the target is empty and the pawn stands beyond. The square
// it came from may have been filled since, by a man that was put there.
func (s *Setup) possibleEnPassant() bool {
	t := s.EnPassant
	if t == NoSquare {
		return true
	}
	mover := s.Turn.Other()
	up := Square(forward(mover))
	return t >= A1 && t <= H8 && rankOf(mover, 3).Has(t) &&
		s.Board[t] == NoPiece && s.Board[t+up] == NewPiece(mover, Pawn)
}

// unspokenMarks are marks that nobody wrote down. Where rights grow by drops, other
// programs count from set-ups with an empty castling field, for theirs has no letter
// for a king without a rook. While all thirty-two men are there and no move has been
// counted, a man can stand at home only because it was just put there, so it has not
// moved. Everywhere else a missing mark says that the man has.
func (s *Setup) unspokenMarks(law Law) (marks Castling) {
	if !law.FreshCastling || s.Castling != 0 || s.HalfMoves != 0 || s.FullMoves != 1 || s.men() != 32 {
		return 0
	}
	for square, mark := range homeMarks {
		if mark != 0 && s.Board[square] == homeMan(Square(square)) {
			marks |= mark
		}
	}
	return marks
}

// men counts the men on the board and in the reserves.
func (s *Setup) men() (n int) {
	for _, piece := range s.Board {
		if piece != NoPiece {
			n++
		}
	}
	for _, pocket := range s.Pockets {
		for _, count := range pocket {
			n += int(count)
		}
	}
	return n
}

func (s *Setup) possibleCastling(law Law) bool {
	if s.Castling&^allCastling != 0 {
		return false
	}
	marks := law.marks(s.Castling)
	for square, mark := range homeMarks {
		if marks&mark != 0 && s.Board[square] != homeMan(Square(square)) {
			return false
		}
	}
	return true
}
