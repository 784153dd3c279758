package events

import (
	"fmt"

	"chancery/domain/cards"
	"chancery/domain/fair"
	"chancery/domain/game"
)

// CommandOf is the command that r answered, read back from r alone: its first event
// carries the command's arguments. Decided again on the state before r, with the
// game's own chance, it gives the events of r, which is how an auditor checks that the
// rules were kept. A record that begins with a consequence gives an error that is
// [ErrPayload].
func CommandOf(r Record) (game.Command, error) {
	if len(r.Events) == 0 {
		return game.Command{}, fmt.Errorf("%w: record %d of game %s has no events", ErrPayload, r.N, r.Game)
	}
	first := r.Events[0]
	c := game.Command{By: r.By, At: r.At, Action: actionOf(first)}
	if c.Action == nil {
		return game.Command{}, fmt.Errorf("%w: record %d of game %s begins with a %T, which no command asks for", ErrPayload, r.N, r.Game, first.Fact)
	}
	if p := first.Fair; p != nil {
		c.Link, c.Ack = sentLink(p), sentAck(p)
	}
	return c, nil
}

// sentLink is the link that came with the command. One that came with a delegated
// anchor did not: the server made both. Of later links the first event does not say
// whose they are; the game accepts the server's own from anybody who knows it.
func sentLink(p *fair.Part) *fair.Hash {
	if p.Link == nil || len(p.Anchor) > 0 && p.Anchor[0].Delegated {
		return nil
	}
	return &p.Link.Y
}

func sentAck(p *fair.Part) *fair.Hash {
	if p.Ack == nil {
		return nil
	}
	return &p.Ack.H
}

// sentAnchor is the anchor of the client's own chain, or nil if the server keeps it.
func sentAnchor(p *fair.Part) *fair.Hash {
	if p == nil || len(p.Anchor) == 0 || p.Anchor[0].Delegated {
		return nil
	}
	return &p.Anchor[0].Y
}

// actionOf is the action whose own event e is, or nil for a consequence.
func actionOf(e game.Event) game.Action {
	switch f := e.Fact.(type) {
	case game.GameCreated:
		return createOf(f, e.Fair)
	case game.PlayerJoined:
		return game.Join{Bot: f.Bot, Player: f.Player, Anchor: sentAnchor(e.Fair)}
	case game.LinkOpened:
		return game.OpenLink{}
	case game.LinksStopped:
		return game.StopLinks{}
	case game.MovePlayed:
		return game.Move{UCI: f.UCI}
	case game.PieceDropped:
		return game.Drop{UCI: f.Piece + "@" + f.Square}
	case game.PawnPromoted:
		return game.Promote{Square: f.Square}
	case game.CardPlayed:
		return playOf(f)
	case game.CardsDiscarded:
		return discardOf(f)
	case game.Passed, game.RescueDeclined:
		return game.Pass{}
	case game.UnoCalled:
		return game.CallUno{}
	case game.UnoCaught:
		return game.CatchUno{}
	case game.Resigned:
		return game.Resign{}
	case game.DrawOffered:
		return game.OfferDraw{}
	case game.DrawAccepted:
		return game.AcceptDraw{}
	case game.DrawDeclined:
		return game.DeclineDraw{}
	case game.DrawClaimed:
		return game.ClaimDraw{}
	case game.CancelAsked, game.Cancelled:
		return game.Cancel{}
	case game.FlagFell:
		return game.CallFlag(f)
	case game.Forfeited:
		return game.CallForfeit(f)
	case game.GamePaused:
		return game.Pause{Reason: f.Reason}
	case game.GameResumed:
		return game.Resume{Reason: f.Reason, Clock: f.Clock}
	case game.GameAborted:
		return game.Abort(f)
	case game.GameVoided:
		return game.Void(f)
	case game.ArrayDrawn, game.CardDrawn, game.CardRevealed, game.ColorsDrawn, game.ControlSwapped, game.DiceRolled, game.GameEnded,
		game.GameStarted, game.HandDealt, game.HandsRevealed, game.LogKeyAdded, game.MoveUndone, game.PileShuffled, game.SeedRevealed,
		game.SeriesEnded, game.SoftwareReleased, game.TurnEnded, game.TurnSkipped:
		return nil
	}
	return nil
}

func playOf(f game.CardPlayed) game.PlayCard {
	a := game.PlayCard{Card: f.Card.Card.Code()}
	if f.Color != cards.NoColor {
		a.Color = f.Color.String()
	}
	return a
}

func discardOf(f game.CardsDiscarded) game.Discard {
	codes := make([]string, len(f.Cards))
	for i, c := range f.Cards {
		codes[i] = c.Card.Code()
	}
	return game.Discard{Cards: codes}
}

func createOf(f game.GameCreated, p *fair.Part) game.Create {
	c := game.Create{
		Variant: f.Variant, Options: f.Options, Color: f.Color, Clock: f.Clock, Rated: f.Rated, Start: f.Start,
		Anchor: sentAnchor(p),
	}
	copy(c.Seats[:], f.Seats)
	return c
}
