// Package tlog keeps the public ledger: the Merkle tree of RFC 6962 over the exact
// records in the order of the ledger, signed checkpoints of it, and proofs that a record
// stands in it and that nothing was taken out. Tiles, checkpoints, cosignatures and
// proofs are those of C2SP (tlog-tiles, tlog-checkpoint, tlog-cosignature, tlog-proof),
// so that any program which knows them can follow.
package tlog

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	merkle "golang.org/x/mod/sumdb/tlog"

	"chancery/events"
)

// A Tree is the Merkle tree over a ledger's records, in a directory: leaf i is the
// exact payload at position i+1. Its methods may be called from many goroutines; one
// process writes it.
type Tree struct {
	dir  string
	lock *os.File // held while this process writes; nil for a reader

	mu      sync.RWMutex
	hashes  *hashes
	bundles *bundles
	synced  head
	failed  bool // a write went wrong: what is in memory and in the files may differ
}

// A head is a size and what the tree hashes to at it.
type head struct {
	Size int64       `json:"size"`
	Root merkle.Hash `json:"root"`
}

// headFile says how much of the other files counts. It is replaced as a whole.
const headFile = "head.json"

// ErrInUse says that another process writes the tree.
var ErrInUse = errors.New("another process writes the ledger's tree; give each instance a data directory of its own")

// OpenTree opens the tree in a directory for this process alone, and begins one where there
// is none. What was appended after the last [Tree.Sync] of a process that crashed is
// gone; the ledger has it. Errors are [ErrInUse], [ErrDamaged] and the file system's.
func OpenTree(dir string) (*Tree, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making the directory of the tree: %w", err)
	}
	lock, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("opening the tree: %w", err)
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		lock.Close()
		return nil, ErrInUse
	}
	t, err := open(dir, os.O_RDWR|os.O_CREATE)
	if err != nil {
		lock.Close()
		return nil, err
	}
	t.lock = lock
	return t, nil
}

// ViewTree opens the tree in a directory for reading, as it stood when it was last synced.
// A process may write it meanwhile. Where there is none the error is [fs.ErrNotExist].
func ViewTree(dir string) (*Tree, error) { return open(dir, os.O_RDONLY) }

func open(dir string, flag int) (*Tree, error) {
	at, err := readHead(dir)
	if err != nil {
		return nil, err
	}
	t := &Tree{dir: dir, synced: at}
	if t.hashes, err = openHashes(dir, flag, at.Size); err != nil {
		return nil, err
	}
	if t.bundles, err = openBundles(dir, at.Size); err == nil {
		err = t.check(at)
	}
	if err != nil {
		t.hashes.file.Close()
		return nil, err
	}
	return t, nil
}

func readHead(dir string) (head, error) {
	var at head
	b, err := os.ReadFile(filepath.Join(dir, headFile))
	if errors.Is(err, fs.ErrNotExist) {
		at.Root, _ = merkle.TreeHash(0, nil) // of no records; it asks for no hash
		return at, nil
	}
	if err == nil {
		err = json.Unmarshal(b, &at)
	}
	if err == nil && at.Size < 0 {
		err = errors.New("a size below 0")
	}
	if err != nil {
		return head{}, damaged(headFile, err)
	}
	return at, nil
}

// check compares the hashes in the files with what they had come to.
func (t *Tree) check(at head) error {
	root, err := merkle.TreeHash(at.Size, t.hashes)
	if err == nil && root != at.Root {
		err = damaged("hashes", errors.New("they do not come to the root they had"))
	}
	return err
}

// Size is how many records the tree has.
func (t *Tree) Size() int64 {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.hashes.size
}

// Append adds the record behind the last one. After an error the tree is to be closed.
func (t *Tree) Append(payload []byte) error {
	if len(payload) == 0 || len(payload) > events.MaxPayload {
		return fmt.Errorf("adding %d bytes to the tree: %w", len(payload), events.ErrPayload)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	err := t.bundles.add(payload)
	if err == nil {
		err = t.hashes.add(merkle.RecordHash(payload))
	}
	t.failed = t.failed || err != nil
	return err
}

// Sync brings everything to the disk.
func (t *Tree) Sync() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.failed || t.hashes.size == t.synced.Size {
		return nil // what a failed write has left behind is cut away by the next OpenTree
	}
	root, err := merkle.TreeHash(t.hashes.size, t.hashes)
	if err != nil {
		return err
	}
	if err := errors.Join(t.bundles.sync(), t.hashes.sync()); err != nil {
		return fmt.Errorf("syncing the tree: %w", err)
	}
	at := head{Size: t.hashes.size, Root: root}
	b, err := json.Marshal(at)
	if err == nil {
		err = replace(filepath.Join(t.dir, headFile), b)
	}
	if err != nil {
		return fmt.Errorf("syncing the tree: %w", err)
	}
	t.synced = at
	return nil
}

// Close syncs what this process has appended and closes the files.
func (t *Tree) Close() error {
	var err error
	if t.lock != nil {
		err = t.Sync()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	err = errors.Join(err, t.bundles.close(), t.hashes.file.Close())
	if t.lock != nil {
		err = errors.Join(err, t.lock.Close())
	}
	return err
}

// replace writes a file whole or not at all: beside the old one, and then in its place.
func replace(path string, b []byte) error {
	f, err := os.OpenFile(path+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return errors.Join(os.Rename(path+".new", path), syncDir(filepath.Dir(path)))
}
