package game

import (
	"slices"
	"strings"
)

// Evolve folds one event into s. It never fails, for an event is a fact, and it
// never changes the State it was given. It knows no rules: what an event led to
// stands in the event.
func Evolve(s State, e Event) State {
	s.own()
	s.fold(&e)
	return s
}

// own gives s memory of its own to grow into: no other copy of s sees what is
// appended from now on.
func (s *State) own() {
	s.Fair = s.Fair.Own()
	for i := range s.Cards.Discards {
		s.Cards.Discards[i] = slices.Clip(s.Cards.Discards[i])
	}
}

// fold works on Evolve's own copy: copying a State costs more than most events do.
func (s *State) fold(e *Event) {
	s.hear(e)
	s.advanceTo(e)
	if e.Fair != nil {
		s.Fair.Absorb(e.Fair)
	}
	s.take(e)
	if v := find(s.Variant); v != nil && v.Fold != nil {
		v.Fold(s, e)
	}
	if s.Clock.Used {
		s.Clock = s.Clock.follow(s.running(), e.At)
	}
}

// advanceTo moves the place in the ledger on to e.
func (s *State) advanceTo(e *Event) {
	if e.N != s.N || s.Phase == "" {
		s.I = 0
	} else {
		s.I++
	}
	s.N, s.At = e.N, e.At
}

// running is the seat whose clock runs: the one that must act, once the game has
// started and while it is not paused.
func (s *State) running() Seat {
	if !s.Playing() || s.Paused {
		return Spectator
	}
	if owing := s.Owing(); len(owing) > 0 {
		return owing[0]
	}
	return s.ToAct()
}

// take assigns what the fact says.
func (s *State) take(e *Event) {
	switch f := e.Fact.(type) {
	case GameCreated:
		s.create(&f)
	case PlayerJoined:
		s.Joined = true
		s.Phase = PhaseLink
		w := f.Seat.Wire()
		s.Seats[w] = Sitter{Bot: f.Bot, Player: f.Player, Delegated: s.Fair.Seat[w].Delegated}
	case LinkOpened:
	case LinksStopped:
		s.Fair = s.Fair.Stop(f.Seat.Wire())
	case ColorsDrawn:
		s.White = f.White
	case ArrayDrawn:
		s.Array, s.FEN = f.Array, f.FEN
	case GameStarted:
		s.White, s.Phase = f.White, PhaseMove
		s.stand(f.FEN)
		s.Clock = s.Clock.set(f.Clock, e.At)
	case GamePaused:
		s.Paused = true
		s.Clock = s.Clock.set(f.Clock, e.At)
	case GameResumed:
		s.Paused = false
		s.Clock = s.Clock.set(f.Clock, e.At)
	case MovePlayed:
		s.Plies++
		s.Last = f.UCI
		s.acted(s.Commander(f.Army))
		s.stand(f.FEN)
		s.Clock = s.Clock.set(f.Clock, e.At)
	case PieceDropped:
		if f.From == fromReserve {
			s.Plies++ // cards and dice put men on the board beside the moves
		}
		s.Last = f.Piece + "@" + f.Square
		s.acted(s.Commander(f.Army))
		s.stand(f.FEN)
		s.Clock = s.Clock.set(f.Clock, e.At)
	case PawnPromoted:
		s.FEN = f.FEN
	case MoveUndone:
		s.undo(f.FEN)
	case ControlSwapped:
		s.White = f.White
	case TurnEnded:
		s.Idle = f.Idle
		if f.FEN != "" {
			s.FEN = f.FEN
		}
		s.Clock = s.Clock.set(f.Clock, e.At)
	case DrawOffered:
		s.Offer = f.Seat
	case DrawDeclined, DrawAccepted:
		s.Offer = Spectator
	case DrawClaimed, Resigned, Forfeited, Cancelled:
	case FlagFell:
		s.Clock.Left[f.Seat.Wire()] = 0
	case CancelAsked:
		s.Cancel = f.Seat
	case GameEnded:
		s.over(f.Result, f.Reason, e.At)
		s.Winner = f.Winner
	case GameAborted:
		s.over(Ongoing, f.Reason, e.At)
	case GameVoided:
		s.Voided = true
		if !s.Over() {
			s.over(Ongoing, f.Reason, e.At)
		}
	case DiceRolled:
		s.Dice = &f
	case CardPlayed:
		s.acted(f.Seat)
	case CardsDiscarded:
		s.acted(f.Seat)
	case UnoCalled:
		s.acted(f.Seat)
	case HandsRevealed:
		s.Cards.Revealed = &f
	case SeedRevealed, PileShuffled, HandDealt, CardDrawn, CardRevealed,
		UnoCaught, TurnSkipped, SeriesEnded, Passed, RescueDeclined, LogKeyAdded, SoftwareReleased:
		// Package fair counts cards; what else they do is their variant's to fold.
	}
}

// Fold is many events folded in.
func Fold(s State, events ...Event) State {
	s.own()
	for i := range events {
		s.fold(&events[i])
	}
	return s
}

func (s *State) create(f *GameCreated) {
	s.Variant, s.Rules, s.Options = f.Variant, f.Rules.Version, f.Options
	s.Color, s.Rated, s.Start = f.Color, f.Rated, f.Start
	copy(s.Seats[:], f.Seats)
	s.Phase, s.Result = PhaseOpen, Ongoing
	if f.Clock != nil {
		s.Clock = Clock{Spec: *f.Clock, Left: Clocks{f.Clock.Base, f.Clock.Base}, Used: true}
	}
}

// stand puts the position on the board and remembers it, unless its turn is to be
// finished first.
func (s *State) stand(fen string) {
	if v := find(s.Variant); v == nil || !v.CountsTurns || !s.started() {
		s.past = &past{key: positionKey(fen), from: s.FEN, uci: s.Last, ref: Ref{I: s.I, N: s.N}, men: s.Pools, prev: s.past}
	}
	s.FEN = fen
}

// standTurn remembers the position with which a turn has ended.
func (s *State) standTurn() {
	s.past = &past{key: positionKey(s.FEN), men: s.Pools, prev: s.past}
}

// undo takes the newest move off the board, as if it had not been made.
func (s *State) undo(fen string) {
	s.FEN = fen
	if s.past != nil && s.past.prev != nil {
		s.past = s.past.prev
		s.Last = s.past.uci
		s.Plies--
	}
}

// acted lets the other seat's draw offer lapse: it lasts until its addressee's
// next action.
func (s *State) acted(by Seat) {
	if s.Offer == by.Other() {
		s.Offer = Spectator
	}
}

func (s *State) over(r Result, why Reason, at Instant) {
	s.Clock.Left, s.Clock.Since, s.Clock.Running = s.Clock.At(at), at, Spectator
	s.Phase, s.Result, s.Reason = PhaseOver, r, why
	s.Offer, s.Cancel = Spectator, Spectator
}

// positionKey is the part of a FEN that makes two positions the same: all but the
// counters. The en passant field names a square only where a capture is possible,
// and reserves stand in brackets behind the board, so the text is exact where a
// hash could collide.
func positionKey(fen string) string {
	for range 2 {
		if i := strings.LastIndexByte(fen, ' '); i >= 0 {
			fen = fen[:i]
		}
	}
	return fen
}

// turnOf reads the side to move out of a FEN.
func turnOf(fen string) Army {
	if i := strings.IndexByte(fen, ' '); i >= 0 && i+1 < len(fen) && fen[i+1] == 'b' {
		return BlackArmy
	}
	return WhiteArmy
}
