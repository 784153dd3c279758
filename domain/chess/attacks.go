package chess

// A direction is one step on the board.
type direction struct{ file, rank int }

var (
	rookDirections   = []direction{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}
	bishopDirections = []direction{{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}
	kingDirections   = append(append([]direction{}, rookDirections...), bishopDirections...)
	knightDirections = []direction{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}
)

// What the men that do not slide attack, by the square they stand on.
var (
	knightTable = leaps(knightDirections)
	kingTable   = leaps(kingDirections)
	pawnTable   = [2][64]Bitboard{
		White: leaps([]direction{{-1, 1}, {1, 1}}),
		Black: leaps([]direction{{-1, -1}, {1, -1}}),
	}
)

// For two squares on one rank, file or diagonal: the squares strictly between
// them, and the whole line through both. Empty for any other two.
var (
	betweenTable [64][64]Bitboard
	lineTable    = buildLines(&betweenTable)
)

// step is the square one step away, NoSquare beyond the edge.
func (s Square) step(d direction) Square {
	file, rank := s.File()+d.file, s.Rank()+d.rank
	if file < 0 || file > 7 || rank < 0 || rank > 7 {
		return NoSquare
	}
	return SquareAt(file, rank)
}

func leaps(directions []direction) (table [64]Bitboard) {
	for s := A1; s <= H8; s++ {
		for _, d := range directions {
			if t := s.step(d); t != NoSquare {
				table[s] |= t.bit()
			}
		}
	}
	return table
}

// ray walks from s until it meets an occupied square, which it includes.
func ray(s Square, d direction, occupied Bitboard) (squares Bitboard) {
	for t := s.step(d); t != NoSquare; t = t.step(d) {
		squares |= t.bit()
		if occupied.Has(t) {
			break
		}
	}
	return squares
}

func rays(s Square, directions []direction, occupied Bitboard) (squares Bitboard) {
	for _, d := range directions {
		squares |= ray(s, d, occupied)
	}
	return squares
}

func buildLines(between *[64][64]Bitboard) (lines [64][64]Bitboard) {
	for s := A1; s <= H8; s++ {
		for _, d := range kingDirections {
			line := s.bit() | ray(s, d, 0) | ray(s, direction{-d.file, -d.rank}, 0)
			var passed Bitboard
			for t := s.step(d); t != NoSquare; t = t.step(d) {
				between[s][t], lines[s][t] = passed, line
				passed |= t.bit()
			}
		}
	}
	return lines
}

// edges are the squares of the board's rim that do not matter for a slider on
// s: a man there is attacked whether or not the square is occupied.
func edges(s Square) Bitboard {
	rank := rank1 << (8 * uint(s.Rank()))
	file := fileA << uint(s.File())
	return (rank1|rank8)&^rank | (fileA|fileH)&^file
}

// fillMagics fills the table in the order of the squares and says where each
// square's part is.
func fillMagics(table []Bitboard, directions []direction, factors *[64]Bitboard) (magics [64]magic) {
	next := uint32(0)
	for s := A1; s <= H8; s++ {
		mask := rays(s, directions, 0) &^ edges(s)
		m := magic{mask: mask, factor: factors[s], offset: next, shift: uint8(64 - mask.Count())}
		// Every subset of the mask once, by the carry-rippler.
		for subset := Bitboard(0); ; {
			table[m.index(subset)] = rays(s, directions, subset)
			if subset = (subset - mask) & mask; subset == 0 {
				break
			}
		}
		magics[s] = m
		next += 1 << mask.Count()
	}
	return magics
}

func rookAttacks(s Square, occupied Bitboard) Bitboard {
	return rookTable[rookMagics[s&63].index(occupied)]
}

func bishopAttacks(s Square, occupied Bitboard) Bitboard {
	return bishopTable[bishopMagics[s&63].index(occupied)]
}

// attacksFrom is what a man of that role and color on s attacks: the squares
// on which it could capture, its own men's included.
func attacksFrom(s Square, role Role, color Color, occupied Bitboard) Bitboard {
	switch role {
	case Pawn:
		return pawnTable[color&1][s&63]
	case Knight:
		return knightTable[s&63]
	case Bishop:
		return bishopAttacks(s, occupied)
	case Rook:
		return rookAttacks(s, occupied)
	case Queen:
		return rookAttacks(s, occupied) | bishopAttacks(s, occupied)
	case King:
		return kingTable[s&63]
	case NoRole:
	}
	return 0
}
