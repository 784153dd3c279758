package game

import (
	"errors"

	"chancery/domain/chess"
)

// myTurn refuses a turn action of a seat that is not to act, or whose time is up.
func (d *decision) myTurn(phase Phase) error {
	s, by := d.state, d.command.By
	switch {
	case !s.Playing():
		return Refuse(NotStarted, "The game has not started; it waits for a second player or for a link.")
	case s.Paused:
		return Refuse(WrongPhase, "The game is paused; try again in a moment.")
	case by == Spectator:
		return Refuse(NotYourTurn, "Only the players of this game act in it.")
	case s.Phase == PhaseLink:
		return Refuse(WrongPhase, "The game waits for links of the seats' chains, which clients and the server send by themselves; try again in a moment.")
	case s.ToAct() != by:
		return Refuse(NotYourTurn, "It is the other seat's turn (%s must act).", s.Army(s.ToAct()))
	case s.Phase != phase:
		return Refuse(WrongPhase, "The game waits for something else now: %s.", s.Phase)
	case s.Clock.fallen(d.command.At):
		return Refuse(GameOver, "Your time ran out before this arrived.")
	}
	return nil
}

// move plays a move. It is judged before the seat's link is looked at, and chance
// is asked only behind both: a refused command has not cost a number.
func (d *decision) move(a Move) error {
	if err := d.myTurn(PhaseMove); err != nil {
		return err
	}
	p, err := d.state.Position()
	if err != nil {
		return err
	}
	m, err := p.FindUCI(a.UCI, openMoves(d.state, &p))
	if err != nil {
		return d.variant.refuseMove(err)
	}
	if m.IsDrop() {
		return Refuse(BadCommand, "%s puts a man on the board; send it as \"drop\".", a.UCI)
	}
	by := d.command.By
	link, err := d.link(by)
	if err != nil {
		return err
	}
	fact := d.played(&p, m)
	d.emit(fact, link)
	if d.variant.Moved != nil {
		d.variant.Moved(d, &p, fact)
	} else {
		d.judge(&p, by)
	}
	d.advance()
	return nil
}

// played makes the move on p and says so. The turn stays where it is while a series
// of moves has more to come.
func (d *decision) played(p *chess.Position, m chess.Move) MovePlayed {
	f := MovePlayed{
		Army: Army(p.Turn()), SAN: p.SAN(m), UCI: m.UCI(), Captured: Captured(p, m),
		Clock: d.state.Clock.charged(d.command.At, d.command.By),
	}
	if d.state.Series.Left > 1 {
		p.PlayOn(m)
	} else {
		p.Play(m)
	}
	f.FEN, f.Check = p.FEN(), p.IsAttacked(p.King(f.Army.Color().Other()), f.Army.Color())
	return f
}

// Captured is the FEN letter of the man that m, a move of p, takes, or empty.
func Captured(p *chess.Position, m chess.Move) string {
	switch {
	case m.IsEnPassant():
		return chess.NewPiece(p.Turn().Other(), chess.Pawn).String()
	case m.IsCastling() || p.At(m.To()) == chess.NoPiece:
		return ""
	}
	return p.At(m.To()).String()
}

// squaresOf are the squares of a move in UCI; a drop has none.
func squaresOf(uci string) (from, to chess.Square, ok bool) {
	if len(uci) < len("e2e4") {
		return chess.NoSquare, chess.NoSquare, false
	}
	from, err1 := chess.ParseSquare(uci[:2])
	to, err2 := chess.ParseSquare(uci[2:4])
	return from, to, err1 == nil && err2 == nil
}

// refuseMove says why the variant closes a move where the board would allow it.
func (v *Variant) refuseMove(err error) error {
	var illegal *chess.IllegalMoveError
	if errors.As(err, &illegal) && illegal.Rule == chess.RuleNotOpen && v.Closed != "" {
		return &Refusal{Code: IllegalMove, Detail: illegal.UCI + " cannot be played: " + v.Closed + "; choose another move.", Cause: err}
	}
	return refuseMove(err)
}

func refuseMove(err error) error {
	var illegal *chess.IllegalMoveError
	if errors.As(err, &illegal) {
		return &Refusal{Code: IllegalMove, Detail: err.Error(), Cause: err}
	}
	return &Refusal{Code: BadCommand, Detail: err.Error(), Cause: err}
}
