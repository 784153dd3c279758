package jetstream

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"hash/maphash"
	"log/slog"
	"net"
	"path/filepath"
	"strconv"
	"time"

	"chancery/events"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Embedded is a ledger in a NATS server within this process.
type Embedded struct {
	Dir    string       // data directory, held by one process at a time
	Lazy   bool         // acknowledge before a record is on disk: for throwaway ledgers
	Listen string       // host:port on which NATS clients may read along; empty: no port
	Conns  int          // connections to the server; 0: a good number
	Logger *slog.Logger // for what the server warns of; nil: nobody
}

const (
	embeddedConns = 8
	startFor      = 2 * time.Minute // a big ledger whose index was lost is read through
)

// OpenEmbedded opens the ledger in a directory, and creates it where there is none.
// Errors: a [*LockedError] while another process holds the directory, a [*DriftError],
// [ErrBroker], [events.ErrUnavailable].
func OpenEmbedded(ctx context.Context, c Embedded) (*Log, error) {
	held, err := lock(c.Dir)
	if err != nil {
		return nil, err
	}
	s, user, err := c.start()
	if err != nil {
		held.Close()
		return nil, err
	}
	stop := func() {
		s.Shutdown()
		s.WaitForShutdown()
		held.Close()
	}
	n := c.Conns
	if n == 0 {
		n = embeddedConns
	}
	opts := append(watch(c.Logger), nats.InProcessServer(s), user)
	conns, err := connect(ctx, n, func() (*nats.Conn, error) { return nats.Connect("", opts...) }, c.setup)
	if err != nil {
		stop()
		return nil, fmt.Errorf("opening the ledger in %s: %w", c.Dir, err)
	}
	return &Log{conns: conns, seed: maphash.MakeSeed(), replicas: 1, lazy: c.Lazy, embedded: true, close: stop}, nil
}

func (c Embedded) setup(ctx context.Context, js jetstream.JetStream) error {
	if err := createStream(ctx, js, streamConfig(1, c.Lazy)); err != nil {
		return err
	}
	return refusesWrong(ctx, js)
}

// start runs the server. Its directory is its own: others may keep files beside it.
func (c Embedded) start() (*server.Server, nats.Option, error) {
	opts := &server.Options{
		ServerName: "chancery", NoSigs: true, NoLog: c.Logger == nil,
		JetStream: true, StoreDir: filepath.Join(c.Dir, "nats"),
		SyncAlways: !c.Lazy, DontListen: c.Listen == "",
	}
	password := rand.Text()
	if c.Listen != "" {
		if err := listen(opts, c.Listen, password); err != nil {
			return nil, nil, err
		}
	}
	s, err := server.NewServer(opts)
	if err != nil {
		return nil, nil, fmt.Errorf("starting the NATS server: %w", err)
	}
	if c.Logger != nil {
		s.SetLoggerV2(serverLogger{c.Logger}, false, false, false)
	}
	s.Start()
	if !s.ReadyForConnections(startFor) {
		s.Shutdown()
		return nil, nil, fmt.Errorf("the NATS server in %s does not get ready; look at its warnings in the log, and restore a backup if its files are damaged: %w", c.Dir, events.ErrUnavailable)
	}
	if !s.JetStreamEnabled() {
		s.Shutdown()
		return nil, nil, fmt.Errorf("the NATS server in %s has no storage; look at its warnings in the log: %w", c.Dir, events.ErrUnavailable)
	}
	return s, nats.UserInfo(owner, password), nil
}

// The server's users, where it listens: this process, and everybody else.
const (
	owner  = "chancery"
	reader = "reader"
)

// listen opens a port on which anybody may read the streams and nobody may write.
func listen(opts *server.Options, at, password string) error {
	host, port, err := net.SplitHostPort(at)
	if err != nil {
		return fmt.Errorf("listening for NATS clients: %w; write it as host:port", err)
	}
	n, err := strconv.Atoi(port)
	if err != nil {
		return errors.New("listening for NATS clients: the port must be a number")
	}
	opts.Host, opts.Port = host, n
	opts.Users = []*server.User{
		{Username: owner, Password: password},
		{Username: reader, Permissions: &server.Permissions{
			Publish: &server.SubjectPermission{Allow: []string{
				"$JS.API.INFO", "$JS.API.STREAM.INFO.*", "$JS.API.STREAM.NAMES", "$JS.API.STREAM.LIST",
				"$JS.API.STREAM.MSG.GET.*", "$JS.API.DIRECT.GET.>",
				"$JS.API.CONSUMER.CREATE.>", "$JS.API.CONSUMER.INFO.>", "$JS.API.CONSUMER.MSG.NEXT.>", "$JS.ACK.>", "$JS.FC.>",
			}},
			Subscribe: &server.SubjectPermission{Allow: []string{"_INBOX.>"}},
		}},
	}
	opts.NoAuthUser = reader
	return nil
}

// serverLogger passes on what the server warns of.
type serverLogger struct{ log *slog.Logger }

// Noticef drops what is merely interesting.
func (serverLogger) Noticef(string, ...any) {}

// Debugf drops what is for the server's developers.
func (serverLogger) Debugf(string, ...any) {}

// Tracef drops what is for the server's developers.
func (serverLogger) Tracef(string, ...any) {}

// Warnf passes a warning on.
func (l serverLogger) Warnf(format string, v ...any) {
	l.log.Warn("nats: " + fmt.Sprintf(format, v...))
}

// Errorf passes an error on.
func (l serverLogger) Errorf(format string, v ...any) {
	l.log.Error("nats: " + fmt.Sprintf(format, v...))
}

// Fatalf passes an error on; the server does not end the process.
func (l serverLogger) Fatalf(format string, v ...any) {
	l.log.Error("nats: " + fmt.Sprintf(format, v...))
}
