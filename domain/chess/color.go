package chess

import "fmt"

// A Color names an army, not a player: White moves first.
type Color uint8

// The two armies.
const (
	White Color = iota
	Black
)

// Other is the opposing army.
func (c Color) Other() Color { return c ^ 1 }

// String is "white" or "black".
func (c Color) String() string {
	if c == White {
		return "white"
	}
	return "black"
}

// ParseColor reads "white" or "black".
func ParseColor(s string) (Color, error) {
	switch s {
	case "white":
		return White, nil
	case "black":
		return Black, nil
	}
	return White, fmt.Errorf("chess: %.20q is no color: say white or black", s)
}
