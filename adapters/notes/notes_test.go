package notes_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"chancery/adapters/notes"
)

func TestUpdate(t *testing.T) {
	ctx, path := context.Background(), filepath.Join(t.TempDir(), "notes")
	d, err := notes.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	refused := errors.New("refused")
	tests := []struct {
		name, give string
		fail       error
		wantOld    string
	}{
		{"the first", "1", nil, ""},
		{"the second", "2", nil, "1"},
		{"one that fails", "3", refused, "2"},
		{"one that changes nothing", "", nil, "2"},
		{"one more", "4", nil, "2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := d.Update(ctx, "n", func(old []byte) ([]byte, error) {
				if string(old) != tt.wantOld {
					t.Errorf("old value %q, want %q", old, tt.wantOld)
				}
				if tt.give == "" {
					return nil, nil
				}
				return []byte(tt.give), tt.fail
			})
			if !errors.Is(err, tt.fail) {
				t.Errorf("Update: %v, want %v", err, tt.fail)
			}
		})
	}

	again, err := notes.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	err = again.Update(ctx, "n", func(old []byte) ([]byte, error) {
		if string(old) != "4" {
			t.Errorf("after a restart: %q", old)
		}
		return nil, nil
	})
	if err != nil {
		t.Error(err)
	}
	left, err := filepath.Glob(filepath.Join(path, "*"))
	if err != nil || len(left) != 1 {
		t.Errorf("files: %v, %v", left, err)
	}
	if info, err := os.Stat(left[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode: %v, %v", info.Mode(), err)
	}
}
