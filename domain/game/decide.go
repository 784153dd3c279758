package game

import "chancery/domain/fair"

// Chance is how the rules meet luck and secrets. Every answer is a function of the
// game's sealed seed and of what the ledger says so far, so asking twice is no
// second roll. A [fair.Dealer] is the real one; scenarios script another.
type Chance interface {
	// Commit binds the server to its seed before anybody moves.
	Commit(duet bool) *fair.Commit
	// Anchor begins the chain of a seat that delegated it.
	Anchor(seat int) fair.Anchor
	// Link is the next link of a delegated seat's chain.
	Link(at fair.State, seat int) *fair.Link
	// Roll throws one die for each entry of sides; faces count from 0.
	Roll(at fair.State, sides ...int) *fair.Roll
	// Shuffle lays the cards into a new draw pile.
	Shuffle(at fair.State, in []int) *fair.Shuffle
	// Open shows the card at a drawn position of a pile.
	Open(at fair.State, s, i int) fair.Open
	// Hand commits to the whole hand of a seat.
	Hand(at fair.State, seat int, held []int) *fair.Hand
	// Play opens the envelope of a card of the seat's newest hand.
	Play(at fair.State, seat, card int) fair.Play
	Secrets
	// Reveal opens the seed.
	Reveal() *fair.Reveal
}

// Secrets knows the order of the piles that are shuffled, and so the hands.
type Secrets interface {
	// Order is the order of pile s, the top card first.
	Order(at fair.State, s int) []int
}

// Decide answers c with the events it causes, in order, or refuses it with a
// [Refusal] and changes nothing. It is pure: the same State, Command and seed
// always give the same answer. The first event is the command's own and carries
// its arguments; the others are its consequences.
func Decide(s State, c Command, chance Chance) ([]Event, error) {
	_, events, err := Next(s, c, chance)
	return events, err
}

// Next is [Decide] that gives the State behind the events as well, which it knows
// anyway; s if the command is refused.
func Next(s State, c Command, chance Chance) (State, []Event, error) {
	c.At = max(c.At, s.At)
	d := &decision{state: s, command: c, chance: chance}
	if s.Phase != "" {
		d.n = s.N + 1
	}
	if err := d.admit(); err != nil {
		return s, nil, err
	}
	if err := d.act(); err != nil {
		return s, nil, err
	}
	if d.unusedLink {
		return s, nil, Refuse(BadLink, "No link of your chain is due with this command; send it without one and keep the link for later.")
	}
	return d.state, d.events, nil
}

// Continue lets happen what happens by itself in s, such as the draw that begins a
// turn. After a command nothing is left to happen; a table that was set up by hand
// may have something.
func Continue(s State, at Instant, chance Chance) []Event {
	d := &decision{state: s, command: Command{At: max(at, s.At)}, chance: chance, n: s.N + 1}
	if d.findVariant() == nil {
		d.advance()
	}
	return d.events
}

// admit refuses what cannot be asked in this phase of a game's life.
func (d *decision) admit() error {
	d.unusedLink = d.command.Link != nil
	switch d.command.Action.(type) {
	case Create:
		if d.state.Phase != "" {
			return Refuse(Exists, "A game with this id exists already; choose another id.")
		}
		return nil
	case Void:
		return nil
	default: // is asked in a game that goes on
	}
	switch {
	case d.state.Phase == "":
		return Refuse(NotStarted, "There is no such game.")
	case d.state.Over():
		return Refuse(GameOver, "The game is over; nothing can be changed any more.")
	}
	return d.findVariant()
}

func (d *decision) act() error {
	switch a := d.command.Action.(type) {
	case Create:
		return d.create(a)
	case Join:
		return d.join(a)
	case OpenLink:
		return d.openLink()
	case StopLinks:
		return d.stopLinks()
	case Move:
		return d.move(a)
	case Drop, Promote, PlayCard, Discard, Pass, CallUno, CatchUno:
		if d.variant.Act == nil {
			return Refuse(BadCommand, "%s knows no such action.", d.variant.Name)
		}
		return d.variant.Act(d, a)
	case Resign:
		return d.resign()
	case OfferDraw:
		return d.offerDraw()
	case AcceptDraw:
		return d.acceptDraw()
	case DeclineDraw:
		return d.declineDraw()
	case ClaimDraw:
		return d.claimDraw()
	case Cancel:
		return d.cancel()
	case CallFlag:
		return d.callFlag(a)
	case CallForfeit:
		return d.callForfeit(a)
	case Pause:
		return d.pause(a)
	case Resume:
		return d.resume(a)
	case Abort:
		return d.abort(a)
	case Void:
		return d.void(a)
	}
	return Refuse(BadCommand, "This is no command of the game.")
}
