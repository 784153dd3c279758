package pgn

import (
	"strconv"
	"strings"
)

// width is the longest line of a game's moves, by the standard.
const width = 79

// words are the marks as words of a text. Commands that follow each other share a
// comment. A move has its number where a turn of White begins, and where one of Black
// begins behind a comment or does not follow on the move before.
func words(marks []mark) (list []string) {
	comment, last := 0, -1 // words of the open comment; ply of the last move
	broken := true
	end := func() {
		if comment > 0 {
			list[len(list)-comment] = "{" + list[len(list)-comment]
			list[len(list)-1] += "}"
			broken = true
		}
		comment = 0
	}
	for _, m := range marks {
		if !m.onBoard() {
			list = append(list, m.String())
			comment++
			if m.command == "undo" {
				last = -1 // the turn that it takes back begins anew
			}
			continue
		}
		end()
		number := strconv.Itoa(m.ply/2 + 1)
		switch {
		case m.ply == last:
		case m.ply%2 == 0:
			list = append(list, number+".")
		case broken || m.ply != last+1:
			list = append(list, number+"...")
		}
		list = append(list, m.String())
		last, broken = m.ply, false
	}
	end()
	return list
}

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
