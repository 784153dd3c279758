package bot

import (
	"chancery/domain/chess"
	"chancery/domain/game"
)

// A board is a position, and the moves that some game may allow in it.
type board struct {
	*chess.Position
	aim   aim
	moves []chess.Move
}

// board is the position before the own move, where one is to be made.
func (m *mind) board() (board, bool) {
	if m.state.Phase != game.PhaseMove {
		return board{}, false
	}
	p, err := m.state.Position()
	if err != nil {
		return board{}, false
	}
	return newBoard(&p, m.aim), true
}

// newBoard knows the moves of men as themselves and, where kings are taken, as queens.
func newBoard(p *chess.Position, a aim) board {
	return board{p, a, p.QueenMoves(p.Moves(make([]chess.Move, 0, 64)))}
}

// after is what p looks like to the side to move once it has made the move.
func (b board) after(uci string) int {
	next, ok := b.make(uci)
	if !ok {
		return -2 * won // the game allows only what the board knows
	}
	return b.aim.settled(&next, b.Turn())
}

// make is the position behind the move.
func (b board) make(uci string) (next chess.Position, ok bool) {
	m, err := b.FindUCI(uci, b.moves)
	if err != nil {
		return next, false
	}
	next = *b.Position
	next.Play(m)
	return next, true
}

// written is a move or a drop in UCI; empty for any other action.
func written(a game.Action) string {
	switch a := a.(type) {
	case game.Move:
		return a.UCI
	case game.Drop:
		return a.UCI
	default:
		return ""
	}
}
