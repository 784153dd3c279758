package audit

import (
	"maps"
	"math"
	"slices"
	"time"

	"chancery/events"
)

// A Report is what is known of a ledger up to a position.
type Report struct {
	Position events.Position `json:"position"`
	Last     events.Position `json:"last,omitempty"` // of the ledger; beyond Position while an audit still reads
	At       string          `json:"at"`             // of the newest record
	Records  int             `json:"records"`
	Games    Games           `json:"games"`

	Faults  []Fault   `json:"faults"`
	Overdue []Overdue `json:"overdue"`
	Refused []Refusal `json:"refused"`

	// Alarm says that a process of the site has reached m/10⁻⁶, Warning m/10⁻³.
	Alarm     bool           `json:"alarm"`
	Warning   bool           `json:"warning"`
	Processes []Wealth       `json:"processes"`
	Tests     []Test         `json:"tests"`
	Weeks     []Week         `json:"weeks"`
	Accounts  AccountsReport `json:"accounts"`

	Calibration *Calibration `json:"calibration,omitempty"` // of the weeks' p-values
}

// OK says that nothing is wrong: nothing missing, overdue or refused, and no alarm.
func (r Report) OK() bool {
	return len(r.Faults) == 0 && len(r.Overdue) == 0 && len(r.Refused) == 0 && !r.Alarm
}

// Games counts them.
type Games struct {
	Begun    int            `json:"begun"`
	Open     int            `json:"open"`
	Ended    int            `json:"ended"`
	Revealed int            `json:"revealed"`
	Voided   int            `json:"voided"`
	Aborted  map[string]int `json:"aborted"` // by reason
}

// A Wealth is a process of the site as it stands.
type Wealth struct {
	Of       string    `json:"of"`
	Name     string    `json:"name"`
	N        int       `json:"n"`
	LogE     float64   `json:"log10_e"`
	MaxLogE  float64   `json:"log10_max_e"`
	Alarm    bool      `json:"alarm"`
	Warning  bool      `json:"warning"`
	Names    []string  `json:"names,omitempty"` // of the categories, where they are few
	Observed []float64 `json:"observed,omitempty"`
	Expected []float64 `json:"expected,omitempty"`

	process *Process
}

// shownCategories is up to how many categories a report lists.
const shownCategories = 100

// AccountsReport is what is watched of accounts.
type AccountsReport struct {
	Processes   int         `json:"processes"`
	Discoveries []Finding   `json:"discoveries"` // of the newest weekly report
	Advantages  []Advantage `json:"advantages"`
	Aborts      []Aborts    `json:"aborts"` // the largest shares first
}

// Aborts counts the aborted games of an account.
type Aborts struct {
	Of      string `json:"of"`
	Games   int    `json:"games"`
	Aborted int    `json:"aborted"`
}

// A Calibration says whether the p-values of all weeks are what p-values of fair chance
// are: even between 0 and 1.
type Calibration struct {
	N          int     `json:"n"`
	KS         float64 `json:"ks_p"`           // Kolmogorov and Smirnov's test
	Uniformity float64 `json:"uniformity_p"`   // NIST SP 800-22: χ² of ten classes, at least 0.0001
	Share      float64 `json:"share_above_01"` // NIST: the share above 0.01
	Least      float64 `json:"share_least"`    // and between what it should be
	Most       float64 `json:"share_most"`
	OK         bool    `json:"ok"` // both of NIST's rules
}

// Report says what is known, at a moment of the reader's clock. Of an overdue game it
// says so only when the ledger has gone on, or the clock, for long enough.
func (a *Auditor) Report(now time.Time) Report {
	r := Report{
		Position: a.position, At: a.at, Records: a.records, Games: a.gameCounts(), Faults: list(a.faults), Refused: list(a.refused),
		Overdue: a.overdue(now), Processes: a.processes(), Weeks: list(a.weeks), Tests: list(a.tests()), Accounts: a.accountsReport(),
	}
	for _, p := range r.Processes {
		r.Alarm, r.Warning = r.Alarm || p.Alarm, r.Warning || p.Warning
	}
	return r
}

// list is never nil, so that a program finds a list where there is none of a thing.
func list[T any](l []T) []T { return append([]T{}, l...) }

