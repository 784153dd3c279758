// Package pgn writes games in Portable Game Notation, the text format of chess
// programs (the PGN standard of 1994).
package pgn

import (
	"fmt"
	"io"
	"strings"
	"time"

	"chancery/domain/game"
)

// width is the longest line of a game's moves, by the standard.
const width = 79

// Write writes one game and an empty line behind it: what its events say, oldest
// first, and the state that they led to. Site is where it was played, an address or
// "?". A game without a result has "*". The error is that of out.
func Write(out io.Writer, s game.State, history []game.Event, site string) error {
	var b strings.Builder
	for _, t := range tags(s, history, site) {
		fmt.Fprintf(&b, "[%s \"%s\"]\n", t.name, escape(t.value))
	}
	b.WriteByte('\n')
	wrap(&b, append(moveText(history), string(result(s))))
	b.WriteByte('\n')
	_, err := io.WriteString(out, b.String())
	return err
}

// A tag is one line of the head of a game.
type tag struct{ name, value string }

// tags are the seven that every game has, in their order, then what this game needs.
func tags(s game.State, history []game.Event, site string) []tag {
	list := []tag{
		{"Event", "Chancery game"},
		{"Site", site},
		{"Date", date(history)},
		{"Round", "-"},
		{"White", playerName(s, game.WhiteArmy)},
		{"Black", playerName(s, game.BlackArmy)},
		{"Result", string(result(s))},
		{"GameId", s.ID},
		{"TimeControl", timeControl(s.Clock)},
	}
	if s.Over() {
		list = append(list, tag{"Termination", string(s.Reason)})
	}
	if s.Variant != "chess" {
		list = append(list, tag{"Variant", variantName(s.Variant)})
	}
	if start := startFEN(history); start != "" && start != ordinaryStart {
		list = append(list, tag{"SetUp", "1"}, tag{"FEN", start})
	}
	return list
}

// ordinaryStart is the position that a game without a FEN tag begins with.
const ordinaryStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

func date(history []game.Event) string {
	if len(history) == 0 {
		return "????.??.??"
	}
	return time.UnixMilli(int64(history[0].At)).UTC().Format("2006.01.02")
}

func playerName(s game.State, a game.Army) string {
	who := s.Seats[s.Commander(a).Wire()]
	switch {
	case who.Bot != "":
		return who.Bot
	case who.Player != "":
		return who.Player
	}
	return "?"
}

func result(s game.State) game.Result {
	if s.Result == "" || s.Voided {
		return game.Ongoing
	}
	return s.Result
}

// timeControl is base and increment in seconds, or "-" without a clock.
func timeControl(c game.Clock) string {
	if !c.Used {
		return "-"
	}
	if c.Spec.Increment == 0 {
		return fmt.Sprint(c.Spec.Base / 1000)
	}
	return fmt.Sprintf("%d+%d", c.Spec.Base/1000, c.Spec.Increment/1000)
}

func variantName(key string) string {
	if v, err := game.Lookup(key); err == nil {
		return v.Name
	}
	return key
}

// startFEN is the position that play began with, or empty where it has not begun.
func startFEN(history []game.Event) string {
	for _, e := range history {
		if f, ok := e.Fact.(game.GameStarted); ok {
			return f.FEN
		}
	}
	return ""
}

// moveText are the words of the moves, numbered.
func moveText(history []game.Event) []string {
	var words []string
	fen, last := "", game.BlackArmy
	for _, e := range history {
		var army game.Army
		var san, next string
		switch f := e.Fact.(type) {
		case game.GameStarted:
			fen = f.FEN
			continue
		case game.MovePlayed:
			army, san, next = f.Army, f.SAN, f.FEN
		case game.PieceDropped:
			army, san, next = f.Army, f.SAN, f.FEN
		default:
			continue
		}
		switch {
		case army == game.WhiteArmy:
			words = append(words, moveNumber(fen)+".")
		case last == game.BlackArmy:
			words = append(words, moveNumber(fen)+"...")
		}
		words = append(words, san)
		fen, last = next, army
	}
	return words
}

// moveNumber is the last field of a FEN.
func moveNumber(fen string) string { return fen[strings.LastIndexByte(fen, ' ')+1:] }

// wrap writes the words in lines of at most width characters.
func wrap(b *strings.Builder, words []string) {
	column := 0
	for _, w := range words {
		switch {
		case column == 0:
		case column+1+len(w) > width:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(w)
		column += len(w)
	}
	b.WriteByte('\n')
}

// escape makes a value safe between quotes: a backslash before quotes and
// backslashes, and nothing that would end the line.
func escape(value string) string {
	value = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, value)
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value)
}
