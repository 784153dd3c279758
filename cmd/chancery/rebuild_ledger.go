package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"chancery/adapters/tlog"
)

// rebuildTree makes the ledger's tree anew from the records, beside the one in use, and
// puts it in its place if it is what was signed. While a server runs it only compares.
func (f LedgerFlags) rebuildTree(ctx context.Context, env *Env) error {
	ledger, err := f.open(ctx)
	if err != nil {
		return err
	}
	defer ledger.Close()
	kept, err := f.notesOf(ctx, ledger)
	if err != nil {
		return err
	}
	dir := filepath.Join(f.Data, treeDir)
	built := dir + ".new"
	if err := os.RemoveAll(built); err != nil {
		return fmt.Errorf("clearing the way for a new tree: %w", err)
	}
	defer os.RemoveAll(built) // nothing is there any more once it is in its place
	size, err := f.buildTree(ctx, env, ledger, built)
	if err != nil {
		return err
	}
	if err := tlog.Continues(ctx, kept, built); err != nil {
		return fmt.Errorf("the ledger's tree is not replaced: %w", err)
	}
	if ledger.server != nil {
		env.printf("The tree of %d records is what was signed. A server is running: stop it and say this again to replace the files.\n", size)
		return nil
	}
	if err := swap(built, dir); err != nil {
		return fmt.Errorf("putting the new tree in its place: %w", err)
	}
	env.printf("The tree of %d records is made anew, and is what was signed.\n", size)
	return nil
}

// buildTree makes a tree of all records there are now.
func (f LedgerFlags) buildTree(ctx context.Context, env *Env, l *ledger, dir string) (size int64, err error) {
	tree, err := tlog.OpenTree(dir)
	if err != nil {
		return 0, err
	}
	defer func() {
		if closeErr := tree.Close(); err == nil {
			err = closeErr
		}
	}()
	last, err := l.Last(ctx)
	if err != nil {
		return 0, err
	}
	progress := newProgress(env, "records", uint64(last))
	defer progress.done()
	for s, err := range upToNow(ctx, l, 0) {
		if err != nil {
			return size, err
		}
		if int64(s.Position) != size+1 {
			return size, fmt.Errorf("%w: position %d follows %d; restore the ledger from a backup", tlog.ErrGap, s.Position, size)
		}
		if err := tree.Append(s.Payload); err != nil {
			return size, err
		}
		size++
		progress.at(uint64(size))
	}
	return size, nil
}

// swap puts a directory in the place of another, which is thrown away.
func swap(built, dir string) error {
	old := dir + ".old"
	if err := os.RemoveAll(old); err != nil {
		return err
	}
	if err := os.Rename(dir, old); err != nil && !os.IsNotExist(err) {
		return err
	}
	if err := os.Rename(built, dir); err != nil {
		return err
	}
	return os.RemoveAll(old)
}
