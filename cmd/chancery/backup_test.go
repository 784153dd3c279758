package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// signedUp serves a ledger, with more flags that name a witness, until that has signed all
// of it, and says how many records those are.
func signedUp(t *testing.T, data string, more ...string) (size int) {
	t.Helper()
	records := ok(t, "export", "--all", "--data", data, "--lazy")
	size = strings.Count(records, "\n")
	if !strings.Contains(records, `"game":"_software"`) {
		size += releases()
	}
	s := start(t, serveArgs(data, more...)...)
	awaited(t, s.ready(t)+"/ledger/checkpoint/witnessed", fmt.Sprintf("\n%d\n", size), "— w.example ")
	s.stop()
	return size
}

// restoredFrom is a new data directory with the records of a backup and the keys of the
// old one.
func restoredFrom(t *testing.T, backup, old string) string {
	t.Helper()
	data := filepath.Join(t.TempDir(), "restored")
	ok(t, "restore", "--in", backup, "--data", data, "--lazy")
	if err := os.CopyFS(filepath.Join(data, "keys"), os.DirFS(filepath.Join(old, "keys"))); err != nil {
		t.Fatal(err)
	}
	if err := restrict(filepath.Join(data, "keys")); err != nil {
		t.Fatal(err)
	}
	return data
}

// A ledger that is restored goes on under its name from what it had signed. One that is
// restored from an old backup signs nothing where anything is left that knows better: what
// stands beside the ledger, or a witness.
func TestARestoredLedgerKnowsWhatItSigned(t *testing.T) {
	const origin = "chess.example/ledger"
	data, _ := ledgerOf(t, 1)
	var list keyList
	if err := json.Unmarshal([]byte(ok(t, "keys", "list", "--data", data, "--origin", origin, "--json")), &list); err != nil || len(list.Log) != 1 {
		t.Fatal(list, err)
	}
	w := start(t, "witness", "--listen", "127.0.0.1:0", "--state", filepath.Join(t.TempDir(), "w.json"), "--name", "w.example", "--log-key", list.Log[0])
	witness := []string{"--witness", w.ready(t) + "+" + regexp.MustCompile(`w\.example\+\S+`).FindString(w.out.String())}

	signedUp(t, data, append(witness, "--origin", origin)...)
	old := filepath.Join(t.TempDir(), "old.backup")
	ok(t, "backup", "--out", old, "--data", data, "--lazy")
	ok(t, "simulate", "--variant", "chess", "--games", "1", "--seed", "9", "--lazy", "--data", data)
	size := signedUp(t, data, append(witness, "--origin", origin)...)
	newest := filepath.Join(t.TempDir(), "newest.backup")
	ok(t, "backup", "--out", newest, "--data", data, "--lazy")
	note := read(t, filepath.Join(data, "notes", "ledger.json"))

	// The newest backup goes on, without being told its name.
	back := restoredFrom(t, newest, data)
	s := start(t, serveArgs(back)...)
	if text := awaited(t, s.ready(t)+"/ledger/checkpoint", fmt.Sprintf("%s\n%d\n", origin, size)); !bytes.Contains(note, []byte(strings.Split(text, "\n")[2])) {
		t.Errorf("another root is shown than was signed:\n%s%s", text, note)
	}
	s.stop()

	// What stands beside the ledger knows that the old one lacks records.
	beside := filepath.Join(t.TempDir(), "beside")
	if err := os.MkdirAll(filepath.Join(beside, "notes"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(beside, "notes", "ledger.json"), note, 0o600); err != nil {
		t.Fatal(err)
	}
	if r := chancery(t, "restore", "--in", old, "--data", beside, "--lazy"); r.code != exitFailed || !strings.Contains(r.err, "newer backup") {
		t.Errorf("an old backup beside a newer note: %d, %s", r.code, r.err)
	}
	ok(t, "restore", "--in", newest, "--data", beside, "--lazy")

	// A witness knows it too.
	back = restoredFrom(t, old, data)
	signed := read(t, filepath.Join(back, "notes", "ledger.json"))
	ok(t, "simulate", "--variant", "chess", "--games", "1", "--seed", "10", "--lazy", "--data", back)
	s = start(t, serveArgs(back, witness...)...)
	s.ready(t)
	for range 3000 {
		if strings.Contains(s.err.String(), "ALARM") {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	s.stop()
	if !strings.Contains(s.err.String(), "ALARM") || !bytes.Equal(read(t, filepath.Join(back, "notes", "ledger.json")), signed) {
		t.Errorf("a second history was signed: %s", s.err.String())
	}
}
