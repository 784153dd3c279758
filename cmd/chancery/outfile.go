package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// writeFile writes a file whole or not at all: what write gives goes into a file
// beside path, which takes its place once it is on the disk. An empty path, or "-", is
// standard output.
func writeFile(env *Env, path string, mode fs.FileMode, write func(io.Writer) error) error {
	if path == "" || path == "-" {
		out := bufio.NewWriterSize(env.Out, 64<<10)
		return errors.Join(write(out), out.Flush())
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".part-*")
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("writing %s: there is no folder %s; make it, or choose another file", path, filepath.Dir(path))
	}
	if err != nil {
		return fmt.Errorf("beginning %s: %w", path, err)
	}
	defer os.Remove(f.Name()) // nothing is there any more when all went well
	out := bufio.NewWriterSize(f, 1<<20)
	if err := write(out); err != nil {
		f.Close()
		return err
	}
	if err := errors.Join(out.Flush(), f.Chmod(mode), f.Sync(), f.Close(), os.Rename(f.Name(), path)); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return syncDir(filepath.Dir(path))
}

// syncDir makes a rename last through a loss of power.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("opening %s: %w", dir, err)
	}
	return errors.Join(d.Sync(), d.Close())
}
