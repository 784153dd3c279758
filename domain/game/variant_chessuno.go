package game

import (
	"chancery/domain/cards"
	"chancery/domain/chess"
)

// chessUno is Chess-Uno: nobody holds cards, every turn draws one for all to see,
// and the card says how many moves the army has, whether it gets pawns back, or
// that the players change armies; a king that can be taken is lost.
var chessUno = Variant{
	Key: "chessuno", Name: "Chess-Uno", Rules: 1,
	Summary: "Every turn draws an open card that grants moves, brings pawns back or swaps the armies; a king that can be taken is lost.",
	Start:   func(Options) string { return orthodoxStart },
	Law:     func(Options) chess.Law { return chess.KingCapture },
	Options: []Option{
		{Name: "maxCardNumber", Summary: "the highest number card in the deck", Default: IntValue(5), Min: 1, Max: 9},
		{Name: "includeZero", Summary: "whether the deck has its four zeros", Default: BoolValue(true)},
		{Name: "includeJokers", Summary: "whether the deck has its four Jokers", Default: BoolValue(true)},
		{Name: "stopComboOnKingThreat", Summary: "whether a series stops when it attacks the enemy king", Default: BoolValue(true)},
		{Name: "kingAvoidsAttackedSquares", Summary: "whether a king may not move to an attacked square", Default: BoolValue(false)},
		{Name: "drawAfterTurnsWithoutMove", Summary: "turns in a row without a move that make a draw", Default: IntValue(10), Min: 2, Max: 50},
		{Name: "pawnRecoveryOverflow", Summary: "whether pawns come back on the next rank once their first is full", Default: BoolValue(true)},
		{Name: "pile", Summary: "sealed: a pile in a secret order; live: a lot over the cards left, drawn when it is due", Default: TextValue("sealed"), Valid: pileFault},
		{Name: "duet", Summary: "with a live pile, whether both players add to the luck of every card", Default: BoolValue(false)},
	},
	Conflict: duetNeedsLive,
	Deck:     chessUnoDeck,
	Steps:    []Step{drawColors, startGame, drawTurnCard},
	Ends:     []End{{Reason: KingCaptured, Wins: true, Ends: func(_ State, p *chess.Position) bool { return kingTaken(p) }}},
	Moves:    cardMoves,
	Closed:   "the king may not move to an attacked square",
	Choices:  pawnPlaces,
	Act:      actInSeries,
	Moved:    afterSeriesMove,
	Fold:     foldSeries,
	Look:     lookAtSeries,
	Hidden:   revealCards,
}

// What a card grants besides the moves that a number says. A Skip costs the drawer
// his own turn, a Reverse lets the army's new owner move, and recovered pawns come
// before one move.
var (
	movesOf = map[cards.Kind]int{cards.Skip: 0, cards.Reverse: 1, cards.Wild: 1, cards.DrawTwo: 1, cards.WildDrawFour: 1}
	pawnsOf = map[cards.Kind]int{cards.DrawTwo: 2, cards.WildDrawFour: 4}
)

// movesWithoutCard is what a turn grants when no card is left to draw.
const movesWithoutCard = 1

// MovesGranted is how many moves a turn of Chess-Uno has by its card.
func MovesGranted(c cards.Card) int {
	if c.Kind == cards.Number {
		return c.Number
	}
	return movesOf[c.Kind]
}

// chessUnoDeck is the deck of 108 without the numbers above the highest, and without
// zeros or Jokers where the table plays without them.
func chessUnoDeck(o Options) cards.Deck {
	highest, zeros, jokers := o["maxCardNumber"].Int(), o["includeZero"].Bool(), o["includeJokers"].Bool()
	var deck cards.Deck
	for _, c := range cards.Full {
		switch {
		case c.Kind == cards.Number && c.Number > highest,
			c.Kind == cards.Number && c.Number == 0 && !zeros,
			c.Kind == cards.Wild && !jokers:
		default:
			deck = append(deck, c)
		}
	}
	return deck
}

func pileFault(pile string) string {
	if pile == "sealed" || pile == "live" {
		return ""
	}
	return "it takes sealed or live"
}

func livePile(o Options) bool { return o["pile"].Text() == "live" }

// duetNeedsLive: in a sealed pile the order is fixed before the first card, so later
// links would change nothing.
func duetNeedsLive(o Options) string {
	if o["duet"].Bool() && !livePile(o) {
		return "The option duet needs the option pile to be live."
	}
	return ""
}

// cardMoves are the moves on the board: under a Joker also those of a queen, for any
// one man.
func cardMoves(s State, p *chess.Position) []chess.Move {
	moves := p.Moves(make([]chess.Move, 0, 64))
	if s.Cards.InPlay.Card.Kind == cards.Wild {
		moves = p.QueenMoves(moves)
	}
	if s.Options["kingAvoidsAttackedSquares"].Bool() {
		moves = carefulMoves(p, moves)
	}
	return moves
}

// carefulMoves leaves out the king's moves to a square which the enemy attacks, by
// its men's own powers, once the move is made: the king does not hide behind itself
// and takes nothing defended. Castling is judged by where it ends. The enemy king may
// always be taken, and nothing forces the king to leave an attacked square.
func carefulMoves(p *chess.Position, moves []chess.Move) []chess.Move {
	them := p.Turn().Other()
	kept := moves[:0]
	for _, m := range moves {
		if m.Role() == chess.King && m.To() != p.King(them) {
			after := *p
			after.Play(m)
			if after.IsAttacked(m.To(), them) {
				continue
			}
		}
		kept = append(kept, m)
	}
	return kept
}

// exposed says that one of the moves takes the enemy king.
func exposed(p *chess.Position, moves []chess.Move) bool {
	king := p.King(p.Turn().Other())
	for _, m := range moves {
		if m.To() == king {
			return true
		}
	}
	return false
}
