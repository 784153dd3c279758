package jetstream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"

	"chancery/domain/fair"
	"chancery/projections"
	"chancery/projections/feed"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// window is how many messages are on their way at once.
const window = 512

// A feedWriter is one claim on FEED.
type feedWriter struct {
	feed   *Feed
	conn   conn
	stream jetstream.Stream
	begun  *projections.Beginnings

	at   projections.Checkpoint // every event up to it is in the stream
	last uint64                 // sequence of the newest message
	part feed.Event             // the newest message, if others of its record are missing

	mu    sync.Mutex
	lease lease
}

// Checkpoint is the record whose last event is the newest message; where that is not
// its record's last, as after a crash, the record before. A message that is not what
// the ledger says is [projections.ErrForeign].
func (w *feedWriter) Checkpoint(ctx context.Context) (c projections.Checkpoint, err error) {
	info, err := w.stream.Info(ctx)
	if err != nil {
		return c, feedFailed(ctx, "asking where "+feedName+" stands", err)
	}
	w.last, w.part, w.at = info.State.LastSeq, feed.Event{}, c
	if w.last == 0 {
		return c, nil
	}
	m, err := w.stream.GetMsg(ctx, w.last)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return c, fmt.Errorf("the last message of %s is gone, so that nobody knows where it stood; delete the stream and it is filled again, and let no message expire by age", feedName)
	}
	if err != nil {
		return c, feedFailed(ctx, "reading the last message of "+feedName, err)
	}
	w.at, err = w.recover(ctx, m)
	return w.at, err
}

// recover tells from the newest message what has been sent.
func (w *feedWriter) recover(ctx context.Context, m *jetstream.RawStreamMsg) (c projections.Checkpoint, err error) {
	position, err := strconv.ParseUint(m.Header.Get("ce-position"), 10, 64)
	if err != nil {
		return c, fmt.Errorf("the last message of %s is not ours: %w; %s", feedName, projections.ErrForeign, refill)
	}
	r, err := w.record(ctx, position)
	if err != nil {
		return c, err
	}
	list, err := w.events(ctx, r)
	if err != nil {
		return c, err
	}
	i, err := strconv.Atoi(m.Header.Get("ce-index"))
	if err != nil || i < 0 || i >= len(list) || !same(list[i], m) {
		return c, fmt.Errorf("message %d of %s is not what the ledger says: %w; %s", m.Sequence, feedName, projections.ErrForeign, refill)
	}
	if i == len(list)-1 {
		return r.Checkpoint(), nil
	}
	w.part = list[i]
	if position == 1 {
		return c, nil
	}
	before, err := w.record(ctx, position-1)
	return before.Checkpoint(), err
}

// refill is what helps against messages that are not the ledger's.
const refill = "delete the stream, and it is filled again within a minute"

func same(e feed.Event, m *jetstream.RawStreamMsg) bool {
	want := feedMessage(e)
	if want.Subject != m.Subject || !bytes.Equal(want.Data, m.Data) {
		return false
	}
	for _, a := range e.Attributes() {
		if m.Header.Get("ce-"+a.Name) != a.Value {
			return false
		}
	}
	return true
}

// record is the record of the ledger at a position.
func (w *feedWriter) record(ctx context.Context, position uint64) (r projections.Record, err error) {
	m, err := w.conn.stream.GetMsg(ctx, position)
	switch {
	case errors.Is(err, jetstream.ErrMsgNotFound):
		return r, fmt.Errorf("%s stands at position %d, which the ledger does not have: %w; %s", feedName, position, projections.ErrForeign, refill)
	case err != nil:
		return r, feedFailed(ctx, fmt.Sprintf("reading position %d of the ledger", position), err)
	}
	return projections.NewRecord(storedOf(m.Subject, m.Sequence, m.Header, m.Data)), nil
}

