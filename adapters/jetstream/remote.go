package jetstream

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"log/slog"
	"time"

	"chancery/events"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Remote is a ledger on a cluster of NATS servers.
type Remote struct {
	URL         string        // one server or several, separated by commas
	Credentials string        // file of credentials, or empty
	Replicas    int           // of the stream; 0: three
	Lazy        bool          // a throwaway ledger
	Create      bool          // create the stream where there is none, as an administrator may
	Wait        time.Duration // how long to wait for the cluster at the start; 0: one try
	Conns       int           // connections; 0: a good number
	Logger      *slog.Logger  // for servers that are not there yet, lost and found connections; nil: nobody
}

const (
	remoteConns    = 4
	remoteReplicas = 3
	remotePause    = 500 * time.Millisecond
)

// ErrNoStream says that the cluster holds no ledger yet.
var ErrNoStream = errors.New("the NATS cluster holds no ledger; create it with an administrator's credentials: chancery migrate --nats-url URL")

// OpenRemote opens the ledger on a cluster. Errors: [ErrNoStream], a [*DriftError],
// [ErrBroker], [events.ErrUnavailable] after c.Wait.
func OpenRemote(ctx context.Context, c Remote) (*Log, error) {
	if c.Replicas == 0 {
		c.Replicas = remoteReplicas
	}
	if c.Conns == 0 {
		c.Conns = remoteConns
	}
	giveUp := time.Now().Add(c.Wait)
	for told := false; ; told = true {
		l, err := c.open(ctx)
		if err != nil && errors.Is(ctx.Err(), context.Canceled) {
			return nil, ctx.Err()
		}
		if err == nil || !errors.Is(err, events.ErrUnavailable) || time.Now().After(giveUp) {
			return l, err
		}
		if c.Logger != nil && !told {
			c.Logger.Warn("waiting for the NATS servers", "most", c.Wait.String(), "err", err)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(remotePause):
		}
	}
}

// Migrate creates the ledger's stream where there is none, and checks the one there is;
// and creates that of the public events. It needs credentials that the server itself
// should not have.
func Migrate(ctx context.Context, c Remote) error {
	c.Create = true
	l, err := OpenRemote(ctx, c)
	if err != nil {
		return err
	}
	defer l.Close()
	_, err = l.Feed().stream(ctx)
	return err
}

func (c Remote) open(ctx context.Context) (*Log, error) {
	conns, err := connect(ctx, c.Conns, c.dial, c.setup)
	if err != nil {
		return nil, fmt.Errorf("opening the ledger at %s: %w", c.URL, err)
	}
	return &Log{conns: conns, seed: maphash.MakeSeed(), replicas: c.Replicas, lazy: c.Lazy, close: func() {}}, nil
}

func (c Remote) dial() (*nats.Conn, error) {
	opts := []nats.Option{
		nats.Name("chancery"), nats.MaxReconnects(-1), nats.ReconnectWait(remotePause), nats.ReconnectJitter(remotePause, remotePause),
		nats.PingInterval(10 * time.Second), nats.MaxPingsOutstanding(2),
		nats.ReconnectBufSize(-1), // an append must fail rather than wait in a buffer
	}
	if c.Credentials != "" {
		opts = append(opts, nats.UserCredentials(c.Credentials))
	}
	return nats.Connect(c.URL, append(opts, watch(c.Logger)...)...)
}

// watch tells the log what happens to a connection. Without it the client library
// would write to the terminal.
func watch(log *slog.Logger) []nats.Option {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return []nats.Option{
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { log.Warn("nats: " + err.Error()) }),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil { // nil: closed by us
				log.Warn("nats: connection lost: " + err.Error())
			}
		}),
		nats.ReconnectHandler(func(nc *nats.Conn) { log.Info("nats: connected again to " + nc.ConnectedUrlRedacted()) }),
	}
}

func (c Remote) setup(ctx context.Context, js jetstream.JetStream) error {
	want := streamConfig(c.Replicas, c.Lazy)
	check := checkStream
	if c.Create {
		check = createStream
	}
	if err := check(ctx, js, want); err != nil {
		return c.explain(ctx, err)
	}
	return refusesWrong(ctx, js)
}

// explain tells a cluster that is not there from one that is not set up.
func (c Remote) explain(ctx context.Context, err error) error {
	var drift *DriftError
	switch {
	case errors.Is(err, jetstream.ErrStreamNotFound):
		return ErrNoStream
	case errors.As(err, &drift), errors.Is(err, ErrBroker):
		return err
	}
	return unavailable(ctx, "looking for the ledger", err)
}
