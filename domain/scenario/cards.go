package scenario

import (
	"encoding/json"
	"fmt"
	"slices"

	"chancery/domain/cards"
	"chancery/domain/fair"
	"chancery/domain/game"
)

// startCards are the cards of a start, by code. A pile that is not given holds the
// rest of the deck; a hand that is not given is dealt from it.
type startCards struct {
	Draw     *[]string              `json:"draw"`    // top first
	Discard  *[]string              `json:"discard"` // top last
	White    *[]string              `json:"white"`   // hands
	Black    *[]string              `json:"black"`
	Color    string                 `json:"color"`    // in force on a wild card
	Discards map[game.Army][]string `json:"discards"` // one pile a seat, by the army it starts with
}

// layCards puts the cards of a start on the table: one pile, of which the hands and
// the discards have been drawn already.
func (t *table) layCards(raw json.RawMessage) error {
	v, err := game.Lookup(t.state.Variant)
	if err != nil {
		return err
	}
	if v.Deck == nil {
		if raw != nil {
			return fmt.Errorf("%s is not played with %q", t.state.Variant, "cards")
		}
		return nil
	}
	var given startCards
	if raw != nil {
		if err := readStrictly(raw, &given); err != nil {
			return err
		}
	}
	if t.state.Cards.Color, err = colorInForce(given.Color); err != nil {
		return err
	}
	if t.chance.all != nil && given.Draw != nil && len(t.chance.draws) == 0 {
		t.chance.draws = slices.Clone(*given.Draw) // chance has no order of its own to obey
	}
	return t.lay(given, v.Deck(t.state.Options), v.HandSize)
}

func colorInForce(name string) (cards.Color, error) {
	if name == "" || name == cards.NoColor.String() {
		return cards.NoColor, nil
	}
	return cards.ParseColor(name)
}

// lay finds every card its place. Named cards are taken out of the deck first; what
// is left over makes the hands that are not named, then the pile that is not named; of
// both piles of a table with hands, the first card and the rest.
func (t *table) lay(given startCards, deck cards.Deck, handSize int) error {
	rest := t.chance.mixed(len(deck))
	take := func(codes []string) (ids []int, err error) {
		for _, code := range codes {
			i := slices.IndexFunc(rest, func(id int) bool { return deck[id].Code() == code })
			if i < 0 {
				return nil, fmt.Errorf("the deck holds no %s more", code)
			}
			ids = append(ids, rest[i])
			rest = slices.Delete(rest, i, i+1)
		}
		return ids, nil
	}
	piles := [2][]string{given.Discards[game.WhiteArmy], given.Discards[game.BlackArmy]}
	if given.Discard != nil {
		piles[0] = *given.Discard
	}
	var zones [5][]int // White's and Black's hand, two discard piles, the draw pile
	for i, codes := range [5]*[]string{given.White, given.Black, &piles[0], &piles[1], given.Draw} {
		if codes == nil {
			continue
		}
		ids, err := take(*codes)
		if err != nil {
			return err
		}
		zones[i] = ids
	}
	for i, codes := range [2]*[]string{given.White, given.Black} {
		if codes == nil {
			zones[i], rest = rest[:handSize:handSize], rest[handSize:]
		}
	}
	switch {
	case given.Draw == nil && given.Discard == nil && handSize > 0:
		zones[2], zones[4] = rest[:1:1], rest[1:] // a card is turned up as in a fresh game
	case given.Draw == nil:
		zones[4] = rest
	case given.Discard == nil && given.Discards == nil:
		zones[2] = rest
	case given.Discards != nil && given.Discards[game.WhiteArmy] == nil:
		zones[2] = rest
	case given.Discards != nil && given.Discards[game.BlackArmy] == nil:
		zones[3] = rest
	}
	return t.place(zones, deck)
}

