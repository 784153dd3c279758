package events_test

import (
	"testing"

	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"

	"github.com/google/go-cmp/cmp"
)

// sameState compares states with all that they hide.
var sameState = cmp.Exporter(typesOfOurs)

// FuzzReplay holds three laws over random games: the game loaded from the log is the
// live one; every record is written again byte for byte; and the command read back
// from a record, decided again on the state before, gives the record's events.
func FuzzReplay(f *testing.F) {
	for seed := range uint64(40) {
		f.Add(seed, uint16(60))
	}
	f.Fuzz(func(t *testing.T, seed uint64, n uint16) {
		tb := randomGame(t, seed, int(n%300))
		loaded, err := events.Load(t.Context(), tb.log, gameID)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tb.game, loaded, sameState); diff != "" {
			t.Fatalf("loaded game differs from the live one (-live +loaded):\n%s", diff)
		}
		i := 0
		for step, err := range events.Steps(t.Context(), tb.log, events.NewGame(gameID)) {
			if err != nil {
				t.Fatal(err)
			}
			checkRecord(t, tb.before[i], step)
			i++
		}
		if i != len(tb.live) {
			t.Fatalf("%d records stored, %d acknowledged", i, len(tb.live))
		}
	})
}

func checkRecord(t *testing.T, before events.Game, step events.Step) {
	t.Helper()
	again, err := events.EncodeRecord(step.Record)
	if err != nil || string(again) != string(step.Stored.Payload) {
		t.Fatalf("record %d is written again as %s (%v), was %s", step.Record.N, again, err, step.Stored.Payload)
	}
	c, err := events.CommandOf(step.Record)
	if err != nil {
		t.Fatal(err)
	}
	decided, err := game.Decide(before.State, c, fair.NewDealer(gameID, fair.Seed{1, 2, 3}))
	if err != nil {
		t.Fatalf("record %d, decided again: %v\n%s", step.Record.N, err, step.Stored.Payload)
	}
	if diff := cmp.Diff(step.Record.Events, decided); diff != "" {
		t.Fatalf("record %d, decided again, differs (-record +decided):\n%s", step.Record.N, diff)
	}
	checkChance(t, before.State.Fair, step.Record)
}

// checkChance lets the verifier of chance look at every part.
func checkChance(t *testing.T, s fair.State, r events.Record) {
	t.Helper()
	for i, e := range r.Events {
		if err := s.Check(e.Fair, nil); err != nil {
			t.Fatalf("record %d, event %d: %v", r.N, i, err)
		}
		s = s.Evolve(e.Fair)
	}
}
