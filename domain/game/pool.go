package game

import (
	"slices"
	"strings"

	"chancery/domain/chess"
)

// A pool is the captured men of one army as FEN letters, in the order taken. It is
// part of what must repeat for a position to repeat, whatever the order.

// toPool adds a captured man to the pool of its own army.
func (s *State) toPool(letter string) { s.Pools[armyOf(letter)] += letter }

// fromPool takes a man out of the pool of its own army.
func (s *State) outOfPool(letter string) {
	pool := &s.Pools[armyOf(letter)]
	*pool = strings.Replace(*pool, letter, "", 1)
}

func pooled(pool string, piece chess.Piece) bool {
	return strings.IndexByte(pool, piece.Letter()) >= 0
}

// armyOf is the army of the man with this FEN letter.
func armyOf(letter string) Army {
	if letter >= "a" {
		return BlackArmy
	}
	return WhiteArmy
}

// samePools says whether both armies have lost the same men.
func samePools(a, b [2]string) bool {
	return a == b || sameLetters(a[0], b[0]) && sameLetters(a[1], b[1])
}

func sameLetters(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	x, y := []byte(a), []byte(b)
	slices.Sort(x)
	slices.Sort(y)
	return string(x) == string(y)
}
