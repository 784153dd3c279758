package game

import (
	"chancery/domain/chess"
	"chancery/domain/fair"
)

// A Phase is what the game waits for.
type Phase string

// The phases. The zero Phase is a game that does not exist yet.
const (
	PhaseOpen Phase = "open" // a second player
	PhaseLink Phase = "link" // links of the seats' chains, before chance may speak
	PhaseMove Phase = "move" // a move
	PhaseOver Phase = "over" // nothing

	PhaseCard    Phase = "card"    // a card to be played, or the forced discard
	PhaseDiscard Phase = "discard" // the discards that a card demands
	PhaseRescue  Phase = "rescue"  // a card that takes the capture of the king back
	PhasePlace   Phase = "place"   // recovered pawns to be placed
	PhaseChoose  Phase = "choose"  // the mover's choice among what the dice allow
)

// A State is a game as its events so far tell it, and nothing that they do not
// tell. It is a value: [Evolve] returns the next one and leaves the old one as it
// was, so whatever it refers to is never written again. Its exported methods take a
// pointer to spare a copy, and write nothing.
type State struct {
	ID      string
	N       int // number of the newest record
	I       int // index of the newest event in it
	Variant string
	Rules   int
	Options Options
	Color   ColorPref
	Rated   bool
	Start   string
	Seats   [2]Sitter // by wire number
	Joined  bool      // the second seat is taken

	Phase  Phase
	Due    string // the step of chance that comes next, where a variant has one in mid-game
	White  Seat   // the seat that commands the white army
	FEN    string // the position, once there is one
	Array  string // No Castle: White's back rank
	Plies  int    // moves on the board so far
	Last   string // the last move in UCI
	past   *past
	said   *said // the newest record
	Clock  Clock
	Paused bool
	Idle   int         // turns in a row without a move on the board, where a variant counts them
	Pools  [2]string   // captured men by their own army, as FEN letters in the order taken
	Cards  Table       // the cards on the table, of card variants
	Series Series      // the moves of this turn, where cards grant them
	Dice   *DiceRolled // the last roll, of dice variants
	Effect Effect      // what the dice at the end of a turn last did

	Offer  Seat // whose draw offer stands
	Cancel Seat // who proposed to call the game off

	Result Result
	Reason Reason
	Winner Seat
	Voided bool

	Fair fair.State
	At   Instant // when the last record was made
}

// Ranked says whether the result counts for ratings: the game was opened as a rated one,
// and people with accounts sit in the seats that are taken. A guest who joins a rated
// game plays one that does not count.
func (s *State) Ranked() bool {
	return s.Rated && s.Seats[0].Account() && (!s.Joined || s.Seats[1].Account())
}

// New is the State of a game of which nothing has been said.
func New(id string) State { return State{ID: id, Fair: fair.State{Game: id}} }

// past is one position that stood on the board and the move that led to it, linked
// backwards: sharing the tail makes a State cheap to copy and impossible to disturb.
type past struct {
	key  string
	men  [2]string // captured men, as in State.Pools
	from string    // FEN of the position in which the move was made
	uci  string    // the move; empty for the first position
	ref  Ref       // its event
	prev *past
}

// newestMove is the newest move that still stands: where it was made, and its
// event. There is none before the first one.
func (s *State) newestMove() (from string, ref Ref, ok bool) {
	if s.past == nil || s.past.prev == nil {
		return "", Ref{}, false
	}
	return s.past.from, s.past.ref, true
}

// Army is the army that the seat commands. Before colors are known the answer is
// what the creator asked for, and White for the first seat where chance decides.
func (s *State) Army(seat Seat) Army {
	if seat == s.white() {
		return WhiteArmy
	}
	return BlackArmy
}

// Commander is the seat that commands the army.
func (s *State) Commander(a Army) Seat {
	if a == WhiteArmy {
		return s.white()
	}
	return s.white().Other()
}

func (s *State) white() Seat {
	switch {
	case s.White != Spectator:
		return s.White
	case s.Color == PreferBlack:
		return Second
	}
	return First
}

// Playing says whether moves may be made: the game has started and not ended.
func (s *State) Playing() bool {
	return s.White != Spectator && s.FEN != "" && s.started() && !s.Over()
}

func (s *State) started() bool { return s.past != nil }

// Over says whether the game has ended, with or without a result.
func (s *State) Over() bool { return s.Phase == PhaseOver }

// Turn is the army to move in the present position; White where there is none yet.
func (s *State) Turn() Army { return turnOf(s.FEN) }

// ToAct is the seat that must act now, or the spectator where nobody must (the
// game is over, waits for a player, or for links).
func (s *State) ToAct() Seat {
	switch s.Phase {
	case "", PhaseOpen, PhaseLink, PhaseOver:
		return Spectator
	case PhaseChoose:
		return s.Commander(s.Turn()).Other() // the mover chooses, though the other side is to move
	case PhaseDiscard:
		return s.Cards.By // a card may demand its discards before its move or behind it
	default:
		return s.Commander(s.Turn())
	}
}

// Owing lists the seats that owe a link before chance may speak.
func (s *State) Owing() []Seat {
	var owing []Seat
	for _, seat := range Players {
		if s.owes(seat) {
			owing = append(owing, seat)
		}
	}
	return owing
}

// owes says whether the game waits for a link of the seat by itself.
func (s *State) owes(seat Seat) bool {
	if s.Phase != PhaseLink || seat == Spectator {
		return false
	}
	c := s.Fair.Seat[seat.Wire()]
	return c.Anchored && !c.Delegated && !c.Stopped && (c.Opened == 0 || s.Fair.Duet && !c.Fresh)
}

// AwaitsServer says that the game waits for the server's [OpenLink]: in duet chance
// speaks in a record of its own, and no player owes a link for it.
func (s *State) AwaitsServer() bool {
	return s.Phase == PhaseLink && s.Fair.Duet && len(s.Owing()) == 0
}

// Position is the present position under the laws of the game's variant.
func (s State) Position() (chess.Position, error) {
	v, err := s.variant()
	if err != nil {
		return chess.Position{}, err
	}
	return chess.ParsePosition(s.FEN, v.Law(s.Options))
}

func (s State) variant() (Variant, error) { return Lookup(s.Variant) }

// Occurrences counts how often the present position has stood on the board, this
// time included. Positions are the same when pieces, side to move, castling
// rights, possible en passant captures, reserves and captured men are.
func (s State) Occurrences() int {
	if s.past == nil {
		return 0
	}
	n := 0
	for p := s.past; p != nil; p = p.prev {
		if p.key == s.past.key && samePools(p.men, s.past.men) {
			n++
		}
	}
	return n
}
