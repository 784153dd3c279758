package sqlstore

import (
	"errors"
	"testing"
)

// A folder of SQLite files is one process's alone until it closes it.
func TestFolderInUse(t *testing.T) {
	dir := t.TempDir()
	first, err := Open("", dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open("", dir); !errors.Is(err, ErrInUse) {
		t.Errorf("opened twice: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Open("", dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}
