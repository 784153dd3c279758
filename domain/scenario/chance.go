package scenario

import (
	"encoding/json"
	"fmt"
	"slices"

	"chancery/domain/cards"
	"chancery/domain/fair"
	"chancery/domain/game"
)

// script is chance with its results written down. What it does not script comes
// from the product's own fair source.
type script struct {
	*fair.Dealer
	left  map[string][]int // results not used yet, by kind, as the file writes them
	draws []string         // codes of the cards to be drawn next
	deck  cards.Deck       // of the game, once there is one
	laid  []int            // order of the next pile, where a start gives it
	drawn int              // how many cards of it are drawn already
	order map[int][]int    // of the piles so far
	all   []int            // the cards of a pile without an order; nil where piles have one
	live  []int            // those that it has left
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
	s := &script{Dealer: fair.NewDealer(game, seed), left: map[string][]int{}, order: map[int][]int{}}
	for name, raw := range chance {
		if name == "draw" {
			if err := readStrictly(raw, &s.draws); err != nil {
				return nil, fmt.Errorf("chance: draw: %w", err)
			}
			continue
		}
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
	if s.all != nil {
		roll.Out[0] = s.rollCard(roll.Out[0])
		return roll
	}
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

// mixed is the numbers below n in an order of the product's own making.
func (s *script) mixed(n int) []int {
	in := make([]int, n)
	for i := range in {
		in[i] = i
	}
	return s.Dealer.Order(fair.State{Piles: []fair.Pile{{In: in}}}, 0)
}

// Shuffle lays the pile that the start gives, or one of the product's own making
// with the scripted cards on top.
func (s *script) Shuffle(at fair.State, in []int) *fair.Shuffle {
	shuffle := s.Dealer.Shuffle(at, in)
	order, drawn := s.laid, s.drawn
	if order == nil {
		order = s.Dealer.Order(at.Evolve(&fair.Part{Shuffle: shuffle}), shuffle.S)
	}
	s.laid, s.drawn = nil, 0
	s.raise(order[drawn:])
	s.order[shuffle.S] = order
	return shuffle
}

// raise brings the scripted cards to the top of the pile, as many as it has room
// for: what is left over is drawn from the next one.
func (s *script) raise(pile []int) {
	for i := range pile {
		if len(s.draws) == 0 {
			return
		}
		j := slices.IndexFunc(pile[i:], func(id int) bool { return s.deck[id].Code() == s.draws[0] })
		if j < 0 {
			s.fault = fmt.Errorf("the draw pile holds no %s to be drawn", s.draws[0])
			return
		}
		card := pile[i+j]
		copy(pile[i+1:i+j+1], pile[i:i+j])
		pile[i], s.draws = card, s.draws[1:]
	}
}

// letLive makes ready to draw by lot where a table has chosen so.
func (s *script) letLive(o game.Options) {
	if o["pile"].Text() == "live" {
		s.all = make([]int, len(s.deck))
		for i := range s.all {
			s.all[i] = i
		}
		s.live = slices.Clone(s.all)
	}
}

// liveCards are the cards left in a pile without an order.
func (s *script) liveCards() (left cards.Set) {
	for _, id := range s.live {
		left = left.With(cards.ID(id))
	}
	return left
}

// rollCard takes the scripted card out of a pile without an order, or the rolled one,
// and gives its index among those left. An empty pile takes all cards in again.
func (s *script) rollCard(rolled int) int {
	if len(s.live) == 0 {
		s.live = slices.Clone(s.all)
	}
	if len(s.draws) > 0 {
		rolled = slices.IndexFunc(s.live, func(id int) bool { return s.deck[id].Code() == s.draws[0] })
		if rolled < 0 {
			s.fault = fmt.Errorf("the draw pile holds no %s to be drawn", s.draws[0])
			return 0
		}
		s.draws = s.draws[1:]
	}
	s.live = slices.Delete(s.live, rolled, rolled+1)
	return rolled
}

// Order is the order of a pile as it was laid.
func (s *script) Order(_ fair.State, pile int) []int { return slices.Clone(s.order[pile]) }

// Open shows the card at a position of a pile as it was laid.
func (s *script) Open(at fair.State, pile, i int) fair.Open {
	open := s.Dealer.Open(at, pile, i)
	open.Card = s.order[pile][i]
	return open
}
