package keys

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"chancery/domain/fair"
)

const origin = "chess.example/ledger"

// The public key and the signatures are those that x/mod's own verifier knows.
func TestLogKeysSignNotes(t *testing.T) {
	r := open(t, t.TempDir())
	keys := r.LogKeys(origin, november)
	if len(keys) != 1 {
		t.Fatalf("%d keys, want the one that was made first", len(keys))
	}
	verifier, err := note.NewVerifier(keys[0].Public())
	if err != nil {
		t.Fatal(err)
	}
	signed, err := note.Sign(&note.Note{Text: "text\n"}, keys[0])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := note.Open(signed, note.VerifierList(verifier)); err != nil {
		t.Errorf("a signature of ours: %v", err)
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%x"} {
		if got := fmt.Sprintf(verb, keys[0]); got != keys[0].Public() {
			t.Errorf("%s prints %s, want the public key only", verb, got)
		}
	}
}

func TestRotatedLogKeysSignTogetherForAWhile(t *testing.T) {
	r := open(t, t.TempDir())
	rotated := november.AddDate(0, 6, 0)
	if err := r.RotateLog(rotated); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		at   time.Time
		want int
	}{{rotated, 2}, {rotated.Add(Both), 2}, {rotated.Add(Both + time.Second), 1}} {
		if got := r.LogKeys(origin, tt.at); len(got) != tt.want || !got[0].Made.Equal(rotated) {
			t.Errorf("at %v: %d keys, want %d, the newest first", tt.at, len(got), tt.want)
		}
	}
	if got := r.AllLogKeys(origin); len(got) != 2 {
		t.Errorf("%d keys in all, want 2", len(got))
	}
}

// A key for checkpoints that is gone is not replaced, nor does a running server forget it.
func TestSetWithoutALogKey(t *testing.T) {
	dir := t.TempDir()
	r := open(t, dir)
	loseLogKeys(t, r)
	_, opening := Open(dir, november, rand.Reader)
	_, looking := Look(dir)
	for _, err := range []error{opening, looking, r.Reload()} {
		if !errors.Is(err, ErrDamaged) {
			t.Errorf("a lost key for checkpoints: %v, want ErrDamaged", err)
		}
	}
	if keys := r.LogKeys(origin, november); len(keys) != 1 {
		t.Errorf("a running server has %v", keys)
	}
	if files, err := filepath.Glob(filepath.Join(dir, "log-*")); err != nil || len(files) != 0 {
		t.Errorf("a key was left in its place: %v, %v", files, err)
	}
}

// loseLogKeys removes the keys for checkpoints from the directory.
func loseLogKeys(t *testing.T, r *Ring) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(r.dir, "log-*.key"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		if err := os.Remove(f); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRotateSeal(t *testing.T) {
	r := open(t, t.TempDir())
	seed := fair.Seed{1}
	c := fair.Commitment("g", seed)
	old, err := r.Seal("g", c, seed)
	if err != nil {
		t.Fatal(err)
	}
	december := november.AddDate(0, 1, 0)
	for _, want := range []string{"2026-12", "2026-12-2", "2026-12-3"} {
		if kid, err := r.RotateSeal(december); kid != want || err != nil || r.Kid() != want {
			t.Fatalf("RotateSeal: %s, %v, newest %s; want %s", kid, err, r.Kid(), want)
		}
	}
	if got, err := r.Unseal(old, "g", c); err != nil || got != seed {
		t.Errorf("the old game: %v", err)
	}
	header, err := r.Seal("g", c, seed)
	if err != nil || !strings.HasPrefix(header, "2026-12-3.") {
		t.Errorf("a new game is sealed under %.10s, %v", header, err)
	}
	if _, err := r.RotateSeal(november); !errors.Is(err, ErrKey) {
		t.Errorf("a key older than the newest: %v, want ErrKey", err)
	}
}

func TestRetire(t *testing.T) {
	dir := t.TempDir()
	r := open(t, dir)
	seed := fair.Seed{1}
	c := fair.Commitment("g", seed)
	header, err := r.Seal("g", c, seed)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Retire("2026-11"); !errors.Is(err, ErrKey) {
		t.Errorf("retiring the newest: %v, want ErrKey", err)
	}
	if _, err := r.RotateSeal(november.AddDate(0, 1, 0)); err != nil {
		t.Fatal(err)
	}
	if err := r.Retire("2020-01"); !errors.Is(err, ErrKey) {
		t.Errorf("retiring none: %v, want ErrKey", err)
	}
	if err := r.Retire("2026-11"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "seal-2026-11.key")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("its file: %v", err)
	}
	if _, err := r.Unseal(header, "g", c); !errors.Is(err, fair.ErrSeal) {
		t.Errorf("its games: %v, want fair.ErrSeal", err)
	}
}
