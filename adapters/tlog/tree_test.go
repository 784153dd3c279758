package tlog

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	merkle "golang.org/x/mod/sumdb/tlog"
)

// What follows is RFC 6962, section 2.1, written down once more, so that the tree is
// held against something else than the library that it is made with.

func rfcLeaf(d []byte) [32]byte { return sha256.Sum256(append([]byte{0}, d...)) }

func rfcNode(l, r [32]byte) [32]byte {
	return sha256.Sum256(append(append([]byte{1}, l[:]...), r[:]...))
}

// rfcSplit is the largest power of two below n.
func rfcSplit(n int) int {
	k := 1
	for 2*k < n {
		k *= 2
	}
	return k
}

func rfcRoot(d [][]byte) [32]byte {
	switch len(d) {
	case 0:
		return sha256.Sum256(nil)
	case 1:
		return rfcLeaf(d[0])
	}
	k := rfcSplit(len(d))
	return rfcNode(rfcRoot(d[:k]), rfcRoot(d[k:]))
}

func rfcPath(m int, d [][]byte) [][32]byte {
	if len(d) == 1 {
		return nil
	}
	if k := rfcSplit(len(d)); m < k {
		return append(rfcPath(m, d[:k]), rfcRoot(d[k:]))
	} else {
		return append(rfcPath(m-k, d[k:]), rfcRoot(d[:k]))
	}
}

func rfcProof(m int, d [][]byte, whole bool) [][32]byte {
	if m == len(d) {
		if whole {
			return nil
		}
		return [][32]byte{rfcRoot(d)}
	}
	if k := rfcSplit(len(d)); m <= k {
		return append(rfcProof(m, d[:k], whole), rfcRoot(d[k:]))
	} else {
		return append(rfcProof(m-k, d[k:], false), rfcRoot(d[:k]))
	}
}

// some are n records, each another.
func some(n int) [][]byte {
	list := make([][]byte, n)
	for i := range list {
		list[i] = fmt.Appendf(nil, `{"n":%d}`, i)
	}
	return list
}

func openTree(t testing.TB, dir string) *Tree {
	t.Helper()
	tree, err := OpenTree(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tree.Close() })
	return tree
}

func fill(t testing.TB, tree *Tree, records [][]byte) {
	t.Helper()
	for _, r := range records {
		if err := tree.Append(r); err != nil {
			t.Fatal(err)
		}
	}
}

func same(got []merkle.Hash, want [][32]byte) bool {
	if len(got) != len(want) {
		return false
	}
	for i := range got {
		if got[i] != merkle.Hash(want[i]) {
			return false
		}
	}
	return true
}

func TestSmallTreesAreThoseOfTheRFC(t *testing.T) {
	records := some(70)
	tree := openTree(t, t.TempDir())
	fill(t, tree, records)
	for size := range len(records) + 1 {
		root, err := tree.Root(int64(size))
		if err != nil || root != rfcRoot(records[:size]) {
			t.Fatalf("root of %d: %v, %v", size, root, err)
		}
		for m := range size {
			p, err := tree.Inclusion(int64(size), int64(m))
			if err != nil || !same(p, rfcPath(m, records[:size])) {
				t.Fatalf("proof of %d in %d: %v, %v", m, size, p, err)
			}
			old, err := tree.Consistency(int64(size), int64(m))
			if m > 0 && (err != nil || !same(old, rfcProof(m, records[:size], true))) {
				t.Fatalf("consistency of %d and %d: %v, %v", m, size, old, err)
			}
		}
	}
}

