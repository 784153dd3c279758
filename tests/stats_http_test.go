package tests

import (
	"net/http"
	"testing"

	"chancery/adapters/httpapi"
	"chancery/adapters/sqlstore"
	"chancery/projections/stats"

	"github.com/google/go-cmp/cmp"
)

// The figures over HTTP are those of the read model, and whoever asks badly is told so.
func TestStatsOverHTTP(t *testing.T) {
	var r *reading
	s := startServer(t, func(c *httpapi.Config, _ *http.Server) {
		log := c.Games.(inProcess).Log
		fill(t, log, 0, 40)
		r = read(t, log, "", t.TempDir(), append(inSQL(log), sqlstore.Stats(log)))
		c.Stats = r.store
	})
	r.until(t, "all is absorbed", caughtUp)
	url := s.http.URL + "/api/stats"
	for query, q := range map[string]stats.Query{
		"":                                  {},
		"?variant=yugioh":                   {Variant: "yugioh"},
		"?from=2026-09-22":                  {From: "2026-09-22"},
		"?until=2026-09-21T23:00:00-05:00":  {Until: "2026-09-22"},
		"?from=2026-09-01&until=2026-09-30": {From: "2026-09-01", Until: "2026-09-30"},
	} {
		want, err := r.store.Stats(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		var got stats.Figures
		ask(t, "GET", url+query, "").into(t, &got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", query, diff)
		}
	}
	for _, bad := range []string{"?variant=checkers", "?from=yesterday", "?until=2026-02-30"} {
		if a := ask(t, "GET", url+bad, ""); a.status != 400 || a.problem(t).Detail == "" {
			t.Errorf("%s: %d %s", bad, a.status, a.body)
		}
	}
}
