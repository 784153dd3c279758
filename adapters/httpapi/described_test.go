package httpapi

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"chancery/events"
)

type counted = Stats

type figures struct{ counted }

// Everything that may be there, so that all of it is registered. Nothing of it is asked.
func allParts() Config {
	c := Config{
		Past: struct{ Past }{}, Ratings: struct{ Ratings }{}, Players: struct{ Players }{}, Stats: figures{}, Ledger: struct{ events.Log }{},
		Logger: slog.New(slog.DiscardHandler), More: map[string]http.Handler{},
	}
	for _, d := range descriptions {
		if !d.always {
			c.More[d.route] = http.NotFoundHandler()
		}
	}
	return c
}

// document is the description that the API gives of itself: answers by path and method.
func document(t *testing.T, a *API) map[string]map[string]struct{ Responses map[string]json.RawMessage } {
	t.Helper()
	w := httptest.NewRecorder()
	a.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/api/openapi.json", nil))
	var doc struct {
		Paths map[string]map[string]struct{ Responses map[string]json.RawMessage }
	}
	if err := json.Unmarshal(w.Body.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	return doc.Paths
}

// forPeople are the addresses that browsers open, and the description itself.
var forPeople = []string{"/", "/verify", "/verify/*", "/verify.mjs", "/fairness", "/fairness/*", "/api/openapi"}

// Every address that is served is described, with what it answers.
func TestEveryRouteIsDescribed(t *testing.T) {
	a := New(allParts())
	doc := document(t, a)
	err := chi.Walk(a.handler.(chi.Routes), func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		if slices.Contains(forPeople, route) || strings.HasPrefix(route, "/api/openapi") {
			return nil
		}
		found := false
		for path, calls := range doc {
			folder, all := strings.CutSuffix(route, "*")
			_, answers := calls[strings.ToLower(method)]
			found = found || answers && (path == route || all && strings.HasPrefix(path, folder))
		}
		if !found {
			t.Errorf("%s %s is served and not described", method, route)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for path, calls := range doc {
		for method, call := range calls {
			if len(call.Responses) < 2 {
				t.Errorf("%s %s: what it answers is not described", method, path)
			}
		}
	}
}

// What a server does not have it does not describe.
func TestNothingElseIsDescribed(t *testing.T) {
	doc := document(t, New(Config{Logger: slog.New(slog.DiscardHandler)}))
	for _, path := range []string{"/ledger/checkpoint", "/api/audit", "/api/stats", "/api/players"} {
		if _, there := doc[path]; there {
			t.Errorf("%s is described and not served", path)
		}
	}
	if _, there := doc["/readyz"]; !there {
		t.Error("readyz is served and not described")
	}
}
