package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"time"

	"chancery/adapters/jetstream"
	"chancery/adapters/socket"
	"chancery/adapters/table"
	"chancery/adapters/tlog"
	"chancery/events"
)

// LedgerFlags say which ledger a command works on.
type LedgerFlags struct {
	Data      string `help:"Data directory of the ledger. ${data_note}." default:"data" env:"CHANCERY_DATA" placeholder:"DIR"`
	NATSURL   string `name:"nats-url" help:"NATS servers that hold the ledger, instead of a data directory." env:"CHANCERY_NATS_URL" placeholder:"URL"`
	NATSCreds string `name:"nats-creds" help:"File of NATS credentials." env:"CHANCERY_NATS_CREDS" placeholder:"FILE"`
	Replicas  int    `help:"Replicas of a ledger on NATS servers." group:"How the ledger was made:" default:"3" env:"CHANCERY_REPLICAS"`
	Lazy      bool   `help:"The ledger is throwaway: acknowledged before it is on disk." group:"How the ledger was made:" env:"CHANCERY_LAZY"`
}

// A ledger is an open log, and what stands behind it.
type ledger struct {
	events.Log
	stream *jetstream.Log // nil where the log is read through a running server
	server *socket.Client // nil where it is not
}

// Close closes what stands behind the log.
func (l *ledger) Close() {
	if l.stream != nil {
		l.stream.Close()
	}
	if l.server != nil {
		l.server.Close()
	}
}

// open opens a ledger for reading: through the running server where one holds it.
func (f LedgerFlags) open(ctx context.Context) (*ledger, error) {
	if f.NATSURL == "" {
		if _, err := os.Stat(filepath.Join(f.Data, "nats")); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("there is no ledger in %s: say where it is with --data or --nats-url, or begin one with chancery serve", f.Data)
		}
	}
	for began := time.Now(); ; time.Sleep(handover / 20) {
		l, err := f.openAlone(ctx)
		if !errors.Is(err, jetstream.ErrLocked) {
			return l, err
		}
		server := socket.Open(filepath.Join(f.Data, socket.Name))
		_, lastErr := server.Last(ctx)
		if lastErr == nil {
			return &ledger{Log: server, server: server}, nil
		}
		server.Close()
		if time.Since(began) > handover || ctx.Err() != nil {
			return nil, fmt.Errorf("%w; or wait until it answers other commands: %w", err, lastErr)
		}
	}
}

// handover is how long a process that is dying, or starting, may hold a data directory
// without an answer.
const handover = 2 * time.Second

// openAlone opens a ledger for writing, and creates one in an empty data directory. A
// directory that another process holds is [jetstream.ErrLocked].
func (f LedgerFlags) openAlone(ctx context.Context) (*ledger, error) {
	var stream *jetstream.Log
	var err error
	if f.NATSURL != "" {
		stream, err = jetstream.OpenRemote(ctx, f.remote())
	} else {
		stream, err = jetstream.OpenEmbedded(ctx, jetstream.Embedded{Dir: f.Data, Lazy: f.Lazy})
	}
	if err != nil {
		return nil, err
	}
	return &ledger{Log: stream, stream: stream}, nil
}

func (f LedgerFlags) remote() jetstream.Remote {
	return jetstream.Remote{URL: f.NATSURL, Credentials: f.NATSCreds, Replicas: f.Replicas, Lazy: f.Lazy}
}

// upToNow yields the records behind since up to the newest there is at the beginning. One
// that the ledger has lost is [tlog.ErrGap].
func upToNow(ctx context.Context, log events.Log, since events.Position) iter.Seq2[events.Stored, error] {
	return func(yield func(events.Stored, error) bool) {
		last, err := log.Last(ctx)
		if err != nil {
			yield(events.Stored{}, err)
			return
		}
		for s, err := range tlog.Between(ctx, log, since, last) {
			if !yield(s, err) || err != nil {
				return
			}
		}
	}
}

// serveSocket lets other commands read the ledger that this process holds, and use what
// it keeps beside it.
func serveSocket(ctx context.Context, dir string, log *jetstream.Log, hall *table.Hall, read *readSide, public *publicLedger, standing *standingAudit) error {
	doctor := func(ctx context.Context) (any, error) {
		list, err := log.Doctor(ctx)
		return append(list, besides(ctx, hall, read, public, standing)...), err
	}
	return socket.Serve(ctx, filepath.Join(dir, socket.Name), log, socket.Services{Doctor: doctor, Rebuild: read.Rebuild})
}
