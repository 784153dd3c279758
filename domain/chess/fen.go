package chess

import (
	"fmt"
	"strconv"
	"strings"
)

// maxFEN bounds what ParseFEN reads, in bytes: a full board, a full reserve and
// generous counters are far shorter.
const maxFEN = 512

// A FENError says which part of a FEN cannot be read, and why.
type FENError struct {
	Field  string // "board", "reserve", "turn" …
	Reason string
}

// Error says it in a sentence.
func (e *FENError) Error() string {
	return fmt.Sprintf("chess: cannot read the FEN, %s: %s", e.Field, e.Reason)
}

func fenError(field, reason string, found ...any) error {
	return &FENError{field, fmt.Sprintf(reason, found...)}
}

// ParseFEN reads Forsyth-Edwards notation of four to six fields into a Setup;
// whether it can be played is asked by [Setup.Position]. A reserve stands in
// square brackets after the board, or as a ninth rank. The castling field is
// that of [Castling.String], in any order. Counters left off are 0 and 1.
// Every malformed text is a [*FENError].
func ParseFEN(fen string) (Setup, error) {
	s := EmptySetup()
	if len(fen) > maxFEN {
		return s, fenError("length", "%d bytes are too many, %d is the most", len(fen), maxFEN)
	}
	fields := strings.Fields(fen)
	if len(fields) < 4 || len(fields) > 6 {
		return s, fenError("fields", "there are %d, write board, turn, castling, en passant and the two counters", len(fields))
	}
	if err := s.parseMen(fields[0]); err != nil {
		return s, err
	}
	switch fields[1] {
	case "w":
	case "b":
		s.Turn = Black
	default:
		return s, fenError("turn", "%.10q is neither w nor b", fields[1])
	}
	var ok bool
	if s.Castling, ok = parseCastling(fields[2]); !ok {
		return s, fenError("castling", "%.20q: write letters of KQEAHkqeah, or -", fields[2])
	}
	if fields[3] != "-" {
		var err error
		if s.EnPassant, err = ParseSquare(fields[3]); err != nil {
			return s, fenError("en passant", "%.20q is no square", fields[3])
		}
	}
	return s, s.parseCounters(fields[4:])
}

func (s *Setup) parseCounters(fields []string) error {
	for i, field := range fields {
		counter, name := &s.HalfMoves, "half-move clock"
		if i == 1 {
			counter, name = &s.FullMoves, "full-move number"
		}
		n, err := strconv.ParseUint(field, 10, 16)
		if err != nil {
			return fenError(name, "%.20q is no number from 0 to %d", field, MaxClock)
		}
		*counter = int(n)
	}
	return nil
}

// parseMen reads the board and the reserve behind it.
func (s *Setup) parseMen(text string) error {
	board, reserve, bracketed := strings.Cut(text, "[")
	if bracketed {
		inside, rest, closed := strings.Cut(reserve, "]")
		if !closed || rest != "" {
			return fenError("reserve", "it does not end with ]")
		}
		reserve = inside
	}
	ranks := strings.Split(board, "/")
	if len(ranks) == 9 && !bracketed {
		reserve, ranks = ranks[8], ranks[:8]
	}
	if len(ranks) != 8 {
		return fenError("board", "there are %d ranks instead of 8", len(ranks))
	}
	for i, rank := range ranks {
		if err := s.parseRank(7-i, rank); err != nil {
			return err
		}
	}
	return s.parseReserve(reserve)
}

func (s *Setup) parseRank(rank int, text string) error {
	file := 0
	for i := range len(text) {
		letter := text[i]
		if letter >= '1' && letter <= '8' {
			file += int(letter - '0')
			continue
		}
		piece, ok := ParsePiece(letter)
		if !ok {
			return fenError("board", "%q on rank %d is no man", letter, rank+1)
		}
		if file < 8 {
			s.Board[SquareAt(file, rank)] = piece
		}
		file++
	}
	if file != 8 {
		return fenError("board", "rank %d has %d squares instead of 8", rank+1, file)
	}
	return nil
}

// parseReserve reads letters in any order; nothing and "-" are an empty reserve.
func (s *Setup) parseReserve(text string) error {
	if text == "-" {
		return nil
	}
	for i := range len(text) {
		piece, ok := ParsePiece(text[i])
		if !ok {
			return fenError("reserve", "%q is no man", text[i])
		}
		count := &s.Pockets[piece.Color()][piece.Role()]
		if *count == 64 {
			return fenError("reserve", "there are more than 64 men of a kind")
		}
		*count++
	}
	return nil
}

// FEN is the setup in six fields, exactly as it is: the en passant square is
// written whenever it is given, and a reserve when there is one.
func (s Setup) FEN() string {
	var text [192]byte
	return string(s.appendFEN(text[:0], s.Pockets != [2][7]uint8{}))
}

// FEN is the position in six fields. The en passant square is written only
// where it can be captured on, and the reserve, even an empty one, wherever the
// law knows drops. Reading it under the same law gives the position back.
func (p *Position) FEN() string {
	var text [192]byte
	s := p.Setup()
	s.EnPassant = p.EnPassant()
	return string(s.appendFEN(text[:0], p.law.Drops))
}

func (s *Setup) appendFEN(dst []byte, reserve bool) []byte {
	for rank := 7; rank >= 0; rank-- {
		dst = appendRank(dst, s.Board[8*rank:8*rank+8])
		if rank > 0 {
			dst = append(dst, '/')
		}
	}
	if reserve {
		dst = append(s.appendReserve(append(dst, '[')), ']')
	}
	dst = append(dst, ' ', "wb"[s.Turn&1], ' ')
	dst = append(s.Castling.append(dst), ' ')
	dst = append(s.EnPassant.append(dst), ' ')
	dst = append(strconv.AppendInt(dst, int64(s.HalfMoves), 10), ' ')
	return strconv.AppendInt(dst, int64(s.FullMoves), 10)
}

func appendRank(dst []byte, men []Piece) []byte {
	empty := byte(0)
	for _, piece := range men {
		if piece == NoPiece {
			empty++
			continue
		}
		if empty > 0 {
			dst = append(dst, '0'+empty)
			empty = 0
		}
		dst = append(dst, piece.Letter())
	}
	if empty > 0 {
		dst = append(dst, '0'+empty)
	}
	return dst
}

// reserveOrder is the order in which reserves are written.
var reserveOrder = [...]Role{King, Queen, Rook, Bishop, Knight, Pawn}

func (s *Setup) appendReserve(dst []byte) []byte {
	for _, color := range [...]Color{White, Black} {
		for _, role := range reserveOrder {
			for range s.Pockets[color][role] {
				dst = append(dst, NewPiece(color, role).Letter())
			}
		}
	}
	return dst
}
