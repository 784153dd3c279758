package chess

// Attacks is what the man on the square attacks: where it could capture,
// whoever stands there and whether or not it is pinned. Empty for an empty
// square.
func (p *Position) Attacks(s Square) Bitboard {
	if s < A1 {
		return 0
	}
	return attacksFrom(s, p.roleAt(s), p.colorAt(s), p.Occupied())
}

// IsAttacked reports whether a man of that side attacks the square. With drops
// a side whose king is not on the board attacks nothing.
func (p *Position) IsAttacked(s Square, by Color) bool {
	return s >= A1 && p.attacksCount(by) && p.attackers(s, by, p.Occupied()) != 0
}

// InCheck reports whether the king of the side to move is attacked.
func (p *Position) InCheck() bool { return p.IsAttacked(p.King(p.turn), p.turn.Other()) }

// AttackedKings is the squares of the kings that are attacked right now, of
// either side.
func (p *Position) AttackedKings() (kings Bitboard) {
	for _, c := range [...]Color{White, Black} {
		if king := p.King(c); p.IsAttacked(king, c.Other()) {
			kings |= king.bit()
		}
	}
	return kings
}

// attacksCount reports whether that side's attacks are real: without its king
// on the board a side that may still drop it attacks nothing.
func (p *Position) attacksCount(by Color) bool {
	return !p.law.Drops || p.Pieces(by, King) != 0
}

// opponentInCheck is what no king-safe position may show.
func (p *Position) opponentInCheck() bool {
	return !p.law.KingCapture && p.IsAttacked(p.King(p.turn.Other()), p.turn)
}

// attackers are the men of that side that attack the square, on a board
// occupied as given.
func (p *Position) attackers(s Square, by Color, occupied Bitboard) Bitboard {
	queens := p.roles[Queen]
	return p.colors[by&1] & (pawnTable[by&1^1][s&63]&p.roles[Pawn] |
		knightTable[s&63]&p.roles[Knight] |
		kingTable[s&63]&p.roles[King] |
		bishopAttacks(s, occupied)&(p.roles[Bishop]|queens) |
		rookAttacks(s, occupied)&(p.roles[Rook]|queens))
}

// attackMap is everything that side attacks.
func (p *Position) attackMap(by Color, occupied Bitboard) (squares Bitboard) {
	for role := Pawn; role <= King; role++ {
		for men := p.Pieces(by, role); men != 0; men &= men - 1 {
			squares |= attacksFrom(men.lowest(), role, by, occupied)
		}
	}
	return squares
}
