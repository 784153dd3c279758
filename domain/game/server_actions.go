package game

import (
	"slices"

	"chancery/domain/chess"
)

// callFlag ends the game against the seat whose time ran out. It is a draw where
// the other side could not win by any sequence of moves.
func (d *decision) callFlag(a CallFlag) error {
	if !d.state.Playing() || d.state.Clock.Running != a.Seat || !d.state.Clock.fallen(d.command.At) {
		return Refuse(NotPending, "The seat has time left.")
	}
	p, err := d.state.Position()
	if err != nil {
		return err
	}
	d.emit(FlagFell(a), nil)
	winner := a.Seat.Other()
	if d.variant.CannotWin != nil && d.variant.CannotWin(&p, d.state.Army(winner)) {
		d.end(Drawn, Spectator, Timeout)
		return nil
	}
	d.winFor(winner, Timeout)
	return nil
}

// callForfeit ends the game against a seat that owes its opening link or its turn.
// How long is too long is the server's business.
func (d *decision) callForfeit(a CallForfeit) error {
	if !d.state.owes(a.Seat) && d.state.ToAct() != a.Seat {
		return Refuse(NotPending, "The seat owes nothing.")
	}
	d.emit(Forfeited(a), nil)
	d.winFor(a.Seat.Other(), Forfeit)
	return nil
}

func (d *decision) pause(a Pause) error {
	if !d.state.Playing() || d.state.Paused {
		return Refuse(NotPending, "The game does not run.")
	}
	d.emit(GamePaused{Clock: d.clocksNow(), Reason: a.Reason}, nil)
	return nil
}

func (d *decision) clocksNow() *Clocks {
	if !d.state.Clock.Used {
		return nil
	}
	left := d.state.Clock.At(d.command.At)
	return &left
}

// resume lets the clocks go on. It never takes time from anybody, and gives back
// at most what the running seat has been charged since its turn began.
func (d *decision) resume(a Resume) error {
	s := d.state
	if !s.Playing() || s.Clock.Used != (a.Clock != nil) {
		return Refuse(NotPending, "The game does not run.")
	}
	if a.Clock != nil {
		now := s.Clock.At(d.command.At)
		for i := range now {
			if a.Clock[i] < now[i] || a.Clock[i] > s.Clock.Left[i] {
				return Refuse(BadCommand, "A resumed clock lies between what is left now and what was left when the turn began.")
			}
		}
	}
	d.emit(GameResumed{Clock: a.Clock, Reason: a.Reason}, nil)
	return nil
}

// Why the server may abort a game, and why one may be voided.
var (
	abortReasons = []Reason{NoOpponent, Abandoned, ByServer, KeyCompromise}
	voidReasons  = []Reason{SeedLost, Administrator}
)

func (d *decision) abort(a Abort) error {
	switch {
	case !slices.Contains(abortReasons, a.Reason):
		return Refuse(BadCommand, "A game is aborted for one of the reasons %s.", abortReasons)
	case a.Reason == NoOpponent && d.state.Phase != PhaseOpen:
		return Refuse(NotPending, "The game has its second player.")
	}
	d.emit(GameAborted(a), nil)
	d.reveal()
	return nil
}

// void takes the game out of every count. Where the seed is lost there is nothing
// to reveal, which the ledger then shows for ever.
func (d *decision) void(a Void) error {
	switch {
	case !slices.Contains(voidReasons, a.Reason):
		return Refuse(BadCommand, "A game is voided for one of the reasons %s.", voidReasons)
	case d.state.Phase == "" || d.state.Voided:
		return Refuse(NotPending, "There is no such game, or it is void already.")
	}
	over := d.state.Over()
	d.emit(GameVoided(a), nil)
	if !over && a.Reason != SeedLost {
		d.reveal()
	}
	return nil
}

// lacksForce says that an army could not mate by any sequence of legal moves: it
// has, on the board and in reserve, only a king, or a king and one minor piece.
func lacksForce(p *chess.Position, a Army) bool { return p.CannotMate(a.Color()) }
