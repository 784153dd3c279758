package tests

import (
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"chancery/adapters/httpapi"
)

const plainChess = `{"variant":"chess"}`

// Whatever a client sends that makes no sense is answered with a problem document that
// says so: nothing is stored, and nothing is logged as an error of ours.
func TestBadInput(t *testing.T) {
	s := startServer(t, nil)
	open := create(t, s.http.URL, plainChess)
	live, n := play(t, s.http.URL, plainChess, "e2e4")
	over, _ := play(t, s.http.URL, plainChess)
	over[0].do(`{"do":{"resign":true}}`)
	elsewhere, _ := play(t, s.http.URL, plainChess)

	bearer := func(token string) []string { return []string{"Authorization", "Bearer " + token} }
	key := []string{"Idempotency-Key", "a-key-of-enough-characters"}
	white := append(bearer(live[0].Token), key...)
	black := append(bearer(live[1].Token), key...)
	games, act := "/api/games", "/api/games/"+live[0].ID+"/actions"
	move := func(uci string) string { return fmt.Sprintf(`{"do":{"move":%q},"expect":%d}`, uci, n) }
	none := []string(nil)

	tests := []struct {
		name    string
		call    string // method and path
		body    string
		headers []string
		status  int
		code    string
		says    string // part of the detail
	}{
		// What is no request at all.
		{"no such address", "GET /api/nothing", "", none, 404, "not_found", ""},
		{"no such method", "DELETE /api/games", "", none, 405, "bad_command", "GET"},
		{"no such method anywhere", "MEOW /api/nothing", "", none, 404, "not_found", ""},
		{"an address with a zero byte", "GET /api/games/a%00b", "", none, 400, "bad_command", "UTF-8"},
		{"an address that is no UTF-8", "GET /api/games/a%ffb", "", none, 400, "bad_command", "UTF-8"},
		{"an address over two lines", "GET /api/games/a%0d%0ab", "", none, 400, "bad_command", "control"},
		{"a query with a zero byte", "GET /api/games?player=%00", "", none, 400, "bad_command", "control"},
		{"a query that is no UTF-8", "GET /api/games?player=%ff", "", none, 400, "bad_command", "UTF-8"},
		{"a query with half an escape", "GET /api/games?player=%f", "", none, 400, "bad_command", "UTF-8"},
		{"a form", "POST " + games, "variant=chess", []string{"Content-Type", "application/x-www-form-urlencoded"}, 415, "bad_command", "Content-Type"},
		{"no type", "POST " + games, plainChess, []string{"Content-Type", ""}, 415, "bad_command", "Content-Type"},
		{"another charset", "POST " + games, plainChess, []string{"Content-Type", "application/json; charset=latin1"}, 415, "bad_command", "Content-Type"},
		{"half a JSON", "POST " + games, `{"variant":"chess"`, none, 400, "bad_command", "ends too early"},
		{"no JSON", "POST " + games, `variant: chess`, none, 400, "bad_command", "not JSON"},
		{"two JSONs", "POST " + games, plainChess + plainChess, none, 400, "bad_command", "follows"},
		{"a key twice", "POST " + games, `{"variant":"chess","variant":"nocastle"}`, none, 400, "bad_command", "twice"},
		{"no UTF-8", "POST " + games, "{\"variant\":\"\xff\"}", none, 400, "bad_command", "UTF-8"},
		{"a list", "POST " + games, `[]`, none, 400, "bad_command", "object"},
		{"a tower", "POST " + games, strings.Repeat(`{"a":`, 50) + "1" + strings.Repeat("}", 50), none, 400, "bad_command", "deeply"},
		{"too much", "POST " + games, `{"variant":"` + strings.Repeat("x", 70_000) + `"}`, none, 413, "too_large", "65536"},

		// Creating.
		{"an unknown field", "POST " + games, `{"variant":"chess","cheat":true}`, none, 400, "bad_command", "cheat"},
		{"a field in another case", "POST " + games, `{"Variant":"chess"}`, none, 400, "bad_command", "Variant"},
		{"a field of another kind", "POST " + games, `{"variant":7}`, none, 400, "bad_command", "variant"},
		{"no variant", "POST " + games, `{}`, none, 400, "bad_command", "variant"},
		{"an unknown variant", "POST " + games, `{"variant":"antichess"}`, none, 400, "bad_option", "antichess"},
		{"an unknown option", "POST " + games, `{"variant":"chess","options":{"dice":true}}`, none, 400, "bad_option", "dice"},
		{"an option out of range", "POST " + games, `{"variant":"nocastle","options":{"array":"KKKKKKKK"}}`, none, 400, "bad_option", "array"},
		{"an option of another kind", "POST " + games, `{"variant":"nocastle","options":{"array":5}}`, none, 400, "bad_option", "array"},
		{"an option that is a list", "POST " + games, `{"variant":"nocastle","options":{"array":[]}}`, none, 400, "bad_command", "array"},
		{"an option with a quotation mark", "POST " + games, `{"variant":"nocastle","options":{"array":"\""}}`, none, 400, "", ""},
		{"an unknown color", "POST " + games, `{"variant":"chess","color":"red"}`, none, 400, "bad_option", "white"},
		{"a clock without time", "POST " + games, `{"variant":"chess","clock":{"base_ms":0}}`, none, 400, "bad_option", "base_ms"},
		{"a clock that runs backwards", "POST " + games, `{"variant":"chess","clock":{"base_ms":60000,"increment_ms":-1}}`, none, 400, "bad_option", "increment_ms"},
		{"a clock in fractions", "POST " + games, `{"variant":"chess","clock":{"base_ms":60000.5}}`, none, 400, "bad_command", "base_ms"},
		{"half a FEN", "POST " + games, `{"variant":"chess","start":"8/8/8 w"}`, none, 422, "bad_position", ""},
		{"a FEN without kings", "POST " + games, `{"variant":"chess","start":"8/8/8/8/8/8/8/8 w - - 0 1"}`, none, 422, "bad_position", ""},
		{"a FEN of words", "POST " + games, `{"variant":"chess","start":"` + strings.Repeat("/", 300) + `"}`, none, 422, "bad_position", ""},
		{"a rated game from a position", "POST " + games, `{"variant":"chess","rated":true,"start":"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"}`, none, 400, "bad_option", "rated"},
		{"an id with a slash", "POST " + games, `{"variant":"chess","id":"a/b"}`, none, 400, "bad_command", "id"},
		{"an id of the server's", "POST " + games, `{"variant":"chess","id":"_keys"}`, none, 400, "bad_command", "id"},
		{"a long id", "POST " + games, `{"variant":"chess","id":"` + strings.Repeat("a", 65) + `"}`, none, 400, "bad_command", "id"},
		{"an id with a subject's wildcard", "POST " + games, `{"variant":"chess","id":"*"}`, none, 400, "bad_command", "id"},
		{"an id that is taken", "POST " + games, `{"variant":"chess","id":"` + live[0].ID + `"}`, none, 409, "already_exists", "exists"},
		{"an anchor without an id", "POST " + games, `{"variant":"chess","anchor":"` + strings.Repeat("0", 64) + `"}`, none, 400, "bad_command", "id"},
		{"half an anchor", "POST " + games, `{"variant":"chess","id":"mine","anchor":"00"}`, none, 400, "bad_command", "anchor"},
		{"an anchor in capitals", "POST " + games, `{"variant":"chess","id":"mine","anchor":"` + strings.Repeat("A", 64) + `"}`, none, 400, "bad_command", "anchor"},
		{"an unknown bot", "POST " + games, `{"variant":"chess","opponent":{"bot":"deep"}}`, none, 400, "bad_option", "random"},
		{"an opponent who is nobody", "POST " + games, `{"variant":"chess","opponent":{}}`, none, 400, "bad_command", "bot"},
		{"a key that is too short", "POST " + games, plainChess, []string{"Idempotency-Key", "short"}, 400, "bad_command", "Idempotency-Key"},

		// Joining.
		{"joining nothing", "POST /api/games/nowhere/join", `{}`, none, 404, "not_found", ""},
		{"joining oneself", "POST /api/games/" + open.ID + "/join", `{}`, bearer(open.Token), 409, "already_joined", "yourself|already"},
		{"joining a full table", "POST /api/games/" + live[0].ID + "/join", `{}`, none, 409, "already_joined", ""},
		{"joining a game that is over", "POST /api/games/" + over[0].ID + "/join", `{}`, none, 409, "game_over", ""},
		{"an anchor without a link", "POST /api/games/" + open.ID + "/join", `{"anchor":"` + strings.Repeat("0", 64) + `"}`, none, 400, "bad_link", "link"},
		{"a link that does not fit", "POST /api/games/" + open.ID + "/join", `{"anchor":"` + strings.Repeat("0", 64) + `","link":"` + strings.Repeat("1", 64) + `"}`, none, 400, "bad_link", "anchor"},
		{"a link without an anchor", "POST /api/games/" + open.ID + "/join", `{"link":"` + strings.Repeat("1", 64) + `"}`, none, 400, "bad_link", ""},
		{"joining as somebody", "POST /api/games/" + open.ID + "/join", `{"player":"alice"}`, none, 400, "bad_command", "player"},
		{"joining with a token of another game", "POST /api/games/" + open.ID + "/join", `{}`, bearer(live[0].Token), 403, "forbidden", ""},

		// Whose command it is.
		{"no token", "POST " + act, move("e7e5"), key, 401, "unauthorized", "Bearer"},
		{"an empty token", "POST " + act, move("e7e5"), append([]string{"Authorization", "Bearer "}, key...), 401, "unauthorized", "Bearer"},
		{"another scheme", "POST " + act, move("e7e5"), append([]string{"Authorization", "Basic YTpi"}, key...), 401, "unauthorized", "Bearer"},
		{"a forged token", "POST " + act, move("e7e5"), append(bearer(strings.Repeat("x", 43)), key...), 403, "forbidden", ""},
		{"a token of another game", "POST " + act, move("e7e5"), append(bearer(elsewhere[1].Token), key...), 403, "forbidden", ""},
		{"a token in the query", "POST " + act + "?token=" + live[1].Token, move("e7e5"), key, 401, "unauthorized", ""},
		{"a token in a cookie", "POST " + act, move("e7e5"), append([]string{"Cookie", "chancery_seat=" + live[1].Token}, key...), 401, "unauthorized", ""},
		{"a seat in the body", "POST " + act, fmt.Sprintf(`{"do":{"move":"e7e5"},"expect":%d,"seat":1}`, n), white, 400, "bad_command", "seat"},
		{"a game that is not there", "POST /api/games/nowhere/actions", move("e7e5"), black, 404, "not_found", ""},
		{"a game of the server's", "POST /api/games/_keys/actions", move("e7e5"), black, 404, "not_found", ""},
		{"a game with a wildcard", "POST /api/games/*/actions", move("e7e5"), black, 404, "not_found", ""},
		{"a game with a dot", "POST /api/games/a.b/actions", move("e7e5"), black, 404, "not_found", ""},
		{"a game with a blank", "POST /api/games/a%20b/actions", move("e7e5"), black, 404, "not_found", ""},
		{"a game with a long name", "POST /api/games/" + strings.Repeat("a", 65) + "/actions", move("e7e5"), black, 400, "bad_command", "id"},

		// What it asks for.
		{"no key", "POST " + act, move("e7e5"), bearer(live[1].Token), 400, "bad_command", "Idempotency-Key"},
		{"a short key", "POST " + act, move("e7e5"), append(bearer(live[1].Token), "Idempotency-Key", "123"), 400, "bad_command", "Idempotency-Key"},
		{"a long key", "POST " + act, move("e7e5"), append(bearer(live[1].Token), "Idempotency-Key", strings.Repeat("k", 201)), 400, "bad_command", "Idempotency-Key"},
		{"nothing to do", "POST " + act, `{}`, black, 400, "bad_command", "do"},
		{"to do nothing", "POST " + act, `{"do":{}}`, black, 400, "bad_command", ""},
		{"to do two things", "POST " + act, fmt.Sprintf(`{"do":{"move":"e7e5","resign":true},"expect":%d}`, n), black, 400, "bad_command", ""},
		{"to do the unknown", "POST " + act, `{"do":{"castle":"short"}}`, black, 400, "bad_command", "castle"},
		{"a text to do", "POST " + act, `{"do":"resign"}`, black, 400, "bad_command", "do"},
		{"not to resign", "POST " + act, `{"do":{"resign":false}}`, black, 400, "bad_command", "true"},
		{"a move without what was seen", "POST " + act, `{"do":{"move":"e7e5"}}`, black, 400, "bad_command", "expect"},
		{"a move on an old record", "POST " + act, fmt.Sprintf(`{"do":{"move":"e7e5"},"expect":%d}`, n-1), black, 409, "stale", ""},
		{"a move on a record to come", "POST " + act, fmt.Sprintf(`{"do":{"move":"e7e5"},"expect":%d}`, n+1), black, 409, "stale", ""},
		{"a move on a negative record", "POST " + act, `{"do":{"move":"e7e5"},"expect":-1}`, black, 409, "stale", ""},
		{"a move on too many digits", "POST " + act, `{"do":{"move":"e7e5"},"expect":99999999999999999999}`, black, 400, "bad_command", "expect"},
		{"a move on a fraction", "POST " + act, `{"do":{"move":"e7e5"},"expect":1.5}`, black, 400, "bad_command", "expect"},
		{"a move out of turn", "POST " + act, move("d2d4"), white, 409, "not_your_turn", ""},
		{"an illegal move", "POST " + act, move("e7e4"), black, 422, "illegal_move", ""},
		{"a move of the other army", "POST " + act, move("d2d4"), black, 422, "illegal_move", ""},
		{"a move off the board", "POST " + act, move("e7e9"), black, 400, "bad_command", ""},
		{"a move of words", "POST " + act, move("knight to f6"), black, 400, "bad_command", ""},
		{"a move of nothing", "POST " + act, move(""), black, 400, "bad_command", ""},
		{"a null move", "POST " + act, move("0000"), black, 0, "", ""},
		{"a move in another alphabet", "POST " + act, move("е7е5"), black, 400, "bad_command", ""},
		{"a drop where there are none", "POST " + act, fmt.Sprintf(`{"do":{"drop":"N@f6"},"expect":%d}`, n), black, 0, "", ""},
		{"a link that is not due", "POST " + act, fmt.Sprintf(`{"do":{"move":"e7e5"},"expect":%d,"link":"%064d"}`, n, 1), black, 400, "bad_link", ""},
		{"half a link", "POST " + act, fmt.Sprintf(`{"do":{"move":"e7e5"},"expect":%d,"link":"12"}`, n), black, 400, "bad_command", "link"},
		{"an acknowledgement of nothing", "POST " + act, fmt.Sprintf(`{"do":{"move":"e7e5"},"expect":%d,"ack":"%064d"}`, n, 1), black, 400, "bad_command", "hash"},
		{"to accept what nobody offers", "POST " + act, `{"do":{"draw":"accept"}}`, black, 409, "not_pending", ""},
		{"to decline what nobody offers", "POST " + act, `{"do":{"draw":"decline"}}`, black, 409, "not_pending", ""},
		{"to claim what is not there", "POST " + act, fmt.Sprintf(`{"do":{"draw":"claim"},"expect":%d}`, n), black, 409, "not_pending", ""},
		{"another draw", "POST " + act, `{"do":{"draw":"please"}}`, black, 400, "bad_command", "offer"},
		{"a move before the start", "POST /api/games/" + open.ID + "/actions", `{"do":{"move":"e2e4"},"expect":0}`, append(bearer(open.Token), key...), 409, "not_started", ""},
		{"to resign before the start", "POST /api/games/" + open.ID + "/actions", `{"do":{"resign":true}}`, append(bearer(open.Token), key...), 409, "not_started", ""},
		{"a move after the end", "POST /api/games/" + over[0].ID + "/actions", `{"do":{"move":"e2e4"},"expect":2}`, append(bearer(over[0].Token), key...), 409, "game_over", ""},
		{"to resign after the end", "POST /api/games/" + over[0].ID + "/actions", `{"do":{"resign":true}}`, append(bearer(over[1].Token), key...), 409, "game_over", ""},

		// Looking.
		{"to look at nothing", "GET /api/games/nowhere", "", none, 404, "not_found", ""},
		{"to look at a record to come", fmt.Sprintf("GET /api/games/%s?at=%d", live[0].ID, n+1), "", none, 404, "not_found", ""},
		{"to look at a record of words", "GET /api/games/" + live[0].ID + "?at=last", "", none, 400, "bad_command", "at"},
		{"to look at a negative record", "GET /api/games/" + live[0].ID + "?at=-1", "", none, 400, "bad_command", "at"},
		{"to look as a player without being one", "GET /api/games/" + live[0].ID + "?as=0", "", none, 403, "forbidden", ""},
		{"to look as the other player", "GET /api/games/" + live[0].ID + "?as=1", "", bearer(live[0].Token), 403, "forbidden", ""},
		{"to look as a third player", "GET /api/games/" + live[0].ID + "?as=2", "", bearer(live[0].Token), 400, "bad_command", "as"},
		{"to look with a forged token", "GET /api/games/" + live[0].ID, "", bearer("forged"), 403, "forbidden", ""},
		{"to look with a forged cookie", "GET /api/games/" + live[0].ID, "", []string{"Cookie", "chancery_seat=forged"}, 403, "forbidden", ""},
		{"to watch nothing", "GET /api/games/nowhere/stream", "", none, 404, "not_found", ""},
		{"to watch with a token of another game", "GET /api/games/" + live[0].ID + "/stream", "", bearer(elsewhere[0].Token), 403, "forbidden", ""},
		{"to watch with a forged token", "GET /api/games/" + live[0].ID + "/stream", "", bearer("forged"), 403, "forbidden", ""},
		{"the cards of nobody", "GET /api/games/" + live[0].ID + "/mine", "", none, 401, "unauthorized", ""},
		{"the cards of somebody else", "GET /api/games/" + live[0].ID + "/mine", "", bearer(elsewhere[0].Token), 403, "forbidden", ""},
		{"records of nothing", "GET /api/games/nowhere/records", "", none, 404, "not_found", ""},
		{"records since a word", "GET /api/games/" + live[0].ID + "/records?since=x", "", none, 400, "bad_command", "since"},
		{"a list of another phase", "GET /api/games?phase=closed", "", none, 400, "bad_command", "phase"},
		{"a list of another variant", "GET /api/games?variant=antichess", "", none, 400, "bad_option", ""},
		{"a list without a limit", "GET /api/games?limit=1000000", "", none, 400, "bad_command", "limit"},
		{"a list from nowhere", "GET /api/games?cursor=x", "", none, 400, "bad_command", "cursor"},
	}
	before, err := s.log.Last(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			method, path, _ := strings.Cut(tt.call, " ")
			a := ask(t, method, s.http.URL+path, tt.body, tt.headers...)
			if a.status < 400 || a.status > 499 {
				t.Fatalf("status %d: %s", a.status, a.body)
			}
			p := a.problem(t)
			if p.Status != a.status || p.Title == "" || p.Detail == "" || !strings.HasPrefix(p.Type, "/problems/") {
				t.Errorf("an incomplete problem: %+v", p)
			}
			if tt.status != 0 && a.status != tt.status || tt.code != "" && p.Type != "/problems/"+tt.code {
				t.Errorf("%d %s, want %d %s: %s", a.status, p.Type, tt.status, tt.code, p.Detail)
			}
			if tt.says != "" && !saysOneOf(p.Detail, tt.says) {
				t.Errorf("it does not speak of %q: %s", tt.says, p.Detail)
			}
			if strings.Contains(p.Detail, "unmarshal") || strings.Contains(p.Detail, " Go ") {
				t.Errorf("it speaks of how we are made: %s", p.Detail)
			}
			if (a.status == 401) != (a.header.Get("WWW-Authenticate") == "Bearer") || a.header.Get("Cache-Control") != "no-store" {
				t.Errorf("%d with the headers %v", a.status, a.header)
			}
			if p.Type == "/problems/stale" && (p.N == nil || *p.N != n) {
				t.Errorf("stale without the newest record, %d: %v", n, p.N)
			}
			after, err := s.log.Last(t.Context())
			if err != nil || after != before {
				t.Fatalf("something was stored: position %d, then %d, %v", before, after, err)
			}
		})
	}
	if out := s.out.String(); strings.Contains(out, "level=ERROR") || strings.Contains(out, "level=WARN") {
		t.Errorf("logged as trouble of ours: %s", linesWith(out, "level=ERROR", "level=WARN"))
	}
	if live[1].move("e7e5", n) != n+1 {
		t.Error("the game does not go on")
	}
}

