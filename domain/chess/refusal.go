package chess

import "slices"

// refusal is the rule that refuses a request which is no legal move.
func (p *Position) refusal(r request) Rule {
	g := generator{Position: p}
	g.begin()
	switch {
	case g.over():
		return RuleOver
	case p.onBoard(r):
		return RuleNotOpen
	case r.role != NoRole:
		return g.dropRefusal(r)
	}
	return g.moveRefusal(r)
}

// onBoard reports that the request is a legal move, which only the game around the
// board can have refused.
func (p *Position) onBoard(r request) bool {
	var buf [256]Move
	return slices.ContainsFunc(p.Moves(buf[:0]), func(m Move) bool { return r.means(m, p) })
}

func (g *generator) moveRefusal(r request) Rule {
	switch {
	case g.foes.Has(r.from):
		return RuleNotYours
	case !g.own.Has(r.from):
		return RuleEmpty
	case g.own.Has(r.to):
		return RuleOwnMan
	}
	role := g.roleAt(r.from)
	if rule, castles := g.castlingRefusal(r, role); castles {
		return rule
	}
	switch {
	case !g.couldGo(r, role, 0):
		return RuleMovement
	case !g.couldGo(r, role, g.occupied):
		return RuleBlocked
	case g.foeKing.Has(r.to) && !g.law.KingCapture:
		return RuleSacredKing
	case g.captures(r, role) && g.law.Drops && g.king == NoSquare:
		return RuleKinglessCapture
	case g.letterRefused(r):
		return RulePromotion
	}
	return RuleKingSafety
}

// castlingRefusal says why a king's two-square move from home is not castling.
func (g *generator) castlingRefusal(r request, role Role) (Rule, bool) {
	for _, c := range castles[g.us&1] {
		if role != King || r.from != c.from || r.to != c.king {
			continue
		}
		switch {
		case r.letter != NoRole:
			return RulePromotion, true
		case !g.law.Castling:
			return RuleNoCastling, true
		case g.castling&c.marks != c.marks:
			return RuleCastlingRight, true
		case g.occupied&c.empty != 0:
			return RuleBlocked, true
		}
		return RuleCastlingAttacked, true
	}
	return "", false
}

// captures reports whether the move would take a man.
func (g *generator) captures(r request, role Role) bool {
	return g.foes.Has(r.to) || role == Pawn && r.to == g.target
}

// couldGo reports whether the man moves to the square if only the given men
// were in the way, and nothing else mattered.
func (g *generator) couldGo(r request, role Role, occupied Bitboard) bool {
	if role != Pawn || g.captures(r, role) && r.from.File() != r.to.File() {
		return attacksFrom(r.from, role, g.us, occupied).Has(r.to)
	}
	step := r.from.bit().shift(g.up) &^ occupied
	if !g.law.NoDoubleStep {
		step |= (step & rankOf(g.us, 3)).shift(g.up) &^ occupied
	}
	return step.Has(r.to)
}

// letterRefused reports that the move exists with another promotion letter, or
// with none.
func (g *generator) letterRefused(r request) bool {
	var buf [256]Move
	for _, m := range g.Moves(buf[:0]) {
		if m.sameSquares(r.from, r.to) {
			return true
		}
	}
	return false
}

func (g *generator) dropRefusal(r request) Rule {
	switch {
	case !g.law.Drops:
		return RuleNoDrops
	case r.theirs:
		return RuleNotYours
	case g.pockets[g.us&1][r.role] == 0:
		return RuleReserve
	case g.occupied.Has(r.to):
		return RuleOccupied
	case r.role == Pawn && !g.law.PawnDrops.squares(g.us).Has(r.to):
		return RulePawnRank
	case g.dropBan(r.role).Has(r.to):
		if attacksFrom(r.to, r.role, g.us, g.occupied)&g.foeKing != 0 {
			return RuleDropAttacksKing
		}
		return RuleDropAttacksMan
	}
	return RuleKingSafety
}
