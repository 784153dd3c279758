package forge

import (
	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
	"chancery/events/verify"
)

// A Lie is a game that did not happen so, told without a contradiction in its chain of
// hashes, and what has to be said of it.
type Lie struct {
	Name     string
	Payloads [][]byte
	Level    verify.Level // that has to refuse it
	Record   int          // number of the record refused
	Step     string       // of the protocol, at the levels consistent and fair
}

// A lie changes the records of a game and says which has to be refused; ok is false
// where the game has nothing of the kind.
type lie struct {
	name  string
	level verify.Level
	step  string
	tell  func(g Game, records []events.Record) (told []events.Record, refused int, ok bool)
}

// lies lists what can be told of every game.
var lies = []lie{
	{"another-card", verify.Consistent, fair.StepOpen, anotherCard},
	{"another-card-in-data", verify.Legal, "", anotherCardInData},
	{"card-not-held", verify.Consistent, fair.StepPlay, cardNotHeld},
	{"another-roll", verify.Consistent, fair.StepRoll, anotherRoll},
	{"another-link-of-the-server", verify.Consistent, fair.StepRoll, anotherServerLink},
	{"other-faces-in-data", verify.Legal, "", otherFaces},
	{"another-effect", verify.Legal, "", anotherEffect},
	{"another-array", verify.Legal, "", anotherArray},
	{"two-cards-swapped-in-the-pile", verify.Fair, fair.StepReveal, swappedPile},
	{"another-hand", verify.Fair, fair.StepReveal, anotherHand},
	{"other-hands-at-the-end", verify.Legal, "", otherHandsAtEnd},
	{"skipped-draw", verify.Consistent, fair.StepDraw, skippedDraw},
	{"inserted-roll", verify.Legal, "", insertedRoll},
	{"more-rolls-than-links", verify.Consistent, fair.StepRoll, shortChain},
	{"early-roll", verify.Consistent, fair.StepChance, earlyRoll},
	{"second-link", verify.Consistent, fair.StepLink, secondLink},
	{"missing-link", verify.Legal, "", missingLink},
	{"missing-link-in-duet", verify.Consistent, fair.StepChance, missingDuetLink},
	{"two-rolls-in-a-record-of-duet", verify.Consistent, fair.StepChance, joinedRolls},
	{"link-with-an-offer", verify.Legal, "", linkWithOffer},
	{"link-of-a-stopped-chain", verify.Legal, "", linkAfterStop},
	{"early-link", verify.Consistent, fair.StepLink, earlyLink},
	{"mirrored-anchor", verify.Consistent, fair.StepLink, mirroredAnchor},
	{"second-anchor", verify.Consistent, fair.StepAnchor, secondAnchor},
	{"second-commitment", verify.Consistent, fair.StepCommit, secondCommitment},
	{"no-commitment", verify.Consistent, fair.StepCommit, noCommitment},
	{"another-commitment", verify.Fair, fair.StepReveal, anotherCommitment},
	{"another-seed", verify.Fair, fair.StepReveal, anotherSeed},
	{"no-reveal", verify.Legal, "", noReveal},
	{"part-after-the-reveal", verify.Consistent, fair.StepOver, afterReveal},
	{"unseen-acknowledgement", verify.Consistent, fair.StepAck, unseenAck},
	{"older-acknowledgement", verify.Consistent, fair.StepAck, olderAck},
	{"illegal-move", verify.Legal, "", illegalMove},
	{"another-position", verify.Legal, "", anotherPosition},
	{"another-clock", verify.Legal, "", anotherClock},
	{"early-flag", verify.Legal, "", earlyFlag},
	{"time-turned-back", verify.Legal, "", timeTurnedBack},
	{"wrong-result", verify.Legal, "", wrongResult},
	{"wrong-reason", verify.Legal, "", wrongReason},
	{"removed-record", verify.Legal, "", removedRecord},
	{"repeated-record", verify.Legal, "", repeatedRecord},
	{"asked-by-the-other", verify.Legal, "", askedByOther},
	{"rules-of-tomorrow", verify.Legal, "", rulesOfTomorrow},
	{"another-deck", verify.Legal, "", anotherDeck},
}

// Lies tells every lie about g that can be told of it.
func (g Game) Lies() []Lie {
	var out []Lie
	for _, l := range lies {
		if told, n, ok := l.tell(g, g.decode()); ok {
			out = append(out, Lie{Name: l.name, Payloads: rechain(told), Level: l.level, Record: n, Step: l.step})
		}
	}
	return append(out, g.crooked()...)
}

// Names lists every lie there is.
func Names() []string {
	names := []string{"playable-card-kept"}
	for _, l := range lies {
		names = append(names, l.name)
	}
	for _, c := range crooks {
		names = append(names, c.name)
	}
	return names
}

// find is the last event, from the back, with which the records go as wanted.
func find(records []events.Record, wanted func(e game.Event) bool) (n, i int, e *game.Event) {
	for n := len(records) - 1; n >= 0; n-- {
		for i := len(records[n].Events) - 1; i >= 0; i-- {
			if wanted(records[n].Events[i]) {
				return n, i, &records[n].Events[i]
			}
		}
	}
	return 0, 0, nil
}

// change changes the last fact of a type, and names its record.
func change[F game.Fact](records []events.Record, to func(*F) bool) (told []events.Record, n int, ok bool) {
	n, _, e := find(records, func(e game.Event) bool {
		f, is := e.Fact.(F)
		return is && to(&f)
	})
	if e == nil {
		return nil, 0, false
	}
	f := e.Fact.(F)
	to(&f)
	e.Fact = f
	return records, n, true
}

// changePart changes the last part of chance that can be changed so.
func changePart(records []events.Record, to func(*fair.Part) bool) (told []events.Record, n int, ok bool) {
	n, _, e := find(records, func(e game.Event) bool { return e.Fair != nil && to(e.Fair) })
	return records, n, e != nil
}
