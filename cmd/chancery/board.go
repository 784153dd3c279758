package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"chancery/domain/cards"
	"chancery/domain/chess"
	"chancery/domain/game"
)

// drawView draws a view for people: the board, who sits where, and what is going on.
func drawView(w io.Writer, v game.View) {
	if v.Variant == "" {
		fmt.Fprintf(w, "Game %s, record %d: of the ledger itself, not played\n%s.\n", v.Game, v.N, strings.Join(v.Log, ".\n"))
		return
	}
	fmt.Fprintf(w, "Game %s, %s, record %d, seen by %s\n", v.Game, variantName(v.Variant), v.N, viewer(v))
	if v.FEN != "" {
		fmt.Fprint(w, "\n"+drawBoard(v.FEN, v.As == "1" && armyOf(v, 1) == "black" || v.As == "0" && armyOf(v, 0) == "black")+"\n")
	}
	for _, s := range v.Seats {
		fmt.Fprintln(w, seatLine(v, s))
	}
	for _, line := range tableLines(v) {
		fmt.Fprintln(w, "  "+line)
	}
	for _, line := range v.Log {
		fmt.Fprintln(w, line+".")
	}
	fmt.Fprintln(w, status(v))
}

func variantName(key string) string {
	if v, err := game.Lookup(key); err == nil {
		return v.Name
	}
	return key
}

func viewer(v game.View) string {
	for _, s := range v.Seats {
		if v.As == fmt.Sprint(s.Seat.Wire()) {
			return chair(s.Seat) + bracketed(s.Army)
		}
	}
	return "a spectator"
}

// chair is how people call a seat: by a number from 1.
func chair(s game.Seat) string { return fmt.Sprintf("seat %d", s.Wire()+1) }

func bracketed(s string) string {
	if s == "" {
		return ""
	}
	return " (" + s + ")"
}

func armyOf(v game.View, wire int) string {
	if wire < len(v.Seats) {
		return v.Seats[wire].Army
	}
	return ""
}

// drawBoard draws the position of a FEN as letters, White below unless turned.
func drawBoard(fen string, turned bool) string {
	setup, err := chess.ParseFEN(fen)
	if err != nil {
		return fen
	}
	var b strings.Builder
	for row := range 8 {
		rank := 7 - row
		if turned {
			rank = row
		}
		fmt.Fprintf(&b, "  %d ", rank+1)
		for column := range 8 {
			file := column
			if turned {
				file = 7 - column
			}
			letter := "."
			if piece := setup.Board[rank*8+file]; piece != chess.NoPiece {
				letter = piece.String()
			}
			b.WriteString(" " + letter)
		}
		b.WriteByte('\n')
	}
	files := "a b c d e f g h"
	if turned {
		files = "h g f e d c b a"
	}
	return b.String() + "     " + files + "\n"
}

func seatLine(v game.View, s game.SeatView) string {
	who := "nobody yet"
	switch {
	case s.Bot != "":
		who = "bot " + s.Bot
	case s.Player != "":
		who = s.Player
	case s.Taken:
		who = "a player"
	}
	line := fmt.Sprintf("  %-6s%s: %s", s.Army, chair(s.Seat), who)
	if v.Clock != nil {
		left := time.Duration(v.Clock.Left.Left(s.Seat)) * time.Millisecond
		line += ", " + left.Round(time.Second/10).String() + " left"
	}
	if v.Table != nil && len(v.Table.Hands) > 0 {
		line += fmt.Sprintf(", %d cards", v.Table.Hands[s.Seat.Wire()])
	}
	for _, men := range []struct {
		of   map[game.Army]string
		name string
	}{{v.Reserves, "reserve"}, {v.Pools, "captured"}} {
		for army, letters := range men.of {
			if army.String() == s.Army && letters != "" {
				line += ", " + men.name + " " + letters
			}
		}
	}
	if s.Stopped {
		line += ", has lost its chain of links"
	}
	return line
}

// tableLines are what lies beside the board: piles, the hand, dice.
func tableLines(v game.View) (lines []string) {
	if t := v.Table; t != nil {
		lines = append(lines, fmt.Sprintf("draw pile %d, discards %s", t.Draw, discards(t.Discards)))
		if t.Color != "" {
			lines = append(lines, "color in force: "+t.Color)
		}
		if t.InPlay != nil {
			lines = append(lines, fmt.Sprintf("card in play: %s, %s left, %s to place", t.InPlay.Card.Code(), count(t.Left, "move"), count(t.Place, "pawn")))
		}
		if len(t.Hand) > 0 {
			lines = append(lines, "your hand: "+codes(t.Hand))
		}
	}
	if d := v.Dice; d != nil {
		line := fmt.Sprintf("dice (%s): %v", d.Purpose, d.Faces)
		if d.Effect != "" {
			line += ", effect " + string(d.Effect)
		}
		lines = append(lines, line)
	}
	if len(v.Cards) > 0 {
		lines = append(lines, "you may play: "+strings.Join(v.Cards, " "))
	}
	if v.Discard > 0 {
		lines = append(lines, fmt.Sprintf("you must discard: %d", v.Discard))
	}
	return lines
}

// count says how many there are of a thing.
func count(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

func codes(list []cards.Dealt) string {
	words := make([]string, len(list))
	for i, c := range list {
		words[i] = c.Card.Code()
	}
	return strings.Join(words, " ")
}

// discards shows how high each pile is and its top.
func discards(piles [][]cards.Dealt) string {
	words := make([]string, len(piles))
	for i, p := range piles {
		words[i] = fmt.Sprint(len(p))
		if len(p) > 0 {
			words[i] += " (" + p[len(p)-1].Card.Code() + " on top)"
		}
	}
	return strings.Join(words, " and ")
}

// status says in one or two sentences what the game waits for.
func status(v game.View) string {
	var parts []string
	switch {
	case v.Voided:
		parts = append(parts, fmt.Sprintf("The game is void (%s).", v.Reason))
	case v.Phase == game.PhaseOver && v.Result == game.Ongoing:
		parts = append(parts, fmt.Sprintf("The game was called off (%s).", v.Reason))
	case v.Phase == game.PhaseOver:
		parts = append(parts, fmt.Sprintf("The game is over: %s (%s).", v.Result, v.Reason))
	case v.Phase == game.PhaseOpen:
		parts = append(parts, "Waiting for a second player.")
	case v.Phase == game.PhaseLink:
		parts = append(parts, "Waiting for a link of the seats' chains.")
	default:
		parts = append(parts, fmt.Sprintf("%s to move, ply %d%s.", title(v.Turn), v.Ply, phase(v.Phase)))
	}
	if v.Last != "" {
		parts = append(parts, "Last move "+v.Last+".")
	}
	if v.Check && v.Phase != game.PhaseOver {
		parts = append(parts, "Check!")
	}
	if v.DrawOffer != nil {
		parts = append(parts, title(chair(*v.DrawOffer))+" offers a draw.")
	}
	if v.Cancel != nil {
		parts = append(parts, title(chair(*v.Cancel))+" proposes to call the game off.")
	}
	return strings.Join(parts, " ")
}

func phase(p game.Phase) string {
	if p == game.PhaseMove {
		return ""
	}
	return ", phase " + string(p)
}

func title(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
