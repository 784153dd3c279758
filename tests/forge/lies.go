package forge

import (
	"fmt"
	"slices"
	"strings"

	"chancery/domain/cards"
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
	{"early-roll", verify.Consistent, fair.StepChance, earlyRoll},
	{"second-link", verify.Consistent, fair.StepLink, secondLink},
	{"missing-link", verify.Legal, "", missingLink},
	{"missing-link-in-duet", verify.Consistent, fair.StepChance, missingDuetLink},
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

func anotherCard(_ Game, records []events.Record) ([]events.Record, int, bool) {
	return changePart(records, func(p *fair.Part) bool {
		if len(p.Open) == 0 {
			return false
		}
		p.Open[0].Card ^= 1
		return true
	})
}

func anotherCardInData(_ Game, records []events.Record) ([]events.Record, int, bool) {
	return change(records, func(f *game.CardDrawn) bool {
		if f.Card == nil {
			return false
		}
		c := *f.Card
		c.ID ^= 1
		f.Card = &c
		return true
	})
}

func cardNotHeld(_ Game, records []events.Record) ([]events.Record, int, bool) {
	return changePart(records, func(p *fair.Part) bool {
		if len(p.Play) == 0 {
			return false
		}
		p.Play[0].Card ^= 1
		return true
	})
}

func anotherRoll(_ Game, records []events.Record) ([]events.Record, int, bool) {
	return changePart(records, func(p *fair.Part) bool {
		if p.Roll == nil {
			return false
		}
		p.Roll.Out[0] = (p.Roll.Out[0] + 1) % p.Roll.Sides[0]
		return true
	})
}

func anotherServerLink(_ Game, records []events.Record) ([]events.Record, int, bool) {
	return changePart(records, func(p *fair.Part) bool {
		if p.Roll == nil {
			return false
		}
		p.Roll.X[31] ^= 1
		return true
	})
}

func otherFaces(_ Game, records []events.Record) ([]events.Record, int, bool) {
	return change(records, func(f *game.DiceRolled) bool {
		f.Faces = slices.Clone(f.Faces)
		f.Faces[0] = (f.Faces[0] + 1) % 10
		return true
	})
}

func anotherEffect(_ Game, records []events.Record) ([]events.Record, int, bool) {
	return change(records, func(f *game.DiceRolled) bool {
		other := game.SkipTurn
		if f.Effect == other {
			other = game.NoEffect
		}
		ok := f.Effect != ""
		f.Effect = other
		return ok
	})
}

func anotherArray(_ Game, records []events.Record) ([]events.Record, int, bool) {
	return change(records, func(f *game.ArrayDrawn) bool {
		swapped := []byte(f.Array)
		swapped[0], swapped[1] = swapped[1], swapped[0]
		f.FEN = strings.ReplaceAll(f.FEN, f.Array, string(swapped))
		f.Array = string(swapped)
		return true
	})
}

// swappedPile lays the first pile in another order than the seed derives and binds it
// to that, with the right salts: the top card and the last one change places, and a
// card that was opened meanwhile is the one that now lies there.
func swappedPile(g Game, records []events.Record) ([]events.Record, int, bool) {
	n, i, e := find(records, func(e game.Event) bool { return e.Fair != nil && e.Fair.Shuffle != nil && e.Fair.Shuffle.S == 0 })
	if e == nil {
		return nil, 0, false
	}
	at := state(records, n, i)
	dealer := fair.NewDealer(g.Name, g.Seed)
	at = at.Evolve(e.Fair)
	order := dealer.Order(at, 0)
	first, last := len(order)-1, len(order)-2
	for _, r := range records {
		for _, e := range r.Events {
			if p := e.Fair; p != nil && len(p.Open) > 0 && p.Open[0].S == 0 && p.Open[0].I < first {
				first = p.Open[0].I
			}
		}
	}
	if first < last {
		last = len(order) - 1
	}
	order[first], order[last] = order[last], order[first]
	for i, card := range order {
		e.Fair.Shuffle.Leaves[i] = fair.H("leaf", g.Name, 0, i, card, g.salt(i))
	}
	for _, r := range records {
		for _, e := range r.Events {
			if p := e.Fair; p != nil && len(p.Open) > 0 && p.Open[0].S == 0 {
				p.Open[0].Card = order[p.Open[0].I]
			}
		}
	}
	return records, len(records) - 1, true
}

// salt is that of position i of the first pile.
func (g Game) salt(i int) fair.Salt {
	sum := fair.F(g.Seed[:], "salt", g.Name, 0, i)
	return fair.Salt(sum[:16])
}

// anotherHand commits the last hand to a card that was not drawn.
func anotherHand(_ Game, records []events.Record) ([]events.Record, int, bool) {
	told, _, ok := changePart(records, func(p *fair.Part) bool {
		if p.Hand == nil {
			return false
		}
		p.Hand.Leaves[0][31] ^= 1
		return true
	})
	return told, len(records) - 1, ok
}

func otherHandsAtEnd(_ Game, records []events.Record) ([]events.Record, int, bool) {
	return change(records, func(f *game.HandsRevealed) bool {
		order := slices.Clone(f.Piles[0])
		order[0], order[1] = order[1], order[0]
		f.Piles = append([][]cards.ID{order}, f.Piles[1:]...)
		return true
	})
}

func skippedDraw(_ Game, records []events.Record) ([]events.Record, int, bool) {
	return changePart(records, func(p *fair.Part) bool {
		if p.Draw == nil {
			return false
		}
		for i := range p.Draw.I {
			p.Draw.I[i]++
		}
		return true
	})
}

// insertedRoll puts an honestly derived roll where none is due: after the last event of
// the last record but one.
func insertedRoll(g Game, records []events.Record) ([]events.Record, int, bool) {
	n := len(records) - 2
	if s := state(records, n, len(records[n].Events)); !s.MayRoll() {
		return nil, 0, false
	}
	records[n].Events = append(records[n].Events, game.Event{
		Fact: game.DiceRolled{Faces: []int{1, 1}, Purpose: "effect"},
		Fair: &fair.Part{Roll: &fair.Roll{Sides: []int{10, 10}}},
	})
	g.redeal(records)
	return records, n, true
}

// earlyRoll rolls before the first seat has opened a link.
func earlyRoll(g Game, records []events.Record) ([]events.Record, int, bool) {
	if g.Chains[0] == nil {
		return nil, 0, false
	}
	records[1].Events = append(records[1].Events, game.Event{
		Fact: game.ColorsDrawn{White: game.First}, Fair: &fair.Part{Roll: &fair.Roll{Sides: []int{2}}},
	})
	g.redeal(records)
	return records, 1, true
}

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

func orNil(p *fair.Part) *fair.Part {
	if p.Ack == nil && !p.Random() && len(p.Play) == 0 {
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

func illegalMove(_ Game, records []events.Record) ([]events.Record, int, bool) {
	return change(records, func(f *game.MovePlayed) bool {
		f.UCI = f.UCI[:2] + f.UCI[:2]
		return true
	})
}

// anotherPosition puts a pawn more, or a man less, on the board behind a move.
func anotherPosition(_ Game, records []events.Record) ([]events.Record, int, bool) {
	return change(records, func(f *game.MovePlayed) bool {
		i := strings.IndexAny(f.FEN, "Pp")
		if i < 0 {
			return false
		}
		f.FEN = f.FEN[:i] + "1" + f.FEN[i+1:]
		return true
	})
}

func anotherClock(_ Game, records []events.Record) ([]events.Record, int, bool) {
	return change(records, func(f *game.MovePlayed) bool {
		if f.Clock == nil {
			return false
		}
		c := *f.Clock
		c[0]--
		f.Clock = &c
		return true
	})
}

// earlyFlag lets the flag of a seat fall that has time left.
func earlyFlag(g Game, records []events.Record) ([]events.Record, int, bool) {
	if !g.Clock || records[len(records)-1].By == game.Spectator {
		return nil, 0, false
	}
	last := &records[len(records)-1]
	loser, old := last.By, last.Events[0]
	if _, resigned := old.Fact.(game.Resigned); !resigned {
		return nil, 0, false
	}
	last.By = game.Spectator
	last.Events[0] = game.Event{Fact: game.FlagFell{Seat: loser}}
	ended := last.Events[1].Fact.(game.GameEnded)
	ended.Reason = game.Timeout
	last.Events[1].Fact = ended
	return records, len(records) - 1, true
}

func timeTurnedBack(_ Game, records []events.Record) ([]events.Record, int, bool) {
	n := len(records) - 1
	records[n].At = records[n-1].At - 1
	return records, n, true
}

func wrongResult(_ Game, records []events.Record) ([]events.Record, int, bool) {
	return change(records, func(f *game.GameEnded) bool {
		f.Winner = f.Winner.Other()
		f.Result = map[game.Result]game.Result{
			game.WhiteWins: game.BlackWins, game.BlackWins: game.WhiteWins, game.Drawn: game.WhiteWins,
		}[f.Result]
		return true
	})
}

func wrongReason(_ Game, records []events.Record) ([]events.Record, int, bool) {
	return change(records, func(f *game.GameEnded) bool {
		was := f.Reason
		if f.Reason = game.Forfeit; was == f.Reason {
			f.Reason = game.Resignation
		}
		return true
	})
}

// removedRecord takes a player's move out that the other side answered.
func removedRecord(g Game, records []events.Record) ([]events.Record, int, bool) {
	n := turnBefore(records)
	if n < 0 {
		return nil, 0, false
	}
	told := slices.Delete(records, n, n+1)
	g.redeal(told)
	return told, n, true
}

// repeatedRecord tells a move twice.
func repeatedRecord(g Game, records []events.Record) ([]events.Record, int, bool) {
	n := turnBefore(records)
	if n < 0 {
		return nil, 0, false
	}
	again := g.decode()[n]
	if p := again.Events[0].Fair; p != nil {
		p.Link = nil // or it would be a second one
		again.Events[0].Fair = orNil(p)
	}
	told := slices.Insert(records, n+1, again)
	g.redeal(told)
	return told, n + 1, true
}

// turnBefore is the first turn of a seat that is followed by one of the other seat, in
// records that draw nothing to a hand; -1 where there is none.
func turnBefore(records []events.Record) int {
	for n := 3; n+1 < len(records)-1; n++ {
		if isTurn(records[n]) && isTurn(records[n+1]) && records[n].By != records[n+1].By {
			return n
		}
	}
	return -1
}

func isTurn(r events.Record) bool {
	return onBoard(r.Events[0]) && !slices.ContainsFunc(r.Events, func(e game.Event) bool { return e.Fair != nil && e.Fair.Hand != nil })
}

func onBoard(e game.Event) bool {
	_, moved := e.Fact.(game.MovePlayed)
	_, dropped := e.Fact.(game.PieceDropped)
	return moved || dropped
}

func askedByOther(_ Game, records []events.Record) ([]events.Record, int, bool) {
	n, i, e := find(records, func(e game.Event) bool {
		_, played := e.Fact.(game.CardPlayed)
		return played || onBoard(e)
	})
	if e == nil || i != 0 {
		return nil, 0, false
	}
	records[n].By = records[n].By.Other()
	if e.Fair != nil && e.Fair.Ack != nil {
		e.Fair.Ack = nil
		e.Fair = emptied(e.Fair)
	}
	return records, n, true
}

func emptied(p *fair.Part) *fair.Part {
	if fmt.Sprint(*p) == fmt.Sprint(fair.Part{}) {
		return nil
	}
	return p
}

func rulesOfTomorrow(_ Game, records []events.Record) ([]events.Record, int, bool) {
	return change(records, func(f *game.GameCreated) bool {
		f.Rules.Version++
		return true
	})
}

func anotherDeck(_ Game, records []events.Record) ([]events.Record, int, bool) {
	return change(records, func(f *game.GameCreated) bool {
		ok := f.Rules.Deck != ""
		f.Rules.Deck = strings.Repeat("0", 64)
		return ok
	})
}
