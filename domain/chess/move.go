package chess

// A Move is a move or a drop, complete enough to be played without looking at
// the board again. It comes from [Position.Moves], [Position.ParseUCI] and
// their like, and belongs to the position that made it. The zero Move is none.
type Move uint32

// The layout of a Move, from bit 0: from and to square (6 bits each), the man
// that moves or drops (3), the role it promotes to (3), and one bit for each
// kind of special move.
const (
	toShift      = 6
	roleShift    = 12
	promoteShift = 15
)

const (
	castlingMove Move = 1 << (18 + iota)
	enPassantMove
	doubleStep
	dropMove
	queenPower
)

// quiet is the part of a move that says which man moves from where.
func quiet(role Role, from Square) Move { return Move(from) | Move(role)<<roleShift }

func (m Move) toward(to Square) Move    { return m | Move(to)<<toShift }
func (m Move) promoting(role Role) Move { return m | Move(role)<<promoteShift }
func drop(role Role) Move               { return Move(role)<<roleShift | dropMove }
func (m Move) fromBit() Bitboard        { return 1 << (m & 63) }
func (m Move) toBit() Bitboard          { return 1 << (m >> toShift & 63) }
func (m Move) is(kind Move) bool        { return m&kind != 0 }
func (m Move) sameSquares(from, to Square) bool {
	return !m.IsDrop() && m.From() == from && m.To() == to
}

// From is the square the man leaves; NoSquare for a drop.
func (m Move) From() Square {
	if m.IsDrop() {
		return NoSquare
	}
	return Square(m & 63)
}

// To is the square the man arrives on.
func (m Move) To() Square { return Square(m >> toShift & 63) }

// Role is the man that moves or drops, a promoting pawn being a pawn.
func (m Move) Role() Role { return Role(m >> roleShift & 7) }

// Promotion is what the pawn becomes; NoRole when the move names nothing.
func (m Move) Promotion() Role { return Role(m >> promoteShift & 7) }

// Drop is the role put on the board from the reserve; NoRole for a move.
func (m Move) Drop() Role {
	if !m.IsDrop() {
		return NoRole
	}
	return m.Role()
}

// IsDrop reports a drop from the reserve.
func (m Move) IsDrop() bool { return m.is(dropMove) }

// IsCastling reports castling; From and To are the king's.
func (m Move) IsCastling() bool { return m.is(castlingMove) }

// IsEnPassant reports an en passant capture; To is where the pawn arrives.
func (m Move) IsEnPassant() bool { return m.is(enPassantMove) }

// IsDoubleStep reports a pawn's first step of two squares.
func (m Move) IsDoubleStep() bool { return m.is(doubleStep) }

// IsQueenPower reports a move from [Position.QueenMoves]: the man moves as a
// queen, and could not have moved there as itself.
func (m Move) IsQueenPower() bool { return m.is(queenPower) }

// UCI is the move in the notation of the Universal Chess Interface: "e2e4",
// "e7e8q", castling as the king's two-square move "e1g1", and a drop, by either
// side, as "N@f3" and "P@e4". The zero Move is "0000".
func (m Move) UCI() string {
	if m == 0 {
		return "0000"
	}
	var text [8]byte
	return string(m.appendUCI(text[:0]))
}

func (m Move) appendUCI(dst []byte) []byte {
	if m.IsDrop() {
		return m.To().append(append(dst, m.Role().Letter(), '@'))
	}
	dst = m.To().append(m.From().append(dst))
	if promotion := m.Promotion(); promotion != NoRole {
		dst = append(dst, promotion.Letter()|0x20)
	}
	return dst
}

// String is the UCI text.
func (m Move) String() string { return m.UCI() }
