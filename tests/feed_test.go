package tests

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"chancery/adapters/jetstream"
	"chancery/adapters/watermill"
	"chancery/events"
	"chancery/projections"
	"chancery/projections/feed"
	"chancery/projections/ledgertest"
)

// kills is how often the consumer is killed.
const kills = 15

// The consumer of docs/examples is killed without warning, again and again, while games
// are played and the feed has new writers. Afterwards it has every public event: in the
// order of the ledger, each with its id, and not a byte more.
func TestConsumerOfTheFeed(t *testing.T) {
	program := buildConsumer(t)
	address := freeAddress(t)
	log, err := jetstream.OpenEmbedded(t.Context(), jetstream.Embedded{Dir: t.TempDir(), Listen: address})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	ctx, stop := context.WithCancel(t.Context())
	var parts sync.WaitGroup
	defer parts.Wait()
	defer stop()
	parts.Go(func() { keepFeed(ctx, t, log) })
	var playing sync.WaitGroup
	playing.Go(func() {
		if err := ledgertest.Play(ctx, log, ledgertest.Games{To: 60}); err != nil {
			t.Error(err)
		}
	})

	file := filepath.Join(t.TempDir(), "events.tsv")
	waitForFeed(t, log)
	grown := 0
	for range kills {
		before := size(file)
		c := exec.Command(program, "nats://"+address, file)
		c.Stderr = t.Output()
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(20+rand.IntN(150)) * time.Millisecond)
		_ = c.Process.Kill()
		_ = c.Wait()
		if size(file) > before {
			grown++
		}
	}
	if grown < kills/3 {
		t.Errorf("only %d of %d consumers got anything", grown, kills)
	}
	playing.Wait()
	consume(t, program, address, file, publicEvents(t, log))
}

func buildConsumer(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "consumer")
	if out, err := exec.Command("go", "build", "-o", program, "chancery/docs/examples/consumer").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return program
}

// consume lets the consumer have its file until all is there, and compares.
func consume(t *testing.T, program, address, file string, want []feed.Event) {
	t.Helper()
	c := exec.Command(program, "nats://"+address, file)
	c.Stderr = t.Output()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer c.Wait()
	defer c.Process.Kill()
	count := func() int { return strings.Count(contents(t, file), "\n") }
	if !eventually(func() bool { return count() >= len(want) }) {
		t.Errorf("the consumer has only %d events of %d", count(), len(want))
	}
	compareEvents(t, contents(t, file), want)
}

// The server is killed while it writes the feed. What it had not yet brought to the disk
// is written again, the same.
func TestFeedOfAKilledServer(t *testing.T) {
	dir := t.TempDir()
	p := newProcess(t, buildBinary(t), "--data", dir)
	p.start()
	var over atomic.Bool
	var playing sync.WaitGroup
	for i := range 8 {
		playing.Go(func() {
			if _, err := playThroughCrashes(p.url, fmt.Sprintf("feed-%d", i), &over); err != nil {
				t.Error(err)
			}
		})
	}
	for range 8 {
		time.Sleep(time.Duration(100+rand.IntN(500)) * time.Millisecond)
		p.kill()
		p.start()
	}
	over.Store(true)
	playing.Wait()
	p.kill()
	address := freeAddress(t)
	log, err := jetstream.OpenEmbedded(t.Context(), jetstream.Embedded{Dir: dir, Listen: address})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	ctx, stop := context.WithCancel(t.Context())
	var parts sync.WaitGroup
	defer parts.Wait()
	defer stop()
	parts.Go(func() { keepFeed(ctx, t, log) })
	waitForFeed(t, log)
	want := publicEvents(t, log)
	if len(want) < 50 {
		t.Errorf("only %d events: the test tests nothing", len(want))
	}
	consume(t, buildConsumer(t), address, filepath.Join(t.TempDir(), "events.tsv"), want)
}

// keepFeed keeps the stream up, by one runner after the other.
func keepFeed(ctx context.Context, t *testing.T, log *jetstream.Log) {
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	for ctx.Err() == nil {
		some, done := context.WithTimeout(ctx, 400*time.Millisecond)
		r := watermill.New(watermill.Config{Log: log, Models: []projections.Model{log.Feed()}, Logger: quiet})
		if err := r.Run(some); err != nil {
			t.Error(err)
		}
		done()
	}
}

// waitForFeed waits until the stream is there: a consumer cannot begin before.
func waitForFeed(t *testing.T, log *jetstream.Log) {
	t.Helper()
	if !eventually(func() bool {
		w, err := log.Feed().Claim(t.Context())
		if err != nil {
			return false
		}
		w.Release()
		return true
	}) {
		t.Fatal("there is no feed")
	}
}

func eventually(done func() bool) bool {
	for range 600 {
		if done() {
			return true
		}
		time.Sleep(50 * time.Millisecond)
	}
	return false
}

// publicEvents are the events that the ledger has.
func publicEvents(t *testing.T, log events.Log) []feed.Event {
	t.Helper()
	begun := projections.NewBeginnings(log)
	last, err := log.Last(t.Context())
	if err != nil || last == 0 {
		t.Fatal("nothing is in the ledger", err)
	}
	var all []feed.Event
	for s, err := range log.Follow(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		r := projections.NewRecord(s)
		b, err := begun.Of(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		list, err := feed.Events(r, b)
		if err != nil {
			t.Fatal(err)
		}
		if all = append(all, list...); s.Position == last {
			break
		}
	}
	return all
}

// size of a file, 0 where there is none.
func size(name string) int64 {
	info, err := os.Stat(name)
	if err != nil {
		return 0
	}
	return info.Size()
}

// contents of a file, empty where there is none.
func contents(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return string(b)
}

func compareEvents(t *testing.T, got string, want []feed.Event) {
	t.Helper()
	i := 0
	lines := bufio.NewScanner(strings.NewReader(got))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if i >= len(want) {
			t.Fatalf("one too many: %s", lines.Text())
		}
		e := want[i]
		line := fmt.Sprintf("%d\t%s\tchancery.%s.v%d\t%s", i+1, e.ID(), e.Type, e.Version, e.Data)
		if lines.Text() != line {
			t.Fatalf("line %d is\n%s, want\n%s", i+1, lines.Text(), line)
		}
		i++
	}
	if strings.Contains(got, `"fair"`) {
		t.Error("proofs of chance are in the feed")
	}
}
