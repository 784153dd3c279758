package table

import (
	"fmt"
	"math"
	"time"

	"chancery/domain/game"
	"chancery/events"
)

// Patience is how long the server waits for players before it acts by itself.
type Patience struct {
	Opponent   time.Duration // for a second player, then the game is aborted
	Link       time.Duration // for an opening link where a clock of less than a day runs, then forfeit
	LinkByPost time.Duration // for an opening link in all other games
	Duet       time.Duration // for a link in the middle of a game without a clock, then forfeit
	Idle       time.Duration // for anything at all, then forfeit or abort
	Show       time.Duration // between the actions of two programs, which nobody could follow else
}

// DefaultPatience is what games between strangers need.
var DefaultPatience = Patience{
	Opponent:   24 * time.Hour,
	Link:       30 * time.Second,
	LinkByPost: 3 * 24 * time.Hour,
	Duet:       time.Minute,
	Idle:       30 * 24 * time.Hour,
	Show:       2 * time.Second,
}

// byPost says that the players of a game may be away for days: it has no clock, or
// one of a day and more.
func byPost(s game.State) bool {
	return !s.Clock.Used || s.Clock.Spec.Base >= (24*time.Hour).Milliseconds()
}

// A duty is something that the server does by itself when its time has come.
type duty struct {
	at     game.Instant
	what   string
	by     game.Seat          // of a bot, or the server itself
	action game.Action        // or, where it takes thought:
	think  func() game.Action // may give nil
}

// key names the record that the duty answers, so it is done at most once, and of two
// instances that do it one stores it.
func (d duty) key(g events.Game) string { return fmt.Sprintf("%s/%d", d.what, g.N) }

// nothing is due in a game that waits for nobody.
var nothing = duty{at: math.MaxInt64}

// A rule finds the next duty of one kind, or nothing.
type rule func(h *Hall, g events.Game, now game.Instant) duty

// rules are asked in order; of two duties at the same moment the first is done first.
var rules = []rule{resume, openLinks, seatBot, playBot, callFlag, callLink, closeOpen, closeIdle}

// next is the first duty that will be due, as things stand at now.
func (h *Hall) next(g events.Game, now game.Instant) duty {
	first := nothing
	if g.N < 0 || g.State.Over() || game.LedgerWide(g.State.ID) {
		return first
	}
	for _, r := range rules {
		if d := r(h, g, now); d.at < first.at {
			first = d
		}
	}
	return first
}

// resume gives a clock back what it ran while no server was there. It comes before
// anything that the clock has a say in, so everything else may believe the clock.
func resume(h *Hall, g events.Game, now game.Instant) duty {
	c := g.State.Clock
	if !g.State.Playing() || !c.Used || c.Running == game.Spectator {
		return nothing
	}
	missed := h.missed(c.Since, now)
	if missed == 0 {
		return nothing
	}
	left := c.At(now - game.Instant(missed))
	return duty{at: c.Since, what: "resume", action: game.Resume{Reason: "restart", Clock: &left}}
}

// openLinks lets chance speak in duet where nobody but the server owes a link.
func openLinks(_ *Hall, g events.Game, _ game.Instant) duty {
	if !g.State.AwaitsServer() {
		return nothing
	}
	return duty{at: g.State.At, what: "link", action: game.OpenLink{}}
}

// seatBot lets the program that the creator asked for take its seat.
func seatBot(h *Hall, g events.Game, _ game.Instant) duty {
	name := g.State.Seats[game.Second.Wire()].Bot
	if _, known := h.bots[name]; !known || g.State.Phase != game.PhaseOpen {
		return nothing
	}
	return duty{at: g.State.At, what: "bot", action: game.Join{Bot: name}}
}

// playBot lets a program act on its turn.
func playBot(h *Hall, g events.Game, _ game.Instant) duty {
	seat := g.State.ToAct()
	if seat == game.Spectator {
		return nothing
	}
	player, known := h.bots[g.State.Seats[seat.Wire()].Bot]
	if !known {
		return nothing
	}
	at := g.State.At
	if g.State.Seats[seat.Other().Wire()].Bot != "" {
		at += game.Instant(h.patience.Show.Milliseconds())
	}
	return duty{at: at, what: "play", by: seat, think: func() game.Action {
		v, err := h.View(g, seat)
		if err != nil {
			h.Logger.Error("a bot cannot see its seat", "game", g.State.ID, "err", err)
			return nil
		}
		a, _ := player.Act(v, h.random())
		return a
	}}
}

// callFlag ends the game of a player whose time is up.
func callFlag(_ *Hall, g events.Game, _ game.Instant) duty {
	deadline, ok := g.State.Clock.Deadline()
	if !ok || !g.State.Playing() {
		return nothing
	}
	return duty{at: deadline, what: "flag", action: game.CallFlag{Seat: g.State.Clock.Running}}
}

// callLink ends the game of a player who does not release the link that it waits for.
// Once the game has started a clock, where there is one, sees to that.
func callLink(h *Hall, g events.Game, now game.Instant) duty {
	owing := g.State.Owing()
	if len(owing) == 0 {
		return nothing
	}
	wait := h.patience.Link
	switch {
	case g.State.Playing() && g.State.Clock.Used:
		return nothing
	case g.State.Playing():
		wait = h.patience.Duet
	case byPost(g.State):
		wait = h.patience.LinkByPost
	}
	return duty{at: h.after(g, wait, now), what: "forfeit", action: game.CallForfeit{Seat: owing[0]}}
}

// closeOpen aborts a game that nobody has joined.
func closeOpen(h *Hall, g events.Game, now game.Instant) duty {
	if g.State.Phase != game.PhaseOpen {
		return nothing
	}
	return duty{at: h.after(g, h.patience.Opponent, now), what: "abort", action: game.Abort{Reason: game.NoOpponent}}
}

// closeIdle ends a game in which nothing has happened for very long: against the seat
// that must act if both have acted before, and without a result otherwise.
func closeIdle(h *Hall, g events.Game, now game.Instant) duty {
	d := duty{at: h.after(g, h.patience.Idle, now), what: "abort", action: game.Abort{Reason: game.Abandoned}}
	if seat := g.State.ToAct(); seat != game.Spectator && g.State.Plies >= len(game.Players) {
		d.what, d.action = "forfeit", game.CallForfeit{Seat: seat}
	}
	return d
}

// after is when the wait since the game's newest record is over. Time in which no
// server was there to end it does not count.
func (h *Hall) after(g events.Game, wait time.Duration, now game.Instant) game.Instant {
	return g.State.At + game.Instant(wait.Milliseconds()) + game.Instant(h.missed(g.State.At, now))
}
