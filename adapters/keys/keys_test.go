package keys

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chancery/domain/fair"
	"chancery/domain/game"
)

var november = time.Date(2026, 11, 29, 20, 0, 0, 0, time.UTC)

func open(t *testing.T, dir string) *Ring {
	t.Helper()
	r, err := Open(dir, november, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestKeysSurviveARestart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "keys")
	first := open(t, dir)
	seed := fair.Seed{1, 2, 3}
	c := fair.Commitment("g", seed)
	header, err := first.Seal("g", c, seed)
	if err != nil {
		t.Fatal(err)
	}

	again, err := Open(dir, november.AddDate(0, 3, 0), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := again.Unseal(header, "g", c); err != nil || got != seed {
		t.Errorf("Unseal after a restart: %v", err)
	}
	cause := fair.Cause("g", "key")
	if first.Token("g", game.First, cause) != again.Token("g", game.First, cause) {
		t.Error("a restart changed the tokens")
	}
	if first.GameID("key") != again.GameID("key") {
		t.Error("a restart changed the ids of games")
	}
	if again.Kid() != "2026-11" {
		t.Errorf("newest kid %s, want the one that is there", again.Kid())
	}
}

func TestTokensDiffer(t *testing.T) {
	r := open(t, t.TempDir())
	a, b := fair.Cause("g", "a"), fair.Cause("g", "b")
	seen := map[string]bool{}
	for _, token := range []string{
		r.Token("g", game.First, a), r.Token("g", game.Second, a), r.Token("g", game.First, b),
		r.Token("h", game.First, a), open(t, t.TempDir()).Token("g", game.First, a),
	} {
		if len(token) != 43 || seen[token] {
			t.Errorf("token %s: short, or not the only one", token)
		}
		seen[token] = true
	}
}

func TestGameIDsAreTheClients(t *testing.T) {
	r := open(t, t.TempDir())
	for i := range 1000 {
		id := r.GameID(fmt.Sprint(i))
		if !fair.ValidGameID(id) || len(id) != 22 || id[0] == '_' || id[0] == '-' {
			t.Fatalf("id %q", id)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(dir string) error
		want  error
	}{
		{"a readable key", func(dir string) error { return os.Chmod(filepath.Join(dir, "token.key"), 0o644) }, ErrUnsafe},
		{"a directory that others write to", func(dir string) error { return os.Chmod(dir, 0o770) }, ErrUnsafe},
		{"a lost token key", func(dir string) error { return os.Remove(filepath.Join(dir, "token.key")) }, ErrDamaged},
		{"a lost seal key", func(dir string) error { return os.Remove(filepath.Join(dir, "seal-2026-11.key")) }, ErrDamaged},
		{"half a key", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "token.key"), []byte("abcd\n"), 0o600)
		}, ErrDamaged},
		{"no key", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "token.key"), []byte(strings.Repeat("x", 64)), 0o600)
		}, ErrDamaged},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			open(t, dir)
			if err := tt.spoil(dir); err != nil {
				t.Fatal(err)
			}
			if _, err := Open(dir, november, rand.Reader); !errors.Is(err, tt.want) {
				t.Errorf("Open: %v, want %v", err, tt.want)
			}
		})
	}
}

