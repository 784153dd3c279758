package chess

// pawnMoves goes through all free pawns at once, and through the pinned ones
// one by one on their lines.
func (g *generator) pawnMoves(moves []Move) []Move {
	pawns := g.own & g.roles[Pawn]
	moves = g.pawnSet(moves, pawns&^g.pinned, everywhere)
	for pinned := pawns & g.pinned; pinned != 0; pinned &= pinned - 1 {
		s := pinned.lowest()
		moves = g.pawnSet(moves, s.bit(), lineTable[g.king&63][s&63])
	}
	if g.target != NoSquare {
		for takers := g.enPassantTakers(); takers != 0; takers &= takers - 1 {
			moves = g.add(moves, quiet(Pawn, takers.lowest())|enPassantMove, g.target.bit())
		}
	}
	return moves
}

// pawnSet moves a set of pawns, all of them on the same lane.
func (g *generator) pawnSet(moves []Move, pawns, lane Bitboard) []Move {
	up := g.up
	lane &= g.reach & g.answer
	step := pawns.shift(up) &^ g.occupied
	moves = g.addPawns(moves, step&lane, up)
	if !g.law.NoDoubleStep {
		double := (step & rankOf(g.us, 3)).shift(up) &^ g.occupied
		moves = g.addEach(moves, quiet(Pawn, 0)|doubleStep, double&lane, 2*up)
	}
	moves = g.addPawns(moves, (pawns&^fileA).shift(up-1)&g.foes&lane, up-1)
	return g.addPawns(moves, (pawns&^fileH).shift(up+1)&g.foes&lane, up+1)
}

// addPawns takes in pawns that arrive on the squares by the same step, and
// lets them promote on the last rank. There the capture of a king ends the
// game, so that move names no promotion.
func (g *generator) addPawns(moves []Move, to Bitboard, step int) []Move {
	last := to & rankOf(g.us, 8)
	moves = g.addEach(moves, quiet(Pawn, 0), to&^last|last&g.foeKing, step)
	if last &^= g.foeKing; last != 0 {
		for role := Queen; role >= Knight; role-- {
			moves = g.addEach(moves, quiet(Pawn, 0).promoting(role), last, step)
		}
	}
	return moves
}

// addEach takes in moves that all go the same number of squares.
func (g *generator) addEach(moves []Move, m Move, to Bitboard, step int) []Move {
	if g.counting {
		g.count += to.Count()
		return moves
	}
	for ; to != 0; to &= to - 1 {
		s := to.lowest()
		moves = append(moves, (m | Move(s-Square(step))).toward(s))
	}
	return moves
}

// enPassantTakers are the pawns that may capture en passant. Two men leave the
// rank at once, so the king's safety is judged on the board as it would be.
func (g *generator) enPassantTakers() Bitboard {
	target := g.target
	takers := pawnTable[g.us&1^1][target&63] & g.own & g.roles[Pawn]
	if !g.guarded {
		if g.law.Drops && g.king == NoSquare {
			return 0
		}
		return takers
	}
	passed := (target - Square(g.up)).bit()
	for rest := takers; rest != 0; rest &= rest - 1 {
		taker := rest & -rest
		after := g.occupied ^ taker ^ passed | target.bit()
		if g.attackers(g.king, g.us^1, after)&^passed != 0 {
			takers &^= taker
		}
	}
	return takers
}
