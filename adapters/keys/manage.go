package keys

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// ErrKey refuses to make or to remove a key.
var ErrKey = errors.New("that key cannot be made or removed")

// Exists says whether there are keys in the directory.
func Exists(dir string) bool {
	files, err := filepath.Glob(filepath.Join(dir, "*"+keySuffix))
	return err == nil && len(files) > 0
}

// Kids names all seal keys, the oldest first.
func (r *Ring) Kids() []string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	var list []string
	for kid := range r.seal {
		list = append(list, kid)
	}
	slices.Sort(list)
	return list
}

// mostInMonth is how many seal keys a month can have: their names sort by age.
const mostInMonth = 9

// RotateSeal makes a new seal key, named after the month of now, under which new games
// are sealed from then on, and gives its name. It takes none of the names that were given
// before, to keys that may be lost. The error is [ErrKey] when the month has had its nine,
// or when a key of a later month is there.
func (r *Ring) RotateSeal(now time.Time, given ...string) (kid string, err error) {
	month, newest := now.UTC().Format("2006-01"), slices.Max(append(given, r.Kid()))
	kid = month
	for i := 2; kid <= newest; i++ {
		if kid = fmt.Sprintf("%s-%d", month, i); i > mostInMonth {
			return "", fmt.Errorf("%w: %s is newer than any that %s may have", ErrKey, newest, month)
		}
	}
	if err := r.create(sealPrefix + kid + keySuffix); err != nil {
		return "", err
	}
	return kid, r.Reload()
}

// RotateLog makes a new key for checkpoints. The old one signs beside it for the time
// of [Both].
func (r *Ring) RotateLog(now time.Time) error {
	if err := r.create(logPrefix + now.UTC().Format(logStamp) + keySuffix); err != nil {
		return err
	}
	return r.Reload()
}

// CanRetire says why a seal key cannot be retired: it is the newest, or not there. The
// error is [ErrKey].
func (r *Ring) CanRetire(kid string) error {
	switch _, held := r.held(kid); {
	case !held:
		return fmt.Errorf("%w: there is no seal key %.80q in %s; chancery keys list names them", ErrKey, kid, r.dir)
	case kid == r.Kid():
		return fmt.Errorf("%w: new games are sealed under %s; make its successor first with chancery keys rotate", ErrKey, kid)
	}
	return nil
}

// Retire destroys a seal key for good: games that are sealed under it and not revealed
// are lost. The error is that of [Ring.CanRetire], or the file system's.
func (r *Ring) Retire(kid string) error {
	if err := r.CanRetire(kid); err != nil {
		return err
	}
	path := filepath.Join(r.dir, sealPrefix+kid+keySuffix)
	if err := wipe(path); err != nil {
		return fmt.Errorf("destroying the key %s: %w", kid, err)
	}
	return r.Reload()
}

// wipe writes over a key before it removes the file. On disks that write elsewhere the
// old bytes can remain for a while; only an encrypted disk helps there.
func wipe(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, 65))
	return errors.Join(err, f.Sync(), f.Close(), os.Remove(path))
}

// Reload reads the directory again, for keys that were put there or destroyed since. A
// Ring keeps what it has where that fails.
func (r *Ring) Reload() error { return r.reload() }

// Made is when the file of a seal key was written.
func (r *Ring) Made(kid string) (time.Time, error) {
	info, err := os.Stat(filepath.Join(r.dir, sealPrefix+kid+keySuffix))
	if err != nil {
		return time.Time{}, fmt.Errorf("looking at the key %s: %w", kid, err)
	}
	return info.ModTime(), nil
}
