package jetstream

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"time"

	"chancery/projections"

	"github.com/nats-io/nats.go/jetstream"
)

const (
	feedName   = "FEED"
	feedPrefix = "feed."
)

// feedConfig is how the public events are kept. They can be computed again, so on one
// node they are not synced one by one: what a loss of power takes away is sent again,
// the same. Nobody deletes one, for consumers count on there being no gaps.
func feedConfig(replicas int) jetstream.StreamConfig {
	c := jetstream.StreamConfig{
		Name:        feedName,
		Description: "The public events of Chancery, one CloudEvent a message, computed from the ledger.",
		Subjects:    []string{feedPrefix + "*.*.*"},
		Storage:     jetstream.FileStorage,
		Retention:   jetstream.LimitsPolicy,
		Discard:     jetstream.DiscardOld,
		MaxMsgs:     -1,
		MaxBytes:    -1,
		Replicas:    replicas,
		Duplicates:  duplicateWindow,
		DenyDelete:  true,
		DenyPurge:   true,
		AllowDirect: true,
		Compression: jetstream.S2Compression,
	}
	if replicas == 1 {
		c.PersistMode = jetstream.AsyncPersistMode
	}
	return c
}

// A Feed is the stream FEED as a read model: the runner of projections keeps it up. Its
// checkpoint is its last message, and each message expects to follow the one before,
// so that none is ever there twice, out of order or missing, whoever writes. An
// administrator may limit how many messages or bytes it holds.
type Feed struct {
	log    *Log
	holder string // names this process

	mu   sync.Mutex
	seen lease // as another process held it when last looked at
}

// Feed is the stream of public events beside the ledger.
func (l *Log) Feed() *Feed { return &Feed{log: l, holder: rand.Text()} }

// Name is the projection's.
func (f *Feed) Name() string { return "feed" }

// Claim makes this process the one that writes the stream, which is created where there
// is none.
func (f *Feed) Claim(ctx context.Context) (projections.Writer, error) {
	stream, err := f.stream(ctx)
	if err != nil {
		return nil, err
	}
	held, err := f.hold(ctx)
	if err != nil {
		return nil, err
	}
	return &feedWriter{
		feed: f, conn: f.log.conns[len(f.log.conns)-1], stream: stream, lease: held, begun: projections.NewBeginnings(f.log),
	}, nil
}

// stream opens FEED, or creates it.
func (f *Feed) stream(ctx context.Context) (jetstream.Stream, error) {
	js := f.log.conns[0].js
	s, err := js.Stream(ctx, feedName)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		s, err = js.CreateStream(ctx, feedConfig(f.log.replicas))
	}
	if err != nil {
		return nil, feedFailed(ctx, "opening the stream "+feedName, err)
	}
	return s, nil
}

// feedFailed wraps an error of NATS for the runner of projections, which tries again.
func feedFailed(ctx context.Context, doing string, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %w", doing, ctx.Err())
	}
	return fmt.Errorf("%s: %w: %w", doing, projections.ErrUnavailable, err)
}

// A lease says which process writes. It spares two processes from getting in each
// other's way; that nothing is wrong in the stream does not hang on it.
type lease struct {
	revision uint64    // of the note; 0: none is needed, or none is known
	since    time.Time // when it was first seen as it is
}

// leaseNote is the name of the note in which the holder stands.
const leaseNote = "feed.lease"

// hold takes the lease, or renews it. That of another process is free once it has not
// been renewed for [projections.Lease] by our own clock.
func (f *Feed) hold(ctx context.Context) (lease, error) {
	if f.log.embedded {
		return lease{}, nil // the directory is this process's alone
	}
	notes, err := f.log.Notes(ctx)
	if err != nil {
		return lease{}, feedFailed(ctx, "looking who writes "+feedName, err)
	}
	entry, err := notes.kv.Get(ctx, leaseNote)
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		return f.take(ctx, notes, 0)
	case err != nil:
		return lease{}, feedFailed(ctx, "looking who writes "+feedName, err)
	case string(entry.Value()) == f.holder || string(entry.Value()) == "" || f.expired(entry.Revision()):
		return f.take(ctx, notes, entry.Revision())
	}
	return lease{}, fmt.Errorf("writing %s: %w", feedName, projections.ErrHeld)
}

// expired says whether the lease has been the same for too long.
func (f *Feed) expired(revision uint64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.seen.revision != revision {
		f.seen = lease{revision: revision, since: time.Now()}
	}
	return time.Since(f.seen.since) > projections.Lease
}

// take writes the holder over the note as it was seen.
func (f *Feed) take(ctx context.Context, notes *Notes, over uint64) (lease, error) {
	revision, err := notes.kv.Update(ctx, leaseNote, []byte(f.holder), over)
	switch codeOf(err) {
	case jetstream.JSErrCodeStreamWrongLastSequence, jetstream.JSErrCodeStreamWrongLastSequenceConstant:
		return lease{}, fmt.Errorf("writing %s: %w", feedName, projections.ErrHeld)
	}
	if err != nil {
		return lease{}, feedFailed(ctx, "claiming "+feedName, err)
	}
	return lease{revision: revision}, nil
}

// give gives the lease up, if it is still held. Otherwise it expires.
func (f *Feed) give(ctx context.Context, held lease) {
	if held.revision == 0 {
		return
	}
	if notes, err := f.log.Notes(ctx); err == nil {
		_, _ = notes.kv.Update(ctx, leaseNote, nil, held.revision)
	}
}

// renew says that the writer is still there; another one that has taken over is
// [projections.ErrFenced].
func (f *Feed) renew(ctx context.Context, held lease) (lease, error) {
	if held.revision == 0 {
		return held, nil
	}
	notes, err := f.log.Notes(ctx)
	if err != nil {
		return held, feedFailed(ctx, "renewing the claim on "+feedName, err)
	}
	next, err := f.take(ctx, notes, held.revision)
	if errors.Is(err, projections.ErrHeld) {
		return held, fmt.Errorf("writing %s: %w", feedName, projections.ErrFenced)
	}
	return next, err
}

var _ projections.Model = (*Feed)(nil)
