package pgn

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"chancery/domain/cards"
	"chancery/domain/fair"
	"chancery/domain/game"
)

// A script is chance as a text tells it. It proves nothing: every seat leaves its
// chain to the server, and the server has none.
type script struct {
	deck    cards.Deck
	hands   bool                // cards are held in the hand
	results map[string][]string // what the text says was rolled or drawn, by command
	piles   [][]string          // codes of the piles, where the text shows them
	lots    map[int]int         // results of the rolls that tags tell, by their sides

	scriptPlace
	rolls []placedRoll // of the present decision
	dry   *fair.Roll   // the first one that the text does not know
	order map[int][]int
	fault error

	// Of hands that the text does not show.
	want [fair.Seats][]int // cards that the seat must hold
	base [fair.Seats]int   // how many it had played before
	fill [fair.Seats]int   // what else it holds
}

// A scriptPlace is how far a script has been used.
type scriptPlace struct {
	used map[string]int
	live []int // cards left in a pile without an order
}

type placedRoll struct {
	roll   *fair.Roll
	before scriptPlace
}

// newScript gathers what the text says about chance.
func newScript(p *replay, v game.Variant, o game.Options) (*script, error) {
	s := &script{
		hands: v.HandSize > 0, results: map[string][]string{}, order: map[int][]int{},
		lots:        map[int]int{len(game.Arrays()): max(0, arrayIndex(p.text.tag(tagFEN)))},
		scriptPlace: scriptPlace{used: map[string]int{}},
	}
	if p.colorChoice() == game.PreferRandom {
		s.lots[2] = p.beganWith().Wire()
	}
	if v.Deck != nil {
		s.deck = v.Deck(o)
	}
	for _, m := range p.text.marks {
		switch {
		case m.command == "pile":
			if err := s.addPile(m.text); err != nil {
				return nil, p.fault(m, err)
			}
		case m.command == "card" && (s.hands || m.text == noCard):
		default:
			s.results[m.command] = append(s.results[m.command], m.text)
		}
	}
	return s, nil
}

// addPile adds cards to the pile whose number stands before them.
func (s *script) addPile(text string) error {
	number, list, _ := strings.Cut(text, " ")
	i, err := strconv.Atoi(number)
	if err != nil || i != len(s.piles) && i != len(s.piles)-1 {
		return fmt.Errorf("%w: piles stand in their order", ErrSyntax)
	}
	if i == len(s.piles) {
		s.piles = append(s.piles, nil)
	}
	s.piles[i] = append(s.piles[i], strings.Split(list, ",")...)
	return nil
}

// hides says whether hands are played from that the text does not show.
func (s *script) hides() bool { return s.hands && s.piles == nil }

// take is the next result of a command.
func (s *script) take(command string) (result string, ok bool) {
	i := s.used[command]
	if i >= len(s.results[command]) {
		return "", false
	}
	s.used[command]++
	return s.results[command][i], true
}

// Dice by what is rolled at once: the command that tells them, the face that counts as
// 0, and faces to go on with where the text knows none, which are never shown.
var dice = []struct {
	command string
	sides   []int
	least   int
	blind   []int
}{
	{"first", []int{20, 20}, 1, []int{1, 0}},
	{"eight", slices.Repeat([]int{8}, 10), 1, make([]int, 10)},
	{"dice", []int{10, 10}, 0, []int{0, 0}},
	{"rescue", []int{12, 12}, 1, []int{0, 0}},
}

// Roll gives what the text says was rolled next.
func (s *script) Roll(at fair.State, sides ...int) *fair.Roll {
	roll := &fair.Roll{K: at.Rolls + 1, Sides: slices.Clone(sides)}
	s.rolls = append(s.rolls, placedRoll{roll, scriptPlace{maps.Clone(s.used), slices.Clone(s.live)}})
	for _, d := range dice {
		if slices.Equal(d.sides, sides) {
			roll.Out = s.faces(roll, d.command, len(sides), d.least, d.blind)
			return roll
		}
	}
	if lot, ok := s.lots[sides[0]]; ok {
		delete(s.lots, sides[0])
		roll.Out = []int{lot}
		return roll
	}
	roll.Out = []int{s.liveCard(roll)}
	return roll
}

func (s *script) faces(roll *fair.Roll, command string, n, least int, blind []int) []int {
	text, ok := s.take(command)
	if !ok {
		s.dryUp(roll)
		return blind
	}
	words := strings.Split(text, ",")
	out := make([]int, 0, n)
	for i, w := range words {
		face, err := strconv.Atoi(w)
		if face -= least; err == nil && i < n && face >= 0 && face < roll.Sides[i] {
			out = append(out, face)
		}
	}
	if len(out) != n || len(words) != n {
		s.fail("%w: [%%%s %.40s] are no faces of these dice", ErrSyntax, command, text)
		return blind
	}
	return out
}

