package game

import (
	"slices"

	"chancery/domain/cards"
	"chancery/domain/chess"
)

// unoChess is chess with a hidden hand of cards: the card played says which men may
// move, and a captured king is lost unless a Reverse takes the capture back.
var unoChess = Variant{
	Key: "unochess", Name: "UNO Chess", Rules: 1,
	Summary: "Play a card that matches, then move a man which starts on the rank or file of its number; capture the king.",
	Start:   func(Options) string { return orthodoxStart },
	Law:     func(Options) chess.Law { return chess.KingCapture },
	Options: []Option{
		{Name: "extendedDeck", Summary: "play with all 108 cards: 0 castles, 9 does nothing, Skip and Wild Draw Four", Default: BoolValue(false)},
		{Name: "idleTurns", Summary: "turns in a row without a move on the board that draw", Default: IntValue(6), Min: 1, Max: 999},
		{Name: "repetition", Summary: "occurrences of a position that draw; 0 for none", Default: IntValue(0), Max: 3, Among: []int{0, 3}},
		{Name: "moveRule", Summary: "moves of each side without a capture or pawn move that draw; 0 for none", Default: IntValue(0), Max: 50, Among: []int{0, 50}},
		{Name: "blockedIsDraw", Summary: "a side that begins its turn without any move on the board draws", Default: BoolValue(false)},
	},
	Deck:     unoDeck,
	HandSize: 7,
	Steps:    []Step{drawColors, shuffleDeck, dealHands, turnUpCard, startGame, drawBlocked},
	Ends: []End{
		{Reason: KingCaptured, Wins: true, Ends: func(_ State, p *chess.Position) bool { return kingTaken(p) }},
		{Reason: Repetition, Ends: func(s State, _ *chess.Position) bool {
			n := s.Options["repetition"].Int()
			return n > 0 && s.Occurrences() >= n
		}},
		{Reason: FiftyMoves, Ends: func(s State, p *chess.Position) bool {
			n := s.Options["moveRule"].Int()
			return n > 0 && p.HalfMoves() >= 2*n
		}},
		{Reason: Stalemate, Ends: blocked},
	},
	Moves:  unoMoves,
	Act:    actUno,
	Moved:  unoMoved,
	Fold:   foldUno,
	Look:   lookUno,
	Hidden: revealCards,
}

// drawTwoDiscardsOnTop lays the two cards that a Draw Two throws away on the pile,
// where the last one has to be matched next. They could as well go under the Draw
// Two; but the rules use one word for them and for the forced discard, and know one
// pile of which the top matters.
const drawTwoDiscardsOnTop = true

func unoDeck(o Options) cards.Deck {
	if o["extendedDeck"].Bool() {
		return cards.Full
	}
	return cards.Short
}

// ready says that colors are known and the cards may be laid out.
func ready(s State) bool { return linked(s) && s.White != Spectator }

// shuffleDeck makes the first draw pile.
var shuffleDeck = Step{
	Name:   "shuffle",
	Chance: func(State) bool { return true },
	Due:    func(s State) bool { return ready(s) && len(s.Fair.Piles) == 0 },
	Do: func(d *decision) {
		ids := make([]cards.ID, len(d.deck()))
		for i := range ids {
			ids[i] = cards.ID(i)
		}
		d.shuffle(ids)
	},
}

// dealHands gives White the first cards of the pile, then Black as many.
var dealHands = Step{
	Name: "deal",
	Due:  func(s State) bool { return ready(s) && handSize(s.Fair, s.White.Other()) == 0 },
	Do: func(d *decision) {
		white := d.state.White
		d.deal(white, d.variant.HandSize)
		d.deal(white.Other(), d.variant.HandSize)
	},
}

// turnUpCard begins the discard pile. What the card does is ignored; its color and
// symbol have to be matched.
var turnUpCard = Step{
	Name: "turn up",
	Due:  func(s State) bool { return ready(s) && len(s.Cards.Discards[0]) == 0 },
	Do:   func(d *decision) { d.drawOpen(Spectator) },
}

// drawBlocked ends the game at the start of a turn that follows one without a move.
var drawBlocked = Step{
	Name: "blocked",
	Due: func(s State) bool {
		if s.Phase != PhaseCard || !s.Options["blockedIsDraw"].Bool() {
			return false
		}
		p, err := s.Position()
		return err == nil && blocked(s, &p)
	},
	Do: func(d *decision) { d.draw(Stalemate) },
}

// blocked says that the side to move begins its turn without any move on the board,
// where the table wants a draw then.
func blocked(s State, p *chess.Position) bool {
	return s.Options["blockedIsDraw"].Bool() && !p.HasMove()
}

// kingTaken says that one of the kings is gone.
func kingTaken(p *chess.Position) bool {
	return p.King(chess.White) == chess.NoSquare || p.King(chess.Black) == chess.NoSquare
}

// unoMoves are the moves that the card in play allows.
func unoMoves(s State, p *chess.Position) []chess.Move {
	if s.Phase != PhaseMove {
		return nil
	}
	return movesWith(s.Cards.InPlay.Card, p)
}

