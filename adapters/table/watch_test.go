package table

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"chancery/domain/game"
	"chancery/events"
)

// shuttle are moves that come back to where they began.
var shuttle = []string{"g1f3", "g8f6", "f3g1", "f6g8"}

// watchTo reads a game from record n on until it has seen record to.
func watchTo(ctx context.Context, h *Hall, n, to int) ([]events.Stored, error) {
	w, err := h.Watch(ctx, "g")
	if err != nil {
		return nil, err
	}
	defer w.Close()
	var all []events.Stored
	for {
		records, more, over := w.From(n)
		all = append(all, records...)
		n += len(records)
		if n > to || over {
			return all, nil
		}
		select {
		case <-more:
		case <-time.After(20 * time.Second):
			return all, fmt.Errorf("nothing came after record %d", n-1)
		}
	}
}

// People come to watch at random moments while moves are made, and everyone sees every
// record once, in order, from where he began.
func TestWatchersMissNothing(t *testing.T) {
	w := newWorld(t)
	h, stop := w.hall()
	defer stop()
	w.begin(h, "g", game.Create{})
	const moves = 12 // the shuttle ends by repetition later
	newest := 1 + moves
	var watching sync.WaitGroup
	seen := make([][]events.Stored, 200)
	from := make([]int, len(seen))
	for i := range seen {
		from[i] = rand.IntN(4)
		watching.Go(func() {
			time.Sleep(time.Duration(rand.IntN(60)) * time.Millisecond)
			var err error
			if seen[i], err = watchTo(t.Context(), h, from[i], newest); err != nil {
				t.Error(err)
			}
		})
	}
	for i := range moves {
		time.Sleep(4 * time.Millisecond)
		w.must(playShuttle(w, h, i))
	}
	watching.Wait()
	for i, records := range seen {
		if len(records) != newest+1-from[i] {
			t.Errorf("watcher %d from %d saw %d records", i, from[i], len(records))
			continue
		}
		for j, s := range records {
			if r, err := events.DecodeRecord(s.Payload); err != nil || r.N != from[i]+j {
				t.Errorf("watcher %d: record %d in place of %d, %v", i, r.N, from[i]+j, err)
			}
		}
	}
	if h.watches.count != 0 || len(h.watches.topics) != 0 {
		t.Errorf("%d watches and %d topics are left", h.watches.count, len(h.watches.topics))
	}
}

// A record that comes in the moment in which somebody looks whether the history is there
// reaches everybody, although nothing comes behind it.
func TestARecordThatComesAsSomebodyBegins(t *testing.T) {
	w := newWorld(t)
	h := newHall(w.config()) // which hears of nothing by itself
	w.begin(h, "g", game.Create{})
	first, err := h.Watch(t.Context(), "g")
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	before, more, _ := first.From(0)
	w.must(playShuttle(w, h, 0))
	var newest events.Stored
	for s, err := range w.log.Read(t.Context(), "g", 0) {
		if newest = s; err != nil {
			t.Fatal(err)
		}
	}
	first.topic.loading.Lock()
	h.watches.hear(t.Context(), newest, func(err error) { t.Error(err) })
	first.topic.loading.Unlock()
	second, err := h.Watch(t.Context(), "g")
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	for i, w := range []*Watch{first, second} {
		if now, _, _ := w.From(0); len(now) != len(before)+1 {
			t.Errorf("watcher %d has %d records, want %d", i, len(now), len(before)+1)
		}
	}
	select {
	case <-more:
	default:
		t.Error("nobody woke the first one")
	}
}

func playShuttle(w *world, h *Hall, i int) (events.Game, error) {
	g, _, err := h.Do(context.Background(), "g", fmt.Sprint("move-", i), game.Command{By: game.Players[i%2], Action: game.Move{UCI: shuttle[i%4]}}, nil)
	return g, err
}

// A game that another process plays is seen here as well.
func TestWatchingFromElsewhere(t *testing.T) {
	w := newWorld(t)
	here, stopHere := w.hall()
	defer stopHere()
	there, stopThere := w.hall()
	defer stopThere()
	w.begin(here, "g", game.Create{})
	done := make(chan int)
	go func() {
		records, err := watchTo(t.Context(), there, 0, 1000)
		if err != nil {
			t.Error(err)
		}
		done <- len(records)
	}()
	for i := range 6 {
		w.must(playShuttle(w, here, i))
	}
	_, _, err := here.Do(t.Context(), "g", "resign", game.Command{By: game.First, Action: game.Resign{}}, nil)
	w.must(events.Game{}, err)
	if n := <-done; n != 9 {
		t.Errorf("saw %d records, want 9", n)
	}
}

func TestWatchingNothing(t *testing.T) {
	w := newWorld(t)
	h, stop := w.hall()
	defer stop()
	if _, err := h.Watch(t.Context(), "nowhere"); !errors.Is(err, events.ErrNotFound) {
		t.Errorf("Watch: %v", err)
	}
	if len(h.watches.topics) != 0 {
		t.Error("a failed watch was left behind")
	}
}

func TestRecords(t *testing.T) {
	w := newWorld(t)
	h := newHall(w.config())
	w.begin(h, "g", game.Create{})
	for i := range 4 {
		w.must(playShuttle(w, h, i))
	}
	tests := []struct{ since, to, first, count int }{
		{0, 99, 0, 6}, {3, 99, 3, 3}, {5, 5, 5, 1}, {6, 99, 0, 0}, {-5, 1, 0, 2}, {4, 3, 0, 0},
	}
	for _, tt := range tests {
		var got []int
		for s, err := range h.Records(t.Context(), "g", tt.since, tt.to) {
			if err != nil {
				t.Fatal(err)
			}
			r, err := events.DecodeRecord(s.Payload)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, r.N)
		}
		if len(got) != tt.count || tt.count > 0 && got[0] != tt.first {
			t.Errorf("records %d to %d: %v", tt.since, tt.to, got)
		}
	}
	for range h.Records(t.Context(), "g", 0, 99) {
		break // who has seen enough may leave
	}
}
