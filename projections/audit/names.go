package audit

import (
	"fmt"
	"slices"
	"strconv"
)

// faceName is what players see on a face: ten-sided dice count from 0, others from 1.
func faceName(sides, face int) string {
	if sides == 10 {
		return strconv.Itoa(face)
	}
	return strconv.Itoa(face + 1)
}

// diceName names a kind of die.
func diceName(sides int) string {
	switch sides {
	case 2:
		return "lots for colors"
	case 2880:
		return "start arrays"
	}
	return fmt.Sprintf("d%d", sides)
}

// categoryNames are those of the n categories of a process.
func categoryNames(of, name string, n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = strconv.Itoa(i)
	}
	switch {
	case name == effectDice:
		for i, effect := range effects.names {
			list[i] = string(effect)
		}
	case name == diceName(2):
		return []string{"first", "second"}
	case n == 2:
		return []string{"no", "yes"}
	case isDice(name):
		for i := range list {
			list[i] = faceName(n, i)
		}
	case name == pairOfTens || name == nextTen:
		for i := range list {
			list[i] = fmt.Sprintf("%d-%d", i/10, i%10)
		}
	case slices.Contains([]string{"descents", "inversions", "top card", liveCard}, name):
		for i := range list {
			list[i] = strconv.Itoa(i + 1) // classes of about the same chance, from low to high
		}
	case of != "rolls":
		list[n-1] += "+"
	}
	return list
}
