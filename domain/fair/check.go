package fair

import (
	"fmt"
	"slices"
)

// Steps of the verifier, by which a [Violation] says what failed.
const (
	StepOver    = "over"    // a part after the reveal
	StepCommit  = "commit"  // the commitment, in the first event and no other
	StepAnchor  = "anchor"  // one a seat
	StepLink    = "link"    // a seat's chain
	StepAck     = "ack"     // what a seat has seen
	StepChance  = "chance"  // a shuffle or roll before the links it needs
	StepShuffle = "shuffle" // the form of a shuffle
	StepDraw    = "draw"    // the next positions of a pile
	StepOpen    = "open"    // a position's leaf
	StepPlay    = "play"    // a hand's envelope
	StepHand    = "hand"    // a hand commitment
	StepRoll    = "roll"    // the server's chain, and what it derives
	StepReveal  = "reveal"  // the seed, and all that was derived from it
)

// maxLen bounds the chain that a verifier is willing to compute.
const maxLen = 1 << 20

// A Violation says which step of the verification failed, and how.
type Violation struct {
	Step   string // one of the Step constants
	Detail string
}

// Error says what failed.
func (v *Violation) Error() string { return "fair: " + v.Step + ": " + v.Detail }

func violated(step, format string, args ...any) error {
	return &Violation{Step: step, Detail: fmt.Sprintf(format, args...)}
}

// Check is the verifier's step for one event: whether part p (nil if the event
// has none) may follow s. It returns nil or a [*Violation], and evolves nothing.
//
// Parts must be given in ledger order from State{Game: id} on, each checked
// before it is evolved. Earlier finds the number of an earlier record of the game by its
// [RecordHash]; if it is nil, acks are not looked up.
func (s State) Check(p *Part, earlier func(Hash) (n int, ok bool)) error {
	if p != nil {
		s = s.Own()
	}
	if err := s.Follow(p, earlier); err != nil || p == nil || p.Reveal == nil {
		return err
	}
	return s.Dealer(p.Reveal.Seed).CheckReveal(&s)
}

// Follow is [State.Check] which absorbs p as well, in place, for a State that came from
// [State.Own] and was not copied since. After a violation s means nothing any more. What
// a revealed seed derives is left to [Dealer.CheckReveal].
func (s *State) Follow(p *Part, earlier func(Hash) (n int, ok bool)) error {
	if p == nil || p.Commit == nil {
		if !s.Committed() {
			return violated(StepCommit, "the first event has none")
		}
	}
	if p == nil {
		return nil
	}
	if s.Revealed {
		return violated(StepOver, "a part after the reveal")
	}
	if err := s.checkChains(p, earlier); err != nil {
		return err
	}
	if err := s.checkCards(p); err != nil {
		return err
	}
	if p.Roll != nil {
		if err := s.checkRoll(p.Roll); err != nil {
			return err
		}
		s.Rolls, s.X = p.Roll.K, p.Roll.X
	}
	s.Revealed = p.Reveal != nil
	return nil
}

// checkChains checks and absorbs what must be known before anything random.
func (s *State) checkChains(p *Part, earlier func(Hash) (int, bool)) error {
	if p.Commit != nil {
		if err := s.checkCommit(p.Commit); err != nil {
			return err
		}
		s.evolveCommit(p.Commit)
	}
	for i := range p.Anchor {
		if err := s.checkAnchor(&p.Anchor[i]); err != nil {
			return err
		}
		s.evolveAnchor(&p.Anchor[i])
	}
	if p.Link != nil {
		if err := s.checkLink(p.Link); err != nil {
			return err
		}
		s.evolveLink(p.Link)
	}
	if p.Ack != nil {
		if err := s.checkAck(p.Ack, earlier); err != nil {
			return err
		}
		s.Seat[p.Ack.Seat].Ack = p.Ack.H
	}
	if p.Random() {
		if err := s.checkRandom(); err != nil {
			return err
		}
		s.evolveRandom()
	}
	return nil
}

