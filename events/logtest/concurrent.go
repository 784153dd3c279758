package logtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"chancery/events"
)

func testFollow(t *testing.T, log events.Log) {
	grow(t, log, "before", 3)
	got := make(chan []events.Stored, 1)
	go func() { got <- follow(t, log, 0, 8) }()
	grow(t, log, "meanwhile", 5)
	checkContiguous(t, <-got, 0, 8)
}

// checkContiguous wants the n records behind a position, each once and in order.
func checkContiguous(t testing.TB, got []events.Stored, after events.Position, n int) {
	t.Helper()
	if len(got) != n {
		t.Errorf("%d records, want %d", len(got), n)
	}
	for i, s := range got {
		if s.Position != after+events.Position(i)+1 {
			t.Fatalf("record %d behind %d has position %d", i, after, s.Position)
		}
	}
}

func testResume(t *testing.T, log events.Log) {
	grow(t, log, "game", 6)
	for after := range events.Position(6) {
		checkContiguous(t, follow(t, log, after, int(6-after)), after, int(6-after))
	}
	got := make(chan []events.Stored, 1)
	go func() { got <- follow(t, log, 6, 1) }()
	mustAppend(t, log, 6, entry("game", 6))
	checkContiguous(t, <-got, 6, 1)
}

func testFollowBreakOff(t *testing.T, log events.Log) {
	grow(t, log, "game", 4)
	for range 20 {
		for s, err := range log.Follow(t.Context(), 0) {
			if err != nil || s.Position != 1 {
				t.Fatalf("%+v, %v", s, err)
			}
			break
		}
	}
}

func testCancelled(t *testing.T, log events.Log) {
	grow(t, log, "game", 2)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		var end error
		for _, err := range log.Follow(ctx, 0) {
			end = err
		}
		ended <- end
	}()
	time.Sleep(20 * time.Millisecond)
	cancel()
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("follow ended with %v", err)
		}
	case <-time.After(patience):
		t.Fatal("follow does not end with its context")
	}
	if _, err := log.Append(ctx, 2, entry("game", 2)); !errors.Is(err, context.Canceled) {
		t.Errorf("append: %v", err)
	}
	var end error
	for _, err := range log.Read(ctx, "game", 0) {
		end = err
	}
	if !errors.Is(end, context.Canceled) {
		t.Errorf("read ended with %v", end)
	}
	if _, err := log.Last(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("last: %v", err)
	}
}

// testWriters lets writers race for every revision of one game. Each counts what it
// was told is stored; the game must hold exactly that.
func testWriters(t *testing.T, log events.Log) {
	const writers, records = 8, 60
	var mu sync.Mutex
	acked := map[events.Position]string{}
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			at := events.Revision(0)
			for i := 0; len(readQuiet(log, t, &at)) >= 0; i++ {
				if done(&mu, acked, records) {
					return
				}
				e := entry("game", w*10_000+i)
				position, err := log.Append(t.Context(), at, e)
				switch {
				case err == nil:
					mu.Lock()
					if before, ok := acked[position]; ok {
						t.Errorf("position %d was given to %s and to %s", position, before, e.Payload)
					}
					acked[position] = string(e.Payload)
					mu.Unlock()
				case !errors.Is(err, events.ErrConflict):
					t.Errorf("append: %v", err)
					return
				}
			}
		})
	}
	wg.Wait()
	all := read(t, log, "game", 0)
	if len(all) != len(acked) {
		t.Errorf("%d records stored, %d acknowledged", len(all), len(acked))
	}
	for _, s := range all {
		if acked[s.Position] != string(s.Payload) {
			t.Errorf("position %d holds %s, acknowledged was %s", s.Position, s.Payload, acked[s.Position])
		}
	}
}

func done(mu *sync.Mutex, acked map[events.Position]string, records int) bool {
	mu.Lock()
	defer mu.Unlock()
	return len(acked) >= records
}

// readQuiet moves at on to the game's last record.
func readQuiet(log events.Log, t *testing.T, at *events.Revision) []events.Stored {
	var all []events.Stored
	for s, err := range log.Read(t.Context(), "game", *at) {
		if err != nil {
			t.Errorf("read: %v", err)
			break
		}
		all = append(all, s)
		*at = s.Position
	}
	return all
}

// testGames lets games grow side by side while readers follow from several positions:
// all see the same order, and each game's records in their own.
func testGames(t *testing.T, log events.Log) {
	const games, records = 10, 20
	const all = games * records
	var wg sync.WaitGroup
	seen := make([][]events.Stored, 3)
	for r := range seen {
		wg.Go(func() { seen[r] = follow(t, log, events.Position(r*5), all-r*5) })
	}
	for g := range games {
		wg.Go(func() { grow(t, log, fmt.Sprint("game-", g), records) })
	}
	wg.Wait()
	for r, got := range seen {
		checkContiguous(t, got, events.Position(r*5), all-r*5)
		next := map[string]int{}
		for i, s := range got {
			if r == 0 {
				if !bytes.Equal(s.Payload, entry(s.Game, next[s.Game]).Payload) {
					t.Fatalf("position %d holds %s", s.Position, s.Payload)
				}
				next[s.Game]++
			} else if first := seen[0][i+r*5]; !bytes.Equal(s.Payload, first.Payload) {
				t.Fatalf("two readers see %s and %s at position %d", s.Payload, first.Payload, s.Position)
			}
		}
	}
}
