package sqlstore

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// ErrInUse says that another process keeps its read models in a folder. In SQLite they
// are one process's alone: two would take files from each other.
var ErrInUse = errors.New("another process keeps its read models there")

// lock takes a folder for this process until the file is closed. The system gives it
// back when the process dies. The file stays: to remove it would let two processes lock
// two files of one name.
func lock(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("locking the folder of the read models: %w", err)
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return f, nil
	}
	_ = f.Close() // nothing was written
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, fmt.Errorf("using %s: %w; choose another directory with --data, or a database for all with --database-url", dir, ErrInUse)
	}
	return nil, fmt.Errorf("locking the folder of the read models %s: %w", dir, err)
}
