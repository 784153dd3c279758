package bot

import (
	"slices"

	"chancery/domain/chess"
	"chancery/domain/game"
)

// width is how many moves of a position are looked into more deeply: those that look
// best at once.
const width = 14

// A tree looks ahead on a board where nothing depends on chance. Both sides make the
// best of their moves (alpha-beta), as far as the nodes last.
type tree struct {
	aim  aim
	left int // nodes that may still be looked at
}

// A branch is a position, and how good it looks to the side that has just moved.
type branch struct {
	chess.Position
	value int
}

// grow is the promising moves of p, the best first.
func (t *tree) grow(p *chess.Position) []branch {
	var buf [256]chess.Move
	moves := p.Moves(buf[:0])
	list := make([]branch, len(moves))
	for i, m := range moves {
		list[i].Position = *p
		list[i].Play(m)
		list[i].value = t.aim.settled(&list[i].Position, p.Turn())
	}
	t.left -= len(moves)
	slices.SortStableFunc(list, func(a, b branch) int { return b.value - a.value })
	return list[:min(len(list), width)]
}

// value is how good p is for the side to move, after depth more moves. The answer is
// exact between alpha and beta, and a bound beyond them.
func (t *tree) value(p *chess.Position, depth, alpha, beta int) int {
	branches := t.grow(p)
	if len(branches) == 0 {
		return t.aim.settled(p, p.Turn())
	}
	if depth <= 1 || t.left <= 0 || branches[0].value >= won {
		return branches[0].value
	}
	best := -2 * won
	for i := range branches {
		// What comes later counts less: a mate is better soon, and worse for the other side too.
		v := -t.value(&branches[i].Position, depth-1, -beta, -max(alpha, best))
		best = max(best, later(v))
		if best >= beta {
			break
		}
	}
	return best
}

// later brings a won or lost game nearer to a draw by a move.
func later(v int) int {
	switch {
	case v > won/2:
		return v - 1
	case v < -won/2:
		return v + 1
	}
	return v
}

// A root is an action and the board behind it, as far as that is certain.
type root struct {
	prospect
	behind chess.Position
}

// rank ranks the actions anew, each time a move deeper, until the nodes run out. The
// list comes best first, and a depth that is not finished counts as far as it came.
func (t *tree) rank(m *mind, list []prospect) {
	list = list[:min(len(list), width)]
	roots := make([]root, len(list))
	for i := range list {
		roots[i] = root{list[i], m.behind(list[i].action)}
	}
	for depth := 1; t.left > 0 && depth < 20 && roots[0].value < won/2; depth++ {
		best := -2 * won
		for i := range roots {
			r := &roots[i]
			if r.value = -2 * won; t.left > 0 {
				r.value = later(-t.value(&r.behind, depth, -2*won, -best))
			}
			best = max(best, r.value)
		}
		slices.SortStableFunc(roots, func(a, b root) int { return b.value - a.value })
	}
	for i := range roots {
		list[i] = roots[i].prospect
	}
}

// behind is the board after an action, the other side to move.
func (m *mind) behind(a game.Action) chess.Position {
	if b, ok := m.board(); ok {
		p, _ := b.make(written(a))
		return p
	}
	p, _ := m.certainly(a).Position()
	return p
}