func saysOneOf(text, words string) bool {
	for word := range strings.SplitSeq(words, "|") {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

func linesWith(text string, words ...string) string {
	var found []string
	for line := range strings.Lines(text) {
		for _, w := range words {
			if strings.Contains(line, w) {
				found = append(found, line)
			}
		}
	}
	return strings.Join(found, "")
}

// Nothing that a client must keep secret is written to the log, whatever the level.
func TestTheLogKeepsSecrets(t *testing.T) {
	s := startServer(t, nil)
	players, n := play(t, s.http.URL, plainChess, "e2e4", "e7e5")
	secret := "a-secret-idempotency-key-of-mine"
	players[0].do(fmt.Sprintf(`{"do":{"move":"g1f3"},"expect":%d}`, n), "Idempotency-Key", secret)
	players[0].do(`{"do":{"resign":true}}`)
	view(t, players[0].url, "Authorization", "Bearer "+players[1].Token)
	out := s.out.String()
	if !strings.Contains(out, "/api/games/{id}/actions") {
		t.Fatalf("the log does not speak of requests: %s", out)
	}
	for what, word := range map[string]string{"a token": players[0].Token, "another token": players[1].Token, "a key": secret} {
		if strings.Contains(out, word) {
			t.Errorf("%s stands in the log: %s", what, linesWith(out, word))
		}
	}
}

// Many who join at once: one gets the seat.
func TestOneSeatForMany(t *testing.T) {
	s := startServer(t, nil)
	for range 5 {
		open := create(t, s.http.URL, plainChess)
		var all sync.WaitGroup
		statuses := make([]int, 20)
		for i := range statuses {
			all.Go(func() {
				a, err := tryAsk(t.Context(), http.DefaultClient, "POST", open.url+"/join", "{}")
				if err != nil {
					t.Error(err)
				}
				statuses[i] = a.status
			})
		}
		all.Wait()
		seated := 0
		for _, status := range statuses {
			switch status {
			case http.StatusOK:
				seated++
			case http.StatusConflict:
			default:
				t.Errorf("status %d", status)
			}
		}
		if seated != 1 {
			t.Errorf("%d players in one seat", seated)
		}
	}
}

// Whatever clients make up, we do not count each of it by itself: methods, addresses,
// games.
func TestMetricsDoNotGrow(t *testing.T) {
	s := startServer(t, nil)
	lines := func() int { return strings.Count(ask(t, "GET", s.http.URL+"/metrics", "").body, "\n") }
	strange := func(i int) {
		for _, path := range []string{"/api/games", "/nothing-%d", "/api/games/g%d", "/api/games/g%d/stream", "/api/games?x=%d", "/problems/p%d", "/verify/%d"} {
			if strings.Contains(path, "%d") {
				path = fmt.Sprintf(path, i)
			}
			for _, method := range []string{"GET", "HEAD", "OPTIONS", "DELETE", fmt.Sprintf("MEOW%d", i)} {
				ask(t, method, s.http.URL+path, "")
			}
		}
	}
	strange(0)
	lines()
	before := lines()
	for i := range 20 {
		strange(i)
	}
	if after := lines(); after != before {
		t.Errorf("%d lines of metrics, then %d", before, after)
	}
}

// A limit is told as a problem, with how long to wait.
func TestLimits(t *testing.T) {
	s := startServer(t, func(c *httpapi.Config, _ *http.Server) { c.CreatesPerMinute, c.ActionsPerSecond = 3, 1000 })
	for range 3 {
		create(t, s.http.URL, plainChess)
	}
	a := ask(t, "POST", s.http.URL+"/api/games", plainChess)
	if p := a.problem(t); a.status != 429 || p.Type != "/problems/rate_limited" || a.header.Get("Retry-After") == "" {
		t.Errorf("%d %s, Retry-After %q", a.status, p.Type, a.header.Get("Retry-After"))
	}
	if a := ask(t, "GET", s.http.URL+"/api/games", ""); a.status != 200 {
		t.Errorf("looking is limited too: %d", a.status)
	}
}

// One address follows so many games at the same time; one that it leaves, or that is over,
// counts no longer. Who comes through a trusted proxy has an address of his own.
func TestStreamsAtOnce(t *testing.T) {
	s := startServer(t, func(c *httpapi.Config, _ *http.Server) {
		c.StreamsAtOnce, c.TrustedProxies = 2, []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	})
	over, other := create(t, s.http.URL, plainChess), create(t, s.http.URL, plainChess)
	open := func(url string, headers ...string) (*listener, int) {
		l, status, err := listen(t.Context(), http.DefaultClient, url, true, -1, headers...)
		if err != nil {
			t.Fatal(err)
		}
		return l, status
	}
	one, _ := open(over.url)
	two, _ := open(over.url)
	if _, status := open(other.url); status != http.StatusTooManyRequests {
		t.Errorf("a third stream: %d", status)
	}
	if p := ask(t, "GET", other.url+"/stream", "").problem(t); p.Type != "/problems/rate_limited" || !strings.Contains(p.Detail, "2 games") {
		t.Errorf("a third stream: %+v", p)
	}
	if a := ask(t, "GET", other.url, ""); a.status != http.StatusOK {
		t.Errorf("looking is limited too: %d", a.status)
	}
	far, status := open(other.url, "X-Forwarded-For", "192.0.2.1")
	if status != http.StatusOK {
		t.Errorf("another address: %d", status)
	}
	far.close()
	over.do(`{"do":{"cancel":true}}`)
	for _, l := range []*listener{one, two} {
		for _, err := l.next(); err == nil; _, err = l.next() {
		}
		l.close()
	}
	last, status := open(other.url)
	if status != http.StatusOK {
		t.Fatalf("when the others had ended: %d", status)
	}
	last.close()
}
