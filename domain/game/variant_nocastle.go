package game

import (
	"slices"
	"strings"

	"chancery/domain/chess"
	"chancery/domain/fair"
)

// noCastle is chess from a shuffled back rank, the same for both sides, without
// castling.
var noCastle = Variant{
	Key: "nocastle", Name: "No Castle", Rules: 1,
	Summary: "Chess from a start array drawn by lot, bishops on both shades, without castling.",
	Start:   func(o Options) string { return arrayFEN(o["array"].Text()) },
	Law:     func(Options) chess.Law { return chess.NoCastling },
	Options: []Option{{
		Name:    "array",
		Summary: "White's back rank from a to h, or empty to draw one by lot",
		Default: TextValue(""),
		Valid:   arrayFault,
	}},
	Steps:     []Step{drawColors, drawArray, startGame},
	Ends:      kingSafeEnds,
	Claims:    kingSafeClaims,
	CannotWin: lacksForce,
}

// drawArray picks the back rank by lot, all 2,880 alike.
var drawArray = Step{
	Name:   "array",
	Chance: func(State) bool { return true },
	Due: func(s State) bool {
		return linked(s) && s.Array == "" && s.Start == "" && s.Options["array"].Text() == ""
	},
	Do: func(d *decision) {
		d.roll(func(faces []int, part *fair.Part) {
			array := Arrays()[faces[0]]
			d.emit(ArrayDrawn{Array: array, FEN: arrayFEN(array), Index: faces[0]}, part)
		}, len(Arrays()))
	},
}

// arrayFEN is the start position of a back rank: Black's mirrors White's file by
// file.
func arrayFEN(array string) string {
	if array == "" {
		return ""
	}
	return strings.ToLower(array) + "/pppppppp/8/8/8/8/PPPPPPPP/" + array + " w - - 0 1"
}

func arrayFault(array string) string {
	if _, found := slices.BinarySearch(Arrays(), array); found {
		return ""
	}
	return "it takes eight letters of a back rank from a to h, one K, one Q, two each of R, B and N, the bishops on squares of both shades"
}

// arrays is computed once: a constant of the rules.
var arrays = allArrays()

// Arrays lists No Castle's 2,880 start arrays, sorted as strings: every order of
// K Q R R B B N N with the bishops on squares of both shades. The list is shared;
// nobody writes to it.
func Arrays() []string { return arrays }

func allArrays() []string {
	var all []string
	var fill func(prefix, rest string)
	fill = func(prefix, rest string) {
		if rest == "" {
			if oppositeBishops(prefix) {
				all = append(all, prefix)
			}
			return
		}
		for i := range rest {
			if i > 0 && rest[i] == rest[i-1] {
				continue // equal pieces stand side by side in rest: take each once
			}
			fill(prefix+rest[i:i+1], rest[:i]+rest[i+1:])
		}
	}
	fill("", "BBKNNQRR")
	return all
}

func oppositeBishops(array string) bool {
	return (strings.IndexByte(array, 'B')+strings.LastIndexByte(array, 'B'))%2 == 1
}
