package bot

import (
	"slices"

	"chancery/domain/cards"
	"chancery/domain/chess"
	"chancery/domain/game"
)

// A hiddenHand weighs what the other side can answer from a hand that nobody sees: any
// cards out of those unseen, all alike.
type hiddenHand struct {
	*mind
	me     game.Seat
	moves  func(game.State, *chess.Position) []chess.Move
	unseen []kind
	total  int // cards unseen
	held   int // of which the other side holds
	before int // what things look like to the other side if it takes the own move back
}

// A kind is how many cards of a face there are.
type kind struct {
	card  cards.Card
	count int
}

// kinds is the cards that the view does not show, by the face that fold makes of each,
// in the order of the deck.
func kinds(v game.View, fold func(cards.Card) cards.Card) (list []kind, total int) {
	variant, _ := game.Lookup(v.Variant) // the view is of a game of it
	deck := variant.Deck(v.Options)
	for _, id := range game.Unseen(v) {
		c := fold(deck[id])
		i := slices.IndexFunc(list, func(k kind) bool { return k.card == c })
		if i < 0 {
			i, list = len(list), append(list, kind{card: c})
		}
		list[i].count++
		total++
	}
	return list, total
}

func newHiddenHand(m *mind) *hiddenHand {
	variant, _ := game.Lookup(m.view.Variant)
	h := &hiddenHand{mind: m, me: m.seat(), moves: variant.Moves}
	h.unseen, h.total = kinds(m.view, func(c cards.Card) cards.Card { return c })
	h.held = m.view.Table.Hands[h.me.Other().Wire()]
	if p, err := m.state.Position(); err == nil {
		h.before = -m.aim.evaluate(&p, p.Turn())
	}
	return h
}

// value is what an action is worth once the other side has answered.
func (h *hiddenHand) value(a game.Action) (value, nodes int) {
	if uci := written(a); uci != "" {
		b, _ := h.board()
		p, _ := b.make(uci)
		return h.answered(h.state, &p, true)
	}
	s := h.certainly(a)
	p, err := s.Position()
	if s.Over() || err != nil {
		return h.outlook(s, h.me), 1
	}
	spent := h.spent(a)
	switch {
	case s.ToAct() != h.me:
		value, nodes = h.answered(s, &p, false)
	case s.Phase == game.PhaseMove:
		value, nodes = h.bestMove(s, &p)
	default:
		p.Pass()
		value, nodes = h.answered(s, &p, false)
	}
	return value - spent, nodes
}

// spent is what the cards that an action takes out of the hand are worth in it.
func (h *hiddenHand) spent(a game.Action) int {
	switch a := a.(type) {
	case game.PlayCard:
		return keeping(a.Card) - h.matching(a.Color)
	case game.Discard:
		return keeping(a.Cards...)
	default:
		return 0
	}
}

// bestMove is the value of the best move that the card in play allows.
func (h *hiddenHand) bestMove(s game.State, p *chess.Position) (best, nodes int) {
	best = -2 * won
	for _, m := range h.moves(s, p) {
		after := *p
		after.Play(m)
		v, n := h.answered(s, &after, true)
		best, nodes = max(best, v), nodes+n
	}
	return best, nodes
}

// An answer is the best that the other side can do with one of the unseen cards, as it
// looks to the other side.
type answer struct{ value, cards int }

// answered is how good p is for the own side after the answer, the other side being to
// move and to play a card: it takes the best for which it holds a card. Moved says that
// the own turn has moved a man, which a Reverse would take back.
func (h *hiddenHand) answered(s game.State, p *chess.Position, moved bool) (value, nodes int) {
	them := p.Turn()
	if p.King(them) == chess.NoSquare {
		return h.rescued(s), 1
	}
	list, nodes := h.answers(s, p, moved)
	idle := *p
	idle.Pass()
	rest, left, expected := 1.0, h.total, 0.0
	for _, a := range list {
		none := h.without(a.cards, left)
		expected += rest * (1 - none) * float64(a.value)
		rest, left = rest*none, left-a.cards
	}
	expected += rest * float64(h.aim.evaluate(&idle, them))
	return -int(expected), nodes + 1
}

// without is the chance that the hand has none of so many cards, out of those left.
func (h *hiddenHand) without(cards, left int) float64 {
	none := 1.0
	for i := range min(h.held, left) {
		none *= max(0, float64(left-cards-i)/float64(left-i))
	}
	return none
}

// rescued is the value of a captured king, which a Reverse that fits brings back.
func (h *hiddenHand) rescued(s game.State) int {
	fits := 0
	for _, k := range h.unseen {
		if k.card.Kind == cards.Reverse && s.Cards.Fits(k.card) {
			fits += k.count
		}
	}
	none := h.without(fits, h.total)
	return int(none*won) - int((1-none)*float64(h.before))
}

// answers are what the unseen cards allow in p, the best first.
func (h *hiddenHand) answers(s game.State, p *chess.Position, moved bool) (list []answer, nodes int) {
	values := map[chess.Move]int{}
	for _, m := range p.Moves(nil) {
		after := *p
		after.Play(m)
		values[m] = h.aim.evaluate(&after, p.Turn())
	}
	s.Phase = game.PhaseMove
	for _, k := range h.unseen {
		if !s.Cards.Fits(k.card) {
			continue
		}
		s.Cards.InPlay = cards.Dealt{Card: k.card}
		best := -2 * won
		for _, m := range h.moves(s, p) {
			best = max(best, values[m])
		}
		if k.card.Kind == cards.Reverse && moved {
			best = h.before
		}
		if best > -2*won {
			list = append(list, answer{best, k.count})
		}
	}
	slices.SortStableFunc(list, func(a, b answer) int { return b.value - a.value })
	return list, len(values)
}
