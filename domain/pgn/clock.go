package pgn

import (
	"fmt"
	"strconv"
	"strings"

	"chancery/domain/game"
)

// clockMarks tells the clocks that the fact has changed.
func (t *teller) clockMarks(f game.Fact) (list []mark) {
	now, mover := clockOf(f)
	if now == nil {
		return nil
	}
	for _, army := range []game.Army{game.WhiteArmy, game.BlackArmy} {
		seat := t.commander(army)
		if now.Left(seat) == t.clocks.Left(seat) {
			continue
		}
		whose := army.String()
		if whose == mover {
			whose = ""
		}
		list = append(list, say("clk", clockText(now.Left(seat)), whose)...)
	}
	t.clocks = *now
	return list
}

func (t *teller) commander(a game.Army) game.Seat {
	if a == game.WhiteArmy {
		return t.white
	}
	return t.white.Other()
}

// clockOf is the clocks that a fact carries, or nil, and the army that it is about.
func clockOf(f game.Fact) (clocks *game.Clocks, army string) {
	switch f := f.(type) {
	case game.MovePlayed:
		return f.Clock, f.Army.String()
	case game.PieceDropped:
		return f.Clock, f.Army.String()
	case game.TurnEnded:
		return f.Clock, ""
	case game.GamePaused:
		return f.Clock, ""
	case game.GameResumed:
		return f.Clock, ""
	default:
		return nil, ""
	}
}

// clockText is hours, minutes and seconds, with a fraction where there is one.
func clockText(ms int64) string {
	text := fmt.Sprintf("%d:%02d:%02d", ms/3_600_000, ms/60_000%60, ms/1000%60)
	if ms%1000 != 0 {
		text += strings.TrimRight(fmt.Sprintf(".%03d", ms%1000), "0")
	}
	return text
}

// readClocks sets the clocks of an event to what the text says.
func (p *replay) readClocks(e *game.Event) error {
	now, mover := clockOf(e.Fact)
	if !p.game.State.Clock.Used {
		for p.at < len(p.text.marks) && p.text.marks[p.at].command == "clk" {
			p.at++ // of a game whose time control says nothing to us
		}
		return nil
	}
	if now == nil {
		return nil
	}
	left := p.teller.clocks
	for p.at < len(p.text.marks) && p.text.marks[p.at].command == "clk" {
		m := p.text.marks[p.at]
		value, whose, _ := strings.Cut(m.text, " ")
		if whose == "" {
			whose = mover
		}
		army, err := parseArmy(whose)
		if err != nil {
			return p.fault(m, err)
		}
		if left[p.teller.commander(army).Wire()], err = parseClock(value); err != nil {
			return p.fault(m, err)
		}
		p.at++
	}
	p.teller.clocks = left
	e.Fact = withClock(e.Fact, &left)
	return nil
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
