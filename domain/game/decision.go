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
	e := Event{At: d.command.At, Fact: f, Fair: part}
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

func (d *decision) due() (Step, bool) {
	for _, step := range d.variant.Steps {
		if step.Due(d.state) {
			return step, true
		}
	}
	return Step{}, false
}

// roll throws dice and hands their faces, counted from 0, and the proof of them to
// note. A server chain without links left ends the game as a draw instead.
func (d *decision) roll(note func(faces []int, part *fair.Part), sides ...int) {
	if d.state.Fair.Len > 0 && d.state.Fair.Rolls >= d.state.Fair.Len {
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
	if !d.state.Fair.Owes(seat.Wire()) {
		return nil, nil
	}
	return d.nextLink(seat)
}

// nextLink is the seat's next link: the server's to make where the chain is
// delegated, the client's to send and ours to check where it is not.
func (d *decision) nextLink(seat Seat) (*fair.Part, error) {
	chain := d.state.Fair.Seat[seat.Wire()]
	if chain.Delegated {
		return &fair.Part{Link: d.chance.Link(d.state.Fair, seat.Wire())}, nil
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

// winFor ends the game in favour of the seat.
func (d *decision) winFor(seat Seat, why Reason) {
	r := WhiteWins
	if d.state.Army(seat) == BlackArmy {
		r = BlackWins
	}
	d.end(r, seat, why)
}

func (d *decision) reveal() {
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
