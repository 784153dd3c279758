package chess

import (
	"fmt"
	"strings"
)

// SAN is the move in standard algebraic notation: "Nf3", "exd5", "O-O",
// "e8=Q", a drop "N@f3" or "P@e4". The starting square is named as far as the
// legal moves need it. In a king-safe game "+" is check and "#" mate; in a
// king-capture game "+" says that the enemy king is attacked, and there is no "#".
//
// A move by queen's power names its starting square in full, "Ra1b2", "e4xh7",
// for it is not among the moves of its man.
func (p *Position) SAN(m Move) string {
	var text [16]byte
	return string(append(p.appendSAN(text[:0], m), p.checkSuffix(m)...))
}

func (p *Position) appendSAN(dst []byte, m Move) []byte {
	switch {
	case m.IsDrop():
		return m.appendUCI(dst)
	case m.IsCastling():
		if m.To().File() == C1.File() {
			return append(dst, "O-O-O"...)
		}
		return append(dst, "O-O"...)
	}
	if m.Role() != Pawn {
		dst = append(dst, m.Role().Letter())
	}
	dst = p.appendOrigin(dst, m)
	if p.Captured(m) != NoPiece {
		dst = append(dst, 'x')
	}
	dst = m.To().append(dst)
	if m.Promotion() != NoRole {
		dst = append(dst, '=', m.Promotion().Letter())
	}
	return dst
}

// appendOrigin writes as much of the starting square as is needed: file before
// rank before both, a capturing pawn's file always.
func (p *Position) appendOrigin(dst []byte, m Move) []byte {
	from := m.From()
	switch {
	case m.IsQueenPower():
		return from.append(dst)
	case m.Role() == Pawn:
		if p.Captured(m) != NoPiece {
			dst = append(dst, 'a'+byte(from.File()))
		}
		return dst
	}
	rivals, sameFile, sameRank := false, false, false
	var buf [256]Move
	for _, other := range p.Moves(buf[:0]) {
		if other.To() != m.To() || other.Role() != m.Role() || other.IsDrop() || other.From() == from {
			continue
		}
		rivals = true
		sameFile = sameFile || other.From().File() == from.File()
		sameRank = sameRank || other.From().Rank() == from.Rank()
	}
	switch {
	case !rivals:
		return dst
	case !sameFile:
		return append(dst, 'a'+byte(from.File()))
	case !sameRank:
		return append(dst, '1'+byte(from.Rank()))
	}
	return from.append(dst)
}

// Captured is the man that the move takes, en passant included; NoPiece for none.
func (p *Position) Captured(m Move) Piece {
	switch {
	case m.IsDrop():
		return NoPiece
	case m.IsEnPassant():
		return NewPiece(p.turn.Other(), Pawn)
	}
	return p.At(m.To())
}

func (p *Position) checkSuffix(m Move) string {
	after := *p
	after.Play(m)
	switch {
	case !after.InCheck():
		return ""
	case !p.law.KingCapture && !after.HasMove():
		return "#"
	}
	return "+"
}

// ParseSAN finds the one legal move that the text names. Longer forms than
// needed are read, as are "0-0" and drops of a pawn without a letter, and
// nothing is made of "+", "#", "!" and "?" at the end. Text that is no move is
// [ErrSyntax], one that fits no legal move an [*IllegalMoveError], one that
// fits several [ErrAmbiguous].
func (p *Position) ParseSAN(s string) (Move, error) {
	w, ok := parseWanted(s)
	if !ok {
		return 0, fmt.Errorf("%w: %.20q, write it like Nf3, exd5, e8=Q, O-O or N@f3", ErrSyntax, s)
	}
	var buf [256]Move
	var found Move
	for _, m := range p.Moves(buf[:0]) {
		if !w.fits(p, m) {
			continue
		}
		if found != 0 {
			return 0, fmt.Errorf("%w: %.20q, name the square to move from", ErrAmbiguous, s)
		}
		found = m
	}
	if found == 0 {
		return 0, &IllegalMoveError{UCI: s, Rule: RuleNotation}
	}
	return found, nil
}

// wanted is what a SAN text says about the move.
type wanted struct {
	castling   bool
	drop       bool
	capture    bool
	role       Role
	to         Square
	file, rank int // of the starting square, -1 when not named
	promotion  Role
}

func parseWanted(s string) (wanted, bool) {
	w := wanted{role: Pawn, file: -1, rank: -1}
	if len(s) > 16 {
		return w, false
	}
	s = strings.TrimRight(s, "+#!?")
	switch strings.ReplaceAll(s, "0", "O") {
	case "O-O":
		w.castling, w.to = true, G1
		return w, true
	case "O-O-O":
		w.castling, w.to = true, C1
		return w, true
	}
	if s != "" && roleOf(s[0]) != NoRole {
		w.role, s = roleOf(s[0]), s[1:]
	}
	s = w.takePromotion(s)
	if len(s) < 2 {
		return w, false
	}
	var err error
	w.to, err = ParseSquare(s[len(s)-2:])
	return w, w.takeOrigin(s[:len(s)-2]) && err == nil
}

// takePromotion cuts "=Q" or "Q" from the end.
func (w *wanted) takePromotion(s string) string {
	if s == "" {
		return s
	}
	last := len(s) - 1
	if w.promotion = roleOf(s[last]); w.promotion == NoRole {
		return s
	}
	return strings.TrimSuffix(s[:last], "=")
}

// takeOrigin reads what stands between the man and the target: "", "b", "1",
// "b1", with "x" behind it for a capture, or "@".
func (w *wanted) takeOrigin(s string) bool {
	if s == "@" {
		w.drop = true
		return true
	}
	if rest, ok := strings.CutSuffix(s, "x"); ok {
		w.capture, s = true, rest
	}
	if s != "" && s[0] >= 'a' && s[0] <= 'h' {
		w.file, s = int(s[0]-'a'), s[1:]
	}
	if s != "" && s[0] >= '1' && s[0] <= '8' {
		w.rank, s = int(s[0]-'1'), s[1:]
	}
	return s == ""
}

func (w *wanted) fits(p *Position, m Move) bool {
	switch {
	case w.castling || m.IsCastling():
		return w.castling && m.IsCastling() && m.To().File() == w.to.File()
	case m.Role() != w.role || m.To() != w.to || m.IsDrop() != w.drop:
		return false
	case w.drop:
		return true
	case w.file >= 0 && m.From().File() != w.file || w.rank >= 0 && m.From().Rank() != w.rank:
		return false
	case w.capture && p.Captured(m) == NoPiece:
		return false
	case m.Role() == Pawn && w.file < 0 && m.From().File() != m.To().File():
		return false // a pawn's capture names its file
	}
	return m.Promotion() == w.promotion || m.Promotion() == Queen && w.promotion == NoRole ||
		p.takesKingOnLastRank(m)
}
