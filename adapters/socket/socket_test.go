package socket

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"chancery/adapters/memory"
	"chancery/events"

	"github.com/google/go-cmp/cmp"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// serve opens a socket on the log for as long as the test runs.
func serve(t *testing.T, log events.Log) (*Client, string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "sock") // short: a socket's path is limited
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, Name)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- Serve(ctx, path, log, Services{Doctor: func(context.Context) (any, error) { return map[string]int{"replicas": 1}, nil }, Rebuild: rebuild})
	}()
	client := Open(path)
	t.Cleanup(func() {
		client.Close()
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the socket is left behind: %v", err)
		}
		os.RemoveAll(dir)
	})
	for range 200 {
		if _, err := client.Last(t.Context()); err == nil {
			return client, path
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("nobody answers on the socket")
	return nil, ""
}

// fill appends n records to each of two games.
func fill(t *testing.T, log events.Log, n int) {
	t.Helper()
	revision := map[string]events.Revision{}
	for i := range 2 * n {
		game := []string{"one", "two"}[i%2]
		e := events.Entry{Game: game, Payload: fmt.Appendf(nil, `{"i":%d}`, i), Cause: fmt.Sprintf("%064x", i)}
		if i < 2 {
			e.Sealed = "kid.box"
		}
		at, err := log.Append(t.Context(), revision[game], e)
		if err != nil {
			t.Fatal(err)
		}
		revision[game] = at
	}
}

func list(t *testing.T, seq func(func(events.Stored, error) bool), n int) (all []events.Stored) {
	t.Helper()
	for s, err := range seq {
		if err != nil {
			t.Fatal(err)
		}
		if all = append(all, s); len(all) == n {
			break
		}
	}
	return all
}

func TestTheSocketShowsTheLog(t *testing.T) {
	log := memory.New()
	fill(t, log, 50)
	c, _ := serve(t, log)
	if at, err := c.Last(t.Context()); err != nil || at != 100 {
		t.Errorf("last: %d, %v", at, err)
	}
	for _, after := range []events.Position{0, 1, 49, 100} {
		want := list(t, log.Read(t.Context(), "two", after), 0)
		got := list(t, c.Read(t.Context(), "two", after), 0)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("read after %d: %s", after, diff)
		}
	}
	want := list(t, log.Follow(t.Context(), 7), 93)
	if diff := cmp.Diff(want, list(t, c.Follow(t.Context(), 7), 93)); diff != "" {
		t.Errorf("follow: %s", diff)
	}
	if got := list(t, c.Read(t.Context(), "nobody", 0), 0); got != nil {
		t.Errorf("a game that does not exist has %v", got)
	}
}

func TestFollowWaitsForNews(t *testing.T) {
	log := memory.New()
	c, _ := serve(t, log)
	go func() {
		time.Sleep(20 * time.Millisecond)
		fill(t, log, 5)
	}()
	if got := list(t, c.Follow(t.Context(), 0), 10); len(got) != 10 || got[9].Position != 10 {
		t.Errorf("got %v", got)
	}
}

func TestFollowEndsWithItsContext(t *testing.T) {
	c, _ := serve(t, memory.New())
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	for _, err := range c.Follow(ctx, 0) {
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	}
}

func TestNobodyElseMayOpenTheSocket(t *testing.T) {
	_, path := serve(t, memory.New())
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func TestNothingCanBeAppended(t *testing.T) {
	c, _ := serve(t, memory.New())
	if _, err := c.Append(t.Context(), 0, events.Entry{}); !errors.Is(err, ErrReadOnly) {
		t.Errorf("got %v", err)
	}
}

func TestDoctorAnswers(t *testing.T) {
	c, _ := serve(t, memory.New())
	var found struct{ Replicas int }
	if err := c.Doctor(t.Context(), &found); err != nil || found.Replicas != 1 {
		t.Errorf("got %v, %v", found, err)
	}
}

func TestNobodyAnswers(t *testing.T) {
	c := Open(filepath.Join(t.TempDir(), Name))
	if _, err := c.Last(t.Context()); !errors.Is(err, events.ErrUnavailable) {
		t.Errorf("last: %v", err)
	}
	for _, err := range c.Read(t.Context(), "one", 0) {
		if !errors.Is(err, events.ErrUnavailable) {
			t.Errorf("read: %v", err)
		}
	}
}

// cutLog ends in the middle of an answer.
type cutLog struct{ *memory.Log }

func (l cutLog) Read(ctx context.Context, game string, after events.Revision) iter.Seq2[events.Stored, error] {
	return func(yield func(events.Stored, error) bool) {
		_ = yield(events.Stored{Game: game, Position: 1}, nil) && yield(events.Stored{}, events.ErrUnavailable)
	}
}

func TestAnErrorInTheMiddleIsSeen(t *testing.T) {
	c, _ := serve(t, cutLog{memory.New()})
	var got []error
	for _, err := range c.Read(t.Context(), "one", 0) {
		got = append(got, err)
	}
	if len(got) != 2 || got[0] != nil || !errors.Is(got[1], events.ErrUnavailable) {
		t.Errorf("got %v", got)
	}
}

// rebuild knows one read model, and takes two steps for it.
func rebuild(_ context.Context, name string, progress func(at, last events.Position)) error {
	if name != "lobby" {
		return fmt.Errorf("there is no read model %q", name)
	}
	progress(1, 2)
	progress(2, 2)
	return nil
}

func TestRebuild(t *testing.T) {
	client, _ := serve(t, memory.New())
	var steps []events.Position
	err := client.Rebuild(t.Context(), "lobby", func(at, last events.Position) { steps = append(steps, at, last) })
	if err != nil || !slices.Equal(steps, []events.Position{1, 2, 2, 2}) {
		t.Errorf("rebuilt with steps %v, %v", steps, err)
	}
	err = client.Rebuild(t.Context(), "nothing", nil)
	if err == nil || !strings.Contains(err.Error(), "no read model") {
		t.Errorf("rebuilt nothing: %v", err)
	}
}
