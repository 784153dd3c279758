package pgn

import (
	"fmt"
	"strconv"
	"strings"

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
	action, err := findSAN(p.game.State, san)
	return p.game.State.ToAct(), action, err
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

// parseClock reads hours, minutes and seconds as milliseconds.
func parseClock(text string) (int64, error) {
	parts := strings.Split(text, ":")
	if len(parts) == 3 {
		h, err1 := strconv.ParseUint(parts[0], 10, 16)
		m, err2 := strconv.ParseUint(parts[1], 10, 16)
		s, ok := parseSeconds(parts[2])
		if err1 == nil && err2 == nil && ok {
			return int64(h)*3_600_000 + int64(m)*60_000 + s, nil
		}
	}
	return 0, fmt.Errorf("%w: a clock reads like 0:04:58.5", ErrSyntax)
}

// parseSeconds reads seconds with up to three digits behind the point, as
// milliseconds.
func parseSeconds(text string) (ms int64, ok bool) {
	whole, fraction, _ := strings.Cut(text, ".")
	s, err := strconv.ParseUint(whole, 10, 32)
	f, err2 := strconv.ParseUint((fraction + "000")[:3], 10, 16)
	return int64(s)*1000 + int64(f), err == nil && err2 == nil && len(fraction) <= 3
}

// withClock is the fact with other clocks.
func withClock(f game.Fact, left *game.Clocks) game.Fact {
	switch f := f.(type) {
	case game.MovePlayed:
		f.Clock = left
		return f
	case game.PieceDropped:
		f.Clock = left
		return f
	case game.TurnEnded:
		f.Clock = left
		return f
	case game.GamePaused:
		f.Clock = left
		return f
	case game.GameResumed:
		f.Clock = left
		return f
	default:
		return f
	}
}
