package game

import (
	"chancery/domain/chess"
	"chancery/domain/fair"
)

// create opens the table: what is agreed, the server's commitment to its seed, and
// the anchor of the first seat's chain.
func (d *decision) create(a Create) error {
	v, err := Lookup(a.Variant)
	if err != nil {
		return err
	}
	d.variant = v
	options, err := v.Complete(a.Options)
	if err != nil {
		return err
	}
	start, err := v.agreedStart(a, options)
	if err != nil {
		return err
	}
	if err := d.checkCreate(a); err != nil {
		return err
	}
	anchor := d.anchor(First, a.Anchor)
	a.Seats[0].Delegated = anchor.Delegated
	d.emit(GameCreated{
		Clock: a.Clock, Color: a.color(), Options: options, Rated: a.Rated, Rules: v.rulesUsed(options),
		Seats: a.Seats[:], Start: start, Variant: v.Key,
	}, &fair.Part{Commit: d.chance.Commit(options["duet"].Bool()), Anchor: []fair.Anchor{anchor}})
	return nil
}

func (v Variant) rulesUsed(o Options) RulesUsed {
	used := RulesUsed{Version: v.Rules}
	if v.Deck != nil {
		used.Deck = v.Deck(o).Hash()
	}
	return used
}

func (d *decision) checkCreate(a Create) error {
	id := d.state.ID
	switch {
	case !fair.ValidGameID(id) || LedgerWide(id):
		return Refuse(BadCommand, "A game id is 1 to 64 letters, digits, - or _, and does not begin with _.")
	case a.color() != PreferWhite && a.color() != PreferBlack && a.color() != PreferRandom:
		return Refuse(BadOption, "The color is white, black or random.")
	case a.Rated && a.Start != "":
		return Refuse(BadOption, "A game from an agreed position cannot be rated; leave out start or rated.")
	}
	return a.Clock.check()
}

func (a Create) color() ColorPref {
	if a.Color == "" {
		return PreferWhite
	}
	return a.Color
}

// agreedStart is the FEN of an agreed start position in its written form, or empty
// where the variant's own start is used. A position must be playable, and its game
// not over.
func (v Variant) agreedStart(a Create, options Options) (string, error) {
	if a.Start == "" {
		return "", nil
	}
	p, err := chess.ParsePosition(a.Start, v.Law(options))
	if err != nil {
		return "", &Refusal{Code: BadPosition, Detail: "The start position cannot be played: " + err.Error(), Cause: err}
	}
	for _, e := range v.Ends {
		if e.Ends(State{FEN: p.FEN(), Options: options}, &p) {
			return "", Refuse(BadPosition, "The start position cannot be played: the game would be over (%s).", e.Reason)
		}
	}
	return p.FEN(), nil
}

func (d *decision) anchor(seat Seat, own *fair.Hash) fair.Anchor {
	if own == nil {
		return d.chance.Anchor(seat.Wire())
	}
	return fair.Anchor{Seat: seat.Wire(), Y: *own}
}

// join takes the second seat. Its link may come at once, because the first seat's
// anchor stands in the ledger already; a delegated first seat opens its own behind
// it. Then the game starts, or waits for the creator's link.
func (d *decision) join(a Join) error {
	if d.state.Phase != PhaseOpen {
		return Refuse(AlreadyJoined, "Both seats are taken; watch the game, or create one of your own.")
	}
	if a.Player != "" && a.Player == d.state.Seats[0].Player {
		return Refuse(AlreadyJoined, "You sit at this table already; send the invitation to somebody else.")
	}
	if want := d.state.Seats[1]; (want.Bot != "" || want.Player != "") && (want.Bot != a.Bot || want.Player != a.Player) {
		return Refuse(AlreadyJoined, "The second seat is kept for somebody else.")
	}
	anchor := d.anchor(Second, a.Anchor)
	part := &fair.Part{Anchor: []fair.Anchor{anchor}}
	seated := d.state.Fair.Evolve(part)
	link, err := d.joinersLink(seated, anchor)
	if err != nil {
		return err
	}
	part.Link = link
	d.emit(PlayerJoined{Bot: a.Bot, Player: a.Player, Seat: Second}, part)
	if d.state.Fair.Seat[0].Delegated {
		d.emit(LinkOpened{Seat: First}, &fair.Part{Link: d.chance.Link(d.state.Fair, First.Wire())})
	}
	d.advance()
	return nil
}

