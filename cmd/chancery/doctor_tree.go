package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"chancery/adapters/jetstream"
	"chancery/adapters/tlog"
)

// treeFound compares the tree's files with what was signed and the newest records, or all,
// with the tree, and says how far that is.
func treeFound(ctx context.Context, l *ledger, f LedgerFlags, all bool) jetstream.Finding {
	found := jetstream.Finding{Name: "public ledger", Health: unwell}
	last, err := l.Last(ctx)
	if err != nil {
		found.Text = err.Error()
		return found
	}
	kept, err := f.notesOf(ctx, l)
	if err != nil {
		found.Text = err.Error()
		return found
	}
	origin, signed, witnessed, err := tlog.Sizes(ctx, kept)
	switch {
	case err != nil:
		found.Text = err.Error()
	case signed == 0:
		found.Health, found.Text = unknown, "nothing is signed yet; serve does it"
	case int64(last) < signed:
		found.Text = fmt.Sprintf("%d records of %s are signed, and there are %d; restore the newest backup that has them all", signed, origin, last)
	default:
		found.Health = well
		found.Text = fmt.Sprintf("%d of %d records of %s are signed, %d with a witness", signed, last, origin, witnessed)
		if err := f.compareTree(ctx, l, kept, signed, all); err != nil {
			found.Health, found.Text = unwell, err.Error()
		}
	}
	return found
}

// compareTree says how the tree of a data directory differs from what was signed, or the
// ledger from the tree. Beside a ledger on NATS servers there may be none.
func (f LedgerFlags) compareTree(ctx context.Context, l *ledger, kept tlog.Notes, signed int64, all bool) error {
	dir := filepath.Join(f.Data, treeDir)
	tree, err := tlog.ViewTree(dir)
	if errors.Is(err, fs.ErrNotExist) && f.NATSURL != "" {
		return nil
	}
	if err != nil {
		return err
	}
	defer tree.Close()
	if tree.Size() < signed && l.server != nil {
		return nil // the server makes it anew, and says itself how that goes
	}
	if err := tlog.Continues(ctx, kept, dir); err != nil && f.NATSURL == "" {
		return err
	}
	return tlog.Compare(ctx, l, tree, all)
}
