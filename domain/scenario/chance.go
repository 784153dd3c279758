package scenario

import (
	"encoding/json"
	"fmt"
	"slices"

	"chancery/domain/fair"
)

// script is chance with its results written down. What it does not script comes
// from the product's own fair source.
type script struct {
	*fair.Dealer
	left  map[string][]int // results not used yet, by kind, as the file writes them
	fault error            // a result was asked for and there was none
}

// A kind is one sort of scripted roll: the dice that are thrown at once, and what
// is written for the face that counts as 0.
type kind struct {
	name  string
	sides []int
	least int
}

// kinds are the rolls that a scenario can script. Dice stand in the order in which
// they are rolled.
var kinds = []kind{
	{name: "array", sides: []int{2880}},
	{name: "d20", sides: []int{20, 20}, least: 1},
	{name: "d12", sides: []int{12, 12}, least: 1},
	{name: "d10", sides: []int{10, 10}},
	{name: "d8", sides: []int{8, 8, 8, 8, 8, 8, 8, 8, 8, 8}, least: 1},
}

// newScript reads the "chance" of a scenario.
func newScript(game string, seed fair.Seed, chance map[string]json.RawMessage) (*script, error) {
	s := &script{Dealer: fair.NewDealer(game, seed), left: map[string][]int{}}
	for name, raw := range chance {
		i := slices.IndexFunc(kinds, func(k kind) bool { return k.name == name })
		if i < 0 {
			return nil, fmt.Errorf("chance: no variant here has results of the kind %q", name)
		}
		var results []int
		if err := readStrictly(raw, &results); err != nil {
			return nil, fmt.Errorf("chance: %s: %w", name, err)
		}
		if err := kinds[i].check(results); err != nil {
			return nil, fmt.Errorf("chance: %s: %w", name, err)
		}
		s.left[name] = results
	}
	return s, nil
}

func (k kind) check(results []int) error {
	if len(results)%len(k.sides) != 0 {
		return fmt.Errorf("%d results do not make whole rolls of %d dice", len(results), len(k.sides))
	}
	for _, r := range results {
		if r < k.least || r >= k.least+k.sides[0] {
			return fmt.Errorf("there is no face %d", r)
		}
	}
	return nil
}

// Roll gives the scripted faces where the kind is scripted.
func (s *script) Roll(at fair.State, sides ...int) *fair.Roll {
	roll := s.Dealer.Roll(at, sides...)
	for _, k := range kinds {
		results, scripted := s.left[k.name]
		if !scripted || !slices.Equal(k.sides, sides) {
			continue
		}
		if len(results) < len(sides) {
			s.fault = fmt.Errorf("the scripted results of %s have run out", k.name)
			return roll
		}
		for i := range sides {
			roll.Out[i] = results[i] - k.least
		}
		s.left[k.name] = results[len(sides):]
	}
	return roll
}
