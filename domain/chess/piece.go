package chess

import "strings"

// A Role is a kind of man, without its color.
type Role uint8

// The roles, weakest first. NoRole is the zero Role: no man, no promotion.
const (
	NoRole Role = iota
	Pawn
	Knight
	Bishop
	Rook
	Queen
	King
)

const roleLetters = "?PNBRQK"

// Letter is the upper-case English letter of the role: P, N, B, R, Q or K;
// '?' for anything else.
func (r Role) Letter() byte {
	if r > King {
		r = NoRole
	}
	return roleLetters[r]
}

// String is the letter.
func (r Role) String() string { return string(r.Letter()) }

// roleOf reads an upper-case letter; NoRole when it names none.
func roleOf(letter byte) Role {
	if i := strings.IndexByte(roleLetters, letter); i > 0 {
		return Role(i)
	}
	return NoRole
}

// A Piece is a role and a color. The zero Piece is NoPiece, an empty square.
type Piece uint8

// NoPiece stands on an empty square.
const NoPiece Piece = 0

const blackPiece Piece = 8

// NewPiece is the man of that color and role; NoPiece for NoRole.
func NewPiece(c Color, r Role) Piece {
	if r == NoRole || r > King {
		return NoPiece
	}
	return Piece(c&1)*blackPiece | Piece(r)
}

// Color is the army the man belongs to; it means nothing for NoPiece.
func (p Piece) Color() Color { return Color(p/blackPiece) & 1 }

// Role is the kind of man; NoRole for NoPiece.
func (p Piece) Role() Role { return Role(p % blackPiece) }

// Letter is the FEN letter, upper case for White and lower case for Black;
// '?' for NoPiece.
func (p Piece) Letter() byte {
	if p >= blackPiece {
		return p.Role().Letter() | 0x20
	}
	return p.Role().Letter()
}

// String is the FEN letter.
func (p Piece) String() string { return string(p.Letter()) }

// ParsePiece reads a FEN letter, and reports whether it names a man.
func ParsePiece(letter byte) (Piece, bool) {
	color := White
	if letter >= 'a' {
		color, letter = Black, letter-0x20
	}
	p := NewPiece(color, roleOf(letter))
	return p, p != NoPiece
}

func (p Piece) valid() bool {
	return p == NoPiece || p.Role() >= Pawn && p.Role() <= King && p < 2*blackPiece
}
