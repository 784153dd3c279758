package game

import (
	"slices"

	"chancery/domain/cards"
)

// Actions lists every turn action that the view leaves open to its seat, and calls
// and catches while it must act. Of the four cards under a Wild Draw Four the order
// is not varied, for nobody looks at them again. It is empty for a seat that need not
// act, or whose hand is not in the view.
func (v View) Actions() []Action {
	var list []Action
	for _, m := range v.Legal {
		list = append(list, ActionOf(m))
	}
	for _, code := range v.Cards {
		list = append(list, plays(code)...)
	}
	for _, codes := range v.discards() {
		list = append(list, Discard{Cards: codes})
	}
	for _, word := range v.Can {
		list = append(list, map[string]Action{"pass": Pass{}, "call": CallUno{}, "catch": CatchUno{}}[word])
	}
	return list
}

// plays are the ways to play a card: a wild one with each color.
func plays(code string) []Action {
	if c, err := cards.Parse(code); err != nil || !c.IsWild() {
		return []Action{PlayCard{Card: code}}
	}
	var list []Action
	for _, color := range cards.Colors {
		list = append(list, PlayCard{Card: code, Color: color.String()})
	}
	return list
}

// discards are the choices of cards to throw away, by their codes.
func (v View) discards() [][]string {
	if v.Discard == 0 || v.Table == nil {
		return nil
	}
	hand := make([]string, len(v.Table.Hand))
	for i, c := range v.Table.Hand {
		hand[i] = c.Card.Code()
	}
	list := picks(hand, v.Discard)
	if v.Discard == 2 {
		for _, pair := range slices.Clone(list) {
			list = append(list, []string{pair[1], pair[0]})
		}
	}
	return list
}

// picks are the ways to take n of the codes, in their order.
func picks(codes []string, n int) [][]string {
	if n == 0 {
		return [][]string{nil}
	}
	var list [][]string
	for i, first := range codes {
		for _, rest := range picks(codes[i+1:], n-1) {
			list = append(list, append([]string{first}, rest...))
		}
	}
	return list
}
