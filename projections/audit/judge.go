package audit

import (
	"context"
	"fmt"

	"chancery/domain/game"
	"chancery/events"
	"chancery/events/verify"
	"chancery/projections"
)

// announced judges a record of one of the ledger's own games, by itself: these games go
// on for as long as the ledger does.
func (a *Auditor) announced(g *gameLog, r projections.Record) {
	var j *verify.Judgement
	if rec, err := r.Read(); err != nil {
		j = &verify.Judgement{Level: verify.Consistent, Record: new(g.n), Why: err.Error()}
	} else {
		j = verify.Own(rec)
	}
	if j != nil && (j.Level == verify.Consistent || a.level == verify.Legal) {
		a.refuse(g, r.Game, *j)
	}
}

// read reads the game again, up to the record.
func (a *Auditor) read(ctx context.Context, r projections.Record) (payloads [][]byte, err error) {
	for s, err := range a.log.Read(ctx, r.Game, 0) {
		if err != nil {
			return nil, fmt.Errorf("reading game %s again: %w", r.Game, err)
		}
		payloads = append(payloads, s.Payload)
		if s.Position >= r.Position {
			break
		}
	}
	return payloads, nil
}

// settle judges a game that has revealed its seed, and counts what the seed derives.
func (a *Auditor) settle(g *gameLog, id string, payloads [][]byte) {
	reading := a.judge(g, id, payloads)
	a.drop(g)
	delete(a.owing, id)
	g.settled, g.effect = true, nil
	a.revealed++
	if reading.Seed != nil {
		a.count(reading)
	}
}

// judge notes which level refuses the game.
func (a *Auditor) judge(g *gameLog, id string, payloads [][]byte) verify.Reading {
	report, reading := verify.GameRead(payloads, a.level)
	if j := report.Fault(); j != nil {
		a.refuse(g, id, *j)
	}
	return reading
}

// refuse notes the first refusal of a game.
func (a *Auditor) refuse(g *gameLog, id string, j verify.Judgement) {
	if !g.refused {
		g.refused = true
		a.refused = append(a.refused, Refusal{Game: id, Level: j.Level, Record: j.Record, Why: j.Why})
	}
}

// reasonOf is why the game ended in the record.
func reasonOf(r events.Record) (reason string) {
	for _, e := range r.Events {
		switch f := e.Fact.(type) {
		case game.GameEnded:
			reason = string(f.Reason)
		case game.GameAborted:
			reason = string(f.Reason)
		case game.GameVoided:
			reason = string(f.Reason)
		default: // ends nothing
		}
	}
	return reason
}
