package feed

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"chancery/adapters/memory"
	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
	"chancery/projections"
	"chancery/projections/ledgertest"
)

// feedOf is every event that the log gives.
func feedOf(t *testing.T, log events.Log) []Event {
	t.Helper()
	begun := projections.NewBeginnings(log)
	last, err := log.Last(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var all []Event
	for s, err := range log.Follow(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		r := projections.NewRecord(s)
		b, err := begun.Of(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		list, err := Events(r, b)
		if err != nil {
			t.Fatal(err)
		}
		if all = append(all, list...); s.Position == last {
			break
		}
	}
	return all
}

// Per game every event follows the one before, with ascending sequence and its own id,
// and its data is what the ledger says, but for the proofs of chance.
func TestContiguous(t *testing.T) {
	log := memory.New()
	if err := ledgertest.Play(t.Context(), log, ledgertest.Games{To: 40}); err != nil {
		t.Fatal(err)
	}
	before, ids := map[string]Event{}, map[string]bool{}
	for _, e := range feedOf(t, log) {
		p, begun := before[e.Game]
		follows := !begun && e.N == 0 && e.I == 0 || begun && (e.N == p.N && e.I == p.I+1 || e.N == p.N+1 && e.I == 0 && p.I == p.Of-1)
		if !follows || ids[e.ID()] {
			t.Fatalf("%s follows %s", e.ID(), p.ID())
		}
		if begun && attribute(e, "sequence") <= attribute(p, "sequence") {
			t.Errorf("%s has sequence %s behind %s", e.ID(), attribute(e, "sequence"), attribute(p, "sequence"))
		}
		checkJSON(t, e)
		if _, err := game.Lookup(e.Variant); (err == nil) == game.LedgerWide(e.Game) {
			t.Errorf("%s: %v", e.ID(), err)
		}
		before[e.Game], ids[e.ID()] = e, true
	}
	if len(before) != 40+len(ledgertest.Own) {
		t.Errorf("%d games", len(before))
	}
}

// checkJSON reads the event in JSON.
func checkJSON(t *testing.T, e Event) {
	t.Helper()
	var all map[string]any
	line := e.AppendJSON(nil)
	if err := json.Unmarshal(line, &all); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	for _, a := range e.Attributes() {
		if fmt.Sprint(all[a.Name]) != a.Value {
			t.Errorf("%s is %v, want %s", a.Name, all[a.Name], a.Value)
		}
	}
	if !bytes.Contains(line, append([]byte(`"data":`), e.Data...)) {
		t.Errorf("%s lacks the data %s", line, e.Data)
	}
}

func attribute(e Event, name string) string {
	for _, a := range e.Attributes() {
		if a.Name == name {
			return a.Value
		}
	}
	return ""
}

// Games whose spectators see the same give the same feed, to the last byte, whatever
// cards the players hold. Of many games with their own chance some begin alike.
func TestNothingHidden(t *testing.T) {
	feeds, hands := map[string][]byte{}, map[string]map[string]bool{}
	for i := range 400 {
		seen, held, bytesOf := dealt(t, fair.Seed{byte(i), byte(i >> 8), 7})
		if other, known := feeds[seen]; known && !bytes.Equal(other, bytesOf) {
			t.Fatalf("two games look alike, and their feeds do not:\n%s\n%s", other, bytesOf)
		}
		feeds[seen] = bytesOf
		if hands[seen] == nil {
			hands[seen] = map[string]bool{}
		}
		hands[seen][held] = true
	}
	alike := 0
	for _, h := range hands {
		alike += len(h) - 1
	}
	if alike < 20 {
		t.Errorf("only %d games looked like another one with other hands", alike)
	}
}

// dealt is a game of cards just dealt: what a spectator sees, what the first seat holds,
// and the feed.
func dealt(t *testing.T, seed fair.Seed) (seen, held string, feed []byte) {
	t.Helper()
	log, dealer, g := memory.New(), fair.NewDealer("same", seed), events.NewGame("same")
	for i, c := range []game.Command{
		{By: game.First, At: 1, Action: game.Create{Variant: "unochess", Color: game.PreferWhite}},
		{By: game.Second, At: 2, Action: game.Join{}},
	} {
		next, _, err := events.Transact(context.Background(), log, g, c, events.Terms{Cause: fair.Cause("same", fmt.Sprint(i)), Chance: dealer})
		if err != nil {
			t.Fatal(err)
		}
		g = next
	}
	for _, e := range feedOf(t, log) {
		feed = fmt.Appendln(feed, e.Attributes(), string(e.Data))
	}
	return text(t, game.ViewFor(g.State, game.Spectator, nil)), text(t, game.ViewFor(g.State, game.First, dealer).Table.Hand), feed
}

func text(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
