package tests

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
)

// The same command with the same key happens once and answers the same, whatever has
// happened since: in a row, at once, and after the other side has answered.
func TestIdempotency(t *testing.T) {
	s := startServer(t, nil)
	players, n := play(t, s.http.URL, plainChess)
	move := fmt.Sprintf(`{"do":{"move":"e2e4"},"expect":%d}`, n)
	const key = "one-key-for-one-move-of-mine"
	first := players[0].do(move, "Idempotency-Key", key)
	n = players[1].move("e7e5", n+1)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			a, err := tryAsk(t.Context(), http.DefaultClient, "POST", players[0].url+"/actions", move,
				"Authorization", "Bearer "+players[0].Token, "Idempotency-Key", key)
			if err != nil || a.status != 200 {
				t.Errorf("%d %s, %v", a.status, a.body, err)
				return
			}
			if diff := cmp.Diff(first.body, a.body); diff != "" {
				t.Errorf("another answer (-first +again):\n%s", diff)
			}
		})
	}
	all.Wait()
	if v := view(t, players[0].url); v.N != n || v.Ply != 2 {
		t.Errorf("record %d, ply %d; want %d, 2", v.N, v.Ply, n)
	}
	if a := players[0].do(move); a.problem(t).Type != "/problems/stale" {
		t.Errorf("with a new key: %s", a.body)
	}
	a := players[1].do(fmt.Sprintf(`{"do":{"move":"g8f6"},"expect":%d}`, n), "Idempotency-Key", key)
	if a.problem(t).Type != "/problems/bad_command" {
		t.Errorf("with the other player's key: %s", a.body)
	}
}

// A key that comes again with something else is refused, whatever the call, for the old
// answer would be taken for the new command's.
func TestAKeyIsForOneCommand(t *testing.T) {
	s := startServer(t, nil)
	games := s.http.URL + "/api/games"
	const createKey, joinKey, moveKey = "a-key-for-one-new-game-only", "a-key-for-one-seat-and-no-more", "a-key-for-one-move-of-mine-only"
	id := "a-key-is-for-one-game"
	body := func(more string) string { return fmt.Sprintf(`{"variant":"nocastle","id":%q%s}`, id, more) }
	white := &seat{t: t, url: games + "/" + id}
	ask(t, "POST", games, body(""), "Idempotency-Key", createKey).into(t, white)
	black := &seat{t: t, url: white.url}
	ask(t, "POST", white.url+"/join", "{}", "Idempotency-Key", joinKey).into(t, black)
	white.do(fmt.Sprintf(`{"do":{"move":"a2a3"},"expect":%d}`, black.N), "Idempotency-Key", moveKey)

	anchor := fair.NewClientChain(id, 1, fair.Hash{1}, 8)
	for _, again := range []struct {
		path, body, key string
		by              *seat
		other           bool
	}{
		{"", body(""), createKey, nil, false},
		{"", body(`,"color":"white","options":{"array":""}`), createKey, nil, false}, // what is left out
		{"", body(`,"color":"black"`), createKey, nil, true},
		{"", body(`,"options":{"array":"RBNQKBNR"}`), createKey, nil, true},
		{"", body(`,"clock":{"base_ms":60000}`), createKey, nil, true},
		{"", body(`,"start":"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"`), createKey, nil, true},
		{"", body(`,"opponent":{"bot":"random"}`), createKey, nil, true},
		{"", body(fmt.Sprintf(`,"anchor":"%s"`, anchor.Anchor().Y)), createKey, nil, true},
		{"", fmt.Sprintf(`{"variant":"chess","id":%q}`, id), createKey, nil, true},
		{"/join", "{}", joinKey, nil, false},
		{"/join", fmt.Sprintf(`{"anchor":"%s","link":"%s"}`, anchor.Anchor().Y, anchor.Link(1).Y), joinKey, nil, true},
		{"/join", "{}", moveKey, nil, true},
		{"/join", "{}", createKey, nil, true},
		{"/actions", `{"do":{"move":"a2a3"},"expect":1}`, moveKey, white, false},
		{"/actions", `{"do":{"move":"a2a3"},"expect":2}`, moveKey, white, false}, // it has seen its move meanwhile
		{"/actions", `{"do":{"move":"a2a4"},"expect":1}`, moveKey, white, true},
		{"/actions", `{"do":{"move":"a2a3"},"expect":1}`, moveKey, black, true},
		{"/actions", `{"do":{"resign":true}}`, moveKey, white, true},
		{"/actions", `{"do":{"resign":true}}`, createKey, white, true},
		{"/actions", `{"do":{"move":"a7a6"},"expect":2}`, joinKey, black, true},
	} {
		url := games
		if again.path != "" {
			url = white.url + again.path
		}
		headers := []string{"Idempotency-Key", again.key}
		if again.by != nil {
			headers = append(headers, "Authorization", "Bearer "+again.by.Token)
		}
		a := ask(t, "POST", url, again.body, headers...)
		if refused := a.status >= 400; refused != again.other {
			t.Errorf("%s %s with %s: %d %s", again.path, again.body, again.key, a.status, a.body)
		}
		if again.other && (a.problem(t).Type != "/problems/bad_command" || !strings.Contains(a.body, "Idempotency-Key")) {
			t.Errorf("%s %s with %s: %s", again.path, again.body, again.key, a.body)
		}
	}
	if v := view(t, white.url); v.N != 2 || v.Ply != 1 {
		t.Errorf("record %d, ply %d; want 2, 1", v.N, v.Ply)
	}
}

