package bot

import (
	"chancery/domain/cards"
	"chancery/domain/chess"
	"chancery/domain/game"
)

// An openPile weighs what the next card, which everybody sees, lets the other side do.
type openPile struct {
	*mind
	moves func(game.State, *chess.Position) []chess.Move
	next  []kind // the cards of the draw pile, all alike
	total int
	safe  bool // a series stops when it attacks the king
}

func newOpenPile(m *mind) *openPile {
	variant, _ := game.Lookup(m.view.Variant)
	o := &openPile{mind: m, moves: variant.Moves, safe: m.view.Options["stopComboOnKingThreat"].Bool()}
	o.next, o.total = kinds(m.view, plain)
	return o
}

// plain is the card without its color, which means nothing here.
func plain(c cards.Card) cards.Card {
	c.Color = cards.NoColor
	return c
}

// value is what an action is worth once the other side has had its turn.
func (o *openPile) value(a game.Action) (value, nodes int) {
	b, ok := o.board()
	if !ok {
		return o.after(a), 1
	}
	if m, err := b.FindUCI(written(a), b.moves); err == nil {
		return o.series(b.Position, m, o.view.Table.Left)
	}
	p, err := o.certainly(a).Position()
	if err != nil {
		return -2 * won, 1 // the game writes no position that it cannot read
	}
	return o.answered(&p)
}

// series is the value of a move with more to come: of the best point to stop at, when
// every further move is the one that looks best.
func (o *openPile) series(p *chess.Position, m chess.Move, left int) (best, nodes int) {
	best = -2 * won
	on := *p
	for {
		stop := on
		stop.Play(m)
		v, n := o.answered(&stop)
		best, nodes, left = max(best, v), nodes+n, left-1
		attacks := stop.IsAttacked(stop.King(stop.Turn()), on.Turn())
		if left == 0 || attacks && o.safe || stop.King(stop.Turn()) == chess.NoSquare {
			return best, nodes
		}
		if attacks {
			return won, nodes
		}
		on.PlayOn(m)
		var ok bool
		if m, _, ok = o.best(&on, cards.Card{Kind: cards.Number}); !ok {
			return best, nodes
		}
	}
}

// best is the move of the side to move that looks best under a card, and how it looks.
func (o *openPile) best(p *chess.Position, c cards.Card) (move chess.Move, value int, ok bool) {
	s := o.state
	s.Cards.InPlay = cards.Dealt{Card: c}
	value = -2 * won
	for _, m := range o.moves(s, p) {
		after := *p
		after.Play(m)
		if v := o.aim.evaluate(&after, p.Turn()); v > value {
			move, value, ok = m, v, true
		}
	}
	return move, value, ok
}

// answered is how good p is for the side that has just ended its turn, over all cards
// that the other side may draw.
func (o *openPile) answered(p *chess.Position) (value, nodes int) {
	if o.total == 0 {
		return o.aim.evaluate(p, p.Turn().Other()), 1
	}
	turns, sum := o.turns(p), 0
	for _, k := range o.next {
		sum += k.count * o.answer(p, k.card, turns)
	}
	return sum / o.total, 40 * len(turns)
}

// longest is how many moves of a series are looked at.
const longest = 5

// turns is how good p is for the side to move after a series of up to so many moves; at
// 0 without any.
func (o *openPile) turns(p *chess.Position) []int {
	idle := *p
	idle.Pass()
	list := []int{o.aim.evaluate(&idle, p.Turn())}
	on, best := *p, -2*won
	for range longest {
		m, v, ok := o.best(&on, cards.Card{Kind: cards.Number})
		if !ok {
			break
		}
		best = max(best, v)
		list = append(list, best)
		if v >= won {
			break
		}
		on.PlayOn(m)
	}
	return list
}

// answer is how good p is for the side that has ended its turn if the other side draws c.
func (o *openPile) answer(p *chess.Position, c cards.Card, turns []int) int {
	value := turns[min(game.MovesGranted(c), len(turns)-1)]
	switch c.Kind {
	case cards.Reverse:
		return value // the armies are swapped, and the move is made by who commands them then
	case cards.Wild:
		s := o.state
		s.Cards.InPlay = cards.Dealt{Card: c}
		for _, m := range o.moves(s, p) {
			if m.To() == p.King(p.Turn().Other()) {
				return -won
			}
		}
	default: // a card that changes nothing more
	}
	return -value
}
