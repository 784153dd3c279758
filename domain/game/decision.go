package game

import (
	"chancery/domain/chess"
	"chancery/domain/fair"
)

// A decision accumulates the events of one command, so that each step sees what
// the steps before it caused.
type decision struct {
	state      State
	variant    Variant
	command    Command
	chance     Chance
	n          int // number of the record being made
	events     []Event
	unusedLink bool // the command carried a link that nothing has asked for
}

func (d *decision) findVariant() (err error) {
	d.variant, err = d.state.variant()
	return err
}

// emit adds an event and folds it in. The command's acknowledgement rides on the
// first one.
func (d *decision) emit(f Fact, part *fair.Part) {
	if d.command.Ack != nil && len(d.events) == 0 {
		if part == nil {
			part = new(fair.Part)
		}
		part.Ack = &fair.Ack{H: *d.command.Ack, Seat: d.command.By.Wire()}
	}
	e := Event{N: d.n, At: d.command.At, Fact: f, Fair: part}
	d.events = append(d.events, e)
	d.state = Evolve(d.state, e)
}

// advance lets everything happen that happens by itself, until the game waits for
// somebody. In duet a step of chance first waits for a fresh link of every seat.
func (d *decision) advance() {
	for !d.state.Over() {
		step, ok := d.due()
		if !ok {
			return
		}
		step.Do(d)
	}
}

// due is the first step whose time has come, if nothing has to be waited for.
func (d *decision) due() (Step, bool) {
	for _, step := range d.variant.Steps {
		if step.Due(d.state) {
			random := step.Chance != nil && step.Chance(d.state)
			return step, !random || d.linked()
		}
	}
	return Step{}, false
}

// linked makes sure that chance may speak. In duet delegated seats open their links
// right here; those of players are waited for, and so is a record in which nothing else
// was decided.
func (d *decision) linked() bool {
	if !d.state.Fair.Duet {
		return d.state.Fair.MayRoll()
	}
	switch {
	case len(d.state.Owing()) > 0:
		return false
	case d.state.Fair.Exhausted():
		return true
	case !d.alone():
		return false
	}
	for _, seat := range Players {
		if chain := d.state.Fair.Seat[seat.Wire()]; chain.Delegated && !chain.Fresh {
			if part, _ := d.nextLink(seat); part != nil {
				d.emit(LinkOpened{Seat: seat}, part)
			}
		}
	}
	return d.state.Fair.MayRoll() || d.state.Fair.Exhausted()
}

// alone says that the record so far is one in which chance may speak in duet: it opens
// links or brings the second player, and nothing random is in it. So whoever acts has
// acted before, and is seen to have.
func (d *decision) alone() bool {
	for i, e := range d.events {
		switch e.Fact.(type) {
		case LinkOpened, PlayerJoined:
		default:
			if i == 0 {
				return false
			}
		}
		if e.Fair.Random() {
			return false
		}
	}
	return true
}

// roll throws dice and hands their faces, counted from 0, and the proof of them to
// note. A server chain without links left ends the game as a draw instead.
func (d *decision) roll(note func(faces []int, part *fair.Part), sides ...int) {
	if d.state.Fair.Exhausted() {
		d.end(Drawn, Spectator, Exhausted)
		return
	}
	r := d.chance.Roll(d.state.Fair, sides...)
	note(r.Out, &fair.Part{Roll: r})
}

// link is the proof part with the link that a turn action of the seat has to carry,
// or nil where none is due. Links are due exactly as often as the course of the
// game demands: a seat free to open more could try them until it likes a roll.
func (d *decision) link(seat Seat) (*fair.Part, error) {
	if d.state.Fair.Owes(seat.Wire()) || d.volunteers(seat) {
		return d.nextLink(seat)
	}
	return nil, nil
}

// volunteers says that in duet, where links go by themselves, the seat sends the
// one that the next roll needs along with its turn.
func (d *decision) volunteers(seat Seat) bool {
	chain := d.state.Fair.Seat[seat.Wire()]
	return d.state.Fair.Duet && d.command.Link != nil && !chain.Delegated && !chain.Fresh
}

// nextLink is the seat's next link: the server's to make where the chain is
// delegated, the client's to send and ours to check where it is not.
func (d *decision) nextLink(seat Seat) (*fair.Part, error) {
	chain := d.state.Fair.Seat[seat.Wire()]
	if chain.Delegated {
		if link := d.chance.Link(d.state.Fair, seat.Wire()); link != nil {
			if y := d.command.Link; y != nil && *y == link.Y {
				d.unusedLink = false // a command read back from its record names the server's own link
			}
			return &fair.Part{Link: link}, nil
		}
		return nil, nil // the chain has run out, which ends the game at the next roll
	}
	y := d.command.Link
	if y == nil || d.command.By != seat {
		return nil, Refuse(BadLink, "This command must carry the next link of your chain; send it as \"link\".")
	}
	d.unusedLink = false
	if fair.NextLink(d.state.ID, fair.Role(seat.Wire()), *y) != chain.Y {
		return nil, Refuse(BadLink, "The link does not lead to the last one of your chain; send the link that follows it.")
	}
	return &fair.Part{Link: &fair.Link{Seat: seat.Wire(), Y: *y}}, nil
}

// end writes the result and opens the seed.
func (d *decision) end(r Result, winner Seat, why Reason) {
	d.emit(GameEnded{Reason: why, Result: r, Winner: winner}, nil)
	d.reveal()
}

// draw ends the game without a winner.
func (d *decision) draw(why Reason) { d.end(Drawn, Spectator, why) }

// winFor ends the game in favour of the seat.
func (d *decision) winFor(seat Seat, why Reason) {
	r := WhiteWins
	if d.state.Army(seat) == BlackArmy {
		r = BlackWins
	}
	d.end(r, seat, why)
}

// reveal shows what was hidden, then opens the seed. Nothing random follows.
func (d *decision) reveal() {
	if d.variant.Hidden != nil {
		d.variant.Hidden(d)
	}
	d.emit(SeedRevealed{}, &fair.Part{Reveal: d.chance.Reveal()})
}

// judge ends the game if the move just made did.
func (d *decision) judge(p *chess.Position, mover Seat) {
	for _, e := range d.variant.Ends {
		switch {
		case !e.Ends(d.state, p):
			continue
		case e.Wins:
			d.winFor(mover, e.Reason)
		default:
			d.end(Drawn, Spectator, e.Reason)
		}
		return
	}
}
