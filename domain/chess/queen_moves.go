package chess

// QueenMoves appends to buf the further moves that the side to move has when
// any one man may move as a queen: those of a queen on its square which the man
// does not have itself, so that castling and the en passant capture keep their
// own meaning. A pawn that arrives on the last rank promotes, one on its own
// first rank stays a pawn. It knows king-capture laws only and adds nothing
// under others.
func (p *Position) QueenMoves(buf []Move) []Move {
	g := generator{}
	g.begin(p)
	if !g.law.KingCapture || g.over() {
		return buf
	}
	var room [256]Move
	var reached [64]Bitboard
	for _, m := range p.Moves(room[:0]) {
		reached[m.From()&63] |= m.toBit()
	}
	g.moves = buf
	for men := g.own; men != 0; men &= men - 1 {
		s := men.lowest()
		to := attacksFrom(s, Queen, g.us, g.occupied) & g.reach &^ reached[s&63]
		g.queenPowered(p.roleAt(s), s, to)
	}
	return g.moves
}

func (g *generator) queenPowered(role Role, from Square, to Bitboard) {
	m := quiet(role, from) | queenPower
	last := Bitboard(0)
	if role == Pawn {
		last = to & rankOf(g.us, 8) &^ g.foeKing
	}
	g.add(m, to&^last)
	for promotion := Queen; promotion >= Knight && last != 0; promotion-- {
		g.add(m.promoting(promotion), last)
	}
}