func (s *State) checkCommit(c *Commit) error {
	switch {
	case s.Committed():
		return violated(StepCommit, "a second one")
	case c.Alg != Protocol:
		return violated(StepCommit, "alg is %q; this verifier knows %q", c.Alg, Protocol)
	case c.Seats != Seats:
		return violated(StepCommit, "%d seats; this verifier knows %d", c.Seats, Seats)
	case c.Len < 1 || c.Len > maxLen:
		return violated(StepCommit, "a chain of %d links; it must have 1 to %d", c.Len, maxLen)
	case !ValidGameID(s.Game):
		return violated(StepCommit, "%q is no game id", s.Game)
	}
	return nil
}

func (s *State) checkAnchor(a *Anchor) error {
	switch {
	case !isSeat(a.Seat):
		return violated(StepAnchor, "there is no seat %d", a.Seat)
	case s.Seat[a.Seat].Anchored:
		return violated(StepAnchor, "a second one for seat %d", a.Seat)
	}
	return nil
}

func (s *State) checkLink(l *Link) error {
	switch {
	case !isSeat(l.Seat):
		return violated(StepLink, "there is no seat %d", l.Seat)
	case !s.Anchored():
		return violated(StepLink, "of seat %d before all anchors are logged", l.Seat)
	case s.Seat[l.Seat].Stopped:
		return violated(StepLink, "seat %d has stopped its chain", l.Seat)
	case s.Seat[l.Seat].Fresh:
		return violated(StepLink, "a second one of seat %d without a random event in between", l.Seat)
	case NextLink(s.Game, Role(l.Seat), l.Y) != s.Seat[l.Seat].Y:
		return violated(StepLink, "does not fit the chain of seat %d", l.Seat)
	}
	return nil
}

func (s *State) checkAck(a *Ack, earlier func(Hash) (int, bool)) error {
	if !isSeat(a.Seat) {
		return violated(StepAck, "there is no seat %d", a.Seat)
	}
	if earlier == nil {
		return nil
	}
	n, ok := earlier(a.H)
	if !ok {
		return violated(StepAck, "no earlier record of this game has hash %v", a.H)
	}
	if last, ok := earlier(s.Seat[a.Seat].Ack); ok && n < last {
		return violated(StepAck, "of record %d, but seat %d has seen record %d", n, a.Seat, last)
	}
	return nil
}

func (s *State) checkRandom() error {
	switch {
	case !s.Ready():
		return violated(StepChance, "a random event before every seat has opened a link")
	case !s.MayRoll():
		return violated(StepChance, "a random event in duet without a fresh link of every seat")
	}
	return nil
}

func (s *State) checkRoll(r *Roll) error {
	switch {
	case r.K != s.Rolls+1:
		return violated(StepRoll, "k is %d, but there were %d rolls", r.K, s.Rolls)
	case r.K > s.Len:
		return violated(StepRoll, "roll %d of a chain of %d links", r.K, s.Len)
	case len(r.Sides) == 0 || len(r.Out) != len(r.Sides):
		return violated(StepRoll, "%d numbers of %d dice", len(r.Out), len(r.Sides))
	case !validSides(r.Sides):
		return violated(StepRoll, "a die must have 1 to %d sides", int64(MaxSides))
	case NextLink(s.Game, ServerRole, r.X) != s.X:
		return violated(StepRoll, "x of roll %d does not fit the server's chain", r.K)
	}
	if want := rollOut(s.Game, r.K, r.X, s.links(), r.Sides); !slices.Equal(r.Out, want) {
		return violated(StepRoll, "roll %d is %v, but the links derive %v", r.K, r.Out, want)
	}
	return nil
}

func validSides(sides []int) bool {
	for _, n := range sides {
		if n < 1 || int64(n) > MaxSides {
			return false
		}
	}
	return true
}
