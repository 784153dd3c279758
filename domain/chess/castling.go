package chess

// Castling marks the kings and corner rooks that have not moved. A right is
// history, never geometry: it needs the marks of king and rook, and no man that
// arrives on a home square brings a mark along, except by a drop under a Law
// that says so.
type Castling uint8

// The marks: a king on its home square, a rook on the a- or the h-corner.
const (
	WhiteKing Castling = 1 << iota
	WhiteRookA
	WhiteRookH
	BlackKing
	BlackRookA
	BlackRookH

	allCastling = 1<<iota - 1
)

// Short reports the right to castle with the rook of the h-file.
func (c Castling) Short(color Color) bool { return c.has(color, WhiteKing|WhiteRookH) }

// Long reports the right to castle with the rook of the a-file.
func (c Castling) Long(color Color) bool { return c.has(color, WhiteKing|WhiteRookA) }

// has asks for marks, named as White's, of that color.
func (c Castling) has(color Color, marks Castling) bool {
	return c>>(3*(color&1))&marks == marks
}

// pairs drops the marks that make no right with another one.
func (c Castling) pairs() Castling {
	for _, color := range [...]Color{White, Black} {
		side := (WhiteKing | WhiteRookA | WhiteRookH) << (3 * color)
		if !c.Short(color) && !c.Long(color) {
			c &^= side
		}
	}
	return c
}

// castlingLetters in the order in which they are written; each only where it
// adds something to those before it.
var castlingLetters = []struct {
	letter byte
	marks  Castling
}{
	{'K', WhiteKing | WhiteRookH},
	{'Q', WhiteKing | WhiteRookA},
	{'E', WhiteKing},
	{'A', WhiteRookA},
	{'H', WhiteRookH},
	{'k', BlackKing | BlackRookH},
	{'q', BlackKing | BlackRookA},
	{'e', BlackKing},
	{'a', BlackRookA},
	{'h', BlackRookH},
}

// String is the FEN field: K Q for the rights, E A H for the unmoved king and
// rooks that make no right, lower case for Black, "-" for nothing at all.
func (c Castling) String() string { return string(c.append(nil)) }

func (c Castling) append(dst []byte) []byte {
	if c&allCastling == 0 {
		return append(dst, '-')
	}
	var written Castling
	for _, l := range castlingLetters {
		if c&l.marks == l.marks && written|l.marks != written {
			dst = append(dst, l.letter)
			written |= l.marks
		}
	}
	return dst
}

// parseCastling reads the FEN field in any order.
func parseCastling(s string) (Castling, bool) {
	if s == "-" {
		return 0, true
	}
	var c Castling
	for i := range len(s) {
		marks := marksOf(s[i])
		if marks == 0 {
			return 0, false
		}
		c |= marks
	}
	return c, c != 0
}

func marksOf(letter byte) Castling {
	for _, l := range castlingLetters {
		if l.letter == letter {
			return l.marks
		}
	}
	return 0
}

// homeMarks is the mark that a man standing on that square may have. The mark
// is lost when anything leaves or enters the square.
var homeMarks = [64]Castling{
	E1: WhiteKing, A1: WhiteRookA, H1: WhiteRookH,
	E8: BlackKing, A8: BlackRookA, H8: BlackRookH,
}

// homeMan is the man that a mark on that square speaks of.
func homeMan(s Square) Piece {
	color, role := White, Rook
	if s.Rank() == 7 {
		color = Black
	}
	if s.File() == 4 {
		role = King
	}
	return NewPiece(color, role)
}

// A castle is one of the four ways to castle.
type castle struct {
	marks    Castling
	king     Square   // where the king lands
	rook     Bitboard // the rook's two squares
	empty    Bitboard // must be empty
	safe     Bitboard // the king's path after its home square, must not be attacked
	from     Square   // the king's home
	rookFrom Square
}

// castles by color: short, then long.
var castles = [2][2]castle{
	White: {
		{WhiteKing | WhiteRookH, G1, H1.bit() | F1.bit(), F1.bit() | G1.bit(), F1.bit() | G1.bit(), E1, H1},
		{WhiteKing | WhiteRookA, C1, A1.bit() | D1.bit(), B1.bit() | C1.bit() | D1.bit(), C1.bit() | D1.bit(), E1, A1},
	},
	Black: {
		{BlackKing | BlackRookH, G8, H8.bit() | F8.bit(), F8.bit() | G8.bit(), F8.bit() | G8.bit(), E8, H8},
		{BlackKing | BlackRookA, C8, A8.bit() | D8.bit(), B8.bit() | C8.bit() | D8.bit(), C8.bit() | D8.bit(), E8, A8},
	},
}