func (a *Auditor) gameCounts() Games {
	return Games{
		Begun: len(a.games) - a.own, Open: len(a.games) - a.own - a.ended, Ended: a.ended, Revealed: a.revealed, Voided: a.voided,
		Aborted: maps.Clone(a.aborted),
	}
}

func (a *Auditor) overdue(now time.Time) []Overdue {
	out := []Overdue{}
	due, future := now.UTC().Add(-RevealWithin).Format(milliseconds), now.UTC().Add(RevealWithin).Format(milliseconds)
	for _, id := range slices.Sorted(maps.Keys(a.owing)) {
		// The time is the server's claim: one that lies ahead gives it no respite.
		if g := a.owing[id]; g.ended < due || g.ended > future {
			out = append(out, Overdue{Game: id, Reason: g.reason, Since: g.ended})
		}
	}
	return out
}

// processes are those of the site. How many there are does not hang on what the ledger
// holds.
func (a *Auditor) processes() (all []Wealth) {
	add := func(of, name string, p *Process) { all = append(all, Wealth{Of: of, Name: name, process: p}) }
	for _, name := range slices.Sorted(maps.Keys(a.dice.Processes)) {
		add("rolls", name, a.dice.Processes[name])
	}
	for _, group := range shuffleGroups {
		for i, s := range shuffleStatistics {
			add("shuffles of "+group, s.name, &a.shuffles[group].Processes[i])
		}
	}
	add("first hands", "White's", &a.hands[0].Process)
	add("first hands", "Black's", &a.hands[1].Process)
	for _, reason := range abortReasons {
		add(abortedHands, reason, &a.aborts[reason].Process)
	}
	for i := range all {
		all[i].fill(len(all))
		if all[i].Of == abortedHands && slices.Contains(playersReasons, all[i].Name) {
			all[i].Warning, all[i].Alarm = all[i].Warning || all[i].Alarm, false
		}
	}
	return all
}

// abortedHands is what the processes of aborted games are of.
const abortedHands = "first hands of aborted games"

// fill copies what a report shows of a process, one of m.
func (w *Wealth) fill(m int) {
	p := w.process
	w.N, w.LogE, w.MaxLogE = p.Seen, p.LogE/math.Ln10, p.MaxLogE/math.Ln10
	w.Alarm, w.Warning = p.Reaches(AlarmLevel, m), p.Reaches(WarningLevel, m)
	if len(p.Counts) > shownCategories || p.Seen == 0 {
		return
	}
	w.Names, w.Observed = categoryNames(w.Of, w.Name, len(p.Counts)), slices.Clone(p.Counts)
	for i := range p.Counts {
		w.Expected = append(w.Expected, p.expectedIn(i))
	}
}

// tests are the classical ones, of everything so far.
func (a *Auditor) tests() []Test {
	all := a.dice.Tests()
	for _, group := range shuffleGroups {
		all = append(all, a.shuffles[group].Orders.Tests("shuffles of "+group)...)
	}
	all = append(all, a.hands[0].pearson("first hands", "White's")...)
	return append(all, a.hands[1].pearson("first hands", "Black's")...)
}

// mostAborts is how many accounts a report names by their share of aborted games.
const mostAborts = 20

func (a *Auditor) accountsReport() AccountsReport {
	r := AccountsReport{
		Processes:   len(a.accounts.Hands) + len(a.accounts.Tens) + len(a.accounts.Aborted),
		Discoveries: []Finding{}, Advantages: list(a.foresight.Advantages()), Aborts: []Aborts{},
	}
	if n := len(a.weeks); n > 0 {
		r.Discoveries = list(a.weeks[n-1].Discoveries)
	}
	for _, of := range slices.Sorted(maps.Keys(a.accounts.Tally)) {
		if t := a.accounts.Tally[of]; t.Aborted > 0 {
			r.Aborts = append(r.Aborts, Aborts{Of: of, Games: t.Games, Aborted: t.Aborted})
		}
	}
	slices.SortStableFunc(r.Aborts, func(x, y Aborts) int { return y.Aborted*x.Games - x.Aborted*y.Games })
	r.Aborts = r.Aborts[:min(len(r.Aborts), mostAborts)]
	return r
}