func (d *decision) joinersLink(seated fair.State, anchor fair.Anchor) (*fair.Link, error) {
	if anchor.Delegated {
		return d.chance.Link(seated, Second.Wire()), nil
	}
	y := d.command.Link
	switch {
	case y == nil:
		return nil, Refuse(BadLink, "Joining with a chain of your own needs its first link too; send it as \"link\".")
	case fair.NextLink(d.state.ID, fair.Role(Second.Wire()), *y) != anchor.Y:
		return nil, Refuse(BadLink, "The link does not lead to the anchor; send the first link of the chain that you anchored.")
	}
	d.unusedLink = false
	return &fair.Link{Seat: Second.Wire(), Y: *y}, nil
}

// openLink releases the link that the game waits for; the server, all links of the
// chains that it keeps, with which chance speaks.
func (d *decision) openLink() error {
	by := d.command.By
	if by == Spectator && d.state.AwaitsServer() {
		d.advance()
		return nil
	}
	if d.state.Phase != PhaseLink || !d.state.owes(by) {
		return Refuse(WrongPhase, "No link of yours is due by itself now.")
	}
	part, err := d.nextLink(by)
	if err != nil {
		return err
	}
	d.emit(LinkOpened{Seat: by}, part)
	d.advance()
	return nil
}

// stopLinks lets a seat that has lost its chain go on without. It needs to have
// opened one link before, for chance does not speak without every seat's.
func (d *decision) stopLinks() error {
	chain := d.state.Fair.Seat[d.command.By.Wire()]
	switch {
	case d.state.Fair.Duet:
		return Refuse(WrongPhase, "In duet every roll needs a link of yours; resign, or agree with your opponent to call the game off.")
	case chain.Delegated:
		return Refuse(WrongPhase, "The server keeps your chain; there is nothing to stop.")
	case chain.Stopped:
		return Refuse(WrongPhase, "Your chain is stopped already.")
	case chain.Opened == 0:
		return Refuse(WrongPhase, "A chain can be stopped once its first link is open; cancel the game instead.")
	}
	d.emit(LinksStopped{Seat: d.command.By}, nil)
	d.advance()
	return nil
}

// linked says that every seat has opened a link, so that the game may begin.
func linked(s State) bool {
	return s.Phase == PhaseLink && s.Joined && s.Fair.Ready() && !s.started()
}

// drawColors decides who plays White: as agreed, or by lot.
var drawColors = Step{
	Name:   "colors",
	Chance: func(s State) bool { return s.Color == PreferRandom },
	Due:    func(s State) bool { return linked(s) && s.White == Spectator },
	Do: func(d *decision) {
		if d.state.Color != PreferRandom {
			d.emit(ColorsDrawn{White: d.state.white()}, nil)
			return
		}
		d.roll(func(faces []int, part *fair.Part) {
			d.emit(ColorsDrawn{Roll: &faces[0], White: SeatFromWire(faces[0])}, part)
		}, 2)
	},
}

// startGame puts the first position on the board and starts the clocks.
var startGame = Step{
	Name: "start",
	Due:  func(s State) bool { return linked(s) && s.White != Spectator },
	Do: func(d *decision) {
		var left *Clocks
		if d.state.Clock.Used {
			left = &Clocks{d.state.Clock.Spec.Base, d.state.Clock.Spec.Base}
		}
		d.emit(GameStarted{Clock: left, FEN: d.startFEN(), White: d.state.White}, nil)
	},
}

func (d *decision) startFEN() string {
	switch {
	case d.state.FEN != "":
		return d.state.FEN // drawn by lot
	case d.state.Start != "":
		return d.state.Start
	}
	return d.variant.Start(d.state.Options)
}
