package jetstream_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"chancery/adapters/jetstream"
	"chancery/projections"
	"chancery/projections/feed"
	"chancery/projections/ledgertest"

	natsjs "github.com/nats-io/nats.go/jetstream"
)

// Three servers keep the feed as one does, while one of them is away, too; and another
// process takes over when the first is silent.
func TestFeedOnACluster(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for elections")
	}
	c := newCluster(t)
	remote := jetstream.Remote{URL: c.url, Wait: time.Minute, Create: true}
	log, err := jetstream.OpenRemote(t.Context(), remote)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	if err := jetstream.Migrate(t.Context(), remote); err != nil {
		t.Fatal(err)
	}
	if err := ledgertest.Play(t.Context(), log, ledgertest.Games{To: 8}); err != nil {
		t.Fatal(err)
	}
	want := publicEvents(t, log)
	first := claim(t, log.Feed())
	at, err := first.Checkpoint(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	half := take(t, log, at, 200)
	if err := first.Apply(t.Context(), at, half); err != nil {
		t.Fatal(err)
	}
	other := log.Feed()
	if _, err := other.Claim(t.Context()); !errors.Is(err, projections.ErrHeld) {
		t.Errorf("while it is held: %v", err)
	}
	c.stop(2)
	second := claim(t, other) // the first one is not heard of any more
	defer second.Release()
	if err := first.Renew(t.Context()); !errors.Is(err, projections.ErrFenced) {
		t.Errorf("the first one: %v", err)
	}
	for range 20 {
		if at, err = second.Checkpoint(t.Context()); err == nil {
			if err = second.Apply(t.Context(), at, take(t, log, at, 5000)); err == nil {
				break
			}
		}
		time.Sleep(500 * time.Millisecond) // a leader is being chosen
	}
	if err != nil {
		t.Fatal(err)
	}
	compareStream(t, log, want)
}

// claim tries until it has the claim.
func claim(t *testing.T, f *jetstream.Feed) projections.Writer {
	t.Helper()
	var err error
	for range 60 {
		var w projections.Writer
		if w, err = f.Claim(t.Context()); err == nil {
			return w
		}
		time.Sleep(250 * time.Millisecond)
	}
	t.Fatal(err)
	return nil
}

// take is what lies behind a checkpoint, at most so many records.
func take(t *testing.T, log *jetstream.Log, at projections.Checkpoint, most int) []projections.Record {
	t.Helper()
	last, err := log.Last(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var list []projections.Record
	for s, err := range log.Follow(t.Context(), at.Position) {
		if err != nil {
			t.Fatal(err)
		}
		if list = append(list, projections.NewRecord(s)); s.Position == last || len(list) == most {
			break
		}
	}
	return list
}

func publicEvents(t *testing.T, log *jetstream.Log) []feed.Event {
	t.Helper()
	begun := projections.NewBeginnings(log)
	var all []feed.Event
	for _, r := range take(t, log, projections.Checkpoint{}, 1<<20) {
		b, err := begun.Of(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		list, err := feed.Events(r, b)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, list...)
	}
	return all
}

func compareStream(t *testing.T, log *jetstream.Log, want []feed.Event) {
	t.Helper()
	js, err := natsjs.New(log.Conns()[0])
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	consumer, err := js.OrderedConsumer(ctx, "FEED", natsjs.OrderedConsumerConfig{})
	if err != nil {
		t.Fatal(err)
	}
	messages, err := consumer.Messages()
	if err != nil {
		t.Fatal(err)
	}
	defer messages.Stop()
	for i, e := range want {
		m, err := messages.Next(natsjs.NextContext(ctx))
		if err != nil {
			t.Fatalf("message %d of %d: %v", i+1, len(want), err)
		}
		if m.Headers().Get("ce-id") != e.ID() || string(m.Data()) != string(e.Data) {
			t.Fatalf("message %d is %s, want %s", i+1, m.Headers().Get("ce-id"), e.ID())
		}
	}
	s, err := js.Stream(ctx, "FEED")
	if err != nil || s.CachedInfo().State.LastSeq != uint64(len(want)) {
		t.Errorf("%+v messages, want %d, %v", s.CachedInfo().State, len(want), err)
	}
}
