package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chancery/domain/game"
	"chancery/events/verify"
)

// everyVariant is a throwaway ledger with a game of every variant, and an export of it.
func everyVariant(t *testing.T) (data, file string) {
	t.Helper()
	data = t.TempDir()
	ok(t, "simulate", "--variant", "all", "--games", fmt.Sprint(len(game.Variants())), "--seed", "3", "--lazy", "--data", data, "--parallel", "1")
	file = filepath.Join(t.TempDir(), "all.ndjson")
	ok(t, "export", "--all", "--data", data, "--lazy", "--out", file)
	return data, file
}

func TestVerify(t *testing.T) {
	data, file := everyVariant(t)
	if out := ok(t, "verify", file); !strings.HasSuffix(out, fmt.Sprintf("\n%d games, 0 refused\n", len(game.Variants()))) {
		t.Errorf("verify of the file: %s", out)
	}
	if got := tally([]gameRecords{{id: "_keys"}, {id: "g"}, {id: "_software"}}); got != "1 game and the ledger's own records" {
		t.Errorf("a file with the ledger's own records has %s", got)
	}
	lines := strings.Split(strings.TrimSpace(ok(t, "verify", file, "--json")), "\n")
	if len(lines) != len(game.Variants()) {
		t.Fatalf("%d reports", len(lines))
	}
	for _, line := range lines {
		var r verify.Report
		if err := json.Unmarshal([]byte(line), &r); err != nil || r.At(verify.Legal).Verdict != verify.Holds || r.Trust == "" {
			t.Errorf("%s: %v", line, err)
		}
	}
	const id = "simulated-3-1"
	want := ok(t, "verify", file, "--game", id)
	if got := ok(t, "verify", id, "--data", data, "--lazy"); got != want || !strings.Contains(got, "legal       holds") {
		t.Errorf("verify of the ledger says\n%s, of the file\n%s", got, want)
	}
	export := ok(t, "export", id, "--data", data, "--lazy")
	if s := chanceryFed(t, t.TempDir(), export, "verify", "-"); s.code != exitOK || s.out != want {
		t.Errorf("verify of standard input: %d %s%s", s.code, s.out, s.err)
	}
	unfinished := strings.Join(strings.SplitAfter(export, "\n")[:4], "")
	if s := chanceryFed(t, t.TempDir(), unfinished, "verify", "-"); s.code != exitOK || !strings.Contains(s.out, "not yet: ") {
		t.Errorf("verify of an unfinished game: %d %s%s", s.code, s.out, s.err)
	}
}

// TestVerifyRefuses changes bytes of a file with games of all variants: those around
// every line's end, and some of each line. Whatever is changed is refused.
func TestVerifyRefuses(t *testing.T) {
	data, _ := everyVariant(t)
	whole := []byte(ok(t, "export", "simulated-3-0", "simulated-3-4", "--data", data, "--lazy"))
	refused := func(what string, b []byte) {
		t.Helper()
		if s := chanceryFed(t, t.TempDir(), string(b), "verify", "-"); s.code != exitFailed || !strings.Contains(s.out, "REFUSED at record ") {
			t.Errorf("%s: exit %d, %s%s", what, s.code, s.out, s.err)
		}
	}
	ends := 0
	for i, c := range whole {
		if c != '\n' {
			continue
		}
		ends++
		for _, to := range []byte{' ', '\r', 'x', '0', 0} {
			b := bytes.Clone(whole)
			b[i] = to
			refused(fmt.Sprintf("end of line at %d by %q", i, to), b)
		}
		if ends == 12 {
			break
		}
	}
	b := bytes.Clone(whole)
	b[len(b)-1] = '\r'
	refused("last end of line", b)
	lines := bytes.SplitAfter(whole, []byte{'\n'})
	refused("an empty line", bytes.Join([][]byte{lines[0], lines[1], bytes.Join(lines[2:], nil)}, []byte{'\n'}))
	refused("a line missing", bytes.Join(append([][]byte{lines[0]}, lines[2:]...), nil))
	refused("a line twice", bytes.Join(append([][]byte{lines[0], lines[0]}, lines[1:]...), nil))
	refused("two lines the other way round", bytes.Join(append([][]byte{lines[1], lines[0]}, lines[2:]...), nil))
}

func TestVerifyOfNothing(t *testing.T) {
	data, file := everyVariant(t)
	empty := filepath.Join(t.TempDir(), "empty.ndjson")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"verify", empty}, {"verify", "nowhere", "--data", data, "--lazy"}, {"verify", file, "--game", "nowhere"}, {"verify", t.TempDir()},
	} {
		if s := chancery(t, args...); s.code != exitFailed || s.err == "" {
			t.Errorf("chancery %s: exit %d, %s%s", strings.Join(args, " "), s.code, s.out, s.err)
		}
	}
}
