package chess

// A Law says how men move and when a side is safe. It is data: a variant is
// played under a Law, and the generator asks only the Law.
//
// The zero Law is FIDE chess without castling and en passant: kings must be
// kept safe.
type Law struct {
	// KingCapture lets kings be taken: moves are pseudo-legal, nothing must be
	// done about a check, castling is allowed out of, through and into attack,
	// and once a king is gone nobody moves.
	KingCapture bool

	// Castling allows castling to a side that has the right. Without it the
	// rights written in a setup are dropped.
	Castling bool

	// FreshCastling makes rights grow: a king dropped on its home square and a
	// rook dropped on a corner have not moved. Positions then remember unmoved
	// men one by one, as [Castling] marks. It needs Castling and Drops.
	FreshCastling bool

	// EnPassant allows the capture; without it no position has a target.
	EnPassant bool

	// NoDoubleStep takes the first step of two squares from the pawns.
	NoDoubleStep bool

	// Drops brings reserves into play. A side whose king is not on the board
	// then attacks nothing, captures nothing and cannot be in check.
	Drops bool

	// PawnDrops are the ranks, as their owner counts, on which pawns drop.
	PawnDrops RankRange

	// DropSparesKing forbids drops that attack the enemy king; DropSparesMen
	// those that attack any other enemy man. Only what the dropped man itself
	// attacks counts, see dropBan.
	DropSparesKing, DropSparesMen bool
}

// A RankRange is a run of ranks, 1 to 8 as their owner counts, ends included.
type RankRange struct{ Lowest, Highest uint8 }

func (r RankRange) squares(c Color) (squares Bitboard) {
	for n := int(r.Lowest); n <= int(r.Highest) && n <= 8; n++ {
		if n >= 1 {
			squares |= rankOf(c, n)
		}
	}
	return squares
}

// The laws that need no drops.
var (
	// Orthodox is FIDE chess.
	Orthodox = Law{Castling: true, EnPassant: true}
	// NoCastling is FIDE chess without castling.
	NoCastling = Law{EnPassant: true}
	// KingCapture is the board game of the king-capture family.
	KingCapture = Law{KingCapture: true, Castling: true, EnPassant: true}
)

// pawnsOnFirstRank reports whether a pawn may stand on its own first rank:
// where it can be dropped there, or come back there by another power.
func (l Law) pawnsOnFirstRank() bool { return l.KingCapture || l.Drops && l.PawnDrops.Lowest == 1 }

// marks are those of the castling marks that mean something under the law.
func (l Law) marks(c Castling) Castling {
	switch {
	case !l.Castling:
		return 0
	case l.FreshCastling:
		return c
	}
	return c.pairs()
}
