// Package notes keeps small named values in files of a directory, for a ledger that
// one process alone serves.
package notes

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// A Dir is a directory of notes, one file each.
type Dir struct {
	mu   sync.Mutex
	path string
}

// Open returns the notes in the directory, which is made if it is not there.
func Open(path string) (*Dir, error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, fmt.Errorf("making the directory of notes: %w", err)
	}
	return &Dir{path: path}, nil
}

// Update replaces the value of a note with what edit makes of it, nil for one not yet
// written, and stores nothing where edit fails or gives nil. A note is replaced as a
// whole and is on disk when Update returns.
func (d *Dir) Update(ctx context.Context, name string, edit func(old []byte) ([]byte, error)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	path := filepath.Join(d.path, name+".json")
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("reading the note %s: %w", name, err)
	}
	next, err := edit(old)
	if err != nil || next == nil {
		return err
	}
	if err := replace(path, next); err != nil {
		return fmt.Errorf("writing the note %s: %w", name, err)
	}
	return nil
}

// replace writes a file beside the old one and moves it into its place.
func replace(path string, b []byte) error {
	f, err := os.OpenFile(path+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(path+".new", path); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(path)) // so that a loss of power does not bring the old note back
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
