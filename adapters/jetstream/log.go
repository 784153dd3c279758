// Package jetstream keeps the ledger in one stream of NATS JetStream: in a server
// within this process, or on a cluster. It alone knows subjects, headers and the
// error codes of NATS.
package jetstream

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"strings"
	"sync"

	"chancery/events"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	streamName    = "LEDGER"
	subjectPrefix = "game."
)

// What stands in the headers of a message, each once. Sealed is not part of the
// record: it is neither hashed nor shown.
const (
	headerSealed = "Fair-Sealed"
	headerRules  = "Chancery-Rules"
	headerTypes  = "Chancery-Types"
	headerTrace  = "traceparent"
)

// A Log is an [events.Log] on JetStream. Open one with [OpenEmbedded] or
// [OpenRemote], and close it. It is for any number of goroutines.
type Log struct {
	conns    []conn // several, because one has a long tail under many writers
	seed     maphash.Seed
	replicas int
	lazy     bool
	embedded bool // the server is in this process, with settings of ours

	closing sync.Once
	close   func() // stops what is behind the connections
}

type conn struct {
	nats   *nats.Conn
	js     jetstream.JetStream
	stream jetstream.Stream
}

// Conns are the connections of the log, at least one, for others who keep things at
// the same broker. They are closed with the log.
func (l *Log) Conns() []*nats.Conn {
	list := make([]*nats.Conn, len(l.conns))
	for i, c := range l.conns {
		list[i] = c.nats
	}
	return list
}

// Lazy says whether the ledger is throwaway: acknowledged before it is on disk.
func (l *Log) Lazy() bool { return l.lazy }

// Close waits for nothing: what is acknowledged is stored. It may be called twice.
func (l *Log) Close() {
	l.closing.Do(func() {
		for _, c := range l.conns {
			c.nats.Close()
		}
		l.close()
	})
}

// Ping asks the broker for an answer; an error is [events.ErrUnavailable].
func (l *Log) Ping(ctx context.Context) error {
	_, err := l.Last(ctx)
	return err
}

// Last is the position of the newest record.
func (l *Log) Last(ctx context.Context) (events.Position, error) {
	info, err := l.conns[0].stream.Info(ctx)
	if err != nil {
		return 0, unavailable(ctx, "asking for the newest record", err)
	}
	return events.Position(info.State.LastSeq), nil
}

// connFor spreads games over the connections; one game keeps to one.
func (l *Log) connFor(game string) conn {
	return l.conns[maphash.String(l.seed, game)%uint64(len(l.conns))]
}

// connect opens n connections with their handles of the stream, which must exist
// unless setup makes it.
func connect(ctx context.Context, n int, dial func() (*nats.Conn, error), setup func(context.Context, jetstream.JetStream) error) ([]conn, error) {
	var conns []conn
	fail := func(err error) ([]conn, error) {
		for _, c := range conns {
			c.nats.Close()
		}
		return nil, err
	}
	for i := range n {
		nc, err := dial()
		if err != nil {
			return fail(fmt.Errorf("connecting to NATS: %w: %w", events.ErrUnavailable, err))
		}
		conns = append(conns, conn{nats: nc})
		c := &conns[i]
		if c.js, err = jetstream.New(nc); err != nil {
			return fail(err)
		}
		if i == 0 {
			if err := setup(ctx, c.js); err != nil {
				return fail(err)
			}
		}
		if c.stream, err = c.js.Stream(ctx, streamName); err != nil {
			return fail(unavailable(ctx, "opening the stream "+streamName, err))
		}
	}
	return conns, nil
}

// unavailable wraps an error of NATS, unless the caller's own context ended.
func unavailable(ctx context.Context, doing string, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %w", doing, ctx.Err())
	}
	return fmt.Errorf("%s: %w: %w", doing, events.ErrUnavailable, err)
}

// codeOf is the code by which the broker names an error, or 0.
func codeOf(err error) jetstream.ErrorCode {
	var api *jetstream.APIError
	if errors.As(err, &api) {
		return api.ErrorCode
	}
	return 0
}

func subjectOf(game string) string { return subjectPrefix + game }

func storedOf(subject string, sequence uint64, header nats.Header, payload []byte) events.Stored {
	return events.Stored{
		Game:     strings.TrimPrefix(subject, subjectPrefix),
		Position: events.Position(sequence),
		Payload:  payload,
		Sealed:   header.Get(headerSealed),
	}
}

var _ events.Log = (*Log)(nil)
