package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"chancery/domain/game"
	"chancery/events"
)

// played makes a ledger with a few games of every variant, and gives its directory and
// its records, one a line.
func played(t *testing.T) (dir string, records []byte) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "data")
	ok(t, "simulate", "--variant", "all", "--games", "8", "--data", dir)
	return dir, exported(t, dir)
}

func exported(t *testing.T, dir string, more ...string) []byte {
	t.Helper()
	return []byte(ok(t, append([]string{"export", "--all", "--data", dir}, more...)...))
}

// gamesOf lists the games of exported records, and how many records each has.
func gamesOf(t *testing.T, records []byte) map[string]int {
	t.Helper()
	count := map[string]int{}
	for line := range bytes.Lines(records) {
		r, err := events.DecodeRecord(bytes.TrimSuffix(line, []byte("\n")))
		if err != nil {
			t.Fatal(err)
		}
		count[r.Game]++
	}
	return count
}

func TestABackupComesBackAsItWas(t *testing.T) {
	t.Parallel()
	dir, records := played(t)
	file, other := filepath.Join(t.TempDir(), "ledger.backup"), filepath.Join(t.TempDir(), "data")
	ok(t, "backup", "--data", dir, "--out", file)
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the backup has mode %v, %v", info.Mode(), err)
	}
	ok(t, "restore", "--in", file, "--data", other)
	if !bytes.Equal(records, exported(t, other)) {
		t.Error("the restored ledger exports other records")
	}
	again := filepath.Join(t.TempDir(), "again.backup")
	ok(t, "backup", "--data", other, "--out", again)
	if !bytes.Equal(read(t, file), read(t, again)) {
		t.Error("the restored ledger has another backup: positions or sealed seeds differ")
	}
	if s := chancery(t, "restore", "--in", file, "--data", other); s.code != exitFailed || !strings.Contains(s.err, "empty") {
		t.Errorf("restored over a ledger: exit %d, %s", s.code, s.err)
	}
}

func TestADamagedBackupLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	dir, _ := played(t)
	file, other := filepath.Join(t.TempDir(), "ledger.backup"), filepath.Join(t.TempDir(), "data")
	ok(t, "backup", "--data", dir, "--out", file)
	whole := read(t, file)
	if err := os.WriteFile(file, whole[:len(whole)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if s := chancery(t, "restore", "--in", file, "--data", other); s.code != exitFailed || !strings.Contains(s.err, "damaged") {
		t.Errorf("exit %d, %s", s.code, s.err)
	}
	if _, err := os.Stat(other); err == nil {
		t.Error("a data directory was begun")
	}
}

func TestReplayOfAFileIsThatOfTheLedger(t *testing.T) {
	t.Parallel()
	dir, records := played(t)
	file := filepath.Join(t.TempDir(), "records.ndjson")
	if err := os.WriteFile(file, records, 0o600); err != nil {
		t.Fatal(err)
	}
	for id, n := range gamesOf(t, records) {
		for _, at := range []int{0, 1, n / 2, n - 1} {
			for _, as := range []string{"white", "seat2", "spectator"} {
				args := []string{"--at", strconv.Itoa(at), "--as", as, "--format", "json"}
				ledger := ok(t, append([]string{"replay", id, "--data", dir}, args...)...)
				shown := ok(t, append([]string{"show", id, "--data", dir}, args...)...)
				fromFile := ok(t, append([]string{"replay", file, "--game", id}, args...)...)
				if ledger != fromFile || ledger != shown {
					t.Fatalf("game %s, record %d, %s:\nledger %sshow   %sfile   %s", id, at, as, ledger, shown, fromFile)
				}
				var v game.View
				if err := json.Unmarshal([]byte(ledger), &v); err != nil || v.N != at {
					t.Fatalf("record %d: %v in %s", at, err, ledger)
				}
			}
		}
		ok(t, "replay", id, "--data", dir)
	}
	if s := chancery(t, "replay", file); s.code != exitUsage || !strings.Contains(s.err, "--game") {
		t.Errorf("several games: exit %d, %s", s.code, s.err)
	}
}

// A changed byte in a file of records is noticed, wherever it is.
func TestReplayBelievesNoChangedFile(t *testing.T) {
	t.Parallel()
	dir, records := played(t)
	_ = dir
	var id string
	for id = range gamesOf(t, records) {
		break
	}
	file := filepath.Join(t.TempDir(), "game.ndjson")
	whole := []byte(ok(t, "export", id, "--data", dir))
	for i := 0; i < len(whole)-1; i += len(whole)/40 + 1 {
		changed := bytes.Clone(whole)
		changed[i] ^= 1
		if err := os.WriteFile(file, changed, 0o600); err != nil {
			t.Fatal(err)
		}
		if s := chancery(t, "replay", file); s.code == exitOK && i < lastLine(whole) {
			t.Errorf("byte %d changed from %q to %q: replayed all the same", i, whole[i], changed[i])
		}
	}
}

// lastLine is where the last record begins: of that one only the head's hash, which the
// file does not hold, could show a change that decodes.
func lastLine(b []byte) int { return bytes.LastIndexByte(b[:len(b)-1], '\n') + 1 }

func TestExportsGoOnWhereTheyEnded(t *testing.T) {
	t.Parallel()
	dir, records := played(t)
	file := filepath.Join(t.TempDir(), "out.ndjson")
	var sum exportSummary
	if err := json.Unmarshal([]byte(ok(t, "export", "--all", "--data", dir, "--out", file, "--json")), &sum); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(read(t, file), records) || sum.Written != bytes.Count(records, []byte("\n")) {
		t.Errorf("the file differs from standard output, or %d is not its number of records", sum.Written)
	}
	for _, since := range []int{0, 1, 17, int(sum.Position) - 1, int(sum.Position)} {
		lines := bytes.SplitAfter(records, []byte("\n"))
		want := bytes.Join(lines[min(since, len(lines)-1):], nil)
		if got := exported(t, dir, "--since", strconv.Itoa(since)); !bytes.Equal(got, want) {
			t.Errorf("since %d: %d bytes, want %d", since, len(got), len(want))
		}
	}
}

func TestExportOfGamesAsPGN(t *testing.T) {
	t.Parallel()
	dir, records := played(t)
	all := string(exported(t, dir, "--format", "pgn"))
	games := gamesOf(t, records)
	if n := strings.Count(all, "[Event "); n != len(games) {
		t.Errorf("%d games of %d", n, len(games))
	}
	for id := range games {
		if one := ok(t, "export", id, "--data", dir, "--format", "pgn"); !strings.Contains(all, one) {
			t.Errorf("game %s is not part of all:\n%s", id, one)
		}
	}
}

func TestDoctor(t *testing.T) {
	t.Parallel()
	dir, _ := played(t)
	healthy := ok(t, "doctor", "--data", dir, "--all")
	if strings.Contains(healthy, "fail") || !strings.Contains(healthy, "8 games: each record follows") {
		t.Errorf("got %s", healthy)
	}
	key := filepath.Join(dir, "keys", "token.key")
	if err := os.Chmod(key, 0o644); err != nil {
		t.Fatal(err)
	}
	if s := chancery(t, "doctor", "--data", dir); s.code != exitFailed || !strings.Contains(s.out, "fail  keys") {
		t.Errorf("keys that all may read: exit %d\n%s", s.code, s.out)
	}
	if err := os.RemoveAll(filepath.Join(dir, "keys")); err != nil {
		t.Fatal(err)
	}
	if s := chancery(t, "doctor", "--data", dir, "--json"); s.code != exitFailed || !strings.Contains(s.out, `"health":"unwell"`) {
		t.Errorf("no keys: exit %d\n%s", s.code, s.out)
	}
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
