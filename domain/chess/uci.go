package chess

import "fmt"

// request is a move as it was asked for, not yet known to be one.
type request struct {
	from, to Square
	role     Role // what to drop, NoRole for a move
	letter   Role // what to promote to
	theirs   bool // a drop that names the color of the other side
}

// ParseUCI finds the legal move or drop that the text names: "e2e4", "e7e8q",
// "e1g1" for castling, "N@f3" or "@e4" for a drop. A lower-case letter of a drop
// is a black man, an upper-case one the mover's. Without a promotion letter a
// pawn becomes a queen; the letter of a pawn that takes a king is ignored.
//
// Text that is no move is [ErrSyntax]; a move that may not be played is an
// [*IllegalMoveError] that names the rule. The position stays as it was.
func (p *Position) ParseUCI(s string) (Move, error) {
	var buf [256]Move
	return p.FindUCI(s, p.Moves(buf[:0]))
}

// FindUCI is [Position.ParseUCI] among the given moves, which a game may have
// narrowed or widened: a move that is legal on the board and not among them is
// refused by [RuleNotOpen].
func (p *Position) FindUCI(s string, moves []Move) (Move, error) {
	r, ok := p.parseRequest(s)
	if !ok {
		return 0, fmt.Errorf("%w: %.20q, write it like e2e4, e7e8q or N@f3", ErrSyntax, s)
	}
	for _, m := range moves {
		if r.means(m, p) {
			return m, nil
		}
	}
	return 0, &IllegalMoveError{UCI: s, Rule: p.refusal(r)}
}

func (p *Position) parseRequest(s string) (request, bool) {
	if (len(s) == 3 || len(s) == 4) && s[len(s)-3] == '@' {
		return p.parseDrop(s)
	}
	if len(s) != 4 && len(s) != 5 {
		return request{}, false
	}
	from, err1 := ParseSquare(s[:2])
	to, err2 := ParseSquare(s[2:4])
	r := request{from: from, to: to}
	if len(s) == 5 {
		if r.letter = roleOf(s[4] &^ 0x20); r.letter == NoRole {
			return r, false
		}
	}
	return r, err1 == nil && err2 == nil
}

func (p *Position) parseDrop(s string) (request, bool) {
	r := request{from: NoSquare, role: Pawn}
	if len(s) == 4 {
		piece, ok := ParsePiece(s[0])
		if !ok {
			return r, false
		}
		r.role = piece.Role()
		r.theirs = piece.Color() == Black && p.turn == White
	}
	var err error
	r.to, err = ParseSquare(s[len(s)-2:])
	return r, err == nil
}

// means reports whether the request asks for that legal move.
func (r request) means(m Move, p *Position) bool {
	if r.role != NoRole {
		return m.Drop() == r.role && m.To() == r.to && !r.theirs
	}
	if !m.sameSquares(r.from, r.to) {
		return false
	}
	promotion := m.Promotion()
	return promotion == r.letter || promotion == Queen && r.letter == NoRole || p.takesKingOnLastRank(m)
}

// takesKingOnLastRank: such a pawn names no promotion, and a letter is ignored.
func (p *Position) takesKingOnLastRank(m Move) bool {
	return m.Role() == Pawn && m.toBit()&(rank1|rank8)&p.roles[King] != 0
}