// A key that another instance has made is found once its file arrives; until then
// the game waits. A key that is older than ours and gone is lost.
func TestUnsealWithoutTheKey(t *testing.T) {
	dir, seed := t.TempDir(), fair.Seed{7}
	r := open(t, dir)
	c := fair.Commitment("g", seed)
	newer := fair.Seal(fair.Master{9}, "2026-12", "g", c, seed, [12]byte{})
	if _, err := r.Unseal(newer, "g", c); !errors.Is(err, ErrMissing) {
		t.Errorf("a newer key: %v, want ErrMissing", err)
	}
	for kid, want := range map[string]error{"2026-10": fair.ErrSeal, "2026-11": nil, "2026-12": ErrMissing} {
		if err := r.Held(kid); !errors.Is(err, want) {
			t.Errorf("the key %s: %v, want %v", kid, err, want)
		}
	}
	older := fair.Seal(fair.Master{9}, "2026-10", "g", c, seed, [12]byte{})
	if _, err := r.Unseal(older, "g", c); !errors.Is(err, fair.ErrSeal) {
		t.Errorf("an older key: %v, want fair.ErrSeal", err)
	}

	file := filepath.Join(dir, "seal-2026-12.key")
	if err := os.WriteFile(file, []byte("09"+strings.Repeat("00", 31)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := r.Unseal(newer, "g", c); err != nil || got != seed {
		t.Errorf("once the key is there: %v", err)
	}
}

type memoryNotes map[string][]byte

func (m memoryNotes) Update(_ context.Context, name string, edit func([]byte) ([]byte, error)) error {
	next, err := edit(m[name])
	if err == nil && next != nil {
		m[name] = next
	}
	return err
}

func TestCheck(t *testing.T) {
	ctx, notes := context.Background(), memoryNotes{}
	dir := t.TempDir()
	ours := open(t, dir)
	for range 2 { // the first writes the canary, the second meets it
		if _, err := ours.Check(ctx, notes); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := open(t, t.TempDir()).Check(ctx, notes); !errors.Is(err, ErrOtherKeys) {
		t.Errorf("keys of its own: %v, want ErrOtherKeys", err)
	}

	december := strings.Repeat("ab", 32) + "\n"
	if err := os.WriteFile(filepath.Join(dir, "seal-2026-12.key"), []byte(december), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, dir).Check(ctx, notes); err != nil {
		t.Fatalf("after a rotation: %v", err)
	}
	if _, err := ours.Check(ctx, notes); !errors.Is(err, ErrOtherKeys) {
		t.Errorf("without the newest key: %v, want ErrOtherKeys", err)
	}

	if err := os.Remove(filepath.Join(dir, "seal-2026-11.key")); err != nil {
		t.Fatal(err)
	}
	retired, err := open(t, dir).Check(ctx, notes)
	if err != nil || len(retired) != 1 || retired[0] != "2026-11" {
		t.Errorf("after an old key was destroyed: retired %v, %v", retired, err)
	}
}

// A newest key that is lost for good does not stop the server for good: its successor
// gets another name.
func TestLostNewestKey(t *testing.T) {
	ctx, notes, dir := t.Context(), memoryNotes{}, t.TempDir()
	r := open(t, dir)
	lost, err := r.RotateSeal(november)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Check(ctx, notes); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "seal-"+lost+".key")); err != nil {
		t.Fatal(err)
	}
	r = open(t, dir)
	if _, err := r.Check(ctx, notes); !errors.Is(err, ErrOtherKeys) {
		t.Fatalf("without the newest key: %v, want ErrOtherKeys", err)
	}
	known, err := Known(ctx, notes)
	if err != nil {
		t.Fatal(err)
	}
	next, err := r.RotateSeal(november, known...)
	if err != nil || next <= lost {
		t.Fatalf("%s follows %s, %v", next, lost, err)
	}
	if retired, err := r.Check(ctx, notes); err != nil || len(retired) != 1 || retired[0] != lost {
		t.Errorf("after a rotation: gone %v, %v", retired, err)
	}
}

// Keys that are exchanged or taken away under a server's feet are not taken over.
func TestReloadKeepsItsKeys(t *testing.T) {
	other := t.TempDir()
	open(t, other)
	for _, name := range []string{"token.key", "seal-2026-11.key", "log-20261129T200000Z.key"} {
		for _, spoil := range []func(path string) error{
			func(path string) error {
				b, err := os.ReadFile(filepath.Join(other, name))
				return errors.Join(err, os.WriteFile(path, b, 0o600))
			},
			os.Remove,
		} {
			dir, seed := t.TempDir(), fair.Seed{5}
			r := open(t, dir)
			token, public := r.Token("g", game.First, fair.Hash{}), r.AllLogKeys("l")[0].Public()
			c := fair.Commitment("g", seed)
			header, err := r.Seal("g", c, seed)
			if err != nil {
				t.Fatal(err)
			}
			if err := spoil(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
			if err := r.Reload(); err == nil {
				t.Errorf("%s: another key is taken over", name)
			}
			if _, err := r.Unseal(header, "g", c); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if r.Token("g", game.First, fair.Hash{}) != token || r.AllLogKeys("l")[0].Public() != public {
				t.Errorf("%s: the keys in use have changed", name)
			}
		}
	}
}

// The keys are read again while they are used.
func TestReloadWhileInUse(t *testing.T) {
	r := open(t, t.TempDir())
	done := make(chan error)
	go func() {
		for range 50 {
			if err := r.Reload(); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	for range 200 {
		r.Token("g", game.First, fair.Hash{})
		r.GameID("key")
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestNothingIsPrinted(t *testing.T) {
	dir := t.TempDir()
	r := open(t, dir)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x"} {
		text := fmt.Sprintf(verb, r)
		for _, name := range []string{"token.key", "seal-2026-11.key"} {
			b, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			raw, err := hex.DecodeString(strings.TrimSpace(string(b)))
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(text, string(b[:16])) || strings.Contains(text, string(raw)) || strings.Contains(text, fmt.Sprintf("%d", raw)) {
				t.Errorf("%s shows %s", verb, name)
			}
		}
	}
}
