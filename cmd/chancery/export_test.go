package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Events and tables of a ledger, all of it and what came since.
func TestExportEventsAndTables(t *testing.T) {
	dir := t.TempDir()
	data, tables := filepath.Join(dir, "data"), filepath.Join(dir, "tables")
	ok(t, "simulate", "--games", "8", "--bots", "random", "--lazy", "--data", data)
	whole := ok(t, "export", "--all", "--format", "events", "--data", data, "--lazy")
	rest := ok(t, "export", "--all", "--format", "events", "--data", data, "--lazy", "--since", "100")
	if len(rest) == 0 || len(rest) == len(whole) || !strings.HasSuffix(whole, rest) {
		t.Errorf("%d bytes of %d since position 100", len(rest), len(whole))
	}
	for line := range strings.Lines(whole) {
		var e struct{ SpecVersion, ID, Type string }
		if err := json.Unmarshal([]byte(line), &e); err != nil || e.SpecVersion != "1.0" || e.ID == "" || e.Type == "" {
			t.Fatalf("%s: %v", line, err)
		}
	}
	if s := chancery(t, "export", "--all", "--data", data, "--lazy", "--since", "99999"); s.code != exitFailed || !strings.Contains(s.err, "the ledger ends at position") {
		t.Errorf("since a position that is not there: exit %d, %s", s.code, s.err)
	}
	var sum, again exportSummary
	for _, into := range []*exportSummary{&sum, &again} {
		if err := json.Unmarshal([]byte(ok(t, "export", "--format", "parquet", "--out", tables, "--data", data, "--lazy", "--json")), into); err != nil {
			t.Fatal(err)
		}
	}
	if sum != again || sum.Position == 0 {
		t.Errorf("exported up to %d, and then to %d", sum.Position, again.Position)
	}
	for _, name := range []string{"manifest.json", "dictionary.json", "events", "games", "turns"} {
		if _, err := os.Stat(filepath.Join(tables, name)); err != nil {
			t.Error(err)
		}
	}
	for _, wrong := range [][]string{
		{"export", "--format", "parquet", "--data", data},
		{"export", "--format", "parquet", "--out", tables, "--since", "3", "--data", data},
		{"export", "GAME", "--format", "parquet", "--out", tables, "--data", data},
		{"export", "--format", "csv", "--data", data},
	} {
		if s := chancery(t, wrong...); s.code != exitUsage {
			t.Errorf("%v: exit %d, %s", wrong, s.code, s.err)
		}
	}
}
