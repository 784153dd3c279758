package game

import (
	"fmt"
	"slices"
	"strings"
)

// The lines of dice.

func (f DiceRolled) line(c scene) string {
	switch f.Purpose {
	case forFirst:
		return rolledFirst(f.Faces)
	case forEight:
		return rolledEights(f.Faces, c.name(c.white.Other()))
	case forRescue:
		mover, other := c.mover()
		return fmt.Sprintf("%s rolled %d and %s %d: %s", mover, f.Faces[0], other, f.Faces[1], rescued(f.Faces))
	}
	return f.effectLine(c)
}

func rolledFirst(faces []int) string {
	text := fmt.Sprintf("Seat 1 rolled %d, seat 2 rolled %d: ", faces[0], faces[1])
	switch {
	case faces[0] > faces[1]:
		return text + "seat 1 goes first"
	case faces[0] < faces[1]:
		return text + "seat 2 goes first"
	}
	return text + "a tie, so both roll again"
}

func rolledEights(faces []int, second string) string {
	words := make([]string, len(faces))
	for i, n := range faces {
		words[i] = fmt.Sprint(n)
	}
	text := second + " rolled " + strings.Join(words, " ") + ": "
	if slices.Contains(faces, 8) {
		return text + "an eight, the game goes on"
	}
	return text + "no eight, the game is lost"
}

func rescued(faces []int) string {
	if faces[0] == 1 && faces[1] == 12 {
		return "the mate is turned round"
	}
	return "the mate stands"
}

// effectLine says what the dice that end a turn do, or why they do nothing.
func (f DiceRolled) effectLine(c scene) string {
	mover, other := c.mover()
	text := fmt.Sprintf("%s rolled %d and %s %d: ", mover, f.Faces[0], other, f.Faces[1])
	switch {
	case f.Impossible && f.Effect == SkipTurn:
		return text + other + " would lose the next turn, but " + mover + " could not move again, so nothing happens"
	case f.Impossible:
		return text + mover + " should " + duty(f.Effect, other) + ", which is impossible, so nothing happens"
	case f.Effect == NoEffect:
		return text + "nothing happens"
	case f.Effect == WinAtOnce:
		return text + mover + " wins at once"
	case f.Effect == SkipTurn:
		return text + other + " loses the next turn"
	}
	return text + mover + " must " + duty(f.Effect, other)
}

// duty is what the mover has to do for an effect.
func duty(e Effect, other string) string {
	switch e {
	case MakeQueen:
		return "make a queen"
	case ReturnPiece:
		return "bring a captured man back"
	case ReturnPawn:
		return "bring a captured pawn back"
	default:
		return "give a captured man back to " + other
	}
}
