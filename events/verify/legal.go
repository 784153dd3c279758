package verify

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"

	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
)

// judgeLegal decides every command again. Before the seed is revealed chance answers
// what the records say, and what hangs on hidden hands has to wait.
func (h *history) judgeLegal(fairly Judgement, r *Report) Judgement {
	if h.ledgerWide() && r.At(Consistent).Verdict == Holds {
		return h.judgeOwn()
	}
	if fairly.Verdict != Holds && fairly.Verdict != NotYet {
		return unjudged(Legal, "what comes before it does not hold")
	}
	l := legal{state: game.New(h.chance.Game)}
	switch {
	case h.seed == nil:
	case h.chance.Len == fair.DefaultLen:
		l.chance = h.dealer
	default: // which the rules refuse
		l.chance = fair.NewDealer(h.chance.Game, *h.seed)
	}
	hidden := -1
	for n, record := range h.records {
		switch err := l.decide(record); {
		case errors.Is(err, errHidden):
			if hidden < 0 {
				hidden = n
			}
		case err != nil:
			return refused(Legal, n, "", err.Error())
		}
	}
	r.Trust = game.ViewFor(l.state, game.Spectator, nil).Trust
	if hidden >= 0 {
		return h.waits(fmt.Sprintf("record %d hangs on cards that are hidden until the seed is revealed", hidden))
	}
	if h.seed == nil {
		return h.waits("everything so far was; the game is not over")
	}
	return Judgement{Level: Legal, Verdict: Holds}
}

// judgeOwn judges the ledger's own records, which only announce.
func (h *history) judgeOwn() Judgement {
	for _, r := range h.records {
		if j := Own(r); j != nil {
			return *j
		}
	}
	return Judgement{Level: Legal, Verdict: Holds}
}

// Own judges a record of one of the ledger's own games for what stands in it alone: it
// announces, and speaks of no chance. It gives nil if nothing is wrong, and otherwise the
// refusal, of the level [Consistent] or [Legal].
func Own(r events.Record) *Judgement {
	for i, e := range r.Events {
		if j := noChance(r.N, i, e.Fair); j != nil {
			return j
		}
	}
	for i, e := range r.Events {
		if !announces(e.Fact) || r.By != game.Spectator {
			return new(refused(Legal, r.N, "", fmt.Sprintf("event %d, %s, is none of the ledger's own", i, nameOf(e))))
		}
	}
	return nil
}

func announces(f game.Fact) bool {
	switch f.(type) {
	case game.LogKeyAdded, game.SoftwareReleased:
		return true
	default:
		return false
	}
}

// waits is the judgement on a game without a revealed seed of which nothing worse can be
// said. One that has ended owes it.
func (h *history) waits(why string) Judgement {
	if h.ended != "" {
		return refused(Legal, h.endedAt, "", "the game ends here, and the record does not reveal the seed")
	}
	return Judgement{Level: Legal, Verdict: NotYet, Why: why}
}

// errHidden says that a decision cannot be checked before the seed is revealed.
var errHidden = errors.New("hidden")

// A legal replays a game by its rules.
type legal struct {
	state  game.State
	chance game.Chance // the game's own; nil: what each record says
}

// decide says why the rules do not lead from the command of r to its events.
func (l *legal) decide(r events.Record) error {
	c, err := events.CommandOf(r)
	if err != nil {
		return err
	}
	if err := mayAsk(c); err != nil {
		return err
	}
	chance, record := l.chance, (*told)(nil)
	if chance == nil {
		record = &told{events: r.Events}
		chance = record
	}
	if err := l.ownAnchors(r); err != nil {
		return err
	}
	next, facts, err := game.Next(l.state, c, chance)
	if err == nil && reflect.DeepEqual(r.Events, facts) {
		l.state = next
		return nil
	}
	if err = otherwise(r, facts, err); err != nil && record != nil && record.hidden() {
		if err = judgePublic(l.state, c, r); err == nil {
			err = errHidden
		}
	}
	if err == nil || errors.Is(err, errHidden) {
		l.state = game.Fold(l.state, r.Events...)
	}
	return err
}

// otherwise says how what the rules give, facts or a refusal, differs from r.
func otherwise(r events.Record, facts []game.Event, refusal error) error {
	if refusal != nil {
		return fmt.Errorf("the rules refuse what was asked: %w", refusal)
	}
	return compare(r, asOf(r, facts))
}

// ownAnchors says which anchor is called a seat's own although the seed derives it: the
// server then keeps that chain, and the seat adds nothing to the luck of the game.
func (l *legal) ownAnchors(r events.Record) error {
	if l.chance == nil {
		return nil
	}
	for _, e := range r.Events {
		if e.Fair == nil {
			continue
		}
		for _, a := range e.Fair.Anchor {
			if !a.Delegated && l.chance.Anchor(a.Seat).Y == a.Y {
				return fmt.Errorf("the chain of seat %d is the server's, and is not marked as delegated", a.Seat)
			}
		}
	}
	return nil
}

// mayAsk says why nobody can have asked for c in that place: most things are a
// player's to ask, some the server's alone.
func mayAsk(c game.Command) error {
	players, server := c.By != game.Spectator, c.By == game.Spectator
	switch a := c.Action.(type) {
	case game.Create:
		players, server = c.By == game.First, false
	case game.Join:
		players, server = c.By == game.Second, server && a.Bot != ""
	case game.CallFlag, game.CallForfeit, game.Pause, game.Resume, game.Abort, game.Void:
		players = false
	case game.OpenLink: // the server's own, where it keeps the chains
	case game.StopLinks, game.Move, game.Drop, game.Promote, game.PlayCard, game.Discard, game.Pass, game.CallUno, game.CatchUno,
		game.Resign, game.OfferDraw, game.AcceptDraw, game.DeclineDraw, game.ClaimDraw, game.Cancel:
		server = false
	}
	if !players && !server {
		return fmt.Errorf("a %T cannot be asked for by %s", c.Action, askedBy(c.By))
	}
	return nil
}

func askedBy(s game.Seat) string {
	if s == game.Spectator {
		return "the server"
	}
	return fmt.Sprintf("seat %d", s.Wire())
}

// asOf gives a new game the version of the rules that it was created under: a game
// ends by the rules it began with, whatever the newest are today.
func asOf(r events.Record, facts []game.Event) []game.Event {
	created, isNew := facts[0].Fact.(game.GameCreated)
	was, wasNew := r.Events[0].Fact.(game.GameCreated)
	if isNew && wasNew && 1 <= was.Rules.Version && was.Rules.Version < created.Rules.Version {
		created.Rules.Version = was.Rules.Version
		facts[0].Fact = created
	}
	return facts
}

// compare says how the events that the rules give differ from those of r, where the
// values are not simply equal: what counts is how they are written, in the versions of
// today if r is older.
func compare(r events.Record, facts []game.Event) error {
	again := r
	again.Events, again.At = facts, facts[0].At
	want, err := events.EncodeRecord(again)
	if err != nil {
		return fmt.Errorf("by the rules there is no such record: %w", err)
	}
	if got, err := events.EncodeRecord(r); err == nil && bytes.Equal(want, got) {
		return nil
	}
	return difference(r, again)
}
