package forge

import (
	"strings"
	"testing"

	"chancery/events/verify"
)

// Every game is accepted at every level, and so is every beginning of it.
func TestGamesHold(t *testing.T) {
	for _, p := range Plans() {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			g, err := Play(p, nil)
			if err != nil {
				t.Fatal(err)
			}
			r := verify.Game(g.Payloads, verify.Legal)
			if r.At(verify.Legal).Verdict != verify.Holds {
				t.Errorf("%+v", r.Levels)
			}
			if want := p.trust(); !strings.HasPrefix(r.Trust, want) {
				t.Errorf("trust: %s; want %s…", r.Trust, want)
			}
			for i := 1; i < len(g.Payloads); i++ {
				r := verify.Game(g.Payloads[:i], verify.Legal)
				if r.At(verify.Consistent).Verdict != verify.Holds || r.At(verify.Legal).Verdict != verify.NotYet {
					t.Errorf("%d records: %+v", i, r.Levels)
				}
			}
		})
	}
}

// trust is how the sentence begins that says who must have followed the protocol.
func (p Plan) trust() string {
	own := 0
	for seat, keeps := range p.Own {
		if keeps && (!p.Stop || seat != 0) {
			own++
		}
	}
	return []string{"Both seats leave", "One seat leaves", "If at least one of you"}[own]
}

// Every lie is refused by the level that should refuse it, at the record it is about.
func TestLiesAreRefused(t *testing.T) {
	told := map[string]int{}
	for _, p := range Plans() {
		g, err := Play(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range g.Lies() {
			told[l.Name]++
			fault := verify.Game(l.Payloads, verify.Legal).Fault()
			if fault == nil {
				t.Errorf("%s of %s is believed", l.Name, p.Name)
				continue
			}
			if fault.Level != l.Level || *fault.Record != l.Record || fault.Step != l.Step {
				t.Errorf("%s of %s: %s, record %d, %s: %s; want %s, record %d, %s",
					l.Name, p.Name, fault.Level, *fault.Record, fault.Step, fault.Why, l.Level, l.Record, l.Step)
			}
			t.Logf("%s of %s: record %d is not %s: %s", l.Name, p.Name, *fault.Record, fault.Level, fault.Why)
		}
	}
	for _, name := range Names() {
		if told[name] == 0 {
			t.Errorf("%s could be told of no game", name)
		}
	}
}
