package keys

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"chancery/domain/fair"
)

// ErrUnsafe says that others than the server's user can read a key, or replace one.
var ErrUnsafe = errors.New("others can read or replace the keys")

// ErrDamaged says that a key file is missing beside others, or is not a key.
var ErrDamaged = errors.New("the keys are damaged")

const (
	tokenFile  = "token.key"
	sealPrefix = "seal-"
	keySuffix  = ".key"
)

// Open reads the keys in dir, and makes a first set where there is none: a token
// key, a key for checkpoints, and a seal key named after the month of now. The entropy
// makes keys and nonces; it must be a secret source such as crypto/rand.Reader.
//
// Errors are [ErrUnsafe] and [ErrDamaged], and those of the file system.
func Open(dir string, now time.Time, entropy io.Reader) (*Ring, error) {
	r := &Ring{dir: dir, entropy: entropy}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making the key directory: %w", err)
	}
	if err := private(dir, 0o022, "0700"); err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"+keySuffix))
	if err != nil {
		return nil, fmt.Errorf("reading the key directory: %w", err)
	}
	if len(files) == 0 {
		if err := r.make(now); err != nil {
			return nil, err
		}
	}
	return r, r.reload()
}

// Look reads the keys in dir and makes none. The Ring opens what is sealed and seals
// nothing. Errors are those of [Open].
func Look(dir string) (*Ring, error) {
	if err := private(dir, 0o022, "0700"); err != nil {
		return nil, err
	}
	r := &Ring{dir: dir, entropy: nothing{}}
	return r, r.reload()
}

// nothing is a source that is empty.
type nothing struct{}

func (nothing) Read([]byte) (int, error) { return 0, io.EOF }

// make writes the first set. The token key comes last: a set without one was not
// finished, and is refused rather than mixed with another.
func (r *Ring) make(now time.Time) error {
	for _, name := range []string{
		sealPrefix + now.UTC().Format("2006-01") + keySuffix,
		logPrefix + now.UTC().Format(logStamp) + keySuffix,
		tokenFile,
	} {
		if err := r.create(name); err != nil {
			return err
		}
	}
	return nil
}

// create makes a key. It gets its name once it is whole and on disk: a server that runs
// finds no half of one, and a loss of power leaves none.
func (r *Ring) create(name string) error {
	var key [32]byte
	if _, err := io.ReadFull(r.entropy, key[:]); err != nil {
		return fmt.Errorf("making the key %s: %w", name, err)
	}
	f, err := os.CreateTemp(r.dir, name+".new") // mode 0600
	if err != nil {
		return fmt.Errorf("making the key %s: %w", name, err)
	}
	defer os.Remove(f.Name())
	_, err = fmt.Fprintf(f, "%x\n", key)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Link(f.Name(), filepath.Join(r.dir, name)) // which replaces none
	}
	if err == nil {
		err = r.sync()
	}
	if err != nil {
		return fmt.Errorf("writing the key %s: %w", name, err)
	}
	return nil
}

// sync makes the names in the directory last through a loss of power.
func (r *Ring) sync() error {
	d, err := os.Open(r.dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// reload reads what the directory holds now. A Ring in use keeps its keys where
// that fails.
func (r *Ring) reload() error {
	entries, err := os.ReadDir(r.dir)
	if err != nil {
		return fmt.Errorf("reading the key directory: %w", err)
	}
	seal, newest := map[string]fair.Master{}, ""
	var log []logSeed // ReadDir sorts, and their names sort by age
	for _, e := range entries {
		if stamp, ok := stampOf(e.Name()); ok {
			seed, err := r.read(e.Name())
			if err != nil {
				return err
			}
			log = append(log, logSeed{name: stamp, seed: seed})
			continue
		}
		kid, ok := kidOf(e)
		if !ok {
			continue
		}
		if seal[kid], err = r.read(e.Name()); err != nil {
			return err
		}
		newest = max(newest, kid)
	}
	if newest == "" {
		return fmt.Errorf("%w: no seal key in %s; put back a copy of the directory", ErrDamaged, r.dir)
	}
	token, err := r.read(tokenFile)
	if err != nil {
		return err
	}
	if len(log) == 0 {
		return fmt.Errorf("%w: no key for checkpoints in %s; put back a copy of the directory", ErrDamaged, r.dir)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.unlike(seal, token, log); err != nil {
		return err
	}
	r.seal, r.kid, r.token, r.log = seal, newest, token, log
	return nil
}

// unlike refuses other keys in the place of those that the Ring has: games are sealed
// under these, and only a start compares keys with the ledger's.
func (r *Ring) unlike(seal map[string]fair.Master, token fair.Master, log []logSeed) error {
	other := r.kid != "" && (token != r.token || log[0] != r.log[0])
	for kid, m := range seal {
		held, ok := r.seal[kid]
		other = other || ok && held != m
	}
	if other {
		return fmt.Errorf("%w: there are others in %s than a moment ago; put back the old ones", ErrOtherKeys, r.dir)
	}
	return nil
}

// kidOf is the kid of a seal key's file; kids sort by age.
func kidOf(e fs.DirEntry) (kid string, ok bool) {
	kid, ok = strings.CutPrefix(e.Name(), sealPrefix)
	if !ok || e.IsDir() {
		return "", false
	}
	kid, ok = strings.CutSuffix(kid, keySuffix)
	return kid, ok && fair.ValidKid(kid)
}

// read reads a key: 64 lowercase hexadecimal digits and a newline.
func (r *Ring) read(name string) (fair.Master, error) {
	path := filepath.Join(r.dir, name)
	if err := private(path, 0o077, "0600"); err != nil {
		return fair.Master{}, err
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return fair.Master{}, fmt.Errorf("reading a key: %w", err)
	}
	var m fair.Master
	digits := strings.TrimSuffix(string(b), "\n")
	if len(digits) != hex.EncodedLen(len(m)) {
		return fair.Master{}, fmt.Errorf("%w: %s is not 64 hexadecimal digits; put back a copy", ErrDamaged, path)
	}
	if _, err := hex.Decode(m[:], []byte(digits)); err != nil {
		return fair.Master{}, fmt.Errorf("%w: %s is not 64 hexadecimal digits; put back a copy", ErrDamaged, path)
	}
	return m, nil
}

// private refuses what others may do more with than they should: read a key, or
// write to the directory.
func private(path string, forbidden fs.FileMode, want string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: %s is missing; put back a copy, or remove the directory if it was being made for the first time", ErrDamaged, path)
	case err != nil:
		return fmt.Errorf("looking at the keys: %w", err)
	case info.Mode().Perm()&forbidden != 0:
		return fmt.Errorf("%w: %s has mode %#o; run chmod %s %s", ErrUnsafe, path, info.Mode().Perm(), want, path)
	}
	return nil
}
