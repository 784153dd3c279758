package jetstream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"chancery/projections"
	"chancery/projections/ledgertest"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// feedLedger is a ledger of some games.
func feedLedger(t testing.TB, dir string, from, to int) *Log {
	t.Helper()
	l, err := OpenEmbedded(t.Context(), Embedded{Dir: dir, Lazy: true, Conns: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	if err := ledgertest.Play(t.Context(), l, ledgertest.Games{From: from, To: to}); err != nil {
		t.Fatal(err)
	}
	return l
}

// fill sends what is missing, in batches of a size, and claims anew for each of them if
// told so. It stops behind upTo; 0 is the end.
func fill(t testing.TB, l *Log, size int, anew bool) {
	t.Helper()
	ctx := t.Context()
	last, err := l.Last(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for {
		w, err := l.Feed().Claim(ctx)
		if err != nil {
			t.Fatal(err)
		}
		at, err := w.Checkpoint(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if at.Position == last {
			w.Release()
			return
		}
		for batch, err := range projections.Batches(ctx, l, at, size) {
			if err != nil {
				t.Fatal(err)
			}
			if at, err = projections.Absorb(ctx, "feed", w, at, batch); err != nil {
				t.Fatal(err)
			}
			if anew || at.Position == last {
				break
			}
		}
		w.Release()
	}
}

// messages are those of FEED.
func messages(t testing.TB, l *Log) []*jetstream.RawStreamMsg {
	t.Helper()
	s, err := l.conns[0].js.Stream(t.Context(), feedName)
	if err != nil {
		t.Fatal(err)
	}
	var list []*jetstream.RawStreamMsg
	for i := range s.CachedInfo().State.LastSeq {
		m, err := s.GetMsg(t.Context(), i+1)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, m)
	}
	return list
}

// expected are the messages that the ledger gives.
func expected(t testing.TB, l *Log) []*nats.Msg {
	t.Helper()
	w := &feedWriter{begun: projections.NewBeginnings(l)}
	last, err := l.Last(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var list []*nats.Msg
	for s, err := range l.Follow(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		of, err := w.events(t.Context(), projections.NewRecord(s))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range of {
			list = append(list, feedMessage(e))
		}
		if s.Position == last {
			break
		}
	}
	return list
}

func compareFeed(t *testing.T, l *Log) {
	t.Helper()
	want, got := expected(t, l), messages(t, l)
	if len(got) != len(want) {
		t.Fatalf("%d messages, want %d", len(got), len(want))
	}
	for i, m := range got {
		if m.Subject != want[i].Subject || !bytes.Equal(m.Data, want[i].Data) {
			t.Fatalf("message %d is %s %s, want %s %s", i+1, m.Subject, m.Data, want[i].Subject, want[i].Data)
		}
		for name, value := range want[i].Header {
			if have := m.Header[name]; len(have) != 1 || have[0] != value[0] {
				t.Errorf("message %d says %s %q, want %q", i+1, name, have, value)
			}
		}
		if bytes.Contains(m.Data, []byte(`"fair"`)) {
			t.Errorf("message %d shows a proof of chance: %s", i+1, m.Data)
		}
	}
}

// The same messages, whatever the batches and however often the writer changes.
func TestFeed(t *testing.T) {
	for _, size := range []int{1, 7, 1000} {
		for _, anew := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d,%t", size, anew), func(t *testing.T) {
				l := feedLedger(t, t.TempDir(), 0, 14)
				fill(t, l, size, anew)
				compareFeed(t, l)
			})
		}
	}
}

// A writer that dies between two events of a record is followed by one that sends the
// rest of it, at whatever event that was.
func TestFeedGoesOnWithinARecord(t *testing.T) {
	l := feedLedger(t, t.TempDir(), 0, 6)
	want := expected(t, l)
	if _, err := l.Feed().stream(t.Context()); err != nil {
		t.Fatal(err)
	}
	last, err := l.Last(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for sent := 0; sent < len(want); sent = len(messages(t, l)) {
		// what the one that dies has sent
		if _, err := l.conns[0].js.PublishMsg(t.Context(), want[sent], jetstream.WithExpectLastSequence(uint64(sent))); err != nil {
			t.Fatal(err)
		}
		w, err := l.Feed().Claim(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		c, err := w.Checkpoint(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if c.Position < last {
			if err := w.Apply(t.Context(), c, nextRecord(t, l, c)); err != nil {
				t.Fatal(err)
			}
		}
		w.Release()
	}
	compareFeed(t, l)
}

// Of two that write only one gets through, and nothing is there twice.
func TestFeedFencesAnotherWriter(t *testing.T) {
	ctx := t.Context()
	l := feedLedger(t, t.TempDir(), 0, 3)
	one, other := claimFeed(t, l), claimFeed(t, l)
	batch := firstRecords(t, l, 4)
	if err := one.Apply(ctx, projections.Checkpoint{}, batch[:2]); err != nil {
		t.Fatal(err)
	}
	if err := other.Apply(ctx, projections.Checkpoint{}, batch[:2]); !errors.Is(err, projections.ErrFenced) {
		t.Errorf("the other writer: %v", err)
	}
	at, err := other.Checkpoint(ctx)
	if err != nil || at != batch[1].Checkpoint() {
		t.Errorf("the other one sees %v, %v", at, err)
	}
	if err := other.Apply(ctx, at, batch[2:]); err != nil {
		t.Error(err)
	}
	if err := one.Apply(ctx, batch[1].Checkpoint(), batch[2:]); !errors.Is(err, projections.ErrFenced) {
		t.Errorf("the first writer: %v", err)
	}
	fill(t, l, 100, false)
	compareFeed(t, l)
}

func claimFeed(t *testing.T, l *Log) projections.Writer {
	t.Helper()
	w, err := l.Feed().Claim(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Release)
	if _, err := w.Checkpoint(t.Context()); err != nil {
		t.Fatal(err)
	}
	return w
}

func firstRecords(t *testing.T, l *Log, n int) []projections.Record {
	t.Helper()
	var list []projections.Record
	for s, err := range l.Follow(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if list = append(list, projections.NewRecord(s)); len(list) == n {
			break
		}
	}
	return list
}

// nextRecord is the one behind a checkpoint.
func nextRecord(t *testing.T, l *Log, c projections.Checkpoint) []projections.Record {
	t.Helper()
	for batch, err := range projections.Batches(t.Context(), l, c, 1) {
		if err != nil {
			t.Fatal(err)
		}
		return batch
	}
	return nil
}

// A stream of another ledger is found out and left alone.
func TestFeedOfAnotherLedger(t *testing.T) {
	l := feedLedger(t, t.TempDir(), 0, 2)
	other := feedLedger(t, t.TempDir(), 5, 6)
	if _, err := l.Feed().stream(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i, m := range expected(t, other)[:3] {
		if _, err := l.conns[0].js.PublishMsg(t.Context(), m, jetstream.WithExpectLastSequence(uint64(i))); err != nil {
			t.Fatal(err)
		}
	}
	w, err := l.Feed().Claim(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Release()
	if _, err := w.Checkpoint(t.Context()); !errors.Is(err, projections.ErrForeign) {
		t.Errorf("got %v", err)
	}
}

// The lease goes from one process to the next: at once if it is given up, and otherwise
// after a while without a sign.
func TestFeedLease(t *testing.T) {
	l := feedLedger(t, t.TempDir(), 0, 1)
	l.embedded = false // as on servers of its own
	one, other := l.Feed(), l.Feed()
	ctx := t.Context()
	w, err := one.Claim(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Claim(ctx); !errors.Is(err, projections.ErrHeld) {
		t.Errorf("while it is held: %v", err)
	}
	if err := w.Renew(ctx); err != nil {
		t.Error(err)
	}
	w.Release()
	taken, err := other.Claim(ctx)
	if err != nil {
		t.Fatalf("when it was given up: %v", err)
	}
	if err := w.Renew(ctx); err != nil {
		t.Errorf("one that has given up has nothing to renew: %v", err)
	}
	if _, err := one.Claim(ctx); !errors.Is(err, projections.ErrHeld) {
		t.Errorf("while the other one holds it: %v", err)
	}
	one.seen.since = one.seen.since.Add(-2 * projections.Lease)
	again, err := one.Claim(ctx)
	if err != nil {
		t.Fatalf("when it has expired: %v", err)
	}
	defer again.Release()
	if err := taken.Renew(ctx); !errors.Is(err, projections.ErrFenced) {
		t.Errorf("one whose lease was taken: %v", err)
	}
	taken.Release()
}

// BenchmarkFeed measures records and messages a second into the stream of one node.
func BenchmarkFeed(b *testing.B) {
	l := feedLedger(b, b.TempDir(), 0, 60)
	last, err := l.Last(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		b.StopTimer()
		_ = l.conns[0].js.DeleteStream(context.Background(), feedName)
		b.StartTimer()
		fill(b, l, projections.MaxBatch, false)
	}
	b.ReportMetric(float64(last)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
}
