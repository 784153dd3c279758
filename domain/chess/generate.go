package chess

// Moves appends to buf every legal move and drop of the side to move; under a
// king-capture law every pseudo-legal one, and none once a king is gone.
// A buffer with room for 256 moves, or 512 with drops, is rarely outgrown.
func (p *Position) Moves(buf []Move) []Move {
	g := generator{Position: p}
	g.begin()
	return g.generate(buf)
}

// HasMove reports whether the side to move has any move or drop.
func (p *Position) HasMove() bool { return p.countMoves() != 0 }

// countMoves is the length of Moves, without writing them.
func (p *Position) countMoves() int {
	g := generator{Position: p, counting: true}
	g.begin()
	g.generate(nil)
	return g.count
}

// A generator lists or counts the moves of one position. What may be done
// about checks and pins is found first, so that every move it meets is legal.
type generator struct {
	*Position
	us        Color
	up        int // a pawn's step
	own, foes Bitboard
	occupied  Bitboard
	foeKing   Bitboard
	king      Square   // of the side to move, NoSquare when not on the board
	reach     Bitboard // where the men may go: not to their own men, nor to the king where it is sacred
	answer    Bitboard // where a man other than the king must go: everywhere, or to answer a check
	pinned    Bitboard // own men that may only move on the line through their king
	guarded   bool     // the king must be kept from attack
	checked   bool     // the king is attacked
	counting  bool     // moves are counted, not listed
	count     int
}

// begin studies the position.
func (g *generator) begin() {
	p := g.Position
	g.us = p.turn & 1
	g.up = forward(g.us)
	g.own, g.foes = p.colors[g.us], p.colors[g.us^1]
	g.occupied = g.own | g.foes
	g.foeKing = p.roles[King] & g.foes
	ownKing := p.roles[King] & g.own
	g.king = ownKing.First()
	g.answer = everywhere
	switch {
	case p.law.KingCapture:
		g.reach = ^g.own
	case p.law.Drops && ownKing == 0:
		g.reach = ^g.occupied
	default:
		g.reach = ^g.own &^ g.foeKing
		if g.foeKing != 0 {
			g.guard()
		}
	}
}

// guard finds the checks and pins against the own king.
func (g *generator) guard() {
	g.guarded = true
	king := g.king & 63
	queens := g.roles[Queen]
	checkers := g.foes & (pawnTable[g.us&1][king]&g.roles[Pawn] | knightTable[king]&g.roles[Knight])
	// Foes that would attack the king if its own men were not there.
	snipers := g.foes & (rookAttacks(king, g.foes)&(g.roles[Rook]|queens) |
		bishopAttacks(king, g.foes)&(g.roles[Bishop]|queens))
	for ; snipers != 0; snipers &= snipers - 1 {
		shield := betweenTable[king][snipers.lowest()&63] & g.own
		if shield == 0 {
			checkers |= snipers & -snipers
		} else if shield&(shield-1) == 0 {
			g.pinned |= shield
		}
	}
	if checkers == 0 {
		return
	}
	g.checked = true
	g.answer = 0
	if checkers&(checkers-1) == 0 {
		g.answer = checkers | betweenTable[king][checkers.lowest()&63]
	}
}

// over reports that a king is gone, which ends a king-capture game.
func (g *generator) over() bool {
	return g.law.KingCapture && (g.king == NoSquare || g.foeKing == 0)
}

// generate goes through all men. Like all that meets moves below, it appends
// them to the slice it is given, unless it counts.
func (g *generator) generate(moves []Move) []Move {
	if g.over() {
		return moves
	}
	if g.king != NoSquare {
		moves = g.kingMoves(moves)
	}
	if g.law.Drops {
		moves = g.drops(moves)
	}
	if g.answer == 0 {
		return moves // a double check: only the king can move
	}
	return g.officerMoves(g.pawnMoves(moves))
}

// add takes in the moves of one man.
func (g *generator) add(moves []Move, m Move, to Bitboard) []Move {
	if g.counting {
		g.count += to.Count()
		return moves
	}
	return list(moves, m, to)
}

func list(moves []Move, m Move, to Bitboard) []Move {
	for ; to != 0; to &= to - 1 {
		moves = append(moves, m.toward(to.lowest()))
	}
	return moves
}

// officerMoves are those of knights, bishops, rooks and queens. A pinned
// knight never moves.
func (g *generator) officerMoves(moves []Move) []Move {
	reach := g.reach & g.answer
	for men := g.own & g.roles[Knight] &^ g.pinned; men != 0; men &= men - 1 {
		s := men.lowest()
		moves = g.add(moves, quiet(Knight, s), knightTable[s&63]&reach)
	}
	for men := g.own & g.roles[Bishop]; men != 0; men &= men - 1 {
		s := men.lowest()
		moves = g.add(moves, quiet(Bishop, s), bishopAttacks(s, g.occupied)&reach&g.lane(s))
	}
	for men := g.own & g.roles[Rook]; men != 0; men &= men - 1 {
		s := men.lowest()
		moves = g.add(moves, quiet(Rook, s), rookAttacks(s, g.occupied)&reach&g.lane(s))
	}
	for men := g.own & g.roles[Queen]; men != 0; men &= men - 1 {
		s := men.lowest()
		to := bishopAttacks(s, g.occupied) | rookAttacks(s, g.occupied)
		moves = g.add(moves, quiet(Queen, s), to&reach&g.lane(s))
	}
	return moves
}

// lane is where the man on s may move as far as pins go.
func (g *generator) lane(s Square) Bitboard {
	if g.pinned&s.bit() == 0 {
		return everywhere
	}
	return lineTable[g.king&63][s&63]
}

// kingMoves are the king's, castling included.
func (g *generator) kingMoves(moves []Move) []Move {
	to := kingTable[g.king&63] & g.reach
	if g.guarded {
		to = g.safe(to)
	}
	moves = g.add(moves, quiet(King, g.king), to)
	if g.castling != 0 && !g.checked {
		moves = g.castlingMoves(moves)
	}
	return moves
}

// safe leaves of the squares those where the king would not be attacked. It
// does not hide behind itself.
func (g *generator) safe(squares Bitboard) Bitboard {
	occupied := g.occupied &^ g.king.bit()
	for rest := squares; rest != 0; rest &= rest - 1 {
		if g.attackers(rest.lowest(), g.us^1, occupied) != 0 {
			squares &^= rest & -rest
		}
	}
	return squares
}

func (g *generator) castlingMoves(moves []Move) []Move {
	for i := range castles[g.us&1] {
		c := &castles[g.us&1][i]
		if g.castling&c.marks != c.marks || g.occupied&c.empty != 0 {
			continue
		}
		if g.guarded && g.safe(c.safe) != c.safe {
			continue
		}
		moves = g.add(moves, quiet(King, g.king)|castlingMove, c.king.bit())
	}
	return moves
}
