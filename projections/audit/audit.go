// Package audit watches a whole ledger: that it is complete, that every game is what its
// seed derives and the rules decide, and that what the seeds derive looks like chance.
//
// Statistics are the second line. They hunt for what no proof can show: bias in a
// sampler that every verifier shares, deals made again until they suited somebody,
// aborts that are not by accident. What is tested is all that the seeds derive, whole
// orders of all revealed games, aborted ones too, and every roll of the ledger; never
// what players happened to see, and nothing by who won, for winners were lucky.
package audit

import (
	"context"
	"fmt"
	"iter"
	"time"

	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
	"chancery/events/verify"
	"chancery/projections"
)

// RevealWithin is how long after its end a game may keep its seed.
const RevealWithin = time.Minute

// A Fault is something wrong with the ledger itself.
type Fault struct {
	Game     string          `json:"game,omitempty"`
	Position events.Position `json:"position"`
	Why      string          `json:"why"`
}

// A Refusal is a game that a verifier refuses.
type Refusal struct {
	Game   string       `json:"game"`
	Level  verify.Level `json:"level"`
	Record *int         `json:"record,omitempty"`
	Why    string       `json:"why"`
}

// An Overdue game has ended and does not show its seed.
type Overdue struct {
	Game   string `json:"game"`
	Reason string `json:"reason,omitempty"`
	Since  string `json:"since"` // RFC 3339
}

// An Auditor takes the records of a ledger in, in order, each once. It is for one
// goroutine.
type Auditor struct {
	log   Reader
	level verify.Level

	position events.Position
	records  int
	at       string // of the newest record
	games    map[string]*gameLog
	own      int                 // of them those that are the ledger's own
	owing    map[string]*gameLog // of them those that have ended and not revealed
	kept     int                 // bytes of the records kept

	faults   []Fault
	refused  []Refusal
	revealed int
	aborted  map[string]int // by reason
	ended    int
	voided   int

	dice      *DiceWatch
	shuffles  map[string]*ShuffleWatch // by [shuffleGroups]
	hands     [2]*Luck                 // of White and Black
	aborts    map[string]*Luck         // first hands of aborted games, by reason
	accounts  *Accounts
	foresight *Foresight
	weeks     []Week
	week      *weekly
}

// A gameLog is what is remembered of a game: its newest record, and all of them while
// it goes on and there is room.
type gameLog struct {
	n        int
	head     fair.Hash
	payloads [][]byte
	dropped  bool // there was no room for its records
	settled  bool // its records are judged, and not kept any more
	refused  bool
	ended    string
	reason   string
	live     bool  // cards are drawn by lot
	effect   *Roll // the newest roll of effects
}

// roomForGames is how many bytes of games that go on are kept; others are read again
// from the log when they end.
const roomForGames = 256 << 20

// A Reader reads a game again; an [events.Log] is one.
type Reader interface {
	// Read yields the records of a game behind the revision after, oldest first.
	Read(ctx context.Context, game string, after events.Revision) iter.Seq2[events.Stored, error]
}

// New is an auditor of a log of which it has seen nothing yet. Every game is judged up
// to the level.
func New(log Reader, level verify.Level) *Auditor {
	a := &Auditor{
		log: log, level: level, games: map[string]*gameLog{}, owing: map[string]*gameLog{}, aborted: map[string]int{},
		dice: NewDiceWatch(), shuffles: map[string]*ShuffleWatch{}, hands: [2]*Luck{NewLuck(), NewLuck()},
		aborts: map[string]*Luck{}, accounts: NewAccounts(), foresight: NewForesight(), week: newWeekly(),
	}
	for _, name := range shuffleGroups {
		a.shuffles[name] = NewShuffleWatch()
	}
	for _, reason := range abortReasons {
		a.aborts[reason] = NewLuck()
	}
	return a
}

// Position is that of the newest record taken in.
func (a *Auditor) Position() events.Position { return a.position }

