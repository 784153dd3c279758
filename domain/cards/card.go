// Package cards knows the cards of the card variants: colors, kinds, decks and
// whether one card fits another. It deals none: order comes from package fair.
package cards

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A Color is one of the four suits, or none.
type Color uint8

// The colors. Wild cards have none.
const (
	NoColor Color = iota
	Red
	Blue
	Green
	Yellow
)

// Colors lists the four suits in the order of a deck.
var Colors = [4]Color{Red, Blue, Green, Yellow}

var colorNames = [...]string{"none", "red", "blue", "green", "yellow"}

// String is "red", "blue", "green", "yellow" or "none".
func (c Color) String() string { return colorNames[c] }

// ParseColor reads the name of a suit.
func ParseColor(s string) (Color, error) {
	for _, c := range Colors {
		if c.String() == s {
			return c, nil
		}
	}
	return NoColor, fmt.Errorf("a color is red, blue, green or yellow, not %.20q", s)
}

// MarshalText writes the name of a suit.
func (c Color) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads the name of a suit.
func (c *Color) UnmarshalText(b []byte) (err error) { *c, err = ParseColor(string(b)); return err }

// A Kind is what a card does.
type Kind uint8

// The kinds. The zero Kind is a card face down.
const (
	FaceDown Kind = iota
	Number
	Skip
	Reverse
	DrawTwo
	Wild // Chess-Uno calls it Joker
	WildDrawFour
)

// A Card is a face. The zero Card is face down. Cards compare with ==.
type Card struct {
	Kind   Kind
	Color  Color
	Number int // of a Number card, 0 to 9
}

const colorLetters = " RBGY"

var symbols = map[Kind]string{Skip: "S", Reverse: "R", DrawTwo: "+2", Wild: "W", WildDrawFour: "W+4"}

// Code is the card in writing: R7, YR, B+2, GS, W, W+4; "?" face down.
func (c Card) Code() string {
	switch c.Kind {
	case FaceDown:
		return "?"
	case Number:
		return fmt.Sprintf("%c%d", colorLetters[c.Color], c.Number)
	case Wild, WildDrawFour:
		return symbols[c.Kind]
	default:
		return colorLetters[c.Color:c.Color+1] + symbols[c.Kind]
	}
}

// String is the card in words: "Red 7", "Yellow Reverse", "Wild Draw Four".
func (c Card) String() string {
	names := [...]string{"a card face down", "", "Skip", "Reverse", "Draw Two", "Wild", "Wild Draw Four"}
	switch {
	case c.Kind == Number:
		return fmt.Sprintf("%s %d", title(c.Color), c.Number)
	case c.Color == NoColor:
		return names[c.Kind]
	}
	return title(c.Color) + " " + names[c.Kind]
}

func title(c Color) string { s := c.String(); return strings.ToUpper(s[:1]) + s[1:] }

// Parse reads a code.
func Parse(code string) (Card, error) {
	for _, kind := range []Kind{Wild, WildDrawFour} {
		if code == symbols[kind] {
			return Card{Kind: kind}, nil
		}
	}
	if len(code) >= 2 {
		if i := strings.IndexByte(colorLetters[1:], code[0]); i >= 0 {
			if c, ok := parseColored(Color(i+1), code[1:]); ok {
				return c, nil
			}
		}
	}
	return Card{}, fmt.Errorf("there is no card %.10q; codes look like R7, YS, BR, G+2, W and W+4", code)
}

func parseColored(color Color, rest string) (Card, bool) {
	if len(rest) == 1 && '0' <= rest[0] && rest[0] <= '9' {
		return Card{Kind: Number, Color: color, Number: int(rest[0] - '0')}, true
	}
	for _, kind := range []Kind{Skip, Reverse, DrawTwo} {
		if rest == symbols[kind] {
			return Card{Kind: kind, Color: color}, true
		}
	}
	return Card{}, false
}

// IsWild says whether the card has no color of its own.
func (c Card) IsWild() bool { return c.Kind == Wild || c.Kind == WildDrawFour }

// An ID tells a physical card from all others of its deck: its index there.
type ID int

// A Dealt is a physical card with its face.
type Dealt struct {
	ID   ID
	Card Card
}

type dealtJSON struct {
	Code string `json:"code"`
	ID   ID     `json:"id"`
}

// MarshalJSON writes {"code":"R5","id":12}.
func (d Dealt) MarshalJSON() ([]byte, error) { return json.Marshal(dealtJSON{d.Card.Code(), d.ID}) }

// UnmarshalJSON reads what MarshalJSON writes.
func (d *Dealt) UnmarshalJSON(b []byte) error {
	var w dealtJSON
	if err := json.Unmarshal(b, &w); err != nil {
		return err
	}
	card, err := Parse(w.Code)
	d.ID, d.Card = w.ID, card
	return err
}
