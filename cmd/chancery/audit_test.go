package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chancery/projections/audit"
)

// TestAudit audits a ledger and an export of it: both tell the same.
func TestAudit(t *testing.T) {
	data, file := everyVariant(t)
	whole := ok(t, "audit", "--data", data, "--lazy", "--all")
	for _, say := range []string{"Nothing is wrong.", "games/s", "rolls: d10", "shuffles of unochess: inversions", "effects"} {
		if !strings.Contains(whole, say) {
			t.Errorf("audit does not say %q:\n%s", say, whole)
		}
	}
	var ofLedger, ofFile auditOutput
	for out, args := range map[*auditOutput][]string{&ofLedger: {"audit", "--json", "--data", data, "--lazy"}, &ofFile: {"audit", "--json", file}} {
		if err := json.Unmarshal([]byte(ok(t, args...)), out); err != nil || !out.OK() || out.Games.Revealed == 0 || out.PerSecond == 0 {
			t.Errorf("%v: %+v, %v", args, out.Games, err)
		}
	}
	same := slices.EqualFunc(ofLedger.Processes, ofFile.Processes, func(a, b audit.Wealth) bool { return a.N == b.N && a.LogE == b.LogE })
	if !same || ofLedger.Records != ofFile.Records {
		t.Error("the audit of the file counts otherwise than that of the ledger")
	}
}

// TestAuditOfAChangedFile finds what was done to it, names it, and fails.
func TestAuditOfAChangedFile(t *testing.T) {
	_, file := everyVariant(t)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	middle := len(lines) / 2
	for want, changed := range map[string][]string{
		"of the game follows record": slices.Delete(slices.Clone(lines), middle, middle+1),
		"is there twice":             slices.Insert(slices.Clone(lines), middle, lines[middle]),
		"longer than any record":     {strings.Repeat("x", 200_000)},
		"REFUSED: game":              slices.Replace(slices.Clone(lines), middle, middle+1, strings.Replace(lines[middle], `"at":"20`, `"at":"19`, 1)),
	} {
		name := filepath.Join(t.TempDir(), "changed.ndjson")
		if err := os.WriteFile(name, []byte(strings.Join(changed, "")), 0o600); err != nil {
			t.Fatal(err)
		}
		if s := chancery(t, "audit", name); s.code != exitFailed || !strings.Contains(s.out+s.err, want) {
			t.Errorf("exit %d, want a sentence with %q:\n%s%s", s.code, want, s.out, s.err)
		}
	}
}
