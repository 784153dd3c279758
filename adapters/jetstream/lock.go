package jetstream

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// ErrLocked says that another process holds the data directory. Every such error is a
// [*LockedError].
var ErrLocked = errors.New("the data directory is in use")

// A LockedError names the process that holds a data directory.
type LockedError struct {
	Dir string
	PID int // 0 where it is not known
}

// Error says who holds the directory and what to do.
func (e *LockedError) Error() string {
	who := "another process"
	if e.PID > 0 {
		who = "process " + strconv.Itoa(e.PID)
	}
	return fmt.Sprintf("the data directory %s is in use by %s; stop it, or choose another directory with --data", e.Dir, who)
}

// Is makes every LockedError an [ErrLocked].
func (e *LockedError) Is(target error) bool { return target == ErrLocked }

// lock takes a data directory for this process until the file is closed. The system
// gives it back when the process dies, however it dies. The file stays: to remove it
// would let two processes lock two files of one name.
func lock(dir string) (*os.File, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("creating the data directory: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("locking the data directory: %w", err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		defer f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, &LockedError{Dir: dir, PID: holder(f)}
		}
		return nil, fmt.Errorf("locking the data directory %s: %w", dir, err)
	}
	return f, sign(f)
}

// sign writes who holds the lock, for the message that others get.
func sign(f *os.File) error {
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err := f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	return err
}

func holder(f *os.File) int {
	b, err := io.ReadAll(io.LimitReader(f, 32))
	if err != nil {
		return 0
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil {
		return 0
	}
	return pid
}