// A refused command may be tried again with its key.
func TestARefusedCommandIsTriedAgain(t *testing.T) {
	s := startServer(t, nil)
	players, n := play(t, s.http.URL, plainChess)
	const key = "one-key-for-one-move-of-mine"
	reply := func(seen int) answer {
		return players[1].do(fmt.Sprintf(`{"do":{"move":"e7e5"},"expect":%d}`, seen), "Idempotency-Key", key)
	}
	if a := reply(n); a.problem(t).Type != "/problems/not_your_turn" {
		t.Fatalf("too early: %s", a.body)
	}
	n = players[0].move("e2e4", n)
	if a := reply(n); a.status != 200 {
		t.Errorf("in time: %d %s", a.status, a.body)
	}
}

func TestCreateAndJoinAgain(t *testing.T) {
	s := startServer(t, nil)
	url := s.http.URL + "/api/games"
	const key, joinKey = "a-key-for-one-new-game-only", "a-key-for-one-seat-and-no-more"
	var answers []string
	for range 3 {
		a := ask(t, "POST", url, plainChess, "Idempotency-Key", key)
		if a.status != http.StatusCreated {
			t.Fatalf("create: %d %s", a.status, a.body)
		}
		answers = append(answers, a.body)
	}
	if answers[0] != answers[1] || answers[0] != answers[2] {
		t.Errorf("one key made several games: %v", answers)
	}
	if a := ask(t, "POST", url, plainChess); a.body == answers[0] {
		t.Error("without a key the same game came again")
	}

	var game seat
	if err := json.Unmarshal([]byte(answers[0]), &game); err != nil {
		t.Fatal(err)
	}
	first := ask(t, "POST", url+"/"+game.ID+"/join", "{}", "Idempotency-Key", joinKey)
	again := ask(t, "POST", url+"/"+game.ID+"/join", "{}", "Idempotency-Key", joinKey)
	if first.status != 200 || first.body != again.body {
		t.Errorf("join: %s, again: %s", first.body, again.body)
	}
	other := ask(t, "POST", url+"/"+game.ID+"/join", "{}")
	if p := other.problem(t); p.Type != "/problems/already_joined" {
		t.Errorf("a second player: %s", other.body)
	}
}

