package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"chancery/adapters/socket"
	"chancery/adapters/sqlstore"
	"chancery/events"
	"chancery/projections"
)

// RebuildCmd computes anew from the ledger what stands beside it.
type RebuildCmd struct {
	Projection string `arg:"" help:"What to compute anew. ledger: the Merkle tree, its tiles and entries. all: every read model. Or one read model: lobby, history, watch, ratings or stats."`
	LedgerFlags
	DatabaseFlags
}

// Help is an example.
func (RebuildCmd) Help() string {
	return "Builds beside what is in use, and takes its place only when it is right. A server may go on meanwhile. Example:\n\n    chancery rebuild history\n    chancery rebuild all --nats-url nats://nats:4222 --database-url postgres://chancery@db/chancery\n    chancery rebuild ledger"
}

// Run rebuilds.
func (c RebuildCmd) Run(ctx context.Context, env *Env) error {
	if c.Projection == "ledger" {
		return c.rebuildTree(ctx, env)
	}
	names, err := c.names()
	if err != nil {
		return err
	}
	ledger, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer ledger.Close()
	for _, name := range names {
		if err := c.rebuild(ctx, env, ledger, name); err != nil {
			return err
		}
	}
	return nil
}

// names are the read models that are meant.
func (c RebuildCmd) names() ([]string, error) {
	var all []string
	for _, p := range readModels(nil) {
		if p.Name == c.Projection {
			return []string{p.Name}, nil
		}
		all = append(all, p.Name)
	}
	if c.Projection == "all" {
		return all, nil
	}
	return nil, usagef("there is no %.40q to rebuild; choose ledger, all, %s", c.Projection, strings.Join(all, ", "))
}

// rebuild computes one read model anew: in the running server where one has the files,
// which are its own, and otherwise here.
func (c RebuildCmd) rebuild(ctx context.Context, env *Env, l *ledger, name string) error {
	last, err := l.Last(ctx)
	if err != nil {
		return err
	}
	progress := newProgress(env, "records of "+name, uint64(last))
	defer progress.done()
	step := func(at, _ events.Position) { progress.at(uint64(at)) }
	if l.server != nil && c.DatabaseURL == "" {
		return rebuildThere(ctx, env, l.server, name, step, progress)
	}
	err = c.rebuildHere(ctx, env, l, name, step)
	if errors.Is(err, sqlstore.ErrInUse) { // beside a ledger on NATS servers
		server := socket.Open(filepath.Join(c.Data, socket.Name))
		defer server.Close()
		return rebuildThere(ctx, env, server, name, step, progress)
	}
	return err
}

// rebuildThere asks a running server to rebuild its own files.
func rebuildThere(ctx context.Context, env *Env, server *socket.Client, name string, step func(at, last events.Position), progress *progress) error {
	if err := server.Rebuild(ctx, name, step); err != nil {
		return fmt.Errorf("rebuilding %s in the running server: %w", name, err)
	}
	progress.done()
	env.printf("%s is computed anew and in use\n", name)
	return nil
}

func (c RebuildCmd) rebuildHere(ctx context.Context, env *Env, l *ledger, name string, step func(at, last events.Position)) error {
	store, err := c.store(c.Data)
	if err != nil {
		return err
	}
	defer store.Close()
	for _, p := range readModels(l) {
		if p.Name != name {
			continue
		}
		m := store.Model(p)
		err := projections.Rebuild(ctx, l, m, step)
		if errors.Is(err, projections.ErrHeld) {
			return fmt.Errorf("%w; somebody is rebuilding it already: wait until that is done", err)
		}
		if err != nil {
			return err
		}
		sum, err := m.Checksum(ctx)
		if err != nil {
			return err
		}
		env.printf("%s is computed anew and in use: position %d, checksum %s\n", name, sum.Position, sum.Sum)
	}
	return nil
}
