package verify

import (
	"errors"
	"fmt"
	"slices"

	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
)

// Game judges a game by its payloads, in order, from the level Consistent up to the
// one given; [Report.Record] judges the last level. It never fails: bytes that are no
// records are refused like any other lie.
func Game(payloads [][]byte, upTo Level) Report {
	r, _ := GameRead(payloads, upTo)
	return r
}

// A Reading is what a judgement has read of a game, as far as it is consistent.
type Reading struct {
	Records []events.Record
	Chance  fair.State // after the last of them
	Seed    *fair.Seed // nil: not revealed
}

// GameRead is [Game] with what was read on the way, for those who would read it again.
func GameRead(payloads [][]byte, upTo Level) (Report, Reading) {
	h := history{payloads: payloads, hashes: make(map[fair.Hash]int, len(payloads))}
	r := h.judge(upTo)
	return r, Reading{Records: h.records, Chance: h.chance, Seed: h.seed}
}

func (h *history) judge(upTo Level) Report {
	consistent := h.read()
	r := h.report()
	r.Levels = append(r.Levels, consistent)
	if upTo == Consistent {
		return r
	}
	r.Levels = append(r.Levels, h.judgeFair(consistent))
	if upTo == Fair {
		return r
	}
	r.Levels = append(r.Levels, h.judgeLegal(r.At(Fair), &r))
	return r
}

// A history is the records of a game as far as they are consistent.
type history struct {
	payloads [][]byte
	records  []events.Record
	hashes   map[fair.Hash]int // of the records, and their numbers
	head     fair.Hash         // of the newest record
	chance   fair.State
	seed     *fair.Seed   // once revealed
	dealer   *fair.Dealer // once the seed was compared: it has worked out the chains
	unfair   *Judgement   // that the seed does not derive what it should
	seedLost int          // number of the record that says so, or 0
	ended    string       // why the game ended, in record endedAt
	endedAt  int
	result   string
}

// read judges the level Consistent. Each record must be read, follow the one before it
// and keep the promises of chance that stand in the ledger by then.
func (h *history) read() Judgement {
	if len(h.payloads) == 0 {
		return Judgement{Level: Consistent, Verdict: Refused, Why: "there are no records"}
	}
	for n, payload := range h.payloads {
		r, err := events.DecodeRecord(payload)
		if err == nil {
			err = h.follows(r)
		}
		if err != nil {
			return refused(Consistent, n, "record", err.Error())
		}
		h.records = append(h.records, r)
		for i, e := range r.Events {
			if j := h.check(n, i, e.Fair); j != nil {
				return *j
			}
			if h.chance.Duet && e.Fair.Random() && slices.ContainsFunc(r.Events[:i], random) {
				return refused(Consistent, n, fair.StepChance, fmt.Sprintf("event %d, chance: a second random event in one record, where in duet each is a record of its own", i))
			}
			h.note(n, e)
		}
		h.head = fair.RecordHash(payload)
		h.hashes[h.head] = n
	}
	return Judgement{Level: Consistent, Verdict: Holds}
}

func random(e game.Event) bool { return e.Fair.Random() }

// follows says why r is not the next record.
func (h *history) follows(r events.Record) error {
	n := len(h.records)
	if n == 0 {
		h.chance.Game = r.Game
	}
	switch {
	case r.N != n:
		return fmt.Errorf("it has the number %d where %d is due: a record is missing, added or out of place", r.N, n)
	case r.Prev != h.head:
		return errors.New("it does not name the hash of the record before it, so one of the two was changed")
	case r.Game != h.chance.Game:
		return fmt.Errorf("it is of game %s and not of %s", r.Game, h.chance.Game)
	}
	return nil
}

// check checks what event i of record n says of chance, and folds it in. That the seed
// does not derive what was promised is noted for the next level.
func (h *history) check(n, i int, p *fair.Part) *Judgement {
	if h.ledgerWide() {
		return noChance(n, i, p)
	}
	err := h.chance.Follow(p, h.numberOf)
	if p != nil && p.Reveal != nil {
		h.seed = &p.Reveal.Seed
		if err == nil {
			h.dealer = h.chance.Dealer(*h.seed)
			err = h.dealer.CheckReveal(&h.chance)
		}
	}
	var violation *fair.Violation
	if !errors.As(err, &violation) {
		return nil
	}
	why := fmt.Sprintf("event %d, %s: %s", i, violation.Step, violation.Detail)
	if violation.Step == fair.StepReveal {
		h.unfair = new(refused(Fair, n, violation.Step, why))
		return nil
	}
	return new(refused(Consistent, n, violation.Step, why))
}

// ledgerWide says that the records are the ledger's own, which are about no game.
func (h *history) ledgerWide() bool { return game.LedgerWide(h.chance.Game) }

func noChance(n, i int, p *fair.Part) *Judgement {
	if p == nil {
		return nil
	}
	return new(refused(Consistent, n, "record", fmt.Sprintf("event %d has a part of chance, and the ledger's own records have none", i)))
}

// numberOf finds a record by its hash.
func (h *history) numberOf(x fair.Hash) (n int, ok bool) {
	n, ok = h.hashes[x]
	return n, ok
}

// note keeps what the report says of the game.
func (h *history) note(n int, e game.Event) {
	if f, ok := e.Fact.(game.GameEnded); ok {
		h.ended, h.endedAt, h.result = string(f.Reason), n, string(f.Result)
	}
	if f, ok := e.Fact.(game.GameAborted); ok {
		h.ended, h.endedAt = string(f.Reason), n
	}
	if f, ok := e.Fact.(game.GameVoided); ok && f.Reason == game.SeedLost {
		h.seedLost = n
	}
}

func (h *history) report() Report {
	r := Report{Game: h.chance.Game, Records: len(h.payloads), Result: h.result, Reason: h.ended}
	if len(h.records) > 0 {
		if f, ok := h.records[0].Events[0].Fact.(game.GameCreated); ok {
			r.Variant = f.Variant
		}
	}
	if len(h.records) == len(h.payloads) {
		r.Head = h.head
	}
	return r
}

// judgeFair says whether the seed derives all that was promised.
func (h *history) judgeFair(consistent Judgement) Judgement {
	switch {
	case consistent.Verdict != Holds:
		return unjudged(Fair, "the records are not consistent")
	case h.ledgerWide():
		return unjudged(Fair, "the ledger's own records leave nothing to chance")
	case h.unfair != nil:
		return *h.unfair
	case h.seed == nil && h.seedLost > 0:
		return refused(Fair, h.seedLost, fair.StepReveal, "the server says that it has lost the seed, so what was hidden can never be checked")
	case h.seed == nil:
		return Judgement{Level: Fair, Verdict: NotYet, Why: "the seed is revealed when the game ends"}
	}
	return Judgement{Level: Fair, Verdict: Holds}
}
