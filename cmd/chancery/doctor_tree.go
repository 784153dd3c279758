package main

import (
	"context"
	"fmt"
	"path/filepath"

	"chancery/adapters/jetstream"
	"chancery/adapters/tlog"
)

// treeFound compares the tree's files with what was signed, and says how far that is.
func treeFound(ctx context.Context, l *ledger, f LedgerFlags) jetstream.Finding {
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
		if err := tlog.Continues(ctx, kept, filepath.Join(f.Data, treeDir)); err != nil && f.NATSURL == "" {
			found.Health, found.Text = unwell, err.Error()
		}
	}
	return found
}
