package tests

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"chancery/adapters/tlog"
	"chancery/domain/game"
)

// The ledger's own games have records, which anybody may read, follow and look at event
// by event, but no players, no position and no moves.
func TestTheLedgersOwnGames(t *testing.T) {
	s := startServer(t, nil)
	program := game.SoftwareReleased{Name: "verify.mjs", SHA256: strings.Repeat("a", 64)}
	if err := tlog.Release(t.Context(), s.log, time.Now(), []game.SoftwareReleased{program}); err != nil {
		t.Fatal(err)
	}
	own := s.http.URL + "/api/games/" + tlog.SoftwareGame
	if a := ask(t, "GET", own+"/records", ""); a.status != 200 || !strings.Contains(a.body, program.SHA256) {
		t.Errorf("records: %d %s", a.status, a.body)
	}
	l, status, err := listen(t.Context(), http.DefaultClient, own, false, -1)
	if err != nil || l == nil {
		t.Fatalf("stream: %d, %v", status, err)
	}
	defer l.close()
	if m, err := l.next(); err != nil || m.n != 0 || !strings.Contains(m.data, program.SHA256) {
		t.Errorf("stream: %+v, %v", m, err)
	}
	const key = "a-key-for-a-game-that-nobody-plays"
	for _, call := range []struct{ method, path, body string }{
		{"GET", "", ""},
		{"GET", "?at=0", ""},
		{"GET", "?as=0", ""},
		{"GET", "/pgn", ""},
		{"GET", "/mine", ""},
		{"POST", "/join", "{}"},
		{"POST", "/actions", `{"do":{"move":"e2e4"},"expect":0}`},
	} {
		a := ask(t, call.method, own+call.path, call.body, "Idempotency-Key", key, "Authorization", "Bearer of-no-seat")
		if p := a.problem(t); a.status != 404 || p.Type != "/problems/not_found" || !strings.Contains(p.Detail, "/api/games/_software/records") {
			t.Errorf("%s %s: %d %s", call.method, call.path, a.status, a.body)
		}
	}
	if a := ask(t, "GET", s.http.URL+"/api/games/_other", ""); a.status != 404 || strings.Contains(a.problem(t).Detail, "_other") {
		t.Errorf("a game that there is not: %d %s", a.status, a.body)
	}
}
