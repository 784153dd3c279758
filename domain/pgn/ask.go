package pgn

import (
	"errors"
	"fmt"
	"strings"

	"chancery/domain/chess"
	"chancery/domain/game"
)

// A request makes the action that a command of a text asks for, and says who asks. It
// is given what stands behind the name of the command.
type request func(p *replay, text string) (game.Seat, game.Action, error)

// requests are the commands that somebody asks for. The others say what chance and the
// rules did.
var requests = map[string]request{
	"":        func(p *replay, text string) (game.Seat, game.Action, error) { return p.move(text) },
	"card":    func(p *replay, text string) (game.Seat, game.Action, error) { return p.card(text) },
	"discard": turn(func(text string) game.Action { return game.Discard{Cards: strings.Split(text, ",")} }),
	"place":   turn(func(text string) game.Action { return game.Drop{UCI: text} }),
	"promote": turn(func(text string) game.Action { return game.Promote{Square: text} }),
	"pass":    turn(func(string) game.Action { return game.Pass{} }),
	"uno":     named(map[string]game.Action{"call": game.CallUno{}, "catch": game.CatchUno{}}),
	"draw": named(map[string]game.Action{
		"offer": game.OfferDraw{}, "accept": game.AcceptDraw{}, "decline": game.DeclineDraw{}, "claim": game.ClaimDraw{},
	}),
	"resign":  byArmy(func(game.Seat) game.Action { return game.Resign{} }),
	"cancel":  byArmy(func(game.Seat) game.Action { return game.Cancel{} }),
	"flag":    byServer(func(s game.Seat) game.Action { return game.CallFlag{Seat: s} }),
	"forfeit": byServer(func(s game.Seat) game.Action { return game.CallForfeit{Seat: s} }),
	"pause":   because(func(_ *replay, why string) game.Action { return game.Pause{Reason: why} }),
	"resume":  because(resume),
	"abort":   because(func(_ *replay, why string) game.Action { return game.Abort{Reason: game.Reason(why)} }),
	"void":    because(func(_ *replay, why string) game.Action { return game.Void{Reason: game.Reason(why)} }),
}

// chanceGives are the commands that say what was rolled or drawn, and follows those
// that say what came of it.
var (
	chanceGives = map[string]bool{"first": true, "eight": true, "dice": true, "rescue": true, "card": true}
	follows     = map[string]bool{"top": true, "undo": true, "swap": true, "effect": true, "end": true, "clk": true, "pile": true}
)

// ours says whether the command is one of those that a game's text is made of.
func ours(command string) bool {
	return chanceGives[command] || follows[command] || command != "" && requests[command] != nil
}

// turn is a request of the seat that must act.
func turn(action func(text string) game.Action) request {
	return func(p *replay, text string) (game.Seat, game.Action, error) {
		return p.game.State.ToAct(), action(text), nil
	}
}

// named is a request with a word that says what, and the army that asks.
func named(actions map[string]game.Action) request {
	return func(p *replay, text string) (game.Seat, game.Action, error) {
		word, army, _ := strings.Cut(text, " ")
		action, ok := actions[word]
		if !ok {
			return game.Spectator, nil, fmt.Errorf("%w: there is no %.20q", ErrSyntax, word)
		}
		seat, err := p.seat(army)
		return seat, action, err
	}
}

func byArmy(action func(game.Seat) game.Action) request {
	return func(p *replay, text string) (game.Seat, game.Action, error) {
		seat, err := p.seat(text)
		return seat, action(seat), err
	}
}

// byServer is a request of the server about the seat of an army.
func byServer(action func(game.Seat) game.Action) request {
	return func(p *replay, text string) (game.Seat, game.Action, error) {
		seat, err := p.seat(text)
		return game.Spectator, action(seat), err
	}
}

func because(action func(p *replay, why string) game.Action) request {
	return func(p *replay, text string) (game.Seat, game.Action, error) {
		return game.Spectator, action(p, unescapeReason.Replace(text)), nil
	}
}

func resume(p *replay, why string) game.Action {
	a := game.Resume{Reason: why}
	if c := p.game.State.Clock; c.Used {
		left := c.Left
		a.Clock = &left
	}
	return a
}

// seat is the one that commands the army now.
func (p *replay) seat(army string) (game.Seat, error) {
	a, err := parseArmy(army)
	if err != nil {
		return game.Spectator, err
	}
	return p.game.State.Commander(a), nil
}

func (p *replay) move(san string) (game.Seat, game.Action, error) {
	s := p.game.State
	if !s.Playing() {
		return s.ToAct(), game.Move{UCI: san}, nil // which says why not
	}
	action, err := findSAN(s, san)
	var illegal *chess.IllegalMoveError
	if errors.As(err, &illegal) {
		err = &game.Refusal{Code: game.IllegalMove, Detail: err.Error(), Cause: err}
	}
	return s.ToAct(), action, err
}

// card is a card of a hand that is played; one that is drawn for all to see has
// followed from what was before.
func (p *replay) card(text string) (game.Seat, game.Action, error) {
	code, color, _ := strings.Cut(text, " ")
	return p.game.State.ToAct(), game.PlayCard{Card: code, Color: color}, nil
}

func parseArmy(name string) (a game.Army, err error) {
	if err := a.UnmarshalText([]byte(name)); err != nil {
		return a, fmt.Errorf("%w: %w", ErrSyntax, err)
	}
	return a, nil
}