// movesWith are the moves that a card allows: any with a wild one, castling with a
// 0, otherwise those of men which stand on the rank or the file of its number.
// Where a man goes does not matter, so castling needs a card that names the king.
func movesWith(c cards.Card, p *chess.Position) []chess.Move {
	moves := p.Moves(nil)
	switch {
	case c.IsWild():
		return moves
	case c.Kind != cards.Number:
		return nil
	case c.Number == 0:
		return slices.DeleteFunc(moves, func(m chess.Move) bool { return !m.IsCastling() })
	}
	return slices.DeleteFunc(moves, func(m chess.Move) bool {
		return m.From().File()+1 != c.Number && m.From().Rank()+1 != c.Number
	})
}

// isLive says whether the card may be played now: it matches, and what it does can
// be done.
func isLive(s *State, p *chess.Position, c cards.Card) bool {
	return s.Cards.Fits(c) && isPossible(s, p, c)
}

// Fits says whether the card fits the top of the first discard pile: by color, by
// number or by symbol. A wild card always fits, and everything fits a wild card for
// which no color was named.
func (t *Table) Fits(c cards.Card) bool {
	top := topOf(t.Discards[0]).Card
	switch {
	case c.IsWild(), top.IsWild() && t.Color == cards.NoColor, c.Color == t.Color:
		return true
	}
	return c.Kind == top.Kind && c.Number == top.Number
}

// isPossible says whether the effect of the card can be carried out. A card whose men
// are all blocked is as dead as one that names no man. A Reverse takes the newest
// standing move back, which must be the opponent's.
func isPossible(s *State, p *chess.Position, c cards.Card) bool {
	switch {
	case c.Kind == cards.Reverse:
		return undoable(s) != ""
	case movesMen(c):
		return len(movesWith(c, p)) > 0
	}
	return true
}

// undoable is the position before the newest standing move, if that was the
// opponent's; otherwise empty.
func undoable(s *State) string {
	if from, _, ok := s.newestMove(); ok && turnOf(from) != s.Turn() {
		return from
	}
	return ""
}

// movesMen says whether the card is followed by a move: all do but 9, Skip, Draw Two
// and Reverse.
func movesMen(c cards.Card) bool { return c.IsWild() || c.Kind == cards.Number && c.Number != 9 }

// demands is how many cards the player of c throws away.
func demands(c cards.Card) int {
	switch c.Kind {
	case cards.DrawTwo:
		return 2
	case cards.WildDrawFour:
		return 4
	default:
		return 0
	}
}

func topOf(pile []cards.Dealt) cards.Dealt {
	if len(pile) == 0 {
		return cards.Dealt{}
	}
	return pile[len(pile)-1]
}

// live are those of the cards that may be played now. In a rescue only a Reverse
// helps.
func live(s *State, p *chess.Position, hand []cards.Dealt) []cards.Dealt {
	var list []cards.Dealt
	for _, c := range hand {
		if isLive(s, p, c.Card) && (s.Phase != PhaseRescue || c.Card.Kind == cards.Reverse) {
			list = append(list, c)
		}
	}
	return list
}

// lookUno shows the table to everybody, the own hand to its seat, and what may be
// done with it to the seat that must act.
func lookUno(v *View, s State, seat Seat, secrets Secrets) {
	if len(s.Fair.Piles) == 0 {
		return
	}
	v.Table = &TableView{
		Draw: left(s.Fair), Discards: [][]cards.Dealt{slices.Clone(s.Cards.Discards[0])}, Idle: s.Idle, Revealed: s.Cards.Revealed,
		Hands: []int{handSize(s.Fair, First), handSize(s.Fair, Second)}, Uno: s.Cards.Uno[:], Undo: undoable(&s),
	}
	if s.Cards.Color != cards.NoColor {
		v.Table.Color = s.Cards.Color.String()
	}
	if s.Cards.InPlay.Card.Kind != cards.FaceDown {
		v.Table.InPlay = &s.Cards.InPlay
	}
	if seat == Spectator {
		return
	}
	if s.ToAct() == seat {
		v.Can = unoCan(&s, seat)
	}
	if secrets == nil {
		return
	}
	v.Table.Hand = dealt(unoDeck(s.Options), held(s.Fair, seat, secrets))
	if s.ToAct() == seat {
		v.Cards, v.Discard = unoCards(&s, v.Table.Hand)
	}
}

// unoCan lists what else is open to the seat that must act.
func unoCan(s *State, seat Seat) []string {
	var can []string
	if s.Phase == PhaseRescue {
		can = append(can, "pass")
	}
	if own := s.Cards.Uno[seat.Wire()]; own == OwesUno || own == ForgotUno {
		can = append(can, "call")
	}
	if s.Cards.Uno[seat.Other().Wire()] == ForgotUno {
		can = append(can, "catch")
	}
	return can
}

// unoCards lists the codes of the cards that may be played, each once, and says how
// many must be thrown away.
func unoCards(s *State, hand []cards.Dealt) (codes []string, discard int) {
	switch s.Phase {
	case PhaseDiscard:
		return nil, demands(s.Cards.InPlay.Card)
	case PhaseCard, PhaseRescue:
	default:
		return nil, 0
	}
	p, err := s.Position()
	if err != nil {
		return nil, 0
	}
	for _, c := range live(s, &p, hand) {
		codes = append(codes, c.Card.Code())
	}
	if len(codes) == 0 && s.Phase == PhaseCard {
		discard = 1
	}
	slices.Sort(codes)
	return slices.Compact(codes), discard
}