// place shuffles the cards into the order that is wanted and draws all but the last
// zone.
func (t *table) place(zones [5][]int, deck cards.Deck) error {
	order := slices.Concat(zones[:]...)
	switch {
	case t.chance.all != nil:
		t.placeLive(order, zones[4])
	case len(order) == 0:
		t.state.Fair = t.state.Fair.Evolve(&fair.Part{Shuffle: new(fair.Shuffle)}) // a pile of no cards
	default:
		t.placeSealed(zones, order)
	}
	for i, pile := range zones[2:4] {
		for _, id := range pile {
			t.state.Cards.Discards[i] = append(t.state.Cards.Discards[i], deck.Dealt(cards.ID(id)))
		}
	}
	if top := t.top(); top.Color != cards.NoColor {
		t.state.Cards.Color = top.Color
	}
	return t.chance.fault
}

// placeLive leaves a pile without an order the cards that are to be drawn.
func (t *table) placeLive(all, draw []int) {
	t.chance.all = slices.Sorted(slices.Values(all))
	t.chance.live = slices.Sorted(slices.Values(draw))
}

func (t *table) placeSealed(zones [5][]int, order []int) {
	t.chance.laid, t.chance.drawn = order, len(order)-len(zones[4])
	part := &fair.Part{Shuffle: t.chance.Shuffle(t.state.Fair, slices.Clone(order))}
	t.state.Fair = t.state.Fair.Evolve(part)
	for i, to := range [4]int{game.First.Wire(), game.Second.Wire(), fair.Public, fair.Public} {
		if draw := t.state.Fair.Draw(len(zones[i]), to); len(zones[i]) > 0 {
			t.state.Fair = t.state.Fair.Evolve(&fair.Part{Draw: draw})
		}
	}
}

// top is the top of the only discard pile, face down where there is no card.
func (t *table) top() cards.Card {
	pile := t.state.Cards.Discards[0]
	if len(pile) == 0 {
		return cards.Card{}
	}
	return pile[len(pile)-1].Card
}

// ofCards is a check that only card games have.
func ofCards(c check) check {
	return func(t *table, want json.RawMessage) error {
		if t.view().Table == nil {
			return fmt.Errorf("%s is not played with cards", t.state.Variant)
		}
		return c(t, want)
	}
}

// sameKinds compares codes whatever their number: of two equal cards either may be
// played.
func sameKinds(have, want []string) error { return sameSet(distinct(have), distinct(want)) }

func distinct(codes []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(codes)))
}

// handCheck compares sizes of hands.
func handCheck(t *table, raw json.RawMessage) error {
	var want map[game.Army]int
	if err := readStrictly(raw, &want); err != nil {
		return err
	}
	for army, n := range want {
		if err := same(len(t.hand(army)), n); err != nil {
			return fmt.Errorf("of %s: %w", army, err)
		}
	}
	return nil
}

// heldCheck compares hands, in any order.
func heldCheck(t *table, raw json.RawMessage) error {
	var want map[game.Army][]string
	if err := readStrictly(raw, &want); err != nil {
		return err
	}
	for army, codes := range want {
		if err := sameSet(t.hand(army), codes); err != nil {
			return fmt.Errorf("of %s: %w", army, err)
		}
	}
	return nil
}

// hand is what the seat that started with the army sees in its hand.
func (t *table) hand(army game.Army) []string {
	seat := t.white
	if army == game.BlackArmy {
		seat = seat.Other()
	}
	view := game.ViewFor(t.state, seat, t.chance)
	codes := make([]string, len(view.Table.Hand))
	for i, c := range view.Table.Hand {
		codes[i] = c.Card.Code()
	}
	return codes
}

// pilesCheck compares the sizes of piles: the draw pile, the one discard pile, or
// that of the seat which started with the army.
func pilesCheck(t *table, raw json.RawMessage) error {
	var want map[string]int
	if err := readStrictly(raw, &want); err != nil {
		return err
	}
	view := t.view()
	have := map[string]int{"draw": view.Table.Draw}
	if piles := view.Table.Discards; len(piles) == 1 {
		have["discard"] = len(piles[0])
	} else {
		have["white"], have["black"] = len(piles[t.white.Wire()]), len(piles[t.white.Other().Wire()])
	}
	for name, n := range want {
		size, known := have[name]
		if !known {
			return fmt.Errorf("there is no pile %q", name)
		}
		if err := same(size, n); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}
