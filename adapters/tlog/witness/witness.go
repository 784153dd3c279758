// Package witness is a small program's worth of trust: it signs what it has seen of a
// ledger, and never two histories. It speaks C2SP tlog-witness and signs with
// cosignature/v1. It should run on another machine than the ledger, for another person.
package witness

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"golang.org/x/mod/sumdb/note"
	merkle "golang.org/x/mod/sumdb/tlog"

	"chancery/adapters/tlog"
)

// ErrState says that the witness's file cannot be used.
var ErrState = errors.New("the witness's file cannot be used")

// A Witness answers for any number of ledgers. Its key and all that it must not forget
// stand in one file: who loses the file loses the key with it, so that a witness never
// goes on without its memory.
type Witness struct {
	path   string
	lock   *os.File
	logs   map[string][]note.Verifier // by origin
	signer note.Signer
	public string

	mu   sync.Mutex
	kept kept
}

// kept is the file.
type kept struct {
	Name string            `json:"name"`
	Seed string            `json:"seed"` // 64 hexadecimal digits of the Ed25519 key
	Logs map[string]latest `json:"logs"` // by origin
	Sum  string            `json:"sum"`  // of all the above, so that a damaged file is not believed
}

// sum is the SHA-256 of what the file says.
func (k kept) sum() string {
	k.Sum = ""
	b, _ := json.Marshal(k) // texts and numbers
	return fmt.Sprintf("%x", sha256.Sum256(b))
}

// latest is what was signed last of a ledger.
type latest struct {
	Size int64       `json:"size"`
	Root merkle.Hash `json:"root"`
}

// Config is what a witness works with.
type Config struct {
	Path    string    // its file, made with a new key if it is not there
	Name    string    // of a new key, such as witness.example/w1; empty: that of the file
	LogKeys []string  // public keys of the ledgers that it answers for
	Entropy io.Reader // a secret source, for a new key
	Now     func() time.Time
}

// Open reads the witness's file, or begins one, and holds it for this process alone.
// Errors are [ErrState], [tlog.ErrKey] and the file system's.
func Open(c Config) (*Witness, error) {
	w := &Witness{path: c.Path, logs: map[string][]note.Verifier{}}
	for _, text := range c.LogKeys {
		v, err := tlog.LogVerifier(text)
		if err != nil {
			return nil, err
		}
		w.logs[v.Name()] = append(w.logs[v.Name()], v)
	}
	if err := w.hold(); err != nil {
		return nil, err
	}
	if err := w.load(c); err != nil {
		w.lock.Close()
		return nil, err
	}
	return w, nil
}

// hold keeps a second process from signing with the same key.
func (w *Witness) hold() error {
	f, err := os.OpenFile(w.path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("holding the witness's file: %w", err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return fmt.Errorf("%w: another process works with %s", ErrState, w.path)
	}
	w.lock = f
	return nil
}

func (w *Witness) load(c Config) error {
	b, err := os.ReadFile(w.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := w.begin(c); err != nil {
			return err
		}
	case err != nil:
		return fmt.Errorf("reading the witness's file: %w", err)
	default:
		err := json.Unmarshal(b, &w.kept)
		if err != nil || w.kept.Sum != w.kept.sum() {
			return fmt.Errorf("%w: %s is damaged; move it away and begin with a new key", ErrState, w.path)
		}
	}
	if c.Name != "" && c.Name != w.kept.Name {
		return fmt.Errorf("%w: %s is of the witness %s", ErrState, w.path, w.kept.Name)
	}
	seed, err := hex.DecodeString(w.kept.Seed)
	if err != nil || len(seed) != ed25519.SeedSize || w.kept.Name == "" {
		return fmt.Errorf("%w: %s holds no key; move it away and begin with a new one", ErrState, w.path)
	}
	w.signer, w.public = tlog.NewCosigner(w.kept.Name, ed25519.NewKeyFromSeed(seed), c.Now)
	if _, err := tlog.WitnessVerifier(w.public); err != nil {
		return fmt.Errorf("%w: a name has no spaces and no plus sign", ErrState)
	}
	if w.kept.Logs == nil {
		w.kept.Logs = map[string]latest{}
	}
	return nil
}

// begin makes a new key.
func (w *Witness) begin(c Config) error {
	if c.Name == "" {
		return fmt.Errorf("%w: %s is not there; give the new witness a name", ErrState, w.path)
	}
	if !tlog.ValidName(c.Name) {
		return fmt.Errorf("%w: a name has no spaces and no plus sign", ErrState)
	}
	var seed [ed25519.SeedSize]byte
	if _, err := io.ReadFull(c.Entropy, seed[:]); err != nil {
		return fmt.Errorf("making the witness's key: %w", err)
	}
	w.kept = kept{Name: c.Name, Seed: hex.EncodeToString(seed[:]), Logs: map[string]latest{}}
	return w.save(w.kept)
}

// Public is the witness's key, as ledgers and verifiers take it.
func (w *Witness) Public() string { return w.public }

// Close lets the file go.
func (w *Witness) Close() error { return w.lock.Close() }

// save replaces the file, and is on the disk when it returns.
func (w *Witness) save(k kept) error {
	k.Sum = k.sum()
	b, err := json.MarshalIndent(k, "", "\t")
	if err != nil {
		return err
	}
	f, err := os.OpenFile(w.path+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("writing the witness's file: %w", err)
	}
	_, err = f.Write(append(b, '\n'))
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("writing the witness's file: %w", err)
	}
	if err := os.Rename(w.path+".new", w.path); err != nil {
		return fmt.Errorf("writing the witness's file: %w", err)
	}
	dir, err := os.Open(filepath.Dir(w.path))
	if err != nil {
		return fmt.Errorf("writing the witness's file: %w", err)
	}
	return errors.Join(dir.Sync(), dir.Close())
}
