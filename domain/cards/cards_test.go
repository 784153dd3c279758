package cards

import (
	"encoding/json"
	"fmt"
	"maps"
	"testing"
)

func TestDecks(t *testing.T) {
	for _, c := range []struct {
		name string
		deck Deck
		size int
		want map[string]int // cards of a kind: of each color, or wild
	}{
		{"full", Full, 108, map[string]int{
			"0": 1, "1": 2, "2": 2, "3": 2, "4": 2, "5": 2, "6": 2, "7": 2, "8": 2, "9": 2, "S": 2, "R": 2, "+2": 2, "W": 4, "W+4": 4,
		}},
		{"short", Short, 76, map[string]int{
			"1": 2, "2": 2, "3": 2, "4": 2, "5": 2, "6": 2, "7": 2, "8": 2, "R": 1, "+2": 1, "W": 4,
		}},
	} {
		want, got := map[string]int{}, map[string]int{}
		for symbol, n := range c.want {
			if symbol[0] == 'W' {
				want[symbol] = n
				continue
			}
			for _, color := range "RBGY" {
				want[string(color)+symbol] = n
			}
		}
		for i, card := range c.deck {
			got[card.Code()]++
			if d := c.deck.Dealt(ID(i)); d.Card != card || d.ID != ID(i) {
				t.Errorf("%s: card %d is dealt as %v", c.name, i, d)
			}
		}
		if len(c.deck) != c.size || !maps.Equal(got, want) {
			t.Errorf("%s: %d cards\n%v\nwant %v", c.name, len(c.deck), got, want)
		}
	}
}

// The deck's hash stands in every game of it; the order of the cards must not change.
func TestHashesOfDecks(t *testing.T) {
	for name, c := range map[string]struct {
		deck Deck
		want string
	}{
		"full":  {Full, "13bc426f596c4ba2f9cf56ea7a01ef64ffa30105ff72695f3258f222622229bd"},
		"short": {Short, "4531213fa24aba3b1b184fb7d65abd813f13368838a8890b1cb74f1c6f590d43"},
	} {
		if got := c.deck.Hash(); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestCodes(t *testing.T) {
	for code, words := range map[string]string{
		"R7": "Red 7", "Y0": "Yellow 0", "GS": "Green Skip", "BR": "Blue Reverse", "RR": "Red Reverse", "B+2": "Blue Draw Two",
		"W": "Wild", "W+4": "Wild Draw Four",
	} {
		c, err := Parse(code)
		if err != nil || c.Code() != code || c.String() != words {
			t.Errorf("%s: %s, %q, %v", code, c.Code(), c, err)
		}
	}
	for _, code := range []string{"", "?", "7", "R", "r7", "R10", "RX", "X7", "W+2", "RW", "R+4", "W ", "Wred", "R-1", "７"} {
		if c, err := Parse(code); err == nil {
			t.Errorf("%q is read as %s", code, c)
		}
	}
	if (Card{}).Code() != "?" || (Card{}).String() != "a card face down" || Full.Dealt(108).Card != (Card{}) || Full.Dealt(-1).Card != (Card{}) {
		t.Error("a card that is not there is face down")
	}
}

func TestCardsOnTheWire(t *testing.T) {
	for id := range Full {
		d := Full.Dealt(ID(id))
		text, err := json.Marshal(d)
		if want := fmt.Sprintf(`{"code":%q,"id":%d}`, d.Card.Code(), id); err != nil || string(text) != want {
			t.Errorf("%v is written %s (%v), want %s", d, text, err, want)
		}
		var again Dealt
		if err := json.Unmarshal(text, &again); err != nil || again != d {
			t.Errorf("%s is read as %v (%v)", text, again, err)
		}
	}
	var d Dealt
	for _, text := range []string{`{"code":"?","id":1}`, `{"code":"R5","id":"1"}`, `[]`} {
		if err := json.Unmarshal([]byte(text), &d); err == nil {
			t.Errorf("%s is read as %v", text, d)
		}
	}
	var c Color
	for _, text := range []string{"none", "Red", ""} {
		if err := c.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("the color %q is read as %s", text, c)
		}
	}
}

// FuzzParse: what is read as a card is written like that.
func FuzzParse(f *testing.F) {
	for _, c := range Full {
		f.Add(c.Code())
	}
	f.Fuzz(func(t *testing.T, code string) {
		if c, err := Parse(code); err == nil && c.Code() != code {
			t.Errorf("%q is written %q", code, c.Code())
		}
	})
}
