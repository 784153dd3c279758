package watermill

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"

	"chancery/events"
	"chancery/projections"
)

// A subscriber is a Watermill subscriber on the ledger for one read model. A message is
// a batch of records, which travel in its context; the next one comes when it is
// acknowledged. Whatever goes wrong, it claims the read model again and goes on behind
// its checkpoint: that alone says what has been absorbed.
type subscriber struct {
	model  projections.Model
	log    events.Log
	pace   Pace
	report *report

	closing chan struct{}
	once    sync.Once
}

// work is one batch on its way through the router.
type work struct {
	writer projections.Writer
	at     projections.Checkpoint // where the read model stands; moved by the handler
	batch  []projections.Record
	err    error // the handler's last
}

type workKey struct{}

// Subscribe begins to deliver; the topic is the read model's name.
func (s *subscriber) Subscribe(ctx context.Context, _ string) (<-chan *message.Message, error) {
	ctx, cancel := context.WithCancel(ctx)
	out := make(chan *message.Message)
	go func() {
		defer cancel()
		select {
		case <-s.closing:
		case <-ctx.Done():
		}
	}()
	go func() {
		defer close(out)
		s.keep(ctx, out)
	}()
	return out, nil
}

// Close ends the delivery.
func (s *subscriber) Close() error {
	s.once.Do(func() { close(s.closing) })
	return nil
}

// keep delivers until ctx ends, through as many claims as it takes.
func (s *subscriber) keep(ctx context.Context, out chan<- *message.Message) {
	pause := s.pace.First
	for ctx.Err() == nil {
		at := s.report.position()
		err := s.session(ctx, out)
		if ctx.Err() != nil {
			return
		}
		if s.report.position() > at {
			pause = s.pace.First
		}
		wait(ctx, s.report.failed(err, s.pace, pause))
		pause = min(2*pause, s.pace.Longest)
	}
}

// session delivers through one claim.
func (s *subscriber) session(ctx context.Context, out chan<- *message.Message) error {
	if err := s.renew(ctx); err != nil {
		return err
	}
	writer, err := s.model.Claim(ctx)
	if err != nil {
		return err
	}
	defer writer.Release()
	at, err := writer.Checkpoint(ctx)
	if err != nil {
		return err
	}
	if err := projections.Known(ctx, s.log, at); errors.Is(err, projections.ErrForeign) {
		return fmt.Errorf("%w; compute it anew with chancery rebuild %s", err, s.model.Name())
	} else if err != nil {
		return err
	}
	s.report.running(at)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go s.hold(ctx, writer, cancel)
	for batch, err := range projections.Batches(ctx, s.log, at, s.pace.Batch) {
		if err != nil {
			return errors.Join(err, context.Cause(ctx))
		}
		w := &work{writer: writer, at: at, batch: batch}
		if err := s.deliver(ctx, w, out); err != nil {
			return err
		}
		at = w.at
	}
	return context.Cause(ctx)
}

// renew has a read model computed anew that is of an older version.
func (s *subscriber) renew(ctx context.Context) error {
	m, ok := s.model.(projections.Rebuilder)
	if !ok {
		return nil
	}
	old, err := m.Outdated(ctx)
	if err != nil || !old {
		return err
	}
	s.report.renewing()
	return projections.Rebuild(ctx, s.log, m, func(at, _ events.Position) { s.report.reached(at) })
}

// hold keeps the claim while there is nothing to absorb, and ends the session when it
// is lost.
func (s *subscriber) hold(ctx context.Context, w projections.Writer, lost context.CancelCauseFunc) {
	tick := time.NewTicker(projections.Lease / 3)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := w.Renew(ctx); errors.Is(err, projections.ErrFenced) {
				lost(err)
				return
			}
		}
	}
}

// deliver sends one batch and waits for what becomes of it.
func (s *subscriber) deliver(ctx context.Context, w *work, out chan<- *message.Message) error {
	first, last := w.batch[0].Position, w.batch[len(w.batch)-1].Position
	m := message.NewMessage(fmt.Sprintf("%s/%d-%d", s.model.Name(), first, last), nil)
	m.Metadata.Set("first", strconv.FormatUint(uint64(first), 10))
	m.Metadata.Set("last", strconv.FormatUint(uint64(last), 10))
	own, done := context.WithCancel(context.WithValue(ctx, workKey{}, w))
	defer done()
	m.SetContext(own)
	select {
	case out <- m:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	select {
	case <-m.Acked():
		s.report.absorbed(w)
		return nil
	case <-m.Nacked():
		s.report.reached(w.at.Position)
		return cmp.Or(w.err, errNotAbsorbed)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// errNotAbsorbed is what is left to say when the router ends while a batch is on its way.
var errNotAbsorbed = fmt.Errorf("a batch was not absorbed: %w", projections.ErrUnavailable)

// wait pauses, unless ctx ends.
func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