// Resigning, offering and cancelling, on turn and off turn, as an API table.
func TestWaysToEnd(t *testing.T) {
	type step struct {
		who     int
		do      string
		refused string
	}
	tests := []struct {
		name   string
		moves  []string
		steps  []step
		result game.Result
		reason game.Reason
	}{
		{"to resign on turn", nil, []step{{0, `{"resign":true}`, ""}}, game.BlackWins, game.Resignation},
		{"to resign off turn", nil, []step{{1, `{"resign":true}`, ""}}, game.WhiteWins, game.Resignation},
		{"to agree to a draw", []string{"e2e4"}, []step{{0, `{"draw":"offer"}`, ""}, {1, `{"draw":"accept"}`, ""}}, game.Drawn, game.Agreement},
		{"to offer what is offered", []string{"e2e4"}, []step{{0, `{"draw":"offer"}`, ""}, {1, `{"draw":"offer"}`, ""}}, game.Drawn, game.Agreement},
		{"to accept one's own offer", nil, []step{{0, `{"draw":"offer"}`, ""}, {0, `{"draw":"accept"}`, "not_pending"}}, game.Ongoing, ""},
		{"to decline", nil, []step{{0, `{"draw":"offer"}`, ""}, {1, `{"draw":"decline"}`, ""}, {1, `{"draw":"accept"}`, "not_pending"}}, game.Ongoing, ""},
		{"to call the game off together", []string{"e2e4"}, []step{{0, `{"cancel":true}`, ""}, {1, `{"cancel":true}`, ""}}, game.Ongoing, game.ByCancel},
		{"to call it off alone", []string{"e2e4"}, []step{{0, `{"cancel":true}`, ""}, {0, `{"cancel":true}`, "not_pending"}}, game.Ongoing, ""},
	}
	s := startServer(t, nil)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			players, _ := play(t, s.http.URL, plainChess, tt.moves...)
			for _, step := range tt.steps {
				a := players[step.who].do(`{"do":` + step.do + `}`)
				switch {
				case step.refused == "" && a.status != 200:
					t.Errorf("%s: %s", step.do, a.body)
				case step.refused != "" && a.problem(t).Type != "/problems/"+step.refused:
					t.Errorf("%s: %s, want %s", step.do, a.body, step.refused)
				}
			}
			v := view(t, players[0].url)
			if v.Result != tt.result || v.Reason != tt.reason {
				t.Errorf("%s %s, want %s %s", v.Result, v.Reason, tt.result, tt.reason)
			}
			if tt.reason != "" {
				if a := players[0].do(`{"do":{"resign":true}}`); a.problem(t).Type != "/problems/game_over" {
					t.Errorf("after the end: %s", a.body)
				}
			}
		})
	}
}

// What each seat may see, now and at any record.
func TestViews(t *testing.T) {
	s := startServer(t, nil)
	players, n := play(t, s.http.URL, plainChess, "e2e4", "e7e5")
	url := players[0].url
	white := []string{"Authorization", "Bearer " + players[0].Token}
	if v := view(t, url); v.As != "spectator" || v.Legal != nil || v.N != n {
		t.Errorf("the spectator's: as %s, legal %v, record %d", v.As, v.Legal, v.N)
	}
	if v := view(t, url, white...); v.As != "0" || len(v.Legal) != 29 {
		t.Errorf("White's: as %s, %d legal moves", v.As, len(v.Legal))
	}
	if v := view(t, url, "Authorization", "Bearer "+players[1].Token); v.As != "1" || v.Legal != nil {
		t.Errorf("Black's off turn: as %s, legal %v", v.As, v.Legal)
	}
	if v := view(t, url+"?as=spectator", white...); v.As != "spectator" || v.Legal != nil {
		t.Errorf("White's as a spectator: as %s, legal %v", v.As, v.Legal)
	}
	if v := view(t, url, "Cookie", "chancery_seat="+players[0].Token); v.As != "0" {
		t.Errorf("with a cookie: as %s", v.As)
	}
	for at := range n + 1 {
		v := view(t, fmt.Sprintf("%s?at=%d", url, at))
		if v.N != at || v.Ply != max(0, at-1) {
			t.Errorf("at %d: record %d, ply %d", at, v.N, v.Ply)
		}
	}
	a := ask(t, "GET", url, "")
	tag := a.header.Get("ETag")
	if tag != fmt.Sprintf(`"%d"`, n) {
		t.Errorf("ETag %s of record %d", tag, n)
	}
	if a := ask(t, "GET", url, "", "If-None-Match", tag); a.status != http.StatusNotModified || a.body != "" {
		t.Errorf("nothing has changed: %d %s", a.status, a.body)
	}
	players[0].move("g1f3", n)
	if a := ask(t, "GET", url, "", "If-None-Match", tag); a.status != 200 {
		t.Errorf("after a move: %d", a.status)
	}
}

