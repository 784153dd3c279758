package forge

import (
	"slices"

	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
)

// secondLink lets a seat open a link in a record in which it owes none.
func secondLink(g Game, records []events.Record) ([]events.Record, int, bool) {
	for n := 3; n < len(records); n++ {
		seat := records[n].By.Wire()
		e := &records[n].Events[0]
		if seat < 0 || g.Chains[seat] == nil || e.Fair != nil && e.Fair.Link != nil || !state(records, n, 0).Seat[seat].Fresh {
			continue
		}
		if e.Fair == nil {
			e.Fair = new(fair.Part)
		}
		e.Fair.Link = &fair.Link{Seat: seat}
		g.redeal(records)
		return records, n, true
	}
	return nil, 0, false
}

// missingLink leaves out the last link that a turn action had to carry.
func missingLink(g Game, records []events.Record) ([]events.Record, int, bool) {
	for n := len(records) - 2; n >= 3; n-- {
		e := &records[n].Events[0]
		_, alone := e.Fact.(game.LinkOpened)
		if alone || e.Fair == nil || e.Fair.Link == nil || g.Chains[e.Fair.Link.Seat] == nil {
			continue
		}
		e.Fair.Link = nil
		e.Fair = orNil(e.Fair)
		g.redeal(records)
		return records, n, true
	}
	return nil, 0, false
}

// missingDuetLink lets dice roll in duet without one seat's link: the second random
// event there is.
func missingDuetLink(g Game, records []events.Record) ([]events.Record, int, bool) {
	if !records[0].Events[0].Fair.Commit.Duet {
		return nil, 0, false
	}
	for n := 3; n < len(records)-1; n++ {
		opened := &records[n].Events[0]
		_, alone := opened.Fact.(game.LinkOpened)
		if !alone || len(records[n].Events) < 2 || records[n].Events[1].Fair == nil || records[n].Events[1].Fair.Roll == nil {
			continue
		}
		opened.Fair.Link = nil
		opened.Fair = orNil(opened.Fair)
		g.redeal(records)
		return records, n, true
	}
	return nil, 0, false
}

// joinedRolls tells the first two random events of duet, and what happened between them,
// in one record.
func joinedRolls(_ Game, records []events.Record) ([]events.Record, int, bool) {
	if !records[0].Events[0].Fair.Commit.Duet {
		return nil, 0, false
	}
	rolls := func(r events.Record) bool {
		return slices.ContainsFunc(r.Events, func(e game.Event) bool { return e.Fair.Random() })
	}
	n := slices.IndexFunc(records, rolls)
	next := n + 1 + slices.IndexFunc(records[n+1:], rolls)
	for _, r := range records[n+1 : next+1] {
		if p := r.Events[0].Fair; p != nil {
			p.Ack = nil // of a record that there is no more
			r.Events[0].Fair = orNil(p)
		}
		records[n].Events = append(records[n].Events, r.Events...)
	}
	return slices.Delete(records, n+1, next+1), n, true
}

func orNil(p *fair.Part) *fair.Part {
	if p.Ack == nil && p.Link == nil && !p.Random() && len(p.Play) == 0 {
		return nil
	}
	return p
}

// linkWithOffer lets a seat open its next link with a draw offer, which carries none.
func linkWithOffer(g Game, records []events.Record) ([]events.Record, int, bool) {
	n, _, e := find(records, func(e game.Event) bool { _, is := e.Fact.(game.DrawOffered); return is })
	if e == nil {
		return nil, 0, false
	}
	seat := records[n].By.Wire()
	if g.Chains[seat] == nil || state(records, n, 0).Seat[seat].Fresh {
		return nil, 0, false
	}
	if e.Fair == nil {
		e.Fair = new(fair.Part)
	}
	e.Fair.Link = &fair.Link{Seat: seat}
	// The seat's later link of the same stretch would be a second one.
	for m := n + 1; m < len(records); m++ {
		if p := records[m].Events[0].Fair; p != nil && p.Link != nil && p.Link.Seat == seat {
			p.Link = nil
			records[m].Events[0].Fair = orNil(p)
			break
		}
	}
	g.redeal(records)
	return records, n, true
}

