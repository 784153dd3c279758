package game

import (
	"fmt"
	"strings"

	"chancery/domain/cards"
	"chancery/domain/chess"
)

// Line tells e in a short line of plain English, for logs and for screen readers:
// "White drew Red 3: up to three moves". It names the side by its army, and a turn
// that is skipped names the cause. s is the State before e. A line tells nothing that
// is not open to everybody.
func Line(s State, e Event) string { return e.Fact.line(s.scene()) }

// A scene is what a line needs to know of the State before its event.
type scene struct {
	white Seat
	fen   string
	last  string     // the last move in UCI
	card  cards.Card // in play
	by    Seat       // whose card it is
}

func (s *State) scene() scene {
	return scene{white: s.white(), fen: s.FEN, last: s.Last, card: s.Cards.InPlay.Card, by: s.Cards.By}
}

// said is an event of the newest record, linked backwards.
type said struct {
	fact   Fact
	before scene
	prev   *said
}

// hear remembers an event that is about to be folded in; a new record begins anew.
func (s *State) hear(e *Event) {
	prev := s.said
	if e.N != s.N {
		prev = nil
	}
	s.said = &said{fact: e.Fact, before: s.scene(), prev: prev}
}

// lines tells the newest record, oldest event first.
func (s *State) lines() []string {
	n := 0
	for e := s.said; e != nil; e = e.prev {
		n++
	}
	lines := make([]string, n)
	for e := s.said; e != nil; e = e.prev {
		n--
		lines[n] = e.fact.line(e.before)
	}
	return lines
}

// name is how a line calls a seat once colors are known: by its army.
func (c scene) name(s Seat) string {
	switch s {
	case Spectator:
		return "the server"
	case c.white:
		return "White"
	default:
		return "Black"
	}
}

// mover is the army that has just moved, and other the one to move.
func (c scene) mover() (mover, other string) {
	turn := turnOf(c.fen)
	return armyName(Army(turn.Color().Other())), armyName(turn)
}

func armyName(a Army) string {
	if a == WhiteArmy {
		return "White"
	}
	return "Black"
}

// chair is how a line calls a seat before colors are known.
func chair(s Seat) string { return fmt.Sprintf("seat %d", s.Wire()+1) }

// sentence begins a line with a capital letter.
func sentence(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

var numberWords = [...]string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}

// count is a number of things in words, such as "three moves".
func count(n int, one, many string) string {
	word := fmt.Sprint(n)
	if n >= 0 && n < len(numberWords) {
		word = numberWords[n]
	}
	if n == 1 {
		return word + " " + one
	}
	return word + " " + many
}

var roleNames = map[chess.Role]string{
	chess.Pawn: "pawn", chess.Knight: "knight", chess.Bishop: "bishop", chess.Rook: "rook", chess.Queen: "queen", chess.King: "king",
}

// manName is the kind of a man given by its FEN letter.
func manName(letter string) string {
	if letter == "" {
		return "man"
	}
	piece, _ := chess.ParsePiece(letter[0])
	if name, ok := roleNames[piece.Role()]; ok {
		return name
	}
	return "man"
}
