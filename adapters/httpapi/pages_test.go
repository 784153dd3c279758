package httpapi

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
)

// get asks a server with these built files, or without any.
func get(built fstest.MapFS, path string, header ...string) *httptest.ResponseRecorder {
	config := Config{Logger: slog.New(slog.DiscardHandler)}
	if built != nil {
		config.Web = built
	}
	r := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	New(config).ServeHTTP(w, r)
	return w
}

func TestPages(t *testing.T) {
	built := fstest.MapFS{
		"verify/index.html": {Data: []byte("<!doctype html>page")},
		"verify/page.mjs":   {Data: []byte("code()")},

		"fairness/index.html": {Data: []byte("<!doctype html>audit")},
		"verify.mjs":          {Data: []byte("command()")},
		"secret.txt":          {Data: []byte("not served")},
	}
	tests := []struct {
		path, kind, body string
		status           int
	}{
		{"/verify/", "text/html", "page", 200},
		{"/verify/?game=x", "text/html", "page", 200},
		{"/verify/page.mjs", "text/javascript", "code()", 200},
		{"/verify.mjs", "text/javascript", "command()", 200},
		{"/verify/none.mjs", "application/problem+json", "no page", 404},
		{"/verify/../secret.txt", "application/problem+json", "", 404},
		{"/verify/%2e%2e/secret.txt", "application/problem+json", "", 404},
		{"/secret.txt", "application/problem+json", "", 404},
		{"/", "text/html", `href="/verify/"`, 200},
		{"/fairness/", "text/html", "audit", 200},
	}
	for _, tt := range tests {
		w := get(built, tt.path)
		if w.Code != tt.status || !strings.HasPrefix(w.Header().Get("Content-Type"), tt.kind) || !strings.Contains(w.Body.String(), tt.body) {
			t.Errorf("%s: %d %s %s", tt.path, w.Code, w.Header(), w.Body)
		}
	}
	page := get(built, "/verify/")
	if policy := page.Header().Get("Content-Security-Policy"); !strings.Contains(policy, "script-src 'self'") || strings.Contains(policy, "unsafe") {
		t.Errorf("policy %s", policy)
	}
	if again := get(built, "/verify/", "If-None-Match", page.Header().Get("ETag")); again.Code != http.StatusNotModified {
		t.Errorf("asked again: %d", again.Code)
	}
	if moved := get(built, "/verify?game=x"); moved.Code != http.StatusPermanentRedirect || moved.Header().Get("Location") != "/verify/?game=x" {
		t.Errorf("without its slash: %d %s", moved.Code, moved.Header())
	}
}

func TestWithoutPages(t *testing.T) {
	for path, status := range map[string]int{"/": 200, "/verify/": 404, "/verify.mjs": 404} {
		if w := get(nil, path); w.Code != status || !strings.Contains(w.Body.String(), "make web") {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}