// Games is how many games were judged and counted.
func (a *Auditor) Games() int { return a.revealed }

// Absorb takes the next record in. What is wrong with it is a finding and no error; the
// errors are the log's, when a game is read again.
func (a *Auditor) Absorb(ctx context.Context, r projections.Record) error {
	if r.Position != a.position+1 {
		a.fault(r, "the records at positions %d to %d are missing", a.position+1, r.Position-1)
	}
	a.position = r.Position
	a.records++
	a.turnWeek(r.Time())
	f, err := frameOf(r.Payload)
	switch {
	case err != nil:
		a.fault(r, "the record cannot be read: %v", err)
		return nil
	case f.game != r.Game:
		a.fault(r, "the record says that it is of game %.64s", f.game)
		return nil
	}
	g := a.follow(r, f)
	if g == nil {
		return nil
	}
	if game.LedgerWide(r.Game) {
		a.announced(g, r)
		return nil
	}
	a.roll(g, r)
	return a.end(ctx, g, r)
}

func (a *Auditor) fault(r projections.Record, why string, args ...any) {
	a.faults = append(a.faults, Fault{Game: r.Game, Position: r.Position, Why: fmt.Sprintf(why, args...)})
}

// follow is the game with its next record, or nil for a record that stands in the
// ledger although its number is taken.
func (a *Auditor) follow(r projections.Record, f frame) *gameLog {
	g := a.games[r.Game]
	if g == nil {
		own := game.LedgerWide(r.Game)
		g = &gameLog{n: -1, live: isLive(r.Payload), settled: own}
		a.games[r.Game] = g
		if own {
			a.own++
		}
	}
	switch {
	case f.n <= g.n:
		a.fault(r, "record %d of the game is there twice", f.n)
		return nil
	case f.n > g.n+1:
		a.fault(r, "record %d of the game follows record %d", f.n, g.n)
	case f.prev != g.head:
		a.fault(r, "record %d does not name the hash of the one before it", f.n)
	}
	g.n, g.head = f.n, r.Hash()
	if g.settled || g.dropped {
		return g
	}
	if a.kept+len(r.Payload) > roomForGames {
		a.drop(g)
		g.dropped = true
		return g
	}
	a.kept += len(r.Payload)
	g.payloads = append(g.payloads, r.Payload)
	return g
}

// drop forgets the records of a game.
func (a *Auditor) drop(g *gameLog) {
	for _, p := range g.payloads {
		a.kept -= len(p)
	}
	g.payloads = nil
}

// roll counts the dice of a record at once, whatever becomes of its game.
func (a *Auditor) roll(g *gameLog, r projections.Record) {
	for _, roll := range rollsOf(r.Payload) {
		a.dice.Add(roll, g.live, g.effect)
		a.week.dice.Add(roll, g.live, g.effect)
		if len(roll.Sides) == 2 && roll.Sides[0] == 10 {
			g.effect = &roll
		}
	}
}

// end looks whether the record ends the game or comes after its end.
func (a *Auditor) end(ctx context.Context, g *gameLog, r projections.Record) error {
	if r.Says("GameVoided") {
		a.voided++
	}
	switch {
	case g.refused: // whatever comes now, which can be a lot
		return nil
	case g.settled:
		payloads, err := a.read(ctx, r)
		if err == nil {
			a.judge(g, r.Game, payloads)
		}
		return err
	case r.Ends() && g.ended == "":
		g.ended = r.Time()
		if rec, err := r.Read(); err == nil {
			g.reason = reasonOf(rec)
		}
		a.ended++
		a.owing[r.Game] = g
	}
	if !r.Says("SeedRevealed") {
		return nil
	}
	payloads := g.payloads
	if g.dropped {
		var err error
		if payloads, err = a.read(ctx, r); err != nil {
			return err
		}
	}
	a.settle(g, r.Game, payloads)
	return nil
}
