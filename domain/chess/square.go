package chess

import "fmt"

// A Square is one of the sixty-four, A1 = 0, B1 = 1 … H8 = 63. Absence is
// [NoSquare], never zero, for zero is a corner of the board.
type Square int8

// NoSquare is no square at all: no en passant target, no king.
const NoSquare Square = -1

// The squares, from White's left corner.
const (
	A1 Square = iota
	B1
	C1
	D1
	E1
	F1
	G1
	H1
	A2
	B2
	C2
	D2
	E2
	F2
	G2
	H2
	A3
	B3
	C3
	D3
	E3
	F3
	G3
	H3
	A4
	B4
	C4
	D4
	E4
	F4
	G4
	H4
	A5
	B5
	C5
	D5
	E5
	F5
	G5
	H5
	A6
	B6
	C6
	D6
	E6
	F6
	G6
	H6
	A7
	B7
	C7
	D7
	E7
	F7
	G7
	H7
	A8
	B8
	C8
	D8
	E8
	F8
	G8
	H8
)

// SquareAt is the square on the file and rank, both counted from 0.
func SquareAt(file, rank int) Square { return Square(rank<<3 | file) }

// File is 0 for the a-file … 7 for the h-file.
func (s Square) File() int { return int(s & 7) }

// Rank is 0 for White's first rank … 7 for Black's.
func (s Square) Rank() int { return int(s>>3) & 7 }

// String is "a1" … "h8", and "-" for NoSquare.
func (s Square) String() string { return string(s.append(nil)) }

func (s Square) append(dst []byte) []byte {
	if s < A1 {
		return append(dst, '-')
	}
	return append(dst, 'a'+byte(s.File()), '1'+byte(s.Rank()))
}

// ParseSquare reads "a1" … "h8".
func ParseSquare(s string) (Square, error) {
	if len(s) == 2 {
		if file, rank := s[0]-'a', s[1]-'1'; file < 8 && rank < 8 {
			return SquareAt(int(file), int(rank)), nil
		}
	}
	return NoSquare, fmt.Errorf("chess: %.20q is no square: write a letter a to h and a digit 1 to 8", s)
}
