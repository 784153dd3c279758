// Package logtest is the suite that every [events.Log] passes: what the rest of the
// program relies on, whatever keeps the ledger.
package logtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"chancery/domain/fair"
	"chancery/events"
)

// Run tests the logs that open returns, a fresh and empty one for every test. Open
// closes them when its test ends.
func Run(t *testing.T, open func(*testing.T) events.Log) {
	tests := []struct {
		name string
		run  func(*testing.T, events.Log)
	}{
		{"an empty log has nothing", testEmpty},
		{"records are read back exactly, in order", testOrder},
		{"positions have no gaps", testPositions},
		{"read begins behind a revision", testReadAfter},
		{"read may be broken off", testBreakOff},
		{"a wrong expectation stores nothing", testConflict},
		{"expectations are of the game, not of the log", testInterleaved},
		{"the same entry again gives its position", testAgain},
		{"the same cause in another record is a conflict", testCauseAgain},
		{"payloads have a largest size", testSize},
		{"follow yields everything and waits", testFollow},
		{"follow resumes at any position", testResume},
		{"follow may be broken off", testFollowBreakOff},
		{"a cancelled context ends everything", testCancelled},
		{"of many writers of a game one wins each time", testWriters},
		{"many games grow at once while some follow", testGames},
		{"whole records or nothing", testWhole},
	}
	for _, test := range tests {
		t.Run(strings.ReplaceAll(test.name, " ", "_"), func(t *testing.T) { test.run(t, open(t)) })
	}
}

// patience is how long a record may take to come through Follow.
const patience = 30 * time.Second

// entry is a record of which a log sees only bytes: i tells it from others.
func entry(game string, i int) events.Entry {
	payload := fmt.Sprintf(`{"game":%q,"i":%d}`, game, i)
	return events.Entry{
		Game: game, Payload: []byte(payload), Cause: fair.Cause(game, fmt.Sprint(i)).String(),
		Rules: "chess/1", Types: []string{"MovePlayed", "GameEnded"},
	}
}

func mustAppend(t testing.TB, log events.Log, expected events.Revision, e events.Entry) events.Revision {
	t.Helper()
	position, err := log.Append(t.Context(), expected, e)
	if err != nil {
		t.Fatalf("append to %s at %d: %v", e.Game, expected, err)
	}
	return position
}

// grow appends n records to the game and returns their positions.
func grow(t testing.TB, log events.Log, game string, n int) []events.Position {
	t.Helper()
	var last events.Revision
	positions := make([]events.Position, n)
	for i := range n {
		last = mustAppend(t, log, last, entry(game, i))
		positions[i] = last
	}
	return positions
}

func read(t testing.TB, log events.Log, game string, after events.Revision) []events.Stored {
	t.Helper()
	var all []events.Stored
	for s, err := range log.Read(t.Context(), game, after) {
		if err != nil {
			t.Fatalf("read %s: %v", game, err)
		}
		all = append(all, s)
	}
	return all
}

// follow takes n records behind after, and fails if they do not come.
func follow(t testing.TB, log events.Log, after events.Position, n int) []events.Stored {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var all []events.Stored
	for s, err := range log.Follow(ctx, after) {
		if err != nil {
			t.Fatalf("follow behind %d: %v after %d of %d records", after, err, len(all), n)
		}
		if all = append(all, s); len(all) == n {
			break
		}
	}
	return all
}

