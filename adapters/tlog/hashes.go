package tlog

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"os"
	"path/filepath"

	merkle "golang.org/x/mod/sumdb/tlog"
)

const (
	tileHeight = 8               // levels of the tree in one tile, as C2SP tlog-tiles has it
	tileWidth  = 1 << tileHeight // hashes in a full tile
)

// A block is 32 leaves and the nodes up to their root, which stand side by side in the
// file.
const (
	blockHeight = 5
	blockWidth  = 1 << blockHeight
	blockHashes = 2*blockWidth - 1
)

// hashes are all nodes of the tree, in the order in which they become known: each leaf,
// and behind it the nodes that it completes. They stand in one file; in memory are the
// roots of blocks and what is above, a sixteenth of all, and the block that is being
// filled. A proof then takes one short read.
type hashes struct {
	file    *os.File
	size    int64           // leaves
	upper   [][]merkle.Hash // by level, from that of a block's root on
	tail    []byte          // the hashes behind the last full block
	written int             // how much of tail is in the file
}

func openHashes(dir string, flag int, size int64) (*hashes, error) {
	f, err := os.OpenFile(filepath.Join(dir, "hashes"), flag, 0o600)
	if err != nil {
		return nil, fmt.Errorf("opening the tree's hashes: %w", err)
	}
	h := &hashes{file: f}
	if err := h.load(size); err != nil {
		f.Close()
		return nil, err
	}
	return h, nil
}

// load takes the first size leaves as they stand in the file.
func (h *hashes) load(size int64) error {
	for level := blockHeight; size>>level > 0; level++ {
		h.upper = append(h.upper, make([]merkle.Hash, 0, size>>level))
	}
	in := bufio.NewReaderSize(io.NewSectionReader(h.file, 0, 1<<62), 1<<20)
	for h.size = 0; h.size+blockWidth <= size; h.size += blockWidth {
		if _, err := in.Discard((blockHashes - 1) * merkle.HashSize); err != nil {
			return damaged("hashes", err)
		}
		// The block's root, and the nodes above that it completes.
		for above := range 1 + bits.TrailingZeros64(uint64(h.size/blockWidth+1)) {
			var hash merkle.Hash
			if _, err := io.ReadFull(in, hash[:]); err != nil {
				return damaged("hashes", err)
			}
			h.upper[above] = append(h.upper[above], hash)
		}
	}
	h.size = size
	h.tail = make([]byte, merkle.StoredHashCount(size)*merkle.HashSize-h.tailAt())
	h.written = len(h.tail)
	if _, err := h.file.ReadAt(h.tail, h.tailAt()); err != nil {
		return damaged("hashes", err)
	}
	return nil
}

// tailAt is where the block that is being filled begins in the file.
func (h *hashes) tailAt() int64 {
	return merkle.StoredHashIndex(0, h.size/blockWidth*blockWidth) * merkle.HashSize
}

// add appends a leaf.
func (h *hashes) add(leaf merkle.Hash) error {
	list, err := merkle.StoredHashesForRecordHash(h.size, leaf, h)
	if err != nil {
		return err
	}
	at := h.tailAt()
	for level, hash := range list {
		h.tail = append(h.tail, hash[:]...)
		if level >= blockHeight {
			h.addUpper(level-blockHeight, hash)
		}
	}
	h.size++
	if h.size%blockWidth > 0 {
		return nil
	}
	if err := h.write(at); err != nil {
		return err
	}
	h.tail, h.written = h.tail[:0], 0
	return nil
}

func (h *hashes) addUpper(above int, hash merkle.Hash) {
	if above == len(h.upper) {
		h.upper = append(h.upper, nil)
	}
	h.upper[above] = append(h.upper[above], hash)
}

// write brings the tail, which begins at that place, into the file.
func (h *hashes) write(at int64) error {
	if _, err := h.file.WriteAt(h.tail[h.written:], at+int64(h.written)); err != nil {
		return fmt.Errorf("writing the tree's hashes: %w", err)
	}
	h.written = len(h.tail)
	return nil
}

func (h *hashes) sync() error {
	if err := h.write(h.tailAt()); err != nil {
		return err
	}
	return h.file.Sync()
}

// ReadHashes gives the hashes at the places, in their order.
func (h *hashes) ReadHashes(places []int64) ([]merkle.Hash, error) {
	list := make([]merkle.Hash, len(places))
	read := blockReader{hashes: h, block: -1}
	for i, place := range places {
		level, n := merkle.SplitStoredHashIndex(place)
		switch {
		case (n+1)<<level > h.size:
			return nil, fmt.Errorf("node %d of level %d is not in a tree of %d records", n, level, h.size)
		case level >= blockHeight:
			list[i] = h.upper[level-blockHeight][n]
		default:
			b, err := read.at(n<<level/blockWidth, place)
			if err != nil {
				return nil, err
			}
			list[i] = merkle.Hash(b)
		}
	}
	return list, nil
}

// A blockReader remembers the block that it read last, for most hashes of a question
// stand in the same one.
type blockReader struct {
	hashes *hashes
	block  int64
	start  int64 // place of its first hash
	bytes  []byte
	buffer [blockHashes * merkle.HashSize]byte
}

func (r *blockReader) at(block, place int64) ([]byte, error) {
	if block != r.block {
		if err := r.load(block); err != nil {
			return nil, err
		}
	}
	at := (place - r.start) * merkle.HashSize
	return r.bytes[at : at+merkle.HashSize], nil
}

func (r *blockReader) load(block int64) error {
	r.block, r.start = block, merkle.StoredHashIndex(0, block*blockWidth)
	if block == r.hashes.size/blockWidth {
		r.bytes = r.hashes.tail
		return nil
	}
	r.bytes = r.buffer[:]
	if _, err := r.hashes.file.ReadAt(r.bytes, r.start*merkle.HashSize); err != nil {
		return damaged("hashes", err)
	}
	return nil
}

// ErrDamaged says that the files of a tree are not as they were written. The ledger is
// not concerned: the tree can be made again from it.
var ErrDamaged = errors.New("the files of the ledger's tree are damaged; stop the server and run chancery rebuild ledger")

func damaged(what string, err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("some are missing")
	}
	return fmt.Errorf("%w (%s: %w)", ErrDamaged, what, err)
}
