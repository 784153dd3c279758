// Package verify judges a game by its records alone. It needs no server, no clock and
// no network: a file with the exact payloads is enough, because every record names the
// hash of the one before it and everything random follows from what the records say.
//
// What holds is told in levels, each of which stands on those before it: see [Level].
package verify

import "chancery/domain/fair"

// A Level is one claim about a game. A level is judged only where all before it hold.
type Level string

// The levels, from the first to the last.
const (
	// Consistent: the bytes are canonical, every record follows the one before it,
	// and each link, leaf, envelope and roll is what was promised earlier.
	Consistent Level = "consistent"
	// Fair: the revealed seed is the one committed to, and the server's chain, every
	// pile and every hand are what it derives.
	Fair Level = "fair"
	// Legal: every command, read back from its record and decided again under the
	// game's rules and with its own chance, gives the record's events byte for byte.
	Legal Level = "legal"
	// Recorded: the last record, and by the chain all before it, stands in the public
	// ledger under a checkpoint that the log and its witnesses have signed.
	Recorded Level = "recorded"
)

// Levels lists them in their order. The list is shared; nobody writes to it.
func Levels() []Level { return levels }

var levels = []Level{Consistent, Fair, Legal, Recorded}

// A Verdict is what was found at a level.
type Verdict string

// The verdicts.
const (
	Holds    Verdict = "holds"
	Refused  Verdict = "refused"
	NotYet   Verdict = "not yet"  // nothing is wrong so far; the rest can be judged when the game is over
	Unjudged Verdict = "unjudged" // an earlier level does not hold, or what it takes was not given
)

// A Judgement is the verdict at one level.
type Judgement struct {
	Level   Level   `json:"level"`
	Verdict Verdict `json:"verdict"`
	Record  *int    `json:"record,omitempty"` // number of the record that was refused
	Step    string  `json:"step,omitempty"`   // of the protocol, as package fair names them
	Why     string  `json:"why,omitempty"`    // one sentence
}

// A Report is what was found about a game.
type Report struct {
	Game    string      `json:"game"`
	Variant string      `json:"variant,omitempty"`
	Result  string      `json:"result,omitempty"` // 1-0, 0-1 or 1/2-1/2
	Reason  string      `json:"reason,omitempty"` // of the end, with or without a result
	Records int         `json:"records"`
	Head    fair.Hash   `json:"head"`            // hash of the last record, where they are consistent
	Trust   string      `json:"trust,omitempty"` // who must have followed the protocol for the chance to be fair
	Levels  []Judgement `json:"levels"`
}

// OK says that nothing was refused.
func (r Report) OK() bool { return r.Fault() == nil }

// Fault is the first judgement that refused, or nil.
func (r Report) Fault() *Judgement {
	for i := range r.Levels {
		if r.Levels[i].Verdict == Refused {
			return &r.Levels[i]
		}
	}
	return nil
}

// At is the judgement at the level; the zero Judgement where it was not asked for.
func (r Report) At(l Level) Judgement {
	for _, j := range r.Levels {
		if j.Level == l {
			return j
		}
	}
	return Judgement{}
}

// A Proof shows that a record stands in a public ledger.
type Proof interface {
	// Prove returns nil if the record of that hash is the one proved, under a
	// checkpoint with all the signatures that are asked for, and otherwise an error
	// that says in one sentence what is missing.
	Prove(record fair.Hash) error
}

// Record judges the level Recorded and adds it to r. A nil proof leaves it unjudged.
func (r *Report) Record(p Proof) {
	j := Judgement{Level: Recorded, Verdict: Holds}
	switch {
	case r.At(Consistent).Verdict != Holds:
		j = unjudged(Recorded, "the records are not consistent")
	case p == nil:
		j = unjudged(Recorded, "it takes the ledger's proof of the last record")
	default:
		if err := p.Prove(r.Head); err != nil {
			j = refused(Recorded, r.Records-1, "", err.Error())
		}
	}
	r.Levels = append(r.Levels, j)
}

func refused(l Level, record int, step, why string) Judgement {
	return Judgement{Level: l, Verdict: Refused, Record: &record, Step: step, Why: why}
}

func unjudged(l Level, why string) Judgement {
	return Judgement{Level: l, Verdict: Unjudged, Why: why}
}