// Sizes around full tiles, across a reopening, checked by the functions that verifiers
// use.
func TestTreesAcrossTilesAndRestarts(t *testing.T) {
	dir, records := t.TempDir(), some(70_000)
	done := 0
	for _, size := range []int{1, 255, 256, 257, 511, 512, 700, 65_535, 65_536, 65_537, 70_000} {
		tree, err := OpenTree(dir)
		if err != nil {
			t.Fatalf("at %d: %v", done, err)
		}
		fill(t, tree, records[done:size])
		done = size
		root, err := tree.Root(int64(size))
		if err != nil || root != rfcRoot(records[:size]) {
			t.Errorf("root of %d: %v, %v", size, root, err)
		}
		for _, m := range []int{0, 1, 254, 255, 256, 300, size / 2, size - 1} {
			if m >= size {
				continue
			}
			p, err := tree.Inclusion(int64(size), int64(m))
			if err == nil {
				err = merkle.CheckRecord(p, int64(size), root, int64(m), rfcLeaf(records[m]))
			}
			if err != nil {
				t.Errorf("%d in %d: %v", m, size, err)
			}
			if m == 0 {
				continue
			}
			old, err := tree.Consistency(int64(size), int64(m))
			if err == nil {
				err = merkle.CheckTree(old, int64(size), root, int64(m), rfcRoot(records[:m]))
			}
			if err != nil {
				t.Errorf("%d continues %d: %v", size, m, err)
			}
		}
		if err := tree.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// Tiles and bundles are what C2SP says: computed here from the records alone.
func TestTiles(t *testing.T) {
	const size = 66_000
	records := some(size)
	tree := openTree(t, t.TempDir())
	fill(t, tree, records)
	for _, tt := range []struct {
		level int
		n     int64
		w     int
	}{{0, 0, 256}, {0, 0, 7}, {0, 257, 208}, {0, 256, 256}, {1, 0, 256}, {1, 1, 1}, {1, 0, 200}, {2, 0, 1}} {
		got, ok, err := tree.Tile(merkle.Tile{H: 8, L: tt.level, N: tt.n, W: tt.w}, size)
		if err != nil || !ok {
			t.Errorf("tile %v: %v, %v", tt, ok, err)
			continue
		}
		var want []byte
		span := 1 << (8 * tt.level)
		for i := range tt.w {
			from := (int(tt.n)*256 + i) * span
			h := rfcRoot(records[from : from+span])
			want = append(want, h[:]...)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("tile %v has other hashes", tt)
		}
	}
	for _, tt := range []struct {
		n int64
		w int
	}{{0, 256}, {3, 100}, {257, 208}, {257, 3}} {
		got, ok, err := tree.Tile(merkle.Tile{H: 8, L: -1, N: tt.n, W: tt.w}, size)
		var want []byte
		for _, r := range records[tt.n*256:][:tt.w] {
			want = append(binary.BigEndian.AppendUint16(want, uint16(len(r))), r...)
		}
		if err != nil || !ok || !bytes.Equal(got, want) {
			t.Errorf("entries %v: %v, %v", tt, ok, err)
		}
	}
	for _, tt := range []struct {
		tile merkle.Tile
		size int64
	}{
		{merkle.Tile{H: 8, L: 0, N: 257, W: 209}, size},
		{merkle.Tile{H: 8, L: 0, N: 258, W: 1}, size},
		{merkle.Tile{H: 8, L: 0, N: 0, W: 256}, 255},
		{merkle.Tile{H: 8, L: 2, N: 0, W: 2}, size},
		{merkle.Tile{H: 8, L: 3, N: 0, W: 1}, size},
		{merkle.Tile{H: 8, L: 63, N: 0, W: 1}, size},
		{merkle.Tile{H: 8, L: -1, N: 257, W: 209}, size},
	} {
		if _, ok, err := tree.Tile(tt.tile, tt.size); ok || err != nil {
			t.Errorf("tile %v at %d is given out, %v", tt.tile, tt.size, err)
		}
	}
}

// x/mod's own reader of tiles finds every proof in ours.
func TestTilesProve(t *testing.T) {
	const size = 3000
	records := some(size)
	tree := openTree(t, t.TempDir())
	fill(t, tree, records)
	root, err := tree.Root(size)
	if err != nil {
		t.Fatal(err)
	}
	r := merkle.TileHashReader(merkle.Tree{N: size, Hash: root}, tileReader{tree, size})
	for m := int64(0); m < size; m += 97 {
		p, err := merkle.ProveRecord(size, m, r)
		if err == nil {
			err = merkle.CheckRecord(p, size, root, m, rfcLeaf(records[m]))
		}
		if err != nil {
			t.Errorf("%d: %v", m, err)
		}
	}
}

type tileReader struct {
	tree *Tree
	size int64
}

func (tileReader) Height() int { return 8 }

func (r tileReader) ReadTiles(tiles []merkle.Tile) (data [][]byte, err error) {
	for _, t := range tiles {
		b, ok, err := r.tree.Tile(t, r.size)
		if err != nil || !ok {
			return nil, fmt.Errorf("tile %v: %v, %w", t, ok, err)
		}
		data = append(data, b)
	}
	return data, nil
}

func (tileReader) SaveTiles([]merkle.Tile, [][]byte) {}

// A process that dies leaves what it has not synced behind; the next one goes on from
// what it has.
func TestCrash(t *testing.T) {
	dir, records := t.TempDir(), some(900)
	crashed := openTree(t, dir)
	fill(t, crashed, records[:300])
	if err := crashed.Sync(); err != nil {
		t.Fatal(err)
	}
	fill(t, crashed, records[300:800]) // over two ends of blocks, which are written at once
	crashed.lock.Close()

	tree := openTree(t, dir)
	if tree.Size() != 300 {
		t.Fatalf("size %d, want what was synced", tree.Size())
	}
	fill(t, tree, records[300:])
	if root, err := tree.Root(900); err != nil || root != rfcRoot(records) {
		t.Errorf("root %v, %v", root, err)
	}
	if err := tree.Close(); err != nil {
		t.Fatal(err)
	}
	view, err := ViewTree(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer view.Close()
	b, ok, err := view.Tile(merkle.Tile{H: 8, L: -1, N: 3, W: 132}, 900)
	if want := records[899]; err != nil || !ok || !bytes.HasSuffix(b, want) {
		t.Errorf("the last bundle: %v, %v", ok, err)
	}
}

func TestOneWriter(t *testing.T) {
	dir := t.TempDir()
	openTree(t, dir)
	if _, err := OpenTree(dir); !errors.Is(err, ErrInUse) {
		t.Errorf("a second writer: %v, want ErrInUse", err)
	}
	if _, err := ViewTree(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a view of none: %v, want fs.ErrNotExist", err)
	}
}

// Whatever is lost of the tree's files is noticed.
func TestDamage(t *testing.T) {
	for name, spoil := range map[string]func(dir string) error{
		"hashes cut":     func(dir string) error { return os.Truncate(filepath.Join(dir, "hashes"), 31_000) },
		"hashes gone":    func(dir string) error { return os.Remove(filepath.Join(dir, "hashes")) },
		"a hash changed": func(dir string) error { return poke(filepath.Join(dir, "hashes"), 32*merkle.StoredHashIndex(9, 0)) },
		"entries cut":    func(dir string) error { return os.Truncate(filepath.Join(dir, "tile/entries/002"), 10) },
		"entries gone":   func(dir string) error { return os.Remove(filepath.Join(dir, "tile/entries/002")) },
		"no head":        func(dir string) error { return os.WriteFile(filepath.Join(dir, headFile), []byte("{"), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			tree := openTree(t, dir)
			fill(t, tree, some(600))
			if err := tree.Close(); err != nil {
				t.Fatal(err)
			}
			if err := spoil(dir); err != nil {
				t.Fatal(err)
			}
			if _, err := OpenTree(dir); !errors.Is(err, ErrDamaged) {
				t.Errorf("OpenTree: %v, want ErrDamaged", err)
			}
		})
	}
}

// poke changes a byte of a file.
func poke(path string, at int64) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	b[at]++
	return os.WriteFile(path, b, 0o600)
}

func BenchmarkTree(b *testing.B) {
	const size = 1_000_000
	dir := b.TempDir()
	tree := openTree(b, dir)
	payload := make([]byte, 600)
	for i := range size {
		binary.BigEndian.PutUint64(payload, uint64(i))
		if err := tree.Append(payload); err != nil {
			b.Fatal(err)
		}
	}
	if err := tree.Close(); err != nil {
		b.Fatal(err)
	}
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			t, err := OpenTree(dir)
			if err != nil {
				b.Fatal(err)
			}
			t.Close()
		}
	})
	tree = openTree(b, dir)
	b.Run("inclusion", func(b *testing.B) {
		for i := int64(0); b.Loop(); i += 7919 {
			if _, err := tree.Inclusion(size, i%size); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("consistency", func(b *testing.B) {
		for i := int64(0); b.Loop(); i += 7919 {
			if _, err := tree.Consistency(size, i%size); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("tile", func(b *testing.B) {
		for i := int64(0); b.Loop(); i++ {
			if _, _, err := tree.Tile(merkle.Tile{H: 8, N: i % (size / 256), W: 256}, size); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("append", func(b *testing.B) {
		for b.Loop() {
			if err := tree.Append(payload); err != nil {
				b.Fatal(err)
			}
		}
	})
}
