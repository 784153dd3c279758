package game

// seated refuses what only a player may ask, and only once nobody can leave for
// free any more: while the game runs, and between the rolls of an opening in duet.
func (d *decision) seated() error {
	switch {
	case d.command.By == Spectator:
		return Refuse(NotYourTurn, "Only the players of this game act in it.")
	case !d.chanceSpoke():
		return Refuse(NotStarted, "The game has not started; you may cancel it.")
	}
	return nil
}

func (d *decision) resign() error {
	if err := d.seated(); err != nil {
		return err
	}
	d.emit(Resigned{Seat: d.command.By}, nil)
	d.winFor(d.command.By.Other(), Resignation)
	return nil
}

// offerDraw proposes a draw. To offer what is already offered is to agree.
func (d *decision) offerDraw() error {
	if err := d.seated(); err != nil {
		return err
	}
	switch d.state.Offer {
	case d.command.By:
		return Refuse(NotPending, "Your offer stands already; it lasts until the other side's next move.")
	case d.command.By.Other():
		return d.acceptDraw()
	default:
		d.emit(DrawOffered{Seat: d.command.By}, nil)
		return nil
	}
}

func (d *decision) acceptDraw() error {
	if err := d.offered(); err != nil {
		return err
	}
	d.emit(DrawAccepted{Seat: d.command.By}, nil)
	d.end(Drawn, Spectator, Agreement)
	return nil
}

func (d *decision) declineDraw() error {
	if err := d.offered(); err != nil {
		return err
	}
	d.emit(DrawDeclined{Seat: d.command.By}, nil)
	return nil
}

func (d *decision) offered() error {
	if err := d.seated(); err != nil {
		return err
	}
	if d.state.Offer != d.command.By.Other() {
		return Refuse(NotPending, "There is no draw offer of the other side to answer.")
	}
	return nil
}

// claimDraw grants the draw that the player to move may ask for. Who has a choice
// to make after a move is not to move.
func (d *decision) claimDraw() error {
	if err := d.myTurn(d.state.Phase); err != nil {
		return err
	}
	p, err := d.state.Position()
	if err != nil {
		return err
	}
	for _, c := range d.variant.Claims {
		if d.state.Phase == PhaseMove && c.Ends(d.state, &p) {
			d.emit(DrawClaimed{Seat: d.command.By}, nil)
			d.end(Drawn, Spectator, c.Reason)
			return nil
		}
	}
	return Refuse(NotPending, "There is nothing to claim: no third occurrence of this position and no fifty moves without a capture or pawn move.")
}

// cancel calls the game off. Alone only before it begins: afterwards nobody leaves
// for free who has seen his colors, array or hand.
func (d *decision) cancel() error {
	by := d.command.By
	if by == Spectator {
		return Refuse(NotYourTurn, "Only the players of this game act in it.")
	}
	if d.chanceSpoke() && d.state.Cancel != by.Other() {
		if d.state.Cancel == by {
			return Refuse(NotPending, "You have asked already; the game is called off when the other side asks too.")
		}
		d.emit(CancelAsked{Seat: by}, nil)
		return nil
	}
	d.emit(Cancelled{Seat: by}, nil)
	d.emit(GameAborted{Reason: ByCancel}, nil)
	d.reveal()
	return nil
}

func (d *decision) chanceSpoke() bool {
	return d.state.started() || d.state.Fair.Rolls > 0 || len(d.state.Fair.Piles) > 0
}
