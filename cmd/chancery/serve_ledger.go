package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"chancery/adapters/httpapi"
	"chancery/adapters/jetstream"
	"chancery/adapters/keys"
	"chancery/adapters/table"
	"chancery/adapters/tlog"
	"chancery/adapters/web"
	"chancery/events"
)

// defaultOrigin is the name of a ledger that was given none.
const defaultOrigin = "localhost/ledger"

// treeDir is where the tree stands in a data directory.
const treeDir = "tree"

// reloadKeys is how often a server looks for keys that were made or retired since.
const reloadKeys = time.Minute

// A publicLedger is the public side of the ledger, and the keys that it signs with.
type publicLedger struct {
	*tlog.Ledger
	tree   *tlog.Tree
	ring   *keys.Ring
	logger *slog.Logger

	pages    fs.FS // with the scripts that are served; nil: none
	released bool  // the ledger says which they are
}

// publicLedger compares the newest records with the ledger's tree, and opens its public
// side if they are what was signed.
func (c ServeCmd) publicLedger(ctx context.Context, log *jetstream.Log, ring *keys.Ring, kept tlog.Notes, logger *slog.Logger) (*publicLedger, error) {
	var witnesses []*tlog.Witness
	for _, text := range c.Witness {
		w, err := tlog.ParseWitness(text)
		if err != nil {
			return nil, usageError(err.Error())
		}
		witnesses = append(witnesses, w)
	}
	origin, err := originOf(ctx, kept, c.Origin)
	if err != nil {
		return nil, err
	}
	tree, err := c.openTree()
	if err != nil {
		return nil, err
	}
	l, err := tlog.Open(ctx, tlog.Config{
		Log: log, Notes: kept, Tree: tree, Origin: origin, Witnesses: witnesses, Logger: logger, Now: time.Now,
		Keys:    func() []tlog.Key { return logKeys(ring.LogKeys(origin, time.Now())) },
		AllKeys: func() []tlog.Key { return logKeys(ring.AllLogKeys(origin)) },
	})
	if err != nil {
		tree.Close()
		return nil, err
	}
	return &publicLedger{Ledger: l, tree: tree, ring: ring, logger: logger, pages: web.Files()}, nil
}

// treeSlots is how many instances can share a data directory beside a remote ledger.
const treeSlots = 16

// openTree opens the tree, and beside a remote ledger the first one that no other
// instance on the same volume writes: each has its own.
func (c ServeCmd) openTree() (*tlog.Tree, error) {
	dir := filepath.Join(c.Data, treeDir)
	tree, err := tlog.OpenTree(dir)
	for i := 2; errors.Is(err, tlog.ErrInUse) && c.NATSURL != "" && i <= treeSlots; i++ {
		tree, err = tlog.OpenTree(fmt.Sprintf("%s-%d", dir, i))
	}
	return tree, err
}

// originOf is the ledger's name: the one given, or else the one it has, or else the
// default. A name that no key can have is a usageError.
func originOf(ctx context.Context, kept tlog.Notes, given string) (string, error) {
	if given != "" {
		if !tlog.ValidName(given) {
			return "", usagef("--origin %q: a ledger's name has no spaces and no plus sign", given)
		}
		return given, nil
	}
	origin, _, _, err := tlog.Recorded(ctx, kept)
	if err != nil || origin != "" {
		return origin, err
	}
	return defaultOrigin, nil
}

func logKeys(list []keys.LogKey) []tlog.Key {
	out := make([]tlog.Key, len(list))
	for i, k := range list {
		out[i] = k
	}
	return out
}

// Run lasts until ctx ends.
func (p *publicLedger) Run(ctx context.Context) {
	var parts sync.WaitGroup
	parts.Go(func() { p.Ledger.Run(ctx) })
	parts.Go(func() { p.reload(ctx) })
	parts.Wait()
}

// reload keeps up with the key directory, and with what the ledger has still to say.
func (p *publicLedger) reload(ctx context.Context) {
	every := time.NewTicker(reloadKeys)
	defer every.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-every.C:
			if err := p.ring.Reload(); err != nil {
				p.logger.Error("the key directory cannot be read again", "err", err)
			}
			p.release(ctx)
		}
	}
}

// Close closes the tree. It may be called once, when Run has ended.
func (p *publicLedger) Close() {
	if err := p.tree.Close(); err != nil {
		p.logger.Error("the ledger's tree is not closed well", "err", err)
	}
}

// routes are the addresses of the public ledger.
func (p *publicLedger) routes(hall *table.Hall) map[string]http.Handler {
	handler := p.Handler(func(ctx context.Context, id string, n int) (events.Position, error) {
		g, err := hall.Game(ctx, id)
		if err != nil || n < 0 {
			return g.Revision, err
		}
		if at := g.RevisionOf(n); at > 0 {
			return at, nil
		}
		return 0, fmt.Errorf("record %d of game %s: %w", n, id, events.ErrNotFound)
	}, httpapi.Refuse)
	routes := map[string]http.Handler{}
	for _, path := range tlog.Paths() {
		routes[path] = handler
	}
	return routes
}

// measure adds what an operator watches.
func (p *publicLedger) measure(to prometheus.Registerer) {
	gauge := func(name, help string, value func() float64) {
		to.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "chancery_ledger_" + name, Help: help}, value))
	}
	gauge("records", "Records in the ledger's tree.", func() float64 { return float64(p.Size()) })
	gauge("signed_records", "Records that the newest signed checkpoint covers.", func() float64 { n, _, _ := p.Signed(); return float64(n) })
	gauge("witnessed_records", "Records that the newest checkpoint with a witness's signature covers.", func() float64 { n, _, _ := p.Witnessed(); return float64(n) })
	gauge("alarm", "1: no checkpoint is signed any more, because history is not what was signed.", func() float64 {
		if p.Trouble() != nil {
			return 1
		}
		return 0
	})
}
