package chess

// QueenMoves appends to buf the further moves that the side to move has when
// any one man may move as a queen: those of a queen on its square which the man
// does not have itself, so that castling and the en passant capture keep their
// own meaning. A pawn that arrives on the last rank promotes, one on its own
// first rank stays a pawn. It knows king-capture laws only and adds nothing
// under others.
func (p *Position) QueenMoves(buf []Move) []Move {
	g := generator{Position: p}
	g.begin()
	if !g.law.KingCapture || g.over() {
		return buf
	}
	var room [256]Move
	var reached [64]Bitboard
	for _, m := range p.Moves(room[:0]) {
		reached[m.From()&63] |= m.toBit()
	}
	for men := g.own; men != 0; men &= men - 1 {
		s := men.lowest()
		to := attacksFrom(s, Queen, g.us, g.occupied) & g.reach &^ reached[s&63]
		buf = g.queenPowered(buf, p.roleAt(s), s, to)
	}
	return buf
}

func (g *generator) queenPowered(moves []Move, role Role, from Square, to Bitboard) []Move {
	m := quiet(role, from) | queenPower
	last := Bitboard(0)
	if role == Pawn {
		last = to & rankOf(g.us, 8) &^ g.foeKing
	}
	moves = g.add(moves, m, to&^last)
	for promotion := Queen; promotion >= Knight && last != 0; promotion-- {
		moves = g.add(moves, m.promoting(promotion), last)
	}
	return moves
}
