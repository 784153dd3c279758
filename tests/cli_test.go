package tests

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// TestReadmeWalkthrough types what the README says: a game with curl, followed by a
// watcher, replayed, killed, and gone on with. Only the address is another one, and the
// watcher leaves after a moment.
func TestReadmeWalkthrough(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, found := strings.Cut(string(text), "## A game with curl")
	walk, _, ended := strings.Cut(after, "## A game in the terminal")
	if !found || !ended {
		t.Fatal("the README has no game with curl")
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(buildBinary(t), filepath.Join(dir, "bin", "chancery")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { killHolder(t, filepath.Join(dir, "data", "lock")) })
	addr := freeAddress(t)
	script := "set -euo pipefail\nbin/chancery serve &\nsleep 2\n" + shellOf(walk)
	for from, to := range map[string]string{
		"localhost:8080":       addr,
		"bin/chancery serve &": "bin/chancery serve --listen " + addr + " >>server.log 2>&1 &\nuntil curl -sf " + addr + "/readyz >ready; do sleep 0.1; done",
		"curl -N":              "timeout 2 curl -sN",
		"/stream\n":            "/stream || true\n",
	} {
		script = strings.ReplaceAll(script, from, to)
	}
	cmd := exec.Command("bash", "-c", script)
	cmd.Dir = dir
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out.String(), problems.String())
	}
	for what, times := range map[string]int{
		`"type":"ArrayDrawn"`: 1, `^id: 3$`: 1, `Last move e7e5\.`: 2, `^{"n":4,.*"uci":"d2d4"`: 1, `problems/`: 0,
	} {
		if n := len(regexp.MustCompile("(?m)"+what).FindAllString(out.String(), -1)); n != times {
			t.Errorf("%s stands %d times in the output, not %d:\n%s", what, n, times, out.String())
		}
	}
}

// shellOf is all shell that stands in fences.
func shellOf(markdown string) string {
	var b strings.Builder
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(markdown, -1) {
		b.WriteString(block[1])
	}
	return b.String()
}

// killHolder ends the process that holds a data directory, which the script started.
func killHolder(t *testing.T, lock string) {
	b, err := os.ReadFile(lock)
	if err != nil {
		t.Error(err)
		return
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil {
		t.Error(err)
		return
	}
	if cwd, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid)); err != nil || cwd != filepath.Dir(filepath.Dir(lock)) {
		return // it has ended, and the number may be another's
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Error(err)
	}
}
