package tests

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"chancery/adapters/httpapi"
	"chancery/domain/game"
	"chancery/projections/history"
	"chancery/projections/ledgertest"
)

// startWithReadSide starts a server with read models, on a ledger of so many games.
func startWithReadSide(t *testing.T, games int) (*gameServer, *reading) {
	t.Helper()
	var r *reading
	s := startServer(t, func(c *httpapi.Config, _ *http.Server) {
		log := c.Games.(inProcess).Log
		fill(t, log, 0, games)
		r = read(t, log, "", t.TempDir(), inSQL(log))
		c.Past, c.Projections = r.store, r.Statuses
	})
	r.until(t, "all is absorbed", caughtUp)
	return s, r
}

func TestHistoryOverHTTP(t *testing.T) {
	s, r := startWithReadSide(t, 60)
	url := s.http.URL + "/api/history"
	for query, q := range map[string]history.Query{
		"":                                   {},
		"player=p3":                          {Player: "p3"},
		"variant=chess&rated=true":           {Variant: "chess", Rated: new(bool)},
		"result=1/2-1/2":                     {Result: "1/2-1/2"},
		"reason=resignation&voided=true":     {Reason: "resignation", Voided: true},
		"from=2026-09-21T14:30:00Z":          {From: "2026-09-21T14:30:00.000Z"},
		"from=2026-09-21T16:30:00%2B02:00":   {From: "2026-09-21T14:30:00.000Z"},
		"until=2026-09-21":                   {Until: "2026-09-21T00:00:00.000Z"},
		"option.array=":                      {Options: game.Options{"array": `""`}},
		"option.idleTurns=5":                 {Options: game.Options{"idleTurns": "5"}},
		"player=" + strings.Repeat("%27", 3): {Player: "'''"},
		"variant=unochess&player=p1&until=2027-01-01": {Variant: "unochess", Player: "p1", Until: "2027-01-01T00:00:00.000Z"},
	} {
		if q.Rated != nil {
			*q.Rated = true
		}
		want, _, err := r.store.Games(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		var got, ids []string
		for _, g := range want {
			ids = append(ids, g.Game)
		}
		for cursor := ""; ; {
			var page httpapi.History
			ask(t, "GET", url+"?limit=7&cursor="+cursor+"&"+query, "").into(t, &page)
			for _, g := range page.Games {
				got = append(got, g.Game)
			}
			if cursor = page.Next; cursor == "" {
				break
			}
		}
		if !slices.Equal(got, ids) {
			t.Errorf("%s: %v, want %v", query, got, ids)
		}
	}
	for _, bad := range []string{
		"variant=checkers", "rated=maybe", "from=yesterday", "until=2026-13-01", "cursor=x", "cursor=0", "cursor=99999999999999999999",
		"limit=0", "limit=201", "limit=-1", "voided=2", "result=2-0", "option.no_such=5", "varient=chess",
	} {
		if a := ask(t, "GET", url+"?"+bad, ""); a.status != 400 || a.problem(t).Detail == "" {
			t.Errorf("%s: %d %s", bad, a.status, a.body)
		}
	}
}

// PGN of many games is that of each, and of as many as the list has.
func TestPGNOverHTTP(t *testing.T) {
	s, _ := startWithReadSide(t, 60)
	var want strings.Builder
	var page httpapi.History
	ask(t, "GET", s.http.URL+"/api/history?limit=20", "").into(t, &page)
	for _, g := range page.Games {
		a := ask(t, "GET", s.http.URL+"/api/games/"+g.Game+"/pgn", "")
		if a.status != 200 || !strings.Contains(a.body, fmt.Sprintf("[GameId %q]", g.Game)) {
			t.Errorf("game %s: %d %s", g.Game, a.status, a.body)
		}
		want.WriteString(a.body)
	}
	all := ask(t, "GET", s.http.URL+"/api/history/pgn?limit=20", "")
	if all.body != want.String() {
		t.Errorf("many games are not each of them:\n%s", all.body)
	}
	if link := all.header.Get("Link"); !strings.Contains(link, "cursor="+page.Next) || !strings.Contains(link, `rel="next"`) {
		t.Errorf("Link: %s", link)
	}
	if len(page.Games) != 20 {
		t.Errorf("%d games", len(page.Games))
	}
	if a := ask(t, "GET", s.http.URL+"/api/games/nowhere/pgn", ""); a.status != 404 {
		t.Errorf("a game that is not: %d", a.status)
	}
}

// The events of a game, page by page, are those of its records without the proofs, and
// every moment is seen as the ledger has it.
func TestEventsOverHTTP(t *testing.T) {
	s, _ := startWithReadSide(t, 16)
	absorbed, err := s.log.Last(t.Context()) // the hall tidies old games up meanwhile
	if err != nil {
		t.Fatal(err)
	}
	type event struct {
		N, I int
		Type string
		Data json.RawMessage
		Fair json.RawMessage
	}
	for n := range 16 {
		url := s.http.URL + "/api/games/" + ledgertest.ID(n)
		var all struct{ Events []event }
		ask(t, "GET", url+"/events", "").into(t, &all)
		i, last := 0, 0
		for stored, err := range s.log.Read(t.Context(), ledgertest.ID(n), 0) {
			if err != nil {
				t.Fatal(err)
			}
			if stored.Position > absorbed {
				break
			}
			var record struct {
				N      int
				Events []event
			}
			if err := json.Unmarshal(stored.Payload, &record); err != nil {
				t.Fatal(err)
			}
			for k, want := range record.Events {
				if i == len(all.Events) {
					t.Fatalf("game %d has %d events only", n, i)
				}
				got := all.Events[i]
				if got.N != record.N || got.I != k || got.Type != want.Type || string(got.Data) != string(want.Data) || got.Fair != nil {
					t.Errorf("game %d, event %d: %+v, want %+v", n, i, got, want)
				}
				i++
			}
			last = record.N
		}
		if later := all.Events[i:]; len(later) > 0 && later[0].N <= last {
			t.Errorf("game %d has %d events, want %d", n, len(all.Events), i)
		}
		for at := range last + 1 {
			g, err := s.hall.At(t.Context(), ledgertest.ID(n), at)
			if err != nil {
				t.Fatal(err)
			}
			want, err := s.hall.View(g, 0)
			if err != nil {
				t.Fatal(err)
			}
			text, _ := json.Marshal(want)
			if a := ask(t, "GET", fmt.Sprint(url, "?at=", at), ""); strings.TrimSpace(a.body) != string(text) || a.header.Get("ETag") != fmt.Sprintf(`"%d"`, at) {
				t.Errorf("game %d at %d: %s, want %s", n, at, a.body, text)
			}
		}
		var some struct{ Events []event }
		ask(t, "GET", url+"/events?since=1&to=1", "").into(t, &some)
		for _, e := range some.Events {
			if e.N != 1 {
				t.Errorf("since=1&to=1 gives an event of record %d", e.N)
			}
		}
	}
	if a := ask(t, "GET", s.http.URL+"/api/games/nowhere/events", ""); a.status != 404 {
		t.Errorf("a game that is not: %d", a.status)
	}
}

// Without its read models the server plays on, and says what it cannot do.
func TestServerWithoutReadModels(t *testing.T) {
	var r *reading
	s := startServer(t, func(c *httpapi.Config, _ *http.Server) {
		r = read(t, c.Games.(inProcess).Log, "", t.TempDir(), inSQL(c.Games.(inProcess).Log))
		c.Past, c.Projections = r.store, r.Statuses
	})
	r.stop()
	players, n := play(t, s.http.URL, plainChess, "e2e4", "e7e5")
	if a := ask(t, "GET", s.http.URL+"/api/history", ""); a.status != 503 || a.header.Get("Retry-After") == "" {
		t.Errorf("history: %d %s", a.status, a.body)
	}
	if v := view(t, fmt.Sprint(players[0].url, "?at=", n-1)); v.N != n-1 {
		t.Errorf("the view at %d is of %d", n-1, v.N)
	}
	if a := ask(t, "GET", s.http.URL+"/readyz", ""); a.status != 200 || !strings.HasPrefix(a.body, "ready\n") || !strings.Contains(a.body, "projection history: ") {
		t.Errorf("readyz: %d %s", a.status, a.body)
	}
}

// SQLite without C was generated for one version of its C library; another one links,
// and fails when it runs.
func TestSQLiteHasItsLibrary(t *testing.T) {
	want := moduleVersion(readText(t, moduleFile(t, "modernc.org/sqlite")), "modernc.org/libc")
	if got := moduleVersion(readText(t, "../go.mod"), "modernc.org/libc"); got == "" || got != want {
		t.Errorf("go.mod has modernc.org/libc %s, SQLite was made for %s", got, want)
	}
}

// moduleFile is the go.mod of a module that we require.
func moduleFile(t *testing.T, module string) string {
	t.Helper()
	cache := os.Getenv("GOMODCACHE")
	if cache == "" {
		out, err := exec.Command("go", "env", "GOMODCACHE").Output()
		if err != nil {
			t.Fatal(err)
		}
		cache = strings.TrimSpace(string(out))
	}
	return cache + "/cache/download/" + module + "/@v/" + moduleVersion(readText(t, "../go.mod"), module) + ".mod"
}

func moduleVersion(text, module string) string {
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) >= 2 && f[0] == module {
			return f[1]
		}
	}
	return ""
}