// The records are the stored bytes, chained.
func TestRecords(t *testing.T) {
	s := startServer(t, nil)
	players, n := play(t, s.http.URL, `{"variant":"nocastle"}`, "a2a3", "a7a6")
	list, err := recordsOf(http.DefaultClient, players[0].url)
	if err != nil || len(list) != n+1 {
		t.Fatalf("%d records, %v", len(list), err)
	}
	var head fair.Hash
	for i, line := range list {
		r, err := events.DecodeRecord([]byte(line))
		if err != nil || r.N != i || r.Prev != head {
			t.Errorf("record %d: number %d, %v", i, r.N, err)
		}
		head = fair.RecordHash([]byte(line))
		if strings.Contains(line, "Sealed") {
			t.Errorf("record %d shows a sealed seed", i)
		}
	}
	a := ask(t, "GET", players[0].url+"/records?since=1&to=2", "")
	if want := list[1] + "\n" + list[2] + "\n"; a.body != want || a.header.Get("Content-Type") != "application/x-ndjson" {
		t.Errorf("%s: %s", a.header.Get("Content-Type"), a.body)
	}
}

// Two players with chains of their own: the joiner sends his first link at once, the
// creator when he has seen the joiner's anchor; then each link goes with the first move
// behind a random event.
func TestOwnChains(t *testing.T) {
	s := startServer(t, nil)
	const id = "own-chains-000000000-A"
	chains := [2]*fair.ClientChain{
		fair.NewClientChain(id, 0, fair.Hash{1}, 64), fair.NewClientChain(id, 1, fair.Hash{2}, 64),
	}
	white := create(t, s.http.URL, fmt.Sprintf(`{"variant":"nocastle","id":%q,"anchor":%q}`, id, chains[0].Anchor().Y))
	if white.ID != id {
		t.Fatalf("id %s", white.ID)
	}
	black := &seat{t: t, url: white.url}
	ask(t, "POST", white.url+"/join", fmt.Sprintf(`{"anchor":%q,"link":%q}`, chains[1].Anchor().Y, chains[1].Link(1).Y)).into(t, black)
	v := view(t, white.url, "Authorization", "Bearer "+white.Token)
	if v.Phase != game.PhaseLink || !v.Link {
		t.Fatalf("phase %s, link due %v", v.Phase, v.Link)
	}
	var a acted
	white.do(fmt.Sprintf(`{"do":{"link":true},"expect":%d,"link":%q}`, v.N, chains[0].Link(1).Y)).into(t, &a)
	records, err := recordsOf(http.DefaultClient, white.url)
	if err != nil {
		t.Fatal(err)
	}
	ack := fair.RecordHash([]byte(records[a.N]))
	withLink := func(uci string, expect, chain, link int) string {
		return fmt.Sprintf(`{"do":{"move":%q},"expect":%d,"link":%q,"ack":%q}`, uci, expect, chains[chain].Link(link).Y, ack)
	}
	if a := white.do(fmt.Sprintf(`{"do":{"move":"a2a3"},"expect":%d}`, a.N)); a.problem(t).Type != "/problems/bad_link" {
		t.Errorf("without the link: %s", a.body)
	}
	if a := white.do(withLink("a2a3", a.N, 0, 3)); a.problem(t).Type != "/problems/bad_link" {
		t.Errorf("with another link: %s", a.body)
	}
	white.do(withLink("a2a3", a.N, 0, 2)).into(t, &a)
	if v := view(t, white.url); v.Ply != 1 || !strings.HasPrefix(v.Trust, "If at least one of you") {
		t.Errorf("ply %d; %s", v.Ply, v.Trust)
	}
}

