package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"chancery/tests/postgres"
)

var checksum = regexp.MustCompile(`(\w+) is computed anew and in use: position (\d+), checksum ([0-9a-f]{64})`)

// Every read model comes out the same each time, and the same on both databases.
func TestRebuildTwice(t *testing.T) {
	t.Parallel()
	dir, _ := played(t)
	first := ok(t, "rebuild", "all", "--data", dir)
	if n := len(checksum.FindAllString(first, -1)); n != len(readModels(nil)) {
		t.Errorf("%d read models are rebuilt: %s", n, first)
	}
	if again := ok(t, "rebuild", "all", "--data", dir); again != first {
		t.Errorf("again:\n%swas:\n%s", again, first)
	}
	if other := ok(t, "rebuild", "all", "--data", dir, "--database-url", postgres.URL(t)); other != first {
		t.Errorf("on PostgreSQL:\n%son SQLite:\n%s", other, first)
	}
	if s := chancery(t, "rebuild", "nothing", "--data", dir); s.code != exitUsage || !strings.Contains(s.err, "history") {
		t.Errorf("rebuild of what is not: %d %s", s.code, s.err)
	}
	if out := chancery(t, "doctor", "--data", dir).out; !strings.Contains(out, "history") || strings.Contains(out, "fail  history") {
		t.Errorf("doctor says: %s", out)
	}
}

// While a server has the files it does the work itself, and its doctor sees them.
func TestRebuildWhileAServerRuns(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	ok(t, "simulate", "--games", "8", "--data", dir)
	s := start(t, "serve", "--data", dir, "--listen", "127.0.0.1:0")
	s.ready(t)
	if out := ok(t, "rebuild", "history", "--data", dir); !strings.Contains(out, "history is computed anew") {
		t.Errorf("rebuild: %s", out)
	}
	if out := chancery(t, "doctor", "--data", dir).out; !regexp.MustCompile(`history +\w+ at position \d+`).MatchString(out) {
		t.Errorf("doctor: %s", out)
	}
	s.stop()
	if strings.Contains(s.err.String(), `"ERROR"`) {
		t.Errorf("the server complains: %s", s.err.String())
	}
}