// liveCard is the index of the next card among those left in a pile without an order.
func (s *script) liveCard(roll *fair.Roll) int {
	if len(s.live) == 0 {
		for id := range s.deck {
			s.live = append(s.live, id)
		}
	}
	code, ok := s.take("card")
	if !ok {
		s.dryUp(roll)
		return 0
	}
	i := slices.IndexFunc(s.live, func(id int) bool { return s.deck[id].Code() == code })
	if i < 0 || i >= roll.Sides[0] {
		s.fail("%w: no card %.10s is left to draw", ErrRules, code)
		return 0
	}
	s.live = slices.Delete(s.live, i, i+1)
	return i
}

func (s *script) dryUp(roll *fair.Roll) {
	if s.dry == nil {
		s.dry = roll
	}
}

func (s *script) isDry(roll *fair.Roll) bool { return roll == s.dry }

// unroll takes the roll back, and those behind it.
func (s *script) unroll(roll *fair.Roll) {
	for _, r := range s.rolls {
		if r.roll == roll {
			s.scriptPlace = r.before
			return
		}
	}
}

func (s *script) fail(format string, args ...any) {
	if s.fault == nil {
		s.fault = fmt.Errorf(format, args...)
	}
}

// Shuffle lays the pile that the text shows; else one with the cards on top that it says
// were drawn; else, under hidden hands, none at all.
func (s *script) Shuffle(at fair.State, in []int) *fair.Shuffle {
	in = slices.Sorted(slices.Values(in))
	n := len(at.Piles)
	switch {
	case n < len(s.piles):
		order, rest := s.arrange(s.piles[n], in)
		if len(rest) > 0 || len(order) != len(s.piles[n]) {
			s.fail("%w: pile %d does not hold the cards that were shuffled", ErrRules, n)
		}
		s.order[n] = append(order, rest...)
	case !s.hides():
		drawn := s.results["card"][s.used["card"]:]
		order, rest := s.arrange(drawn[:min(len(drawn), len(in))], in)
		s.order[n] = append(order, rest...)
	}
	return &fair.Shuffle{In: in, S: n}
}

// arrange takes cards with these codes out of in, as far as there are any.
func (s *script) arrange(codes []string, in []int) (order, rest []int) {
	rest = slices.Clone(in)
	for _, code := range codes {
		i := slices.IndexFunc(rest, func(id int) bool { return s.deck[id].Code() == code })
		if i < 0 {
			break
		}
		order = append(order, rest[i])
		rest = slices.Delete(rest, i, i+1)
	}
	return order, rest
}

// Open shows the card at a position of a pile.
func (s *script) Open(_ fair.State, pile, i int) fair.Open {
	open := fair.Open{I: i, S: pile}
	if order := s.order[pile]; i < len(order) {
		open.Card = order[i]
		s.used["card"]++
		return open
	}
	code, _ := s.take("top")
	if open.Card = s.find(code, nil); open.Card < 0 {
		s.fail("%w: there is no card %.10q to begin the discard pile", ErrRules, code)
		open.Card = 0
	}
	return open
}

// find is a card with this code that is not among the others; faceDown if there is none.
func (s *script) find(code string, others []int) int {
	for id, c := range s.deck {
		if c.Code() == code && !slices.Contains(others, id) {
			return id
		}
	}
	return faceDown
}

// faceDown is the number of no card: what a hand holds that nobody has seen.
const faceDown = -1

// Order is the order of a pile; of one that the text does not show, an order under
// which the hands hold what they must.
func (s *script) Order(at fair.State, pile int) []int {
	if order := s.order[pile]; order != nil {
		return slices.Clone(order)
	}
	order := slices.Repeat([]int{faceDown}, len(at.Piles[pile].In))
	for seat := range at.Drawn {
		for k, position := range at.Drawn[seat] {
			if position.S == pile {
				order[position.I] = s.held(at, seat, k)
			}
		}
	}
	return order
}

// Commit, Anchor and Link open the protocol without any secret.
func (s *script) Commit(bool) *fair.Commit { return &fair.Commit{Len: math.MaxInt, Seats: fair.Seats} }

// Anchor leaves the seat's chain to the server.
func (s *script) Anchor(seat int) fair.Anchor { return fair.Anchor{Delegated: true, Seat: seat} }

// Link is the one that a game has to begin with.
func (s *script) Link(at fair.State, seat int) *fair.Link {
	if at.Seat[seat].Opened > 0 {
		return nil
	}
	return &fair.Link{Seat: seat}
}

// Hand commits to nothing.
func (s *script) Hand(at fair.State, seat int, _ []int) *fair.Hand {
	return &fair.Hand{H: len(at.Hands), Seat: seat}
}

// Play opens no envelope.
func (s *script) Play(_ fair.State, seat, card int) fair.Play {
	return fair.Play{Card: card, Seat: seat}
}

// Reveal has no seed to show.
func (s *script) Reveal() *fair.Reveal { return &fair.Reveal{} }
