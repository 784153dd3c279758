package chess

// A Position is an arrangement that can be played under its [Law]. It is a
// plain comparable value: a copy is independent of the original. It comes from
// [Setup.Position] or [ParsePosition]; the zero Position has no moves.
type Position struct {
	roles     [8]Bitboard // men of both colors, by role; eight, so that a masked role is in range
	colors    [2]Bitboard
	pockets   [2][7]uint8
	law       Law
	halfMoves uint16
	fullMoves uint16
	turn      Color
	castling  Castling
	target    Square // en passant, kept only while an enemy pawn stands ready to capture there
}

// ParsePosition reads a FEN that must be playable under the law. The error is
// a [*FENError] or a [*SetupError].
func ParsePosition(fen string, law Law) (Position, error) {
	setup, err := ParseFEN(fen)
	if err != nil {
		return Position{}, err
	}
	return setup.Position(law)
}

// Setup is the arrangement, ready to be edited and to pass the door again.
func (p *Position) Setup() Setup {
	s := Setup{
		Turn: p.turn, Castling: p.castling, EnPassant: p.target, Pockets: p.pockets,
		HalfMoves: int(p.halfMoves), FullMoves: int(p.fullMoves),
	}
	p.fill(&s.Board)
	return s
}

func (p *Position) fill(board *[64]Piece) {
	for role := Pawn; role <= King; role++ {
		for men := p.roles[role]; men != 0; men &= men - 1 {
			s := men.lowest()
			board[s&63] = NewPiece(p.colorAt(s), role)
		}
	}
}

// Turn is the side to move.
func (p *Position) Turn() Color { return p.turn }

// Law is the law the position is played under.
func (p *Position) Law() Law { return p.law }

// At is the man on the square, or NoPiece.
func (p *Position) At(s Square) Piece {
	role := p.roleAt(s)
	return NewPiece(p.colorAt(s), role)
}

func (p *Position) roleAt(s Square) Role {
	for role := Pawn; role <= King; role++ {
		if p.roles[role].Has(s) {
			return role
		}
	}
	return NoRole
}

func (p *Position) colorAt(s Square) Color { return Color(p.colors[Black] >> (uint8(s) & 63) & 1) }

// King is the square of that side's king; NoSquare when it is not on the board.
func (p *Position) King(c Color) Square { return p.Pieces(c, King).First() }

// Pieces are the squares of that side's men of that role.
func (p *Position) Pieces(c Color, r Role) Bitboard { return p.roles[r&7] & p.colors[c&1] }

// Army is the squares of all men of that side.
func (p *Position) Army(c Color) Bitboard { return p.colors[c&1] }

// Occupied is the squares of all men.
func (p *Position) Occupied() Bitboard { return p.colors[White] | p.colors[Black] }

// Pocket is the number of men of that role in that side's reserve.
func (p *Position) Pocket(c Color, r Role) int {
	if r > King {
		return 0
	}
	return int(p.pockets[c&1][r])
}

// Castling is the marks of the kings and rooks that have not moved, as far as
// they mean something under the law.
func (p *Position) Castling() Castling { return p.castling }

// HalfMoves is the number of plies since the last capture, pawn move or drop.
func (p *Position) HalfMoves() int { return int(p.halfMoves) }

// FullMoves is the number of the move, from 1.
func (p *Position) FullMoves() int { return int(p.fullMoves) }

// EnPassant is the square on which the side to move can capture en passant,
// legally in a king-safe game; NoSquare when it cannot.
func (p *Position) EnPassant() Square {
	if p.target == NoSquare {
		return NoSquare
	}
	g := generator{Position: p}
	g.begin()
	if g.over() || g.enPassantTakers() == 0 {
		return NoSquare
	}
	return p.target
}

// place puts a man of any kind on an empty square.
func (p *Position) place(s Square, piece Piece) {
	if piece != NoPiece {
		p.roles[piece.Role()&7] |= s.bit()
		p.colors[piece.Color()] |= s.bit()
	}
}

// setTarget keeps the en passant target if a pawn of the side to move stands
// beside the one that passed; whether it may really capture is asked later.
func (p *Position) setTarget(s Square) {
	if pawnTable[p.turn.Other()&1][s&63]&p.Pieces(p.turn, Pawn) != 0 {
		p.target = s
	}
}
