package events_test

import (
	"errors"
	"strings"
	"testing"

	"chancery/adapters/memory"
	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"

	"github.com/google/go-cmp/cmp"
)

// recorded is a game of a few moves as the log keeps it.
func recorded(t testing.TB, moves int) (*table, []events.Stored) {
	t.Helper()
	tb := newTable(t, [2]bool{true, false})
	tb.open(game.Create{Variant: "chess"})
	for range moves {
		tb.now += 1000
		if _, err := tb.move(3); err != nil {
			t.Fatal(err)
		}
	}
	var all []events.Stored
	for s, err := range tb.log.Read(t.Context(), gameID, 0) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	return tb, all
}

func TestLoadUnknown(t *testing.T) {
	g, err := events.Load(t.Context(), memory.New(), "nobody")
	if !errors.Is(err, events.ErrNotFound) || g.N != -1 {
		t.Errorf("%d, %v", g.N, err)
	}
}

func TestLoadKeepsTheSealedSeed(t *testing.T) {
	tb, _ := recorded(t, 1)
	g, err := events.Load(t.Context(), tb.log, gameID)
	if err != nil || g.Sealed != sealBox {
		t.Errorf("%q, %v", g.Sealed, err)
	}
}

// TestRefreshFromAnywhere cuts a game at every record: what was read before and what
// is read afterwards make the same game as reading it at once, revision included.
func TestRefreshFromAnywhere(t *testing.T) {
	tb, all := recorded(t, 12)
	for cut := range all {
		g := events.NewGame(gameID)
		for _, s := range all[:cut] {
			var err error
			if g, _, err = g.Absorb(s); err != nil {
				t.Fatal(err)
			}
		}
		old := g
		g, err := events.Refresh(t.Context(), tb.log, g)
		if diff := cmp.Diff(tb.game, g, sameState); err != nil || diff != "" {
			t.Fatalf("cut at %d: %v\n%s", cut, err, diff)
		}
		if old.N != cut-1 {
			t.Fatalf("the game at %d was changed by reading on", cut)
		}
	}
}

// TestBroken spoils one record of a game in every way in which histories break.
func TestBroken(t *testing.T) {
	_, all := recorded(t, 4)
	edit := func(old, new string) func([]events.Stored) []events.Stored {
		return func(s []events.Stored) []events.Stored {
			s[3].Payload = []byte(strings.Replace(string(s[3].Payload), old, new, 1))
			return s
		}
	}
	for why, test := range map[string]struct {
		spoil func([]events.Stored) []events.Stored
		at    int
	}{
		"a record is missing":      {func(s []events.Stored) []events.Stored { return append(s[:3], s[4:]...) }, 3},
		"the first is missing":     {func(s []events.Stored) []events.Stored { return s[1:] }, 0},
		"a record comes twice":     {func(s []events.Stored) []events.Stored { return append(s[:4], s[3:]...) }, 4},
		"two change places":        {func(s []events.Stored) []events.Stored { s[3], s[4] = s[4], s[3]; return s }, 3},
		"positions go back":        {func(s []events.Stored) []events.Stored { s[3].Position = s[2].Position; return s }, 3},
		"under another game":       {func(s []events.Stored) []events.Stored { s[3].Game = "other"; return s }, 3},
		"of another game":          {edit(gameID, "other"), 3},
		"another number":           {edit(`"n":3`, `"n":4`), 3},
		"another hash before it":   {edit(`"prev":"`, `"prev":"00000000`), 3},
		"a time before the last":   {edit(`"at":"2026-11-29T20`, `"at":"2026-11-29T19`), 3},
		"a changed byte in a move": {edit(`"san":"`, `"san":"x`), 4},
		"no record":                {func(s []events.Stored) []events.Stored { s[3].Payload = []byte(`{}`); return s }, 3},
	} {
		spoiled := test.spoil(append([]events.Stored(nil), all...))
		g := events.NewGame(gameID)
		var err error
		for _, s := range spoiled {
			before := g
			if g, _, err = g.Absorb(s); err != nil {
				if diff := cmp.Diff(before, g, sameState); diff != "" {
					t.Errorf("%s: a refused record changed the game:\n%s", why, diff)
				}
				break
			}
		}
		var broken *events.BrokenError
		if !errors.As(err, &broken) || !errors.Is(err, events.ErrBroken) || broken.N != test.at || broken.Game != gameID {
			t.Errorf("%s: %v, want record %d broken", why, err, test.at)
		}
	}
}

// TestBrokenGameIsNotPlayed puts a record into a log that does not follow.
func TestBrokenGameIsNotPlayed(t *testing.T) {
	tb, _ := recorded(t, 2)
	forged := tb.live[len(tb.live)-1]
	forged.N++ // but its prev is still that of the record before
	for i := range forged.Events {
		forged.Events[i].N++
	}
	payload := encode(t, forged)
	if _, err := tb.log.Append(t.Context(), tb.game.Revision, events.Entry{Game: gameID, Payload: payload, Cause: "f"}); err != nil {
		t.Fatal(err)
	}
	if _, err := events.Load(t.Context(), tb.log, gameID); !errors.Is(err, events.ErrBroken) {
		t.Errorf("load: %v", err)
	}
	if _, err := tb.ask(game.First, game.Resign{}); !errors.Is(err, events.ErrBroken) {
		t.Errorf("transact: %v", err)
	}
}

func TestHead(t *testing.T) {
	tb, all := recorded(t, 3)
	if want := fair.RecordHash(all[len(all)-1].Payload); tb.game.Head != want {
		t.Errorf("head is %s, want %s", tb.game.Head, want)
	}
}

// BenchmarkLoad reads, checks and decodes a long game from memory; BenchmarkFold folds
// its decoded events.
func BenchmarkLoad(b *testing.B) {
	tb := longGame(b)
	b.ReportMetric(float64(tb.game.N+1), "records")
	for b.Loop() {
		if _, err := events.Load(b.Context(), tb.log, gameID); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFold folds the decoded events of a long game.
func BenchmarkFold(b *testing.B) {
	tb := longGame(b)
	var all []game.Event
	for _, r := range tb.live {
		all = append(all, r.Events...)
	}
	b.ReportMetric(float64(tb.game.N+1), "records")
	for b.Loop() {
		game.Fold(game.New(gameID), all...)
	}
}

func longGame(b *testing.B) *table {
	tb := newTable(b, [2]bool{true, true})
	tb.open(game.Create{Variant: "chess", Clock: &game.ClockSpec{Base: 60_000, Increment: 1000}})
	for i := 0; tb.game.N < 199; i++ {
		tb.now += 100
		if _, err := tb.move(i * 7); err != nil {
			b.Fatal(err)
		}
	}
	return tb
}
