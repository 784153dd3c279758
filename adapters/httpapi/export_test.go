package httpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"chancery/adapters/memory"
	"chancery/events"
	"chancery/projections/ledgertest"
)

// exportServer serves nothing but the ledger.
func exportServer(t *testing.T, log events.Log) string {
	t.Helper()
	server := httptest.NewServer(New(Config{Ledger: log, Logger: slog.New(slog.DiscardHandler)}))
	t.Cleanup(server.Close)
	return server.URL
}

func getPage(t *testing.T, url string) (status int, body, next, position string) {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	next, _, _ = strings.Cut(strings.TrimPrefix(r.Header.Get("Link"), "<"), ">")
	return r.StatusCode, string(b), next, r.Header.Get("Chancery-Position")
}

// everything goes from page to page until one is empty.
func everything(t *testing.T, url, path string) (body, next string) {
	t.Helper()
	for {
		status, page, after, position := getPage(t, url+path)
		if status != http.StatusOK || !strings.Contains(after, "after="+position+"&") {
			t.Fatalf("%s: %d, position %s, next %s", path, status, position, after)
		}
		if page == "" {
			return body, path
		}
		body, path = body+page, after
	}
}

// Pages put together are the ledger, whatever their size, and who comes back later goes on
// where he was.
func TestExportByPages(t *testing.T) {
	log := memory.New()
	url := exportServer(t, log)
	play := func(from, to int) {
		if err := ledgertest.Play(t.Context(), log, ledgertest.Games{From: from, To: to}); err != nil {
			t.Fatal(err)
		}
	}
	play(0, 6)
	early, next := everything(t, url, "/api/records?limit=17")
	play(6, 9)
	late, _ := everything(t, url, next)
	var want strings.Builder
	last, _ := log.Last(t.Context())
	for s, err := range log.Follow(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&want, "%s\n", s.Payload)
		if s.Position == last {
			break
		}
	}
	if early+late != want.String() {
		t.Error("the pages are not the ledger")
	}
	small, _ := everything(t, url, "/api/events?limit=7")
	large, _ := everything(t, url, "/api/events")
	if small != large || strings.Contains(large, `"fair"`) {
		t.Error("the events depend on the size of the pages, or show proofs")
	}
	for line := range strings.Lines(large) {
		var e struct{ ID, Type string }
		if err := json.Unmarshal([]byte(line), &e); err != nil || e.ID == "" || !strings.HasPrefix(e.Type, "chancery.") {
			t.Fatalf("%s: %v", line, err)
		}
	}
}

func TestExportRefuses(t *testing.T) {
	url := exportServer(t, memory.New())
	for _, query := range []string{"after=-1", "after=x", "limit=0", "limit=1001", "limit=x", "after=99999999999999999999", "after=7"} {
		if status, body, _, _ := getPage(t, url+"/api/events?"+query); status != http.StatusBadRequest || !strings.Contains(body, "/problems/bad_command") {
			t.Errorf("%s: %d %s", query, status, body)
		}
	}
	if status, body, next, _ := getPage(t, url+"/api/records?after=0"); status != http.StatusOK || body != "" || !strings.Contains(next, "after=0&") {
		t.Errorf("at the end: %d %q, next %s", status, body, next)
	}
}

// readCounter counts how often a game is read by itself.
type readCounter struct {
	*memory.Log
	reads atomic.Int64
}

func (c *readCounter) Read(ctx context.Context, game string, after events.Revision) iter.Seq2[events.Stored, error] {
	c.reads.Add(1)
	return c.Log.Read(ctx, game, after)
}

// Who goes from page to page has no game looked up on each of them, also when many do.
func TestPagesRememberGames(t *testing.T) {
	log := &readCounter{Log: memory.New()}
	if err := ledgertest.Play(t.Context(), log, ledgertest.Games{To: 16}); err != nil {
		t.Fatal(err)
	}
	last, _ := log.Last(t.Context())
	url := exportServer(t, log)
	path := fmt.Sprintf("/api/events?after=%d&limit=5", last/2)
	log.reads.Store(0)
	want, _ := everything(t, url, path)
	first := log.reads.Load()
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			if got, _ := everything(t, url, path); got != want {
				t.Error("the pages differ")
			}
		})
	}
	readers.Wait()
	if again := log.reads.Load() - first; first == 0 || first > 16 || again != 0 {
		t.Errorf("%d games were looked up, then %d", first, again)
	}
}
