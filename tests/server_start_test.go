package tests

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"chancery/adapters/httpapi"
	"chancery/adapters/keys"
	"chancery/adapters/memory"
	"chancery/adapters/notes"
	"chancery/adapters/table"
	"chancery/domain/bot"
	"chancery/domain/game"
	"chancery/events"
	"chancery/projections/lobby"
)

// A gameServer is a whole game server in this process, on a ledger in memory.
type gameServer struct {
	t    testing.TB
	log  events.Log
	hall *table.Hall
	api  *httpapi.API
	http *httptest.Server
	out  *safeBuffer // what it logs
}

// safeBuffer may be written to and read from at the same time.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// inProcess are the hall's games as the HTTP side sees them.
type inProcess struct{ *table.Hall }

func (g inProcess) Watch(ctx context.Context, id string) (httpapi.Watch, error) {
	w, err := g.Hall.Watch(ctx, id)
	if err != nil {
		return nil, err
	}
	return w, nil
}

// A ground is what a server stands on that two of them may have in common.
type ground struct {
	log     events.Log // nil: one of its own
	keys    string     // the directory
	now     func() time.Time
	entropy io.Reader // of seeds
}

// startServer starts a server and stops it at the end of the test. Change, which may be
// nil, changes how it is configured.
func startServer(t testing.TB, change func(*httpapi.Config, *http.Server)) *gameServer {
	t.Helper()
	return startServerOn(t, ground{nil, t.TempDir(), time.Now, rand.Reader}, change)
}

func startServerOn(t testing.TB, on ground, change func(*httpapi.Config, *http.Server)) *gameServer {
	t.Helper()
	s := &gameServer{t: t, log: on.log, out: &safeBuffer{}}
	if s.log == nil {
		s.log = memory.New()
	}
	logger := slog.New(slog.NewTextHandler(s.out, &slog.HandlerOptions{Level: slog.LevelDebug}))
	ring, err := keys.Open(on.keys, time.Now(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := notes.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s.hall, err = table.Open(context.Background(), table.Config{
		Log: s.log, Seals: ring, Notes: kept, Bots: bot.Bots(), Patience: table.DefaultPatience, Lobby: lobby.New(),
		Logger: logger, Now: on.now, Entropy: on.entropy, Alone: on.log == nil,
	})
	if err != nil {
		t.Fatal(err)
	}
	config := httpapi.Config{
		Games: inProcess{s.hall}, Lobby: s.hall.Lobby, Secrets: ring, Logger: logger, Version: "test",
		Ready: func(ctx context.Context) error { _, err := s.log.Last(ctx); return err },
	}
	for _, b := range bot.Bots() {
		config.Bots = append(config.Bots, httpapi.Bot{Name: b.Name, Summary: b.Summary})
	}
	s.http = httptest.NewUnstartedServer(nil)
	s.http.Config.ErrorLog = slog.NewLogLogger(logger.Handler(), slog.LevelDebug)
	if change != nil {
		change(&config, s.http.Config)
	}
	s.api = httpapi.New(config)
	s.http.Config.Handler = s.api
	s.http.Start()
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { s.hall.Run(ctx) })
	t.Cleanup(func() {
		s.api.CloseStreams()
		s.http.Close()
		stop()
		running.Wait()
	})
	return s
}

// An answer is what the server said.
type answer struct {
	status int
	header http.Header
	body   string
}

// problem is the problem document that the answer is.
func (a answer) problem(t testing.TB) httpapi.Problem {
	t.Helper()
	var p httpapi.Problem
	if kind := a.header.Get("Content-Type"); kind != "application/problem+json" {
		t.Fatalf("status %d with Content-Type %q, want a problem document: %s", a.status, kind, a.body)
	}
	if err := json.Unmarshal([]byte(a.body), &p); err != nil {
		t.Fatalf("%v: %s", err, a.body)
	}
	return p
}

// into reads the answer's JSON.
func (a answer) into(t testing.TB, v any) {
	t.Helper()
	if a.status >= 300 {
		t.Fatalf("status %d: %s", a.status, a.body)
	}
	if err := json.Unmarshal([]byte(a.body), v); err != nil {
		t.Fatalf("%v: %s", err, a.body)
	}
}

// ask makes one request; headers come as name, value, name, value.
func ask(t testing.TB, method, url, body string, headers ...string) answer {
	t.Helper()
	a, err := tryAsk(context.Background(), http.DefaultClient, method, url, body, headers...)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func tryAsk(ctx context.Context, client *http.Client, method, url, body string, headers ...string) (answer, error) {
	r, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
		if headers[i+1] == "" {
			r.Header.Del(headers[i])
		}
	}
	resp, err := client.Do(r)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return answer{status: resp.StatusCode, header: resp.Header, body: string(b)}, err
}

// A seat is a player at a table of a server.
type seat struct {
	t        testing.TB
	url      string // of the game
	ID       string `json:"id"`
	Token    string `json:"token"`
	N        int    `json:"n"`
	sequence int
}

// create opens a game, join takes the second seat.
func create(t testing.TB, server, body string) *seat {
	t.Helper()
	s := &seat{t: t}
	ask(t, "POST", server+"/api/games", body).into(t, s)
	s.url = server + "/api/games/" + s.ID
	return s
}

func (s *seat) join() *seat {
	s.t.Helper()
	other := &seat{t: s.t, url: s.url}
	ask(s.t, "POST", s.url+"/join", "{}").into(s.t, other)
	return other
}

// key is a new idempotency key.
func (s *seat) key() string {
	s.sequence++
	return fmt.Sprintf("key-%s-%06d", s.Token[:16], s.sequence)
}

// do acts in the game and gives the answer.
func (s *seat) do(body string, headers ...string) answer {
	s.t.Helper()
	return ask(s.t, "POST", s.url+"/actions", body, append([]string{
		"Authorization", "Bearer " + s.Token, "Idempotency-Key", s.key(),
	}, headers...)...)
}

// An acted is the answer to an accepted command.
type acted struct {
	N      int             `json:"n"`
	Events json.RawMessage `json:"events"`
	View   json.RawMessage `json:"view"`
}

// move plays a move on the record that the seat saw last.
func (s *seat) move(uci string, expect int) int {
	s.t.Helper()
	var a acted
	s.do(fmt.Sprintf(`{"do":{"move":%q},"expect":%d}`, uci, expect)).into(s.t, &a)
	return a.N
}

// play starts a game of two players and plays the moves; it gives both and the number
// of the newest record.
func play(t testing.TB, server, body string, moves ...string) (players [2]*seat, n int) {
	t.Helper()
	players[0] = create(t, server, body)
	players[1] = players[0].join()
	n = players[1].N
	for i, uci := range moves {
		n = players[i%2].move(uci, n)
	}
	return players, n
}

// view looks at a game.
func view(t testing.TB, url string, headers ...string) game.View {
	t.Helper()
	var v game.View
	ask(t, "GET", url, "", headers...).into(t, &v)
	return v
}
