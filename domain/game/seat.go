package game

import (
	"encoding/json"
	"fmt"

	"chancery/domain/chess"
)

// A Seat is a place at the table. The zero Seat is [Spectator], who sees least.
//
// Seats are not armies: who plays White is decided when the game starts and may
// change hands. On the wire seats are numbered 0 and 1, so a Seat marshals to
// one less than its Go value, and the spectator has no wire form.
type Seat uint8

// The seats, in the order of sitting down.
const (
	Spectator Seat = iota
	First
	Second
)

// Players lists the seats that play.
var Players = [2]Seat{First, Second}

// Other is the seat across the table. The spectator's other is the spectator.
func (s Seat) Other() Seat {
	switch s {
	case First:
		return Second
	case Second:
		return First
	default:
		return Spectator
	}
}

// Wire is the number of the seat on the wire, 0 or 1; -1 for the spectator.
func (s Seat) Wire() int { return int(s) - 1 }

// SeatFromWire is the seat with wire number i, or [Spectator] where there is none.
func SeatFromWire(i int) Seat {
	if i < 0 || i >= len(Players) {
		return Spectator
	}
	return Seat(i + 1)
}

// String names the seat: "seat1", "seat2" or "spectator".
func (s Seat) String() string {
	if s == First || s == Second {
		return fmt.Sprintf("seat%d", uint8(s))
	}
	return "spectator"
}

// MarshalJSON writes the wire number; a spectator cannot be written, because an
// absent seat is an absent key and never a number.
func (s Seat) MarshalJSON() ([]byte, error) {
	switch s {
	case First:
		return []byte("0"), nil
	case Second:
		return []byte("1"), nil
	default:
		return nil, fmt.Errorf("seat %d has no number on the wire", uint8(s))
	}
}

// UnmarshalJSON reads a wire number, 0 or 1.
func (s *Seat) UnmarshalJSON(b []byte) error {
	switch string(b) {
	case "0":
		*s = First
	case "1":
		*s = Second
	default:
		return fmt.Errorf("a seat is 0 or 1, not %.20s", b)
	}
	return nil
}

// An Army is one of the two sides of the board; on the wire "white" or "black".
type Army chess.Color

// The armies.
const (
	WhiteArmy = Army(chess.White)
	BlackArmy = Army(chess.Black)
)

// Color is the army as the board knows it.
func (a Army) Color() chess.Color { return chess.Color(a) }

// String is "white" or "black".
func (a Army) String() string { return chess.Color(a).String() }

// MarshalText writes "white" or "black".
func (a Army) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads "white" or "black".
func (a *Army) UnmarshalText(b []byte) error {
	switch string(b) {
	case "white":
		*a = WhiteArmy
	case "black":
		*a = BlackArmy
	default:
		return fmt.Errorf("an army is white or black, not %.20q", b)
	}
	return nil
}

var _ json.Marshaler = First