func (w *feedWriter) events(ctx context.Context, r projections.Record) ([]feed.Event, error) {
	b, err := w.begun.Of(ctx, r)
	if err != nil {
		return nil, err
	}
	return feed.Events(r, b)
}

// Apply sends the events of the records. Unlike rows in a database they are not all sent
// or none; what has been is told by Checkpoint, and not sent again.
func (w *feedWriter) Apply(ctx context.Context, from projections.Checkpoint, batch []projections.Record) error {
	if w.at != from {
		return fmt.Errorf("writing %s: %w", feedName, projections.ErrFenced)
	}
	var list []feed.Event
	for _, r := range batch {
		of, err := w.events(ctx, r)
		if err != nil {
			return err
		}
		if r.Position == w.part.Position {
			of = of[w.part.I+1:]
		}
		list = append(list, of...)
	}
	w.at, w.part = projections.Checkpoint{Hash: fair.Hash{1}}, feed.Event{} // unknown, until all is well
	for len(list) > 0 {
		some := list[:min(window, len(list))]
		if err := w.send(ctx, some); err != nil {
			return err
		}
		list = list[len(some):]
	}
	w.at = batch[len(batch)-1].Checkpoint()
	return nil
}

// send sends messages that follow the newest, and waits until all are stored.
func (w *feedWriter) send(ctx context.Context, list []feed.Event) error {
	futures := make([]jetstream.PubAckFuture, len(list))
	for i, e := range list {
		var err error
		futures[i], err = w.conn.js.PublishMsgAsync(feedMessage(e), jetstream.WithMsgID(e.ID()),
			jetstream.WithExpectLastSequence(w.last+uint64(i)), jetstream.WithRetryAttempts(0))
		if err != nil {
			return feedFailed(ctx, "sending to "+feedName, err)
		}
	}
	for i, f := range futures {
		if err := w.stored(ctx, f, w.last+uint64(i)+1); err != nil {
			return err
		}
	}
	w.last += uint64(len(list))
	return nil
}

// stored waits for the broker to say that a message stands where it should.
func (w *feedWriter) stored(ctx context.Context, f jetstream.PubAckFuture, want uint64) error {
	wait, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	select {
	case ack := <-f.Ok():
		if ack.Duplicate || ack.Sequence != want { // another writer has sent it
			return fmt.Errorf("writing message %d of %s: %w", want, feedName, projections.ErrFenced)
		}
		return nil
	case err := <-f.Err():
		switch codeOf(err) {
		case jetstream.JSErrCodeStreamWrongLastSequence, jetstream.JSErrCodeStreamWrongLastSequenceConstant:
			return fmt.Errorf("writing %s: %w", feedName, projections.ErrFenced)
		}
		return feedFailed(ctx, "sending to "+feedName, err)
	case <-wait.Done():
		return feedFailed(ctx, "sending to "+feedName, wait.Err())
	}
}

// feedMessage is an event as a CloudEvent in NATS's binary mode: its attributes are the
// headers, its data the payload. The subject is feed.<variant>.<type>.<game>.
func feedMessage(e feed.Event) *nats.Msg {
	m := nats.NewMsg(feedPrefix + e.VariantToken() + "." + e.Type + "." + e.Game)
	for _, a := range e.Attributes() {
		m.Header["ce-"+a.Name] = []string{a.Value}
	}
	m.Header["ce-datacontenttype"] = []string{"application/json"} // as the binding for NATS says
	m.Header["content-type"] = []string{"application/json"}       // as the libraries for Go do
	m.Data = e.Data
	return m
}

// Renew says that the writer is still there.
func (w *feedWriter) Renew(ctx context.Context) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	next, err := w.feed.renew(ctx, w.lease)
	w.lease = next
	return err
}

// Release gives the claim up.
func (w *feedWriter) Release() {
	ctx, cancel := context.WithTimeout(context.Background(), tryFor)
	defer cancel()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.feed.give(ctx, w.lease)
	w.lease = lease{}
}
