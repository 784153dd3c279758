package game

import (
	"fmt"
	"strings"

	"chancery/domain/cards"
)

// The lines of cards.

func (f PileShuffled) line(scene) string {
	return fmt.Sprintf("The draw pile was shuffled: %d cards", f.Count)
}

func (f HandDealt) line(c scene) string {
	return c.name(f.Seat) + " was dealt " + count(f.Count, "card", "cards")
}

// line of a draw names the card where everybody sees it and no other event does.
func (f CardDrawn) line(c scene) string {
	switch {
	case f.Card != nil && f.Seat == Spectator:
		return "The first card of the discard pile is " + f.Card.Card.String()
	case f.Card != nil:
		return c.name(f.Seat) + " turned the next card up"
	case f.Count == 0:
		return "No card is left to draw: " + c.name(f.Seat) + " has one ordinary move"
	}
	return c.name(f.Seat) + " drew " + count(f.Count, "card", "cards")
}

// line says what an open card grants: "White drew Red 3: up to three moves".
func (f CardRevealed) line(c scene) string {
	card := f.Card.Card
	grant := count(f.Moves, "move", "moves")
	switch {
	case f.Moves == 0:
		grant = "no move"
	case f.Moves > 1:
		grant = "up to " + grant
	}
	switch {
	case card.Kind == cards.Reverse:
		grant = "the players change armies, then " + grant
	case card.Kind == cards.Wild:
		grant += ", by any man as itself or as a queen"
	case f.Places > 0:
		grant = count(f.Places, "pawn comes", "pawns come") + " back, then " + grant
	case pawnsOf[card.Kind] > 0:
		grant = "no pawn can come back, " + grant
	}
	return c.name(c.by) + " drew " + openName(card) + ": " + grant
}

// openName is how Chess-Uno calls a card.
func openName(c cards.Card) string {
	switch c.Kind {
	case cards.Wild:
		return "a Joker"
	case cards.DrawTwo:
		return strings.Replace(c.String(), "Draw Two", "+2", 1)
	case cards.WildDrawFour:
		return "+4"
	default:
		return c.String()
	}
}

func (f CardPlayed) line(c scene) string {
	text := c.name(f.Seat) + " played " + f.Card.Card.String()
	if f.Color != cards.NoColor {
		text += " and named " + f.Color.String()
	}
	return text + ": " + meaning(f.Card.Card, c.name(f.Seat.Other()))
}

// meaning is what a card that is played makes its player do.
func meaning(c cards.Card, other string) string {
	switch {
	case c.Kind == cards.Reverse:
		return other + "'s last move is taken back"
	case c.Kind == cards.Skip:
		return other + "'s next turn is skipped"
	case c.Kind == cards.DrawTwo:
		return "two cards are thrown away, and no man moves"
	case c.Kind == cards.WildDrawFour:
		return "any man moves, then four cards are thrown away"
	case c.Kind == cards.Wild:
		return "any man moves"
	case c.Number == 0:
		return "the king castles"
	case c.Number == 9:
		return "nothing happens, and no man moves"
	}
	return fmt.Sprintf("a man on rank %d or on the %c-file moves", c.Number, 'a'+c.Number-1)
}

// line of a discard says, where no card is in play, why the turn goes by without a
// move.
func (f CardsDiscarded) line(c scene) string {
	names := make([]string, len(f.Cards))
	for i, d := range f.Cards {
		names[i] = d.Card.String()
	}
	list := strings.Join(names, ", ")
	if c.card.Kind == cards.FaceDown {
		return c.name(f.Seat) + " could play no card and threw " + list + " away: the turn goes by without a move"
	}
	return c.name(f.Seat) + " threw " + list + " away"
}

func (f HandsRevealed) line(scene) string { return "The hands and the piles lie open" }

func (f UnoCalled) line(c scene) string { return c.name(f.Seat) + " called UNO" }

func (f UnoCaught) line(c scene) string {
	return c.name(f.Seat) + " caught " + c.name(f.Seat.Other()) + ", who has not called UNO"
}

func (f ControlSwapped) line(scene) string {
	return "The players changed armies: " + chair(f.White) + " has White now, " + chair(f.White.Other()) + " Black"
}

// line of a skipped turn names the cause: the card, the board, or the dice.
func (f TurnSkipped) line(c scene) string {
	name := c.name(f.Seat)
	switch f.Reason {
	case "":
		return name + "'s turn is skipped: the dice took it"
	case noMoveGranted:
		return name + "'s turn goes by: " + openName(c.card) + " grants no move"
	}
	return name + "'s turn goes by: " + endedBecause(f.Reason)
}

func (f SeriesEnded) line(c scene) string {
	return c.name(f.Seat) + "'s series is over: " + endedBecause(f.Reason)
}

func endedBecause(reason string) string {
	switch reason {
	case noMovePossible:
		return "no move is possible"
	case kingAttacked:
		return "it attacks the enemy king"
	}
	return reason
}

func (f Passed) line(c scene) string { return c.name(f.Seat) + " ended the series" }

func (f RescueDeclined) line(c scene) string { return c.name(f.Seat) + " let the king go" }

// line of the end of a turn says who is to move, and warns of what comes near.
func (f TurnEnded) line(c scene) string {
	text := armyName(f.Turn) + " to move"
	switch {
	case f.Mate:
		return armyName(f.Turn) + " is mated: twelve-sided dice have the last word"
	case c.card.Kind == cards.Skip && turnOf(c.fen) == f.Turn && f.FEN != "":
		text = armyName(Army(f.Turn.Color().Other())) + "'s turn is skipped: " + text + " again"
	}
	if f.Idle > 0 {
		text += ", " + count(f.Idle, "turn", "turns") + " in a row without a move"
	}
	return text
}