// linkAfterStop lets a seat that has lost its chain open a link all the same.
func linkAfterStop(g Game, records []events.Record) ([]events.Record, int, bool) {
	stopped := false
	for n := range records[:len(records)-1] {
		e := &records[n].Events[0]
		if _, is := e.Fact.(game.LinksStopped); is {
			stopped = true
			continue
		}
		if stopped && records[n].By == game.First && (e.Fair == nil || e.Fair.Link == nil) && !state(records, n, 0).Seat[0].Fresh {
			if e.Fair == nil {
				e.Fair = new(fair.Part)
			}
			e.Fair.Link = &fair.Link{Seat: 0}
			g.redeal(records)
			return records, n, true
		}
	}
	return nil, 0, false
}

func earlyLink(g Game, records []events.Record) ([]events.Record, int, bool) {
	if g.Chains[0] == nil {
		return nil, 0, false
	}
	records[0].Events[0].Fair.Link = g.Chains[0].Link(1)
	return records, 0, true
}

// mirroredAnchor lets the second seat pass the first one's chain off as its own.
func mirroredAnchor(g Game, records []events.Record) ([]events.Record, int, bool) {
	p := records[1].Events[0].Fair
	if g.Chains[0] == nil || g.Chains[1] == nil {
		return nil, 0, false
	}
	p.Anchor[0].Y, p.Link.Y = g.Chains[0].Anchor().Y, g.Chains[0].Link(1).Y
	return records, 1, true
}

func secondAnchor(_ Game, records []events.Record) ([]events.Record, int, bool) {
	p := records[1].Events[0].Fair
	p.Anchor = append(p.Anchor, p.Anchor[0])
	return records, 1, true
}

func secondCommitment(_ Game, records []events.Record) ([]events.Record, int, bool) {
	records[1].Events[0].Fair.Commit = records[0].Events[0].Fair.Commit
	return records, 1, true
}

func noCommitment(_ Game, records []events.Record) ([]events.Record, int, bool) {
	records[0].Events[0].Fair.Commit = nil
	return records, 0, true
}

func anotherCommitment(_ Game, records []events.Record) ([]events.Record, int, bool) {
	records[0].Events[0].Fair.Commit.C[31] ^= 1
	return records, len(records) - 1, true
}

func anotherSeed(_ Game, records []events.Record) ([]events.Record, int, bool) {
	return changePart(records, func(p *fair.Part) bool {
		if p.Reveal == nil {
			return false
		}
		p.Reveal.Seed[31] ^= 1
		return true
	})
}

// noReveal keeps the seed back.
func noReveal(_ Game, records []events.Record) ([]events.Record, int, bool) {
	last := &records[len(records)-1]
	last.Events = slices.DeleteFunc(last.Events, func(e game.Event) bool {
		return e.Fair != nil && e.Fair.Reveal != nil
	})
	return records, len(records) - 1, true
}

func afterReveal(_ Game, records []events.Record) ([]events.Record, int, bool) {
	last := &records[len(records)-1]
	last.Events = append(last.Events, game.Event{
		Fact: game.GameVoided{Reason: game.Administrator}, Fair: &fair.Part{Ack: &fair.Ack{H: last.Prev}},
	})
	return records, len(records) - 1, true
}

func unseenAck(_ Game, records []events.Record) ([]events.Record, int, bool) {
	return changePart(records, func(p *fair.Part) bool {
		if p.Ack == nil {
			return false
		}
		p.Ack.H[31] ^= 1
		return true
	})
}

// olderAck lets a seat acknowledge what it had seen before something newer.
func olderAck(_ Game, records []events.Record) ([]events.Record, int, bool) {
	var seen [2]bool
	for n, r := range records {
		p := r.Events[0].Fair
		if p == nil || p.Ack == nil {
			continue
		}
		if seen[p.Ack.Seat] {
			p.Ack.H = records[1].Prev
			return records, n, true
		}
		seen[p.Ack.Seat] = true
	}
	return nil, 0, false
}
