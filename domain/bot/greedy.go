package bot

import (
	"slices"

	"chancery/domain/cards"
	"chancery/domain/chess"
	"chancery/domain/game"
)

// whim is how far, in hundredths of a pawn, two actions may be apart and either be
// taken, so that no two games are the same.
const whim = 8

// greedyAction takes the action after which things look best, one turn ahead.
func greedyAction(v game.View, random uint64) (game.Action, bool) {
	open := v.Actions()
	if len(open) == 0 {
		return nil, false
	}
	m := think(v, random)
	if a, ok := m.atOnce(open); ok {
		return a, true
	}
	return m.ranked(open, random)[0].action, true
}

// A mind is what a bot knows when it has to act: what it sees, and a game that would
// look like it.
type mind struct {
	state  game.State
	view   game.View
	chance *dream
	aim    aim
}

func think(v game.View, random uint64) *mind {
	s, chance := imagine(v, random)
	return &mind{state: s, view: v, chance: chance, aim: aimOf(v.Variant)}
}

// A prospect is an action, and what things look like after it.
type prospect struct {
	action game.Action
	value  int
}

// atOnce finds what needs no thought: a catch wins, a call costs nothing, and a draw
// that can be had is taken by who stands worse.
func (m *mind) atOnce(open []game.Action) (game.Action, bool) {
	for _, a := range open {
		switch a.(type) {
		case game.CatchUno, game.CallUno:
			return a, true
		default: // not at any time
		}
	}
	offered := m.view.DrawOffer != nil && *m.view.DrawOffer != m.seat()
	if !m.view.Claim && !offered || m.outlook(m.state, m.seat()) > -bothShades {
		return nil, false
	}
	if m.view.Claim {
		return game.ClaimDraw{}, true
	}
	return game.AcceptDraw{}, true
}

func (m *mind) seat() game.Seat { return m.state.ToAct() }

// ranked is the actions with their values, the best first.
func (m *mind) ranked(open []game.Action, random uint64) []prospect {
	noise := mix(random)
	list := make([]prospect, len(open))
	board, ok := m.board()
	for i, a := range open {
		list[i] = prospect{a, int(noise.next() % whim)}
		if uci := written(a); ok && uci != "" {
			list[i].value += board.after(uci)
		} else {
			list[i].value += m.after(a)
		}
	}
	slices.SortStableFunc(list, func(a, b prospect) int { return b.value - a.value })
	return list
}

// after is the value of an action by the rules of the game, as far as it is certain.
func (m *mind) after(a game.Action) int {
	if d, ok := a.(game.Discard); ok {
		return -keeping(d.Cards...)
	}
	v := m.outlook(m.certainly(a), m.seat())
	if c, ok := a.(game.PlayCard); ok {
		v += m.matching(c.Color) - keeping(c.Card)
	}
	return v
}

// certainly is the game after an action, up to the next number or card that nobody knew
// before. What a view offers is never refused.
func (m *mind) certainly(a game.Action) game.State {
	events, _ := game.Decide(m.state, game.Command{By: m.seat(), Action: a}, m.chance)
	return game.Fold(m.state, certain(events)...)
}

// certain is the events up to the first that shows what nobody knew before.
func certain(events []game.Event) []game.Event {
	for i, e := range events {
		switch f := e.Fact.(type) {
		case game.DiceRolled:
			return events[:i]
		case game.CardDrawn:
			if f.Card != nil {
				return events[:i]
			}
		default: // shows nothing new
		}
	}
	return events
}

// outlook is how good s looks to the seat: the result of a game that is over, the best
// move where the seat may make one, and otherwise the board.
func (m *mind) outlook(s game.State, seat game.Seat) int {
	if s.Over() {
		switch s.Winner {
		case seat:
			return won
		case game.Spectator:
			return 0
		default:
			return -won
		}
	}
	p, err := s.Position()
	if err != nil {
		return 0
	}
	if s.Phase != game.PhaseMove || s.ToAct() != seat {
		return m.aim.settled(&p, s.Army(seat).Color())
	}
	board, best := newBoard(&p, m.aim), -2*won
	for _, uci := range game.LegalMoves(s) {
		best = max(best, board.after(uci))
	}
	return best
}

// settled is [aim.evaluate], but for positions without a move.
func (a aim) settled(p *chess.Position, c chess.Color) int {
	switch {
	case p.Law().KingCapture || p.HasMove():
		return a.evaluate(p, c)
	case !p.InCheck():
		return 0
	case p.Turn() == c:
		return -won
	}
	return won
}

// keeping is what cards are worth in the hand: a Reverse saves the king, and a wild one
// always fits.
func keeping(codes ...string) (v int) {
	for _, code := range codes {
		c, _ := cards.Parse(code)
		switch {
		case c.IsWild():
			v += 70
		case c.Kind == cards.Reverse:
			v += 60
		case c.Kind == cards.Number:
			v += 20
		}
	}
	return v
}

// matching is what it is worth to name a color: the more cards follow it the better.
func (m *mind) matching(color string) (v int) {
	for _, c := range m.view.Table.Hand {
		if c.Card.Color.String() == color {
			v += 5
		}
	}
	return v
}
