package chess

import "math/bits"

// A Bitboard is a set of squares: bit 0 is A1, bit 63 is H8.
type Bitboard uint64

const (
	fileA Bitboard = 0x0101010101010101
	fileH Bitboard = fileA << 7
	rank1 Bitboard = 0xff
	rank8 Bitboard = rank1 << 56
	dark  Bitboard = 0xaa55aa55aa55aa55 // the shade of A1

	everywhere = ^Bitboard(0)
)

// bit is the set of that one square.
func (s Square) bit() Bitboard { return 1 << (uint8(s) & 63) }

// Has reports whether the square is in the set; NoSquare never is.
func (b Bitboard) Has(s Square) bool { return s >= A1 && b&s.bit() != 0 }

// Count is the number of squares in the set.
func (b Bitboard) Count() int { return bits.OnesCount64(uint64(b)) }

// First is the lowest square of the set, NoSquare when it is empty.
func (b Bitboard) First() Square {
	if b == 0 {
		return NoSquare
	}
	return b.lowest()
}

// lowest is First of a set known not to be empty.
func (b Bitboard) lowest() Square { return Square(bits.TrailingZeros64(uint64(b))) }

// Squares lists the set from its lowest square.
func (b Bitboard) Squares() []Square {
	squares := make([]Square, 0, b.Count())
	for ; b != 0; b &= b - 1 {
		squares = append(squares, b.lowest())
	}
	return squares
}

// shift moves the whole set by a number of squares, up the board if positive.
// What leaves the board comes in at its other end, so callers mask the edge.
func (b Bitboard) shift(by int) Bitboard {
	return Bitboard(bits.RotateLeft64(uint64(b), by))
}

// rankOf is the n-th rank, 1 to 8, as seen by that color.
func rankOf(c Color, n int) Bitboard {
	if c == Black {
		n = 9 - n
	}
	return rank1 << (8 * uint(n-1) & 63)
}

// forward is the step of that color's pawns, in squares.
func forward(c Color) int { return 8 - 16*int(c&1) }
