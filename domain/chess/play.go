package chess

// Play makes the move, which must come from this position. The half-move clock
// begins anew with a capture, a pawn move and a drop.
//
// A pawn that took the king on the last rank without naming a promotion stands
// there as a queen.
func (p *Position) Play(m Move) {
	us := p.turn & 1
	p.nextTurn()
	if p.halfMoves < MaxClock {
		p.halfMoves++
	}
	if m.IsDrop() {
		p.playDrop(us, m)
		return
	}
	if p.colors[us^1]&m.toBit() != 0 {
		p.clear(m.toBit())
		p.halfMoves = 0
	}
	both := m.fromBit() | m.toBit()
	p.roles[m.Role()&7] ^= both
	p.colors[us] ^= both
	if m.Role() == Pawn {
		p.playPawn(us, m)
	}
	if p.castling != 0 {
		p.playCastling(us, m)
	}
}

// Pass gives the move to the other side without a move on the board. The en
// passant right is gone; the half-move clock stands still.
func (p *Position) Pass() { p.nextTurn() }

// PlayOn makes the move and leaves the turn with the side that made it, as in a
// series of moves. What its last move gives en passant is for [Position.Yield] to say.
func (p *Position) PlayOn(m Move) {
	number := p.fullMoves
	p.Play(m)
	p.turn ^= 1
	p.target, p.fullMoves = NoSquare, number
}

// Yield ends a series that was made by [Position.PlayOn] and gives the turn to the
// other side. From and to are the squares of its last move: if that was a pawn's
// double step, the answer to it may be en passant.
func (p *Position) Yield(from, to Square) {
	us := p.turn & 1
	p.nextTurn()
	up := Square(forward(us))
	if p.law.EnPassant && from >= A1 && rankOf(us, 2).Has(from) && to == from+2*up && p.Pieces(us, Pawn).Has(to) {
		p.setTarget(from + up)
	}
}

func (p *Position) nextTurn() {
	if p.turn == Black && p.fullMoves < MaxClock {
		p.fullMoves++
	}
	p.turn ^= 1
	p.target = NoSquare
}

// Put places a man of any kind on a square, or clears it with NoPiece, whoever
// is to move, as cards and dice may. Rights never come with it: castling marks
// of the square are lost, and an en passant target whose pawn is gone.
// It is for squares and men that leave the position playable, one king a side.
func (p *Position) Put(s Square, piece Piece) {
	p.clear(s.bit())
	p.place(s, piece)
	p.castling = p.law.marks(p.castling &^ homeMarks[s&63])
	if t := p.target; t != NoSquare && (s == t || p.At(t-Square(forward(p.turn))) != NewPiece(p.turn.Other(), Pawn)) {
		p.target = NoSquare
	}
}

// ResetHalfMoves begins the half-move clock anew, for what counts like a capture or
// a pawn move.
func (p *Position) ResetHalfMoves() { p.halfMoves = 0 }

func (p *Position) clear(square Bitboard) {
	for role := range p.roles {
		p.roles[role] &^= square
	}
	p.colors[White] &^= square
	p.colors[Black] &^= square
}

func (p *Position) playPawn(us Color, m Move) {
	p.halfMoves = 0
	to := m.toBit()
	switch {
	case m.IsDoubleStep():
		if p.law.EnPassant {
			p.setTarget(m.To() - Square(forward(us)))
		}
	case m.IsEnPassant():
		p.clear(to.shift(-forward(us)))
	case to&rankOf(us, 8) != 0:
		became := m.Promotion()
		if became == NoRole {
			became = Queen
		}
		p.roles[Pawn] ^= to
		p.roles[became&7] ^= to
	}
}

// playCastling moves the rook of a castling move, and takes the marks of the
// squares that any move leaves or enters.
func (p *Position) playCastling(us Color, m Move) {
	lost := homeMarks[m&63] | homeMarks[m>>toShift&63]
	if m.IsCastling() {
		for i := range castles[us] {
			if c := &castles[us][i]; c.king == m.To() {
				p.roles[Rook] ^= c.rook
				p.colors[us] ^= c.rook
				lost |= c.marks
			}
		}
	}
	if p.castling&lost != 0 {
		p.castling = p.law.marks(p.castling &^ lost)
	}
}

func (p *Position) playDrop(us Color, m Move) {
	p.halfMoves = 0
	role, to := m.Role()&7, m.To()
	p.pockets[us][role]--
	p.roles[role] |= m.toBit()
	p.colors[us] |= m.toBit()
	if p.law.FreshCastling && homeMan(to) == NewPiece(us, role) {
		p.castling |= homeMarks[to&63]
	}
}
