package audit

import (
	"maps"
	"math"
	"slices"
	"time"
)

// A Week is what was found at one of the fixed report times, Mondays at 0:00 UTC by the
// ledger's own times. Tests are of that week's rolls and shuffles alone, so that those
// of different weeks have nothing in common.
type Week struct {
	Ends        string             `json:"ends"` // RFC 3339
	Tests       []Test             `json:"tests,omitempty"`
	LogE        map[string]float64 `json:"log10_e"` // of every process of the site, all weeks together
	Discoveries []Finding          `json:"discoveries,omitempty"`
}

// A weekly collects a week.
type weekly struct {
	ends   time.Time // zero: nothing yet
	dice   *DiceWatch
	shuffs map[string]*Orders
}

func newWeekly() *weekly { return &weekly{dice: NewDiceWatch(), shuffs: map[string]*Orders{}} }

func (w *weekly) orders(group string) *Orders {
	if w.shuffs[group] == nil {
		w.shuffs[group] = NewOrders()
	}
	return w.shuffs[group]
}

// milliseconds is how records write times.
const milliseconds = "2006-01-02T15:04:05.000Z"

// monday is the report time after t.
func monday(t time.Time) time.Time {
	day := t.UTC().Truncate(24 * time.Hour)
	return day.AddDate(0, 0, 1+(7-int(day.Weekday()))%7)
}

// turnWeek reports when a record is of a later week than those before it.
func (a *Auditor) turnWeek(at string) {
	if at <= a.at {
		return
	}
	a.at = at
	if a.week.ends.IsZero() || at >= a.week.ends.Format(milliseconds) {
		t, err := time.Parse(time.RFC3339, at)
		if err != nil {
			return
		}
		if !a.week.ends.IsZero() {
			a.weeks = append(a.weeks, a.closeWeek())
		}
		a.week = newWeekly()
		a.week.ends = monday(t)
	}
}

func (a *Auditor) closeWeek() Week {
	w := Week{Ends: a.week.ends.Format(time.RFC3339), LogE: map[string]float64{}, Discoveries: Discoveries(a.accounts.candidates())}
	w.Tests = a.week.dice.Tests()
	for _, group := range slices.Sorted(maps.Keys(a.week.shuffs)) {
		w.Tests = append(w.Tests, a.week.shuffs[group].Tests("shuffles of "+group)...)
	}
	for _, p := range a.processes() {
		w.LogE[p.Of+": "+p.Name] = p.process.LogE / math.Ln10
	}
	return w
}
