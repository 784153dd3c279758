package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func listedKeys(t *testing.T, data string) keyList {
	t.Helper()
	var list keyList
	if err := json.Unmarshal([]byte(ok(t, "keys", "list", "--data", data, "--json")), &list); err != nil {
		t.Fatal(err)
	}
	return list
}

func TestKeys(t *testing.T) {
	data := t.TempDir()
	if s := chancery(t, "keys", "list", "--data", data); s.code != exitFailed || !strings.Contains(s.err, "keys new") {
		t.Errorf("no keys yet: %d, %s", s.code, s.err)
	}
	if _, err := os.Stat(filepath.Join(data, "keys")); err == nil {
		t.Error("looking makes keys")
	}
	ok(t, "keys", "new", "--data", data)
	if s := chancery(t, "keys", "new", "--data", data); s.code != exitFailed {
		t.Errorf("a second first set: %d", s.code)
	}
	first := listedKeys(t, data)
	if len(first.Seal) != 1 || len(first.Log) != 1 || !strings.HasPrefix(first.Log[0], defaultOrigin+"+") {
		t.Fatalf("the first set: %+v", first)
	}
	ok(t, "keys", "rotate", "--data", data)
	time.Sleep(time.Second) // log keys are named after the second
	ok(t, "keys", "rotate", "--log", "--data", data)
	second := listedKeys(t, data)
	if len(second.Seal) != 2 || len(second.Log) != 2 || second.Log[1] != first.Log[0] {
		t.Errorf("after a rotation: %+v", second)
	}
	files, err := filepath.Glob(filepath.Join(data, "keys", "*"))
	if err != nil {
		t.Fatal(err)
	}
	said := ok(t, "keys", "list", "--data", data)
	for _, f := range files {
		if secret := strings.TrimSpace(string(read(t, f))); strings.Contains(said, secret) {
			t.Errorf("keys list shows %s", f)
		}
	}
}

// A key is destroyed only when no unfinished game is sealed under it, and not while a
// server may still seal under it.
func TestRetire(t *testing.T) {
	data := filepath.Join(t.TempDir(), "d")
	s := start(t, "serve", "--listen", "127.0.0.1:0", "--data", data)
	url := s.ready(t)
	game := opened(t, t.TempDir(), url, "--variant", "chess").ID
	old := listedKeys(t, data).Seal[0]
	retire := func(kid string) said { return chancery(t, "keys", "retire", kid, "--data", data) }
	if r := retire(old); r.code != exitFailed || !strings.Contains(r.err, "rotate") {
		t.Errorf("the only key: %d, %s", r.code, r.err)
	}
	ok(t, "keys", "rotate", "--data", data)
	newest := listedKeys(t, data).Seal[1]
	if r := retire(old); r.code != exitFailed || !strings.Contains(r.err, "two minutes") {
		t.Errorf("at once: %d, %s", r.code, r.err)
	}
	ago := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(data, "keys", "seal-"+newest+".key"), ago, ago); err != nil {
		t.Fatal(err)
	}
	if r := retire(old); r.code != exitFailed || !strings.Contains(r.err, game) {
		t.Errorf("with an open game: %d, %s", r.code, r.err)
	}
	if r := retire("2000-01"); r.code != exitFailed {
		t.Errorf("none: %d, %s", r.code, r.err)
	}
	s.stop()
	if r := retire(old); r.code != exitFailed || !strings.Contains(r.err, game) {
		t.Errorf("with an open game and no server: %d, %s", r.code, r.err)
	}

	if r := chancery(t, "keys", "retire", old, "--data", data, "--compromised"); r.code != exitOK || !strings.Contains(r.err, game) {
		t.Fatalf("a compromised key: %d, %s%s", r.code, r.out, r.err)
	}
	if said := ok(t, "verify", game, "--data", data, "--json"); !strings.Contains(said, `"reason":"key_compromise"`) || strings.Contains(said, "refused") {
		t.Errorf("its game is now %s", said)
	}
	if got := listedKeys(t, data).Seal; len(got) != 1 || got[0] != newest {
		t.Errorf("after retiring a compromised key there are %v", got)
	}

	other := filepath.Join(t.TempDir(), "d")
	ok(t, "simulate", "--variant", "nocastle", "--games", "1", "--data", other)
	kid := listedKeys(t, other).Seal[0]
	ok(t, "keys", "rotate", "--data", other)
	if err := os.Chtimes(filepath.Join(other, "keys", "seal-"+listedKeys(t, other).Seal[1]+".key"), ago, ago); err != nil {
		t.Fatal(err)
	}
	ok(t, "keys", "retire", kid, "--data", other)
	if got := listedKeys(t, other).Seal; len(got) != 1 || got[0] == kid {
		t.Errorf("after retiring %s there are %v", kid, got)
	}
}
