package jetstream

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"iter"
	"time"

	"chancery/events"

	"github.com/nats-io/nats.go/jetstream"
)

// How Follow keeps up. A consumer that was not deleted, because its reader died, goes
// by itself after a while.
const (
	batch       = 256 // records on their way to a reader
	heartbeat   = 2 * time.Second
	consumerTTL = 30 * time.Second
	stalledFor  = time.Minute // without one that works, Follow ends with an error
)

// Follow reads through a consumer of its own in stream order. When a consumer is lost
// or leaves something out, as after a reconnect, another one begins behind the last
// record that was yielded; the reader sees nothing of it.
func (l *Log) Follow(ctx context.Context, after events.Position) iter.Seq2[events.Stored, error] {
	return func(yield func(events.Stored, error) bool) {
		f := following{log: l, after: after, yield: yield, pause: firstPause, worked: time.Now()}
		for ctx.Err() == nil {
			begun, at := time.Now(), f.after
			err := f.consume(ctx)
			if f.after > at || time.Since(begun) > consumerTTL {
				f.pause, f.worked = firstPause, time.Now()
			}
			switch {
			case f.stopped:
				return
			case ctx.Err() == nil && (l.conns[0].nats.IsClosed() || time.Since(f.worked) > stalledFor):
				yield(events.Stored{}, unavailable(ctx, fmt.Sprintf("following the ledger behind %d", f.after), err))
				return
			}
			f.wait(ctx)
		}
		yield(events.Stored{}, ctx.Err())
	}
}

// A following is one call of Follow.
type following struct {
	log     *Log
	after   events.Position
	yield   func(events.Stored, error) bool
	stopped bool // the reader has had enough
	pause   time.Duration
	worked  time.Time // when a consumer did so last
}

var errGap = errors.New("the broker left a record out")

// consume reads through one consumer until it fails, ctx ends or the reader stops.
func (f *following) consume(ctx context.Context) error {
	c := f.log.conns[0]
	config := consumerFrom(f.after)
	consumer, err := c.stream.CreateConsumer(ctx, config)
	if err != nil {
		return err
	}
	defer deleteConsumer(c, config.Name)
	messages, err := consumer.Messages(jetstream.PullMaxMessages(batch), jetstream.PullHeartbeat(heartbeat), jetstream.WithMessagesErrOnMissingHeartbeat(true))
	if err != nil {
		return err
	}
	defer messages.Stop()
	for {
		m, err := messages.Next(jetstream.NextContext(ctx))
		if err != nil {
			return err
		}
		if err := f.deliver(m); err != nil || f.stopped {
			return err
		}
	}
}

func (f *following) deliver(m jetstream.Msg) error {
	meta, err := m.Metadata()
	if err != nil {
		return err
	}
	position := events.Position(meta.Sequence.Stream)
	if position != f.after+1 {
		return fmt.Errorf("%w: %d follows %d", errGap, position, f.after)
	}
	f.after = position
	f.stopped = !f.yield(storedOf(m.Subject(), uint64(position), m.Headers(), m.Data()), nil)
	return nil
}

// consumerFrom is a consumer of everything behind a position, in stream order, that
// keeps nothing and waits for no acknowledgement.
func consumerFrom(after events.Position) jetstream.ConsumerConfig {
	return jetstream.ConsumerConfig{
		Name: "reader-" + rand.Text(), DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: uint64(after) + 1,
		AckPolicy: jetstream.AckNonePolicy, InactiveThreshold: consumerTTL, MemoryStorage: true, Replicas: 1,
	}
}

// deleteConsumer takes the consumer away even when the reader's context has ended:
// a broker has room for a limited number.
func deleteConsumer(c conn, name string) {
	ctx, cancel := context.WithTimeout(context.Background(), tryFor)
	defer cancel()
	_ = c.stream.DeleteConsumer(ctx, name) // otherwise it goes by itself after consumerTTL
}

func (f *following) wait(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(f.pause):
	}
	f.pause = min(2*f.pause, longPause)
}
