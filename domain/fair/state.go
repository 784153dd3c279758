package fair

import "slices"

// A State is what a game's ledger has said of chance so far. It is a value:
// [State.Evolve] returns the next one and never changes the one it was given.
// State{Game: id} is a game of which nothing has been said.
type State struct {
	Game string
	C, X Hash // commitment to the seed; newest opened link of the server, X_0 at first
	Len  int  // links in the server's chain, 0 before the commitment
	Duet bool // every seat opens a link before each random event

	Rolls    int // rolls so far
	Seat     [Seats]SeatChain
	Piles    []Pile          // one a shuffle
	Hands    []CommittedHand // every hand commitment, of both seats
	Drawn    [Seats][]Position
	Played   [Seats][]int // cards, in the order they left the hand
	Revealed bool
}

// A SeatChain is what is known of a seat's chain.
type SeatChain struct {
	Anchored, Delegated bool
	Stopped             bool // lost its chain: opens no more links
	Fresh               bool // has opened a link since the last random event
	Y                   Hash // newest opened link, the anchor at first
	Opened              int  // links opened
	Ack                 Hash // newest record the seat has said it saw, or zero
}

// A Pile is a shuffled pile of cards: which cards, bound to which order, and
// how many are drawn.
type Pile struct {
	In     []int // card ids, ascending
	Leaves Leaves
	Links  [Seats]Hash // of the seats, when it was shuffled
	Cursor int         // position of the next card
}

// Left is the number of cards not yet drawn.
func (p Pile) Left() int { return len(p.In) - p.Cursor }

// A Position is a place in a pile: shuffle S, position I, 0 at the top.
type Position struct{ S, I int }

// A CommittedHand is a hand that was committed, and how many cards its seat had
// drawn and played by then.
type CommittedHand struct {
	Seat          int
	Leaves        Leaves
	Drawn, Played int
}

// Committed reports whether the game's commitment has been seen.
func (s State) Committed() bool { return s.Len > 0 }

// Anchored reports whether every seat's anchor has been seen.
func (s State) Anchored() bool { return s.every(func(c *SeatChain) bool { return c.Anchored }) }

// Ready reports whether every seat has opened a link, which ends the opening.
func (s State) Ready() bool { return s.every(func(c *SeatChain) bool { return c.Opened > 0 }) }

// MayRoll reports whether a shuffle or a roll may happen now: the opening is
// over and, in duet, every seat has opened a link since the last one.
func (s State) MayRoll() bool {
	return s.Ready() && (!s.Duet || s.every(func(c *SeatChain) bool { return c.Fresh }))
}

// Owes reports whether a turn action of the seat must carry its next link: it
// has opened one before, but none since the last shuffle or roll. In duet
// links go by themselves and no action carries one.
func (s State) Owes(seat int) bool {
	c := &s.Seat[seat]
	return !s.Duet && c.Opened > 0 && !c.Fresh && !c.Stopped
}

// Exhausted reports whether a chain has run out, so that the game must end
// before anything random happens again.
func (s State) Exhausted() bool {
	return s.Committed() && s.Rolls >= s.Len ||
		!s.every(func(c *SeatChain) bool { return !c.Delegated || c.Stopped || c.Opened < DefaultLen })
}

// Stop returns s after the seat has lost its chain. Its last link stays in
// every mix; it opens no more.
func (s State) Stop(seat int) State {
	s.Seat[seat].Stopped = true
	return s
}

// Draw is the draw of the next n cards of the newest pile to a seat or to
// [Public], or of those left if they are fewer; nil if none is left.
func (s State) Draw(n, to int) *Draw {
	if len(s.Piles) == 0 {
		return nil
	}
	last := len(s.Piles) - 1
	p := s.Piles[last]
	n = min(n, p.Left())
	if n < 1 {
		return nil
	}
	i := make([]int, n)
	for j := range i {
		i[j] = p.Cursor + j
	}
	return &Draw{I: i, S: last, To: to}
}

// Evolve folds one event's part into s; a nil part changes nothing. It never
// fails, for an event is a fact: what is out of range is passed over.
func (s State) Evolve(p *Part) State {
	if p == nil {
		return s
	}
	s = s.Own()
	s.Absorb(p)
	return s
}