func TestListAndVariants(t *testing.T) {
	s := startServer(t, nil)
	var ids []string
	for range 5 {
		ids = append(ids, create(t, s.http.URL, plainChess).ID)
	}
	play(t, s.http.URL, `{"variant":"nocastle"}`)
	over, _ := play(t, s.http.URL, plainChess)
	over[0].do(`{"do":{"resign":true}}`)
	slices.Reverse(ids)
	last, err := s.log.Last(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for s.hall.Lobby.At() < last {
		time.Sleep(time.Millisecond)
	}
	type page struct {
		Games []struct{ Game, Phase, Variant string }
		Next  string
	}
	var got []string
	for cursor := ""; ; {
		var p page
		ask(t, "GET", s.http.URL+"/api/games?phase=open&limit=2&cursor="+cursor, "").into(t, &p)
		for _, g := range p.Games {
			got = append(got, g.Game)
		}
		if cursor = p.Next; cursor == "" {
			break
		}
	}
	if diff := cmp.Diff(ids, got); diff != "" {
		t.Errorf("open games (-want +got):\n%s", diff)
	}
	var live page
	ask(t, "GET", s.http.URL+"/api/games?phase=live", "").into(t, &live)
	if len(live.Games) != 1 || live.Games[0].Variant != "nocastle" {
		t.Errorf("live games: %+v", live.Games)
	}

	var all struct {
		Variants []struct {
			Key     string
			Options []struct{ Name, Type string }
		}
		Bots []struct{ Name string }
	}
	ask(t, "GET", s.http.URL+"/api/variants", "").into(t, &all)
	if len(all.Variants) != len(game.Variants()) || len(all.Bots) == 0 || all.Bots[0].Name != "random" {
		t.Errorf("variants: %+v", all)
	}
}

// A program plays the other side.
func TestABotAsOpponent(t *testing.T) {
	s := startServer(t, nil)
	me := create(t, s.http.URL, `{"variant":"chess","color":"black","opponent":{"bot":"random"}}`)
	ctx := t.Context()
	l, _, err := listen(ctx, http.DefaultClient, me.url, false, -1)
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	for n := range 3 {
		m, err := l.next()
		if err != nil || m.n != n {
			t.Fatalf("message %+v, %v", m, err)
		}
	}
	if v := view(t, me.url); v.Ply != 1 || v.Turn != "black" || v.Seats[1].Bot != "random" {
		t.Errorf("ply %d, %s to move, seats %+v", v.Ply, v.Turn, v.Seats)
	}
}

func TestDocumentsAndHealth(t *testing.T) {
	s := startServer(t, nil)
	for _, path := range []string{"/", "/healthz", "/readyz", "/metrics", "/problems/stale", "/api/openapi.json", "/api/variants", "/api/games"} {
		a := ask(t, "GET", s.http.URL+path, "")
		if a.status != 200 || a.body == "" {
			t.Errorf("%s: %d", path, a.status)
		}
		if a.header.Get("X-Content-Type-Options") != "nosniff" || a.header.Get("Content-Security-Policy") == "" || a.header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: headers %v", path, a.header)
		}
		if a := ask(t, "HEAD", s.http.URL+path, ""); a.status != 200 || a.body != "" {
			t.Errorf("HEAD %s: %d", path, a.status)
		}
	}
	if a := ask(t, "OPTIONS", s.http.URL+"/api/games", ""); a.status != 204 || !strings.Contains(a.header.Get("Allow"), "POST") {
		t.Errorf("OPTIONS: %d, Allow %s", a.status, a.header.Get("Allow"))
	}
	var doc struct {
		OpenAPI string
		Paths   map[string]map[string]any
	}
	ask(t, "GET", s.http.URL+"/api/openapi.json", "").into(t, &doc)
	if !strings.HasPrefix(doc.OpenAPI, "3.1") {
		t.Errorf("OpenAPI %s", doc.OpenAPI)
	}
	for _, call := range []string{
		"post /api/games", "post /api/games/{id}/join", "post /api/games/{id}/actions", "get /api/games/{id}",
		"get /api/games/{id}/stream", "get /api/games/{id}/records", "get /api/games/{id}/mine", "get /api/games", "get /api/variants",
	} {
		method, path, _ := strings.Cut(call, " ")
		if doc.Paths[path][method] == nil {
			t.Errorf("%s is not described", call)
		}
	}
}

// A cookie is good for looking at its own game and for nothing else.
func TestTheCookie(t *testing.T) {
	s := startServer(t, nil)
	a := ask(t, "POST", s.http.URL+"/api/games", plainChess)
	var g seat
	a.into(t, &g)
	cookies := (&http.Response{Header: a.header}).Cookies()
	if len(cookies) != 1 {
		t.Fatalf("cookies: %v", cookies)
	}
	c := cookies[0]
	if c.Value != g.Token || c.Path != "/api/games/"+g.ID || !c.HttpOnly || c.SameSite != http.SameSiteStrictMode {
		t.Errorf("cookie: %v", c)
	}
	l, status, err := listen(t.Context(), http.DefaultClient, s.http.URL+"/api/games/"+g.ID, true, -1, "Cookie", c.Name+"="+c.Value)
	if err != nil || l == nil {
		t.Fatalf("watching with the cookie: %d, %v", status, err)
	}
	l.close()
	mine := ask(t, "GET", s.http.URL+"/api/games/"+g.ID+"/mine", "", "Cookie", c.Name+"="+c.Value)
	if mine.status != 200 || mine.header.Get("Cache-Control") != "no-store" || !strings.Contains(mine.body, `"cards":[]`) {
		t.Errorf("mine: %d %s", mine.status, mine.body)
	}
}
