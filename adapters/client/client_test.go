package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"chancery/domain/game"
)

func TestAddresses(t *testing.T) {
	for _, bad := range []string{"", "localhost", "localhost:8080", "ftp://x", "http://", "::"} {
		if _, err := New(bad, ""); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}

// serverOf answers requests in order, each with one of the handlers; the last answers
// all that follow.
func serverOf(t *testing.T, answers ...http.HandlerFunc) (*Client, *atomic.Int64) {
	t.Helper()
	var asked atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answers[min(int(asked.Add(1))-1, len(answers)-1)](w, r)
	}))
	t.Cleanup(s.Close)
	c, err := New(s.URL, "secret")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c, &asked
}

func problem(status int, code string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"type":"/problems/%s","title":"No","status":%d,"detail":"Because.","n":4}`, code, status)
	}
}

func cutOff(w http.ResponseWriter, _ *http.Request) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err == nil {
		conn.Close()
	}
}

// An answer that is lost or says "later" is asked for again, with the same key.
func TestCommandsAreRepeatedWithTheirKey(t *testing.T) {
	var keys []string
	noted := func(h http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			keys = append(keys, r.Header.Get("Idempotency-Key")+" "+r.Header.Get("Authorization"))
			h(w, r)
		}
	}
	c, asked := serverOf(t, noted(cutOff), noted(problem(503, "unavailable")), noted(problem(429, "rate_limited")),
		noted(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"n":7}`) }))
	told := 0
	c.Waiting = func(err error, _ time.Duration) {
		if told++; err == nil {
			t.Error("told to wait for nothing")
		}
	}
	a, err := c.Act(t.Context(), "G", Act{Do: []byte(`{"resign":true}`)}, "the key")
	if told != 1 {
		t.Errorf("told %d times to wait, want once a command", told)
	}
	if err != nil || a.N != 7 || asked.Load() != 4 {
		t.Errorf("got %v, %v after %d requests", a, err, asked.Load())
	}
	for _, k := range keys {
		if k != "the key Bearer secret" {
			t.Errorf("sent %q", k)
		}
	}
}

func TestRefusalsAreNotRepeated(t *testing.T) {
	c, asked := serverOf(t, problem(409, "stale"))
	_, err := c.Act(t.Context(), "G", Act{}, NewKey())
	var p *Problem
	if !errors.As(err, &p) || p.N != 4 || !errors.Is(err, game.Stale) || errors.Is(err, game.GameOver) || err.Error() != "Because." {
		t.Errorf("got %v", err)
	}
	if asked.Load() != 1 {
		t.Errorf("asked %d times", asked.Load())
	}
}

func TestAnswersThatAreNoProblems(t *testing.T) {
	c, _ := serverOf(t, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "go away", http.StatusForbidden) })
	if _, err := c.View(t.Context(), "G", nil, ""); err == nil || errors.Is(err, game.Stale) {
		t.Errorf("got %v", err)
	}
}

// records writes payloads as a stream does, from the number behind ?since=.
func records(payloads [][]byte, upTo int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		since := -1
		if s := r.FormValue("since"); s != "" {
			fmt.Sscan(s, &since)
		}
		fmt.Fprintf(w, "\n{\"private\":true}\n") // a heartbeat, and something that is no record
		for n := since + 1; n < upTo; n++ {
			fmt.Fprintf(w, "%s\n", payloads[n])
		}
	}
}

// A stream that breaks off anywhere, in the middle of a line too, is taken up where it
// was.
func TestStreamsAreTakenUpAgain(t *testing.T) {
	h := newHouse(t, 1)
	h.own(game.OpenLink{})
	h.own(h.firstMove())
	half := func(w http.ResponseWriter, r *http.Request) {
		records(h.sent, 2)(w, r)
		fmt.Fprintf(w, "%s", h.sent[2][:40])
	}
	c, asked := serverOf(t, cutOff, records(h.sent, 1), half, problem(503, "unavailable"), records(h.sent, 2), records(h.sent, 4))
	table := NewTable(gameID, nil)
	for payload, err := range c.Stream(t.Context(), gameID, -1) {
		if err != nil {
			t.Fatal(err)
		}
		absorb(t, table, payload)
		if table.Game.N == len(h.sent)-1 {
			break
		}
	}
	if table.Game.Head != h.game.Head || asked.Load() != 6 {
		t.Errorf("record %d after %d requests", table.Game.N, asked.Load())
	}
}

func TestStreamsEnd(t *testing.T) {
	c, _ := serverOf(t, problem(404, "not_found"))
	for _, err := range c.Stream(t.Context(), "G", -1) {
		var p *Problem
		if !errors.As(err, &p) || p.Status != 404 {
			t.Errorf("got %v", err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	c, _ = serverOf(t, func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	})
	for _, err := range c.Stream(ctx, "G", -1) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
}
