package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"chancery/adapters/notes"
	"chancery/adapters/tlog"
	"chancery/events"
)

// proofName is the file beside an export in which its proof stands.
func proofName(export string) string { return strings.TrimSuffix(export, ".ndjson") + ".tlog-proof" }

// writeProof writes the proof of the last of a game's first records, as many as were
// exported.
func (f LedgerFlags) writeProof(ctx context.Context, env *Env, l *ledger, id string, exported int, path string) error {
	g, err := events.Load(ctx, l, id)
	if err != nil {
		return err
	}
	p, err := f.prove(ctx, l, g.RevisionOf(exported-1))
	switch {
	case errors.Is(err, tlog.ErrNotYet):
		return fmt.Errorf("%w; start the server, which signs one within seconds", err)
	case err != nil:
		return err
	}
	err = writeFile(env, path, 0o644, func(out io.Writer) error {
		_, err := io.WriteString(out, p.Text())
		return err
	})
	if err == nil {
		env.warnf("the proof of its last record is in %s\n", path)
	}
	return err
}

// signsWithin is how long a server takes at most to sign what has come.
const signsWithin = 3 * time.Second

// prove proves the record at a position. Where a server runs, a checkpoint that is on
// its way is waited for.
func (f LedgerFlags) prove(ctx context.Context, l *ledger, at events.Position) (tlog.Proof, error) {
	for late := time.Now().Add(signsWithin); ; {
		p, err := f.proveNow(ctx, l, at)
		if !errors.Is(err, tlog.ErrNotYet) || l.server == nil && f.NATSURL == "" || time.Now().After(late) {
			return p, err
		}
		select {
		case <-ctx.Done():
			return p, ctx.Err()
		case <-time.After(signsWithin / 10):
		}
	}
}

// proveAt is prove on a ledger that is not open.
func (f LedgerFlags) proveAt(ctx context.Context, at events.Position) (tlog.Proof, error) {
	l, err := f.open(ctx)
	if err != nil {
		return tlog.Proof{}, err
	}
	defer l.Close()
	return f.prove(ctx, l, at)
}

func (f LedgerFlags) proveNow(ctx context.Context, l *ledger, at events.Position) (tlog.Proof, error) {
	kept, err := f.notesOf(ctx, l)
	if err != nil {
		return tlog.Proof{}, err
	}
	_, signed, witnessed, err := tlog.Recorded(ctx, kept)
	if err != nil {
		return tlog.Proof{}, err
	}
	tree, err := tlog.ViewTree(filepath.Join(f.Data, treeDir))
	switch {
	case errors.Is(err, fs.ErrNotExist) && f.NATSURL == "":
		return tlog.Proof{}, fmt.Errorf("the ledger in %s has no tree: %w", f.Data, tlog.ErrNotYet)
	case errors.Is(err, fs.ErrNotExist):
		return tlog.Proof{}, fmt.Errorf("there is no tree in %s: name the data directory of an instance with --data, or get the proof from its /api/games/GAME/proof", f.Data)
	case err != nil:
		return tlog.Proof{}, err
	}
	defer tree.Close()
	return tlog.Prove(tree, at, witnessed, signed)
}

// notesOf are the notes beside the ledger.
func (f LedgerFlags) notesOf(ctx context.Context, l *ledger) (tlog.Notes, error) {
	if f.NATSURL != "" {
		return l.stream.Notes(ctx)
	}
	return notes.Open(filepath.Join(f.Data, "notes"))
}
