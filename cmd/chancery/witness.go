package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"chancery/adapters/tlog"
	"chancery/adapters/tlog/witness"
)

// WitnessCmd signs what it has seen of a ledger, and never two histories.
type WitnessCmd struct {
	Listen string   `help:"Where to serve HTTP." default:":8081" env:"CHANCERY_WITNESS_LISTEN" placeholder:"ADDR"`
	State  string   `help:"The witness's one file: its key, and what it has signed last. Never restore it from a copy; without it, begin with a new key." default:"witness.json" env:"CHANCERY_WITNESS_STATE" placeholder:"FILE"`
	Name   string   `help:"Name of a new witness, such as witness.example/w1." env:"CHANCERY_WITNESS_NAME"`
	LogKey []string `required:"" help:"Public key of a ledger to answer for, as chancery keys list and /ledger/keys show it; several by repeating the flag." env:"CHANCERY_WITNESS_LOG_KEYS" placeholder:"KEY"`
}

// Help is an example.
func (WitnessCmd) Help() string {
	return "Run it on another machine than the server, best for another person. Example:\n\n    chancery witness --listen :8081 --name witness.example/w1 --log-key chess.example/ledger+1a2b3c4d+AbC\n    chancery serve --origin chess.example/ledger --witness http://witness.example:8081+WITNESS-KEY"
}

// Run serves until ctx ends.
func (c WitnessCmd) Run(ctx context.Context, env *Env) error {
	w, err := witness.Open(witness.Config{Path: c.State, Name: c.Name, LogKeys: c.LogKey, Entropy: rand.Reader, Now: time.Now})
	switch {
	case errors.Is(err, tlog.ErrKey):
		return usageError(err.Error())
	case err != nil:
		return err
	}
	defer w.Close()
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", c.Listen)
	if err != nil {
		return fmt.Errorf("listening on %s: %w; choose another address with --listen", c.Listen, err)
	}
	env.printf("The witness is ready at %s\nIts key is %s\n", urlOf(listener.Addr()), w.Public())
	server := &http.Server{
		Handler: w.Handler(), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 15 * time.Second, WriteTimeout: 15 * time.Second,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10,
	}
	stop := context.AfterFunc(ctx, func() {
		late, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
		defer cancel()
		_ = server.Shutdown(late) // what is not answered by then is asked again
	})
	defer stop()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
