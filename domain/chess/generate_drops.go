package chess

// drops are those from the reserve: a man on an empty square, a pawn on its
// ranks, anything but the king where it answers a check.
func (g *generator) drops(moves []Move) []Move {
	for role := Pawn; role <= King; role++ {
		if g.pockets[g.us&1][role] != 0 {
			moves = g.add(moves, drop(role), g.dropSquares(role))
		}
	}
	return moves
}

func (g *generator) dropSquares(role Role) Bitboard {
	to := ^g.occupied & g.answer
	if role == Pawn {
		to &= g.law.PawnDrops.squares(g.us)
	}
	if role == King {
		to &^= g.kingDropDanger()
	}
	return to &^ g.dropBan(role)
}

// kingDropDanger is where a dropped king would be attacked: nowhere while the
// other king is not on the board.
func (g *generator) kingDropDanger() Bitboard {
	if g.foeKing == 0 {
		return 0
	}
	return g.attackMap(g.us^1, g.occupied)
}

// dropBan is where the law forbids to drop the man because of what it would
// attack there. Only the landed man counts: attacks that its arrival makes
// real, as a king's does for its whole army, were there before. It holds
// whether or not the own king is on the board, and does not ask whether the
// attacked man is protected or could really be captured.
func (g *generator) dropBan(role Role) (banned Bitboard) {
	spared := Bitboard(0)
	if g.law.DropSparesKing {
		spared |= g.foeKing
	}
	if g.law.DropSparesMen {
		spared |= g.foes &^ g.foeKing
	}
	for ; spared != 0; spared &= spared - 1 {
		// A man attacks a square from wherever its mirror image there attacks.
		banned |= attacksFrom(spared.lowest(), role, g.us^1, g.occupied)
	}
	return banned
}