// Own returns s with memory of its own to grow into: what it absorbs from now
// on shows in no other copy of s.
func (s State) Own() State {
	s.Piles = slices.Clone(s.Piles)
	s.Hands = slices.Clip(s.Hands)
	for i := range s.Drawn {
		s.Drawn[i], s.Played[i] = slices.Clip(s.Drawn[i]), slices.Clip(s.Played[i])
	}
	return s
}

// Absorb is [State.Evolve] in place, for a State that came from [State.Own] and
// was not copied since: folding a long game so costs no copy an event.
func (s *State) Absorb(p *Part) {
	s.evolveChains(p)
	if p.Random() {
		s.evolveRandom()
	}
	if p.Shuffle != nil {
		s.evolveShuffle(p.Shuffle)
	}
	if p.Draw != nil {
		s.evolveDraw(p.Draw)
	}
	for i := range p.Play {
		s.evolvePlay(&p.Play[i])
	}
	if p.Hand != nil {
		s.evolveHand(p.Hand)
	}
	if p.Roll != nil {
		s.Rolls, s.X = p.Roll.K, p.Roll.X
	}
	if p.Reveal != nil {
		s.Revealed = true
	}
}

func (s *State) evolveChains(p *Part) {
	if p.Commit != nil {
		s.evolveCommit(p.Commit)
	}
	for i := range p.Anchor {
		s.evolveAnchor(&p.Anchor[i])
	}
	if p.Link != nil {
		s.evolveLink(p.Link)
	}
	if p.Ack != nil && isSeat(p.Ack.Seat) {
		s.Seat[p.Ack.Seat].Ack = p.Ack.H
	}
}

func (s *State) evolveCommit(c *Commit) { s.C, s.X, s.Len, s.Duet = c.C, c.X, c.Len, c.Duet }

func (s *State) evolveAnchor(a *Anchor) {
	if isSeat(a.Seat) {
		c := &s.Seat[a.Seat]
		c.Anchored, c.Delegated, c.Y = true, a.Delegated, a.Y
	}
}

func (s *State) evolveLink(l *Link) {
	if isSeat(l.Seat) {
		c := &s.Seat[l.Seat]
		c.Y, c.Fresh = l.Y, true
		c.Opened++
	}
}

// evolveRandom starts a new stretch between two random events.
func (s *State) evolveRandom() {
	for i := range s.Seat {
		s.Seat[i].Fresh = false
	}
}

func (s *State) evolveShuffle(sh *Shuffle) {
	s.Piles = append(s.Piles, Pile{In: sh.In, Leaves: sh.Leaves, Links: s.links()})
}

func (s *State) evolveDraw(d *Draw) {
	if d.S < 0 || d.S >= len(s.Piles) {
		return
	}
	s.Piles[d.S].Cursor += len(d.I)
	if !isSeat(d.To) {
		return
	}
	for _, i := range d.I {
		s.Drawn[d.To] = append(s.Drawn[d.To], Position{d.S, i})
	}
}

func (s *State) evolvePlay(p *Play) {
	if isSeat(p.Seat) {
		s.Played[p.Seat] = append(s.Played[p.Seat], p.Card)
	}
}

func (s *State) evolveHand(h *Hand) {
	if isSeat(h.Seat) {
		s.Hands = append(s.Hands, CommittedHand{
			Seat: h.Seat, Leaves: h.Leaves, Drawn: len(s.Drawn[h.Seat]), Played: len(s.Played[h.Seat]),
		})
	}
}

// newestHand is the number of the seat's newest hand commitment, or false.
func (s *State) newestHand(seat int) (int, bool) {
	for h := len(s.Hands) - 1; h >= 0; h-- {
		if s.Hands[h].Seat == seat {
			return h, true
		}
	}
	return 0, false
}

// links are the newest opened links of the seats.
func (s *State) links() [Seats]Hash { return [Seats]Hash{s.Seat[0].Y, s.Seat[1].Y} }

func (s *State) every(is func(*SeatChain) bool) bool {
	for i := range s.Seat {
		if !is(&s.Seat[i]) {
			return false
		}
	}
	return true
}

func isSeat(seat int) bool { return 0 <= seat && seat < Seats }
