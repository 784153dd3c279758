package tlog

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	merkle "golang.org/x/mod/sumdb/tlog"
)

// Root is what the first size records hash to.
func (t *Tree) Root(size int64) (merkle.Hash, error) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if size < 0 || size > t.hashes.size {
		return merkle.Hash{}, fmt.Errorf("the root of %d records is not in a tree of %d", size, t.hashes.size)
	}
	return merkle.TreeHash(size, t.hashes)
}

// Inclusion proves that record index stands among the first size ones.
func (t *Tree) Inclusion(size, index int64) (merkle.RecordProof, error) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if index < 0 || index >= size || size > t.hashes.size {
		return nil, fmt.Errorf("record %d among %d is not in a tree of %d", index, size, t.hashes.size)
	}
	return merkle.ProveRecord(size, index, t.hashes)
}

// Consistency proves that the first size records begin with the first old ones. It is
// empty where there is nothing to prove.
func (t *Tree) Consistency(size, old int64) (merkle.TreeProof, error) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	switch {
	case old < 0 || old > size || size > t.hashes.size:
		return nil, fmt.Errorf("sizes %d and %d are not in a tree of %d", old, size, t.hashes.size)
	case old == 0 || old == size:
		return nil, nil
	}
	return merkle.ProveTree(size, old, t.hashes)
}

// A kept record is one as the tree has it: its bytes, its leaf, and the nodes that it
// completes, from below.
type kept struct {
	entry  []byte
	hashes []merkle.Hash
}

// copies are the records from index on, up to the end of their bundle.
func (t *Tree) copies(index int64) (list []kept, err error) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	first := index / tileWidth * tileWidth
	end := min(t.hashes.size, first+tileWidth)
	if index < 0 || index >= end {
		return nil, fmt.Errorf("record %d is not in a tree of %d", index, t.hashes.size)
	}
	bundle, err := t.bundles.read(first/tileWidth, int(end-first))
	if err != nil {
		return nil, err
	}
	hashes, err := t.hashes.stored(first, end)
	if err != nil {
		return nil, err
	}
	for at := first; at < end; at++ {
		length, nodes := 2+int(binary.BigEndian.Uint16(bundle)), 1+bits.TrailingZeros64(uint64(at+1))
		if at >= index {
			list = append(list, kept{bundle[2:length:length], hashes[:nodes:nodes]})
		}
		bundle, hashes = bundle[length:], hashes[nodes:]
	}
	return list, nil
}

// stored are the hashes of the records first..end-1 in the order of the file.
func (h *hashes) stored(first, end int64) ([]merkle.Hash, error) {
	from := merkle.StoredHashIndex(0, first)
	places := make([]int64, merkle.StoredHashCount(end)-from)
	for i := range places {
		places[i] = from + int64(i)
	}
	return h.ReadHashes(places)
}

// nodes are hashes that stand side by side at a level.
func (h *hashes) nodes(level int, first int64, count int) ([]merkle.Hash, error) {
	places := make([]int64, count)
	for i := range places {
		places[i] = merkle.StoredHashIndex(level, first+int64(i))
	}
	return h.ReadHashes(places)
}

// Tile is the tile as C2SP serves it: the hashes side by side, or with level -1 the
// entry bundle. Nothing of it lies behind the first size records; otherwise ok is false.
func (t *Tree) Tile(tile merkle.Tile, size int64) (b []byte, ok bool, err error) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	level := max(tile.L, 0) * tileHeight
	end := tile.N*tileWidth + int64(tile.W)
	if level >= 62 || end > min(size, t.hashes.size)>>level {
		return nil, false, nil
	}
	if tile.L < 0 {
		b, err := t.bundles.read(tile.N, tile.W)
		return b, err == nil, err
	}
	list, err := t.hashes.nodes(level, tile.N*tileWidth, tile.W)
	for _, h := range list {
		b = append(b, h[:]...)
	}
	return b, err == nil, err
}