func last(t testing.TB, log events.Log) events.Position {
	t.Helper()
	p, err := log.Last(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func testEmpty(t *testing.T, log events.Log) {
	if got := read(t, log, "nobody", 0); len(got) != 0 {
		t.Errorf("read %d records of a game that does not exist", len(got))
	}
	if p := last(t, log); p != 0 {
		t.Errorf("last is %d", p)
	}
}

func testOrder(t *testing.T, log events.Log) {
	first := entry("order", 0)
	first.Sealed, first.Trace = "2026-11.c2VhbGVk", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	at := mustAppend(t, log, 0, first)
	for i := 1; i < 5; i++ {
		at = mustAppend(t, log, at, entry("order", i))
	}
	all := read(t, log, "order", 0)
	if len(all) != 5 {
		t.Fatalf("read %d records, want 5", len(all))
	}
	for i, s := range all {
		want := entry("order", i)
		if s.Game != "order" || !bytes.Equal(s.Payload, want.Payload) || i > 0 && s.Position <= all[i-1].Position {
			t.Errorf("record %d came as %+v", i, s)
		}
		if sealed := map[bool]string{true: first.Sealed}[i == 0]; s.Sealed != sealed {
			t.Errorf("record %d came with the box %q", i, s.Sealed)
		}
	}
}

func testPositions(t *testing.T, log events.Log) {
	var want events.Position
	revisions := map[string]events.Revision{}
	for i := range 12 {
		game := fmt.Sprint("game-", i%3)
		want++
		if revisions[game] = mustAppend(t, log, revisions[game], entry(game, i)); revisions[game] != want {
			t.Fatalf("append %d has position %d", want, revisions[game])
		}
		if p := last(t, log); p != want {
			t.Fatalf("last is %d after append %d", p, want)
		}
	}
}

func testReadAfter(t *testing.T, log events.Log) {
	grow(t, log, "other", 3)
	positions := grow(t, log, "game", 4)
	grow(t, log, "game2", 2) // its name begins like the other's
	for i, p := range positions {
		got := read(t, log, "game", p)
		if len(got) != len(positions)-1-i {
			t.Errorf("behind revision %d: %d records", p, len(got))
		}
		for j, s := range got {
			if s.Position != positions[i+1+j] || s.Game != "game" {
				t.Errorf("behind revision %d: %+v", p, s)
			}
		}
	}
	if got := read(t, log, "game", last(t, log)+100); len(got) != 0 {
		t.Errorf("behind the end: %d records", len(got))
	}
}

func testBreakOff(t *testing.T, log events.Log) {
	grow(t, log, "game", 5)
	n := 0
	for _, err := range log.Read(t.Context(), "game", 0) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n == 2 {
			break
		}
	}
	if got := read(t, log, "game", 0); len(got) != 5 {
		t.Errorf("%d records after a read that was broken off", len(got))
	}
}

func testConflict(t *testing.T, log events.Log) {
	positions := grow(t, log, "game", 3)
	grow(t, log, "other", 1)
	for _, expected := range []events.Revision{0, positions[0], positions[1], positions[2] + 1, positions[2] + 1000} {
		_, err := log.Append(t.Context(), expected, entry("game", 99))
		if !errors.Is(err, events.ErrConflict) {
			t.Errorf("append at %d: %v, want ErrConflict", expected, err)
		}
	}
	if _, err := log.Append(t.Context(), 1, entry("new", 0)); !errors.Is(err, events.ErrConflict) {
		t.Errorf("first record of a game at 1: %v, want ErrConflict", err)
	}
	if p := last(t, log); p != 4 {
		t.Errorf("the log has %d records, want 4", p)
	}
	mustAppend(t, log, positions[2], entry("game", 3))
}

func testInterleaved(t *testing.T, log events.Log) {
	a := mustAppend(t, log, 0, entry("a", 0))
	b := mustAppend(t, log, 0, entry("b", 0))
	a2 := mustAppend(t, log, a, entry("a", 1))
	b2 := mustAppend(t, log, b, entry("b", 1))
	if _, err := log.Append(t.Context(), b2, entry("a", 2)); !errors.Is(err, events.ErrConflict) {
		t.Errorf("append at another game's revision: %v", err)
	}
	mustAppend(t, log, a2, entry("a", 2))
}

func testAgain(t *testing.T, log events.Log) {
	var revisions []events.Revision
	at := events.Revision(0)
	for i := range 4 {
		revisions = append(revisions, at)
		at = mustAppend(t, log, at, entry("game", i))
		if again := mustAppend(t, log, revisions[i], entry("game", i)); again != at {
			t.Errorf("record %d again at once has position %d, was %d", i, again, at)
		}
	}
	for i, expected := range revisions {
		want := at
		if i+1 < len(revisions) {
			want = revisions[i+1]
		}
		if again := mustAppend(t, log, expected, entry("game", i)); again != want {
			t.Errorf("record %d again, later, has position %d, was %d", i, again, want)
		}
	}
	if got := read(t, log, "game", 0); len(got) != 4 {
		t.Errorf("%d records stored, want 4", len(got))
	}
}

func testCauseAgain(t *testing.T, log events.Log) {
	mustAppend(t, log, 0, entry("game", 0))
	other := entry("game", 1)
	other.Cause = entry("game", 0).Cause
	if _, err := log.Append(t.Context(), 0, other); !errors.Is(err, events.ErrConflict) {
		t.Errorf("another record of the same cause: %v, want ErrConflict", err)
	}
	if got := read(t, log, "game", 0); len(got) != 1 {
		t.Errorf("%d records stored, want 1", len(got))
	}
}

func testSize(t *testing.T, log events.Log) {
	e := entry("game", 0)
	e.Payload = bytes.Repeat([]byte("x"), events.MaxPayload)
	e.Sealed, e.Trace = strings.Repeat("s", 150), strings.Repeat("t", 55)
	at := mustAppend(t, log, 0, e)
	if got := read(t, log, "game", 0); len(got) != 1 || !bytes.Equal(got[0].Payload, e.Payload) {
		t.Errorf("the largest record is not read back")
	}
	for _, payload := range [][]byte{bytes.Repeat([]byte("x"), events.MaxPayload+1), {}, nil} {
		e := entry("game", 1)
		e.Payload = payload
		if _, err := log.Append(t.Context(), at, e); !errors.Is(err, events.ErrPayload) {
			t.Errorf("%d bytes: %v, want ErrPayload", len(payload), err)
		}
	}
	if p := last(t, log); p != at {
		t.Errorf("last is %d, want %d", p, at)
	}
}

func testWhole(t *testing.T, log events.Log) {
	// A record is one payload, so half of one cannot be seen; a reader who comes while
	// it is written sees all of it or nothing.
	done := make(chan struct{})
	go func() {
		defer close(done)
		at := events.Revision(0)
		for i := range 30 {
			e := entry("game", i)
			e.Payload = bytes.Repeat([]byte{byte('a' + i%26)}, 40_000)
			position, err := log.Append(t.Context(), at, e)
			if err != nil {
				t.Errorf("append %d: %v", i, err)
				return
			}
			at = position
		}
	}()
	for finished := false; !finished; {
		select {
		case <-done:
			finished = true
		default:
		}
		for i, s := range read(t, log, "game", 0) {
			if len(s.Payload) != 40_000 || bytes.Count(s.Payload, s.Payload[:1]) != 40_000 || s.Payload[0] != byte('a'+i%26) {
				t.Fatalf("record %d is not whole", i)
			}
		}
	}
}
