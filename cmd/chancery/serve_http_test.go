package main

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chancery/adapters/tlog"
)

// What the server adds to the API stands in the description too, as it is answered.
func TestTheLedgerIsDescribed(t *testing.T) {
	s := start(t, serveArgs(filepath.Join(t.TempDir(), "d"))...)
	url := s.ready(t)
	var doc struct {
		Paths      map[string]any
		Components struct {
			Schemas map[string]struct{ Properties map[string]any }
		}
	}
	decode(t, url+"/api/openapi.json", &doc)
	for _, route := range append(tlog.Paths(), "/api/audit") {
		folder, all := strings.CutSuffix(route, "*")
		if !slices.ContainsFunc(slices.Collect(maps.Keys(doc.Paths)), func(p string) bool { return p == route || all && strings.HasPrefix(p, folder) }) {
			t.Errorf("%s is not described", route)
		}
	}
	for path, schema := range map[string]string{"/ledger/keys": "LedgerKeys", "/api/ledger/consistency?from=0": "LedgerConsistency", "/api/audit": "AuditReport"} {
		var answer map[string]any
		decode(t, url+path, &answer)
		for name := range answer {
			if _, described := doc.Components.Schemas[schema].Properties[name]; !described {
				t.Errorf("%s answers %q, which is not described", path, name)
			}
		}
		if len(answer) == 0 {
			t.Errorf("%s answers nothing", path)
		}
	}
}

// The public ledger refuses as the rest of the API does.
func TestOneWayToRefuse(t *testing.T) {
	url := start(t, serveArgs(filepath.Join(t.TempDir(), "d"))...).ready(t)
	titles := map[string]bool{}
	for _, path := range []string{"/nothing", "/api/games/nothing", "/ledger/nothing", "/ledger/tile/0/999", "/api/games/nothing/proof"} {
		var p struct {
			Type, Title, Detail string
			Status              int
		}
		decode(t, url+path, &p)
		if p.Type != "/problems/not_found" || p.Status != 404 || p.Detail == "" {
			t.Errorf("%s: %+v", path, p)
		}
		titles[p.Title] = true
	}
	if len(titles) != 1 {
		t.Errorf("one problem has the titles %v", titles)
	}
}

func decode(t *testing.T, url string, into any) {
	t.Helper()
	if code, body := fetch(t, url); json.Unmarshal([]byte(body), into) != nil {
		t.Fatalf("%s: %d %.300s", url, code, body)
	}
}
