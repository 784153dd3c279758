package tlog

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	merkle "golang.org/x/mod/sumdb/tlog"
)

// bundles are the records themselves, 256 a file, each behind its length in two bytes:
// the entry bundles of C2SP tlog-tiles, under the names that they have there. A whole
// copy of them is a copy of the public ledger.
type bundles struct {
	dir     string
	file    *os.File // of the bundle that is being filled; nil before its first write
	number  int64
	count   int // records in it
	tail    []byte
	written int
}

func openBundles(dir string, size int64) (*bundles, error) {
	b := &bundles{dir: dir, number: size / tileWidth, count: int(size % tileWidth)}
	if b.count == 0 {
		return b, nil
	}
	whole, err := os.ReadFile(b.path(b.number))
	if err != nil {
		return nil, damaged("entries", err)
	}
	if b.tail, err = cut(whole, b.count); err != nil {
		return nil, err
	}
	b.written = len(b.tail)
	return b, nil
}

// path is the file of a bundle: tile/entries/ and its number in groups of three digits.
func (b *bundles) path(number int64) string {
	return filepath.Join(b.dir, filepath.FromSlash(pathOf(merkle.Tile{H: tileHeight, L: -1, N: number, W: tileWidth})))
}

// pathOf is how C2SP names a tile: x/mod's name without the height.
func pathOf(t merkle.Tile) string {
	path := strings.TrimPrefix(t.Path(), fmt.Sprintf("tile/%d/", tileHeight))
	if rest, ok := strings.CutPrefix(path, "data/"); ok {
		path = "entries/" + rest
	}
	return "tile/" + path
}

// cut is the first n records of a bundle.
func cut(bundle []byte, n int) ([]byte, error) {
	at := 0
	for range n {
		if len(bundle) < at+2 {
			return nil, damaged("entries", errors.New("a bundle is too short"))
		}
		at += 2 + int(binary.BigEndian.Uint16(bundle[at:]))
	}
	if len(bundle) < at {
		return nil, damaged("entries", errors.New("a bundle is too short"))
	}
	return bundle[:at:at], nil
}

func (b *bundles) add(payload []byte) error {
	b.tail = binary.BigEndian.AppendUint16(b.tail, uint16(len(payload)))
	b.tail = append(b.tail, payload...)
	if b.count++; b.count < tileWidth {
		return nil
	}
	if err := errors.Join(b.sync(), b.close()); err != nil {
		return err
	}
	b.number, b.count, b.tail, b.written = b.number+1, 0, nil, 0
	return nil
}

func (b *bundles) sync() error {
	if b.written == len(b.tail) {
		return nil
	}
	if b.file == nil {
		if err := b.begin(); err != nil {
			return fmt.Errorf("beginning a bundle of the tree: %w", err)
		}
	}
	if _, err := b.file.WriteAt(b.tail[b.written:], int64(b.written)); err != nil {
		return fmt.Errorf("writing a bundle of the tree: %w", err)
	}
	b.written = len(b.tail)
	return b.file.Sync()
}

// begin opens the file of the bundle that is being filled. What a crash has left in it
// behind the records that count is cut away.
func (b *bundles) begin() error {
	path := b.path(b.number)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	b.file = f
	return errors.Join(f.Truncate(int64(b.written)), syncDir(filepath.Dir(path)))
}

func (b *bundles) close() error {
	if b.file == nil {
		return nil
	}
	f := b.file
	b.file = nil
	return f.Close()
}

// read is the first n records of a bundle, which has that many.
func (b *bundles) read(number int64, n int) ([]byte, error) {
	if number == b.number {
		return cut(b.tail, n)
	}
	whole, err := os.ReadFile(b.path(number))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, damaged("entries", err)
	case err != nil:
		return nil, fmt.Errorf("reading a bundle of the tree: %w", err)
	}
	return cut(whole, n)
}

// syncDir makes the names of new files last through a loss of power.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
