package tests

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"chancery/adapters/httpapi"
	broker "chancery/adapters/jetstream"
)

// BenchmarkCommandToSpectator plays 200 games over HTTP at one command a second each, on
// a ledger that syncs every append, and says when another client's stream has the record:
// after the command was sent, and after its answer came (never less than nothing, for the
// stream may be first). Beside it, under the same load, a raw durable publish.
func BenchmarkCommandToSpectator(b *testing.B) {
	const games, seconds = 200, 10
	log, err := broker.OpenEmbedded(b.Context(), broker.Embedded{Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(log.Close)
	s := startServerOn(b, ground{log: log, keys: b.TempDir(), now: time.Now, entropy: rand.Reader}, func(c *httpapi.Config, _ *http.Server) {
		c.Logger = slog.New(slog.DiscardHandler)
	})
	var t timings
	for b.Loop() {
		var running sync.WaitGroup
		running.Go(func() { t.publish(b, log, seconds*10) })
		for n := range games {
			running.Go(func() {
				time.Sleep(time.Duration(n) * time.Second / games)
				t.playWatched(b, s.http.URL, seconds)
			})
		}
		running.Wait()
	}
	t.report(b)
}

// timings are durations by what they are of.
type timings struct {
	mu   sync.Mutex
	list map[string][]time.Duration
}

func (t *timings) note(of string, d time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.list == nil {
		t.list = map[string][]time.Duration{}
	}
	t.list[of] = append(t.list[of], max(0, d))
}

func (t *timings) report(b *testing.B) {
	for of, list := range t.list {
		slices.Sort(list)
		b.ReportMetric(float64(list[len(list)/2].Microseconds())/1000, of+"-p50-ms")
		b.ReportMetric(float64(list[len(list)*99/100].Microseconds())/1000, of+"-p99-ms")
	}
	b.ReportMetric(0, "ns/op")
}

// playWatched plays one move a second in a game that another client watches.
func (t *timings) playWatched(b *testing.B, url string, moves int) {
	players, n := play(b, url, plainChess)
	ctx, stop := context.WithCancel(b.Context())
	defer stop()
	spectator, _, err := listen(ctx, &http.Client{}, players[0].url, true, n)
	if err != nil || spectator == nil {
		b.Error("watching:", err)
		return
	}
	defer spectator.close()
	seen := make(chan time.Time, moves)
	go func() {
		for {
			m, err := spectator.next()
			if err != nil {
				close(seen)
				return
			}
			if m.event == "record" {
				seen <- time.Now()
			}
		}
	}()
	for i := range moves {
		sent := time.Now()
		n = players[i%2].move(shuttle[i%4], n)
		answered := time.Now()
		at, ok := <-seen
		if !ok {
			b.Error("the stream ended")
			return
		}
		t.note("sent", at.Sub(sent))
		t.note("answered", at.Sub(answered))
		time.Sleep(time.Until(sent.Add(time.Second)))
	}
}

// publish sends durable messages to a stream of its own on the ledger's server, ten a
// second.
func (t *timings) publish(b *testing.B, log *broker.Log, messages int) {
	js, err := jetstream.New(log.Conns()[0])
	if err != nil {
		b.Error(err)
		return
	}
	if _, err := js.CreateOrUpdateStream(b.Context(), jetstream.StreamConfig{Name: "RAW", Subjects: []string{"raw.*"}}); err != nil {
		b.Error(err)
		return
	}
	payload := make([]byte, 600)
	for i := range messages {
		sent := time.Now()
		if _, err := js.Publish(b.Context(), fmt.Sprintf("raw.%d", i%16), payload); err != nil {
			b.Error(err)
			return
		}
		t.note("raw", time.Since(sent))
		time.Sleep(100 * time.Millisecond)
	}
}
