package game

import (
	"chancery/domain/cards"
	"chancery/domain/chess"
)

// A turn of Chess-Uno belongs to an army. Its commander draws a card; pawns are
// placed, then the granted moves are made one by one, each a command of its own. At
// the end the card goes to the discard pile of the seat that drew it.

// Why a turn ended before its last move, as TurnSkipped and SeriesEnded say it.
const (
	noMoveGranted  = "no_move_granted"  // by its card
	noMovePossible = "no_move_possible" // on the board
	kingAttacked   = "king_attacked"    // and the table plays with the safeguard
)

// revealCard says what the card grants and swaps the armies under a Reverse. The
// army to move stays to move.
func (d *decision) revealCard(p *chess.Position) {
	card := d.state.Cards.InPlay
	if card.Card.Kind == cards.FaceDown {
		return
	}
	d.emit(CardRevealed{Card: card, Moves: MovesGranted(card.Card), Places: pawnsToPlace(d.state, p)}, nil)
	if card.Card.Kind == cards.Reverse {
		d.emit(ControlSwapped{White: d.state.White.Other()}, nil)
	}
}

// goOn looks at what the army may do now. An army that has the move and could take
// the enemy king has won; one without a move has had its turn.
func (d *decision) goOn(p *chess.Position) {
	moves := cardMoves(d.state, p)
	switch s := d.state; {
	case s.Series.Left == 0:
		d.closeTurn(p, noMoveGranted)
	case exposed(p, moves):
		d.winFor(s.Commander(s.Turn()), KingExposed)
	case s.Series.Place == 0 && len(moves) == 0:
		d.closeTurn(p, noMovePossible)
	}
}

// afterSeriesMove goes on behind a move. The safeguard comes before the test whether
// the king could be taken, for otherwise it would never act; behind the last move
// nobody has the move.
func afterSeriesMove(d *decision, p *chess.Position, m MovePlayed) {
	d.judge(p, d.command.By)
	s := d.state
	switch {
	case s.Over() || s.Series.Left == 0:
	case m.Check && s.Options["stopComboOnKingThreat"].Bool():
		d.closeTurn(p, kingAttacked)
	default:
		d.goOn(p)
	}
}

// closeTurn ends a turn that its card, the board or the safeguard ends.
func (d *decision) closeTurn(p *chess.Position, reason string) {
	seat := d.state.Commander(d.state.Turn())
	if d.state.Series.Moved {
		d.emit(SeriesEnded{Reason: reason, Seat: seat}, nil)
	} else {
		d.emit(TurnSkipped{Reason: reason, Seat: seat}, nil)
	}
	d.passTurn(p)
}

// passTurn gives the turn to the other army, and draws the game after too many turns
// in a row without a move. A pawn's double step that ended a series may be answered
// en passant; a turn without a move lets the right lapse that was open in it.
func (d *decision) passTurn(p *chess.Position) {
	s, idle := d.state, 0
	if s.Series.Moved {
		from, to, _ := squaresOf(s.Last)
		p.Yield(from, to)
	} else {
		p.Pass()
		idle = s.Idle + 1
	}
	d.emit(TurnEnded{Clock: d.turnClock(), FEN: p.FEN(), Idle: idle, Turn: Army(p.Turn())}, nil)
	if idle >= s.Options["drawAfterTurnsWithoutMove"].Int() {
		d.draw(IdleTurns)
	}
}

// turnClock is the clocks at the end of a turn. Moves and drops have brought their
// increment; a turn without any brings it now.
func (d *decision) turnClock() *Clocks {
	if d.state.Series.Acted {
		return d.clocksNow()
	}
	return d.state.Clock.charged(d.command.At, d.state.Commander(d.state.Turn()))
}

// actInSeries answers what may be asked besides moves: to place a recovered pawn, and
// to end a series.
func actInSeries(d *decision, a Action) error {
	switch a := a.(type) {
	case Drop:
		return d.placePawn(a)
	case Pass:
		return d.endSeries()
	default:
		return Refuse(BadCommand, "%s knows no such action.", d.variant.Name)
	}
}

// endSeries ends a series by its player's wish. The first move of a turn is owed:
// where none exists the turn has ended by itself.
func (d *decision) endSeries() error {
	if err := d.myTurn(PhaseMove); err != nil {
		return err
	}
	if !d.state.Series.Moved {
		return Refuse(MustPlay, "The first move of a turn must be made; after it you may pass.")
	}
	p, err := d.state.Position()
	if err != nil {
		return err
	}
	link, err := d.link(d.command.By)
	if err != nil {
		return err
	}
	d.emit(Passed{Seat: d.command.By}, link)
	d.passTurn(&p)
	d.advance()
	return nil
}

// foldSeries keeps the piles, the series and the pools.
func foldSeries(s *State, e *Event) {
	switch f := e.Fact.(type) {
	case GameStarted:
		if livePile(s.Options) {
			s.Cards.Draw = chessUnoDeck(s.Options).All()
		}
		s.Phase, s.Due = PhaseLink, turnCard
	case PileShuffled:
		s.Cards.Discards = [2][]cards.Dealt{}
	case CardDrawn:
		s.drawn(f)
	case CardRevealed:
		s.Series.Left, s.Series.Place = f.Moves, f.Places
		if f.Places > 0 {
			s.Phase = PhasePlace
		}
	case PieceDropped:
		s.placed(f)
	case MovePlayed:
		s.moved(f)
	case Passed:
		s.acted(f.Seat)
	case TurnEnded:
		s.discardInPlay()
	default: // changes none of them
	}
}

func (s *State) placed(f PieceDropped) {
	s.outOfPool(f.Piece)
	s.Series.Acted = true
	if s.Series.Place--; s.Series.Place == 0 {
		s.Phase = PhaseMove
	}
}

// moved counts a move. The last one of a series ends the turn.
func (s *State) moved(f MovePlayed) {
	s.Idle = 0
	if f.Captured != "" {
		s.toPool(f.Captured)
	}
	s.Series.Moved, s.Series.Acted = true, true
	if s.Series.Left--; s.Series.Left <= 0 {
		s.discardInPlay()
	}
}

// discardInPlay ends a turn: its card goes to the seat that drew it, and the next
// card is due.
func (s *State) discardInPlay() {
	if i := s.Cards.By.Wire(); i >= 0 && s.Cards.InPlay.Card.Kind != cards.FaceDown {
		s.Cards.Discards[i] = append(s.Cards.Discards[i], s.Cards.InPlay)
	}
	s.Cards.InPlay, s.Cards.By, s.Series = cards.Dealt{}, Spectator, Series{}
	s.Phase, s.Due = PhaseLink, turnCard
}

// lookAtSeries shows the cards, all of which lie open, and what is left of the turn.
func lookAtSeries(v *View, s State, seat Seat, _ Secrets) {
	if !s.started() {
		return
	}
	v.Pools = map[Army]string{WhiteArmy: s.Pools[WhiteArmy], BlackArmy: s.Pools[BlackArmy]}
	v.Table = &TableView{
		Draw: cardsLeft(s), Idle: s.Idle, Left: s.Series.Left, Place: s.Series.Place, Revealed: s.Cards.Revealed,
	}
	for _, pile := range s.Cards.Discards {
		v.Table.Discards = append(v.Table.Discards, append([]cards.Dealt{}, pile...))
	}
	if s.Cards.InPlay.Card.Kind != cards.FaceDown {
		v.Table.InPlay = &s.Cards.InPlay
	}
	if seat != Spectator && s.ToAct() == seat && s.Phase == PhaseMove && s.Series.Moved {
		v.Can = append(v.Can, "pass")
	}
}
