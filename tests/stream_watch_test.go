package tests

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chancery/adapters/httpapi"
	"chancery/domain/fair"
)

// shuttle are moves that come back to where they began.
var shuttle = []string{"g1f3", "g8f6", "f3g1", "f6g8"}

// playLong plays so many moves of the rook pawns and knights that no rule ends the
// game, at the given pace, and then resigns.
func playLong(players [2]*seat, n, moves int, pace time.Duration) error {
	quiet := []string{
		"g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8",
		"a2a3", "a7a6", "g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8",
		"b2b3", "b7b6", "g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8",
		"c2c3", "c7c6", "g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8",
		"d2d3", "d7d6", "g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8",
	}
	for i, uci := range quiet[:moves] {
		time.Sleep(pace)
		s := players[i%2]
		a, err := tryAsk(context.Background(), http.DefaultClient, "POST", s.url+"/actions", fmt.Sprintf(`{"do":{"move":%q},"expect":%d}`, uci, n),
			"Authorization", "Bearer "+s.Token, "Idempotency-Key", s.key())
		if err != nil || a.status != http.StatusOK {
			return fmt.Errorf("move %d, %s: %d %s, %w", i, uci, a.status, a.body, err)
		}
		n++
	}
	a, err := tryAsk(context.Background(), http.DefaultClient, "POST", players[0].url+"/actions", `{"do":{"resign":true}}`,
		"Authorization", "Bearer "+players[0].Token, "Idempotency-Key", players[0].key())
	if err != nil || a.status != http.StatusOK {
		return fmt.Errorf("resigning: %d %s, %w", a.status, a.body, err)
	}
	return nil
}

// A spectator who comes at any record and is cut off at random moments ends with
// exactly the list of one who never left.
func TestStreamCutAtRandom(t *testing.T) {
	const moves = 40
	cutsWanted := int64(600)
	if testing.Short() {
		cutsWanted = 100
	}
	s := startServer(t, nil)
	var cuts, restless atomic.Int64
	for cuts.Load() < cutsWanted {
		players, n := play(t, s.http.URL, plainChess)
		var watching sync.WaitGroup
		lists := make([][]string, 40)
		for i := range lists {
			watching.Go(func() {
				var err error
				if i < 2 {
					lists[i], err = watchSteadily(players[0].url, i == 0)
				} else {
					var c int
					lists[i], c, err = watchRestlessly(players[0].url, i%2 == 0)
					cuts.Add(int64(c))
					restless.Add(1)
				}
				if err != nil {
					t.Errorf("spectator %d: %v", i, err)
				}
			})
		}
		if err := playLong(players, n, moves, 2*time.Millisecond); err != nil {
			t.Fatal(err)
		}
		watching.Wait()
		want, err := recordsOf(http.DefaultClient, players[0].url)
		if err != nil || len(want) != moves+3 {
			t.Fatalf("%d records, %v", len(want), err)
		}
		for i, got := range lists {
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("spectator %d (-want +got):\n%s", i, diff)
			}
		}
	}
	t.Logf("%d cuts of %d spectators", cuts.Load(), restless.Load())
}

// watchSteadily collects the records of one unbroken stream until its end.
func watchSteadily(url string, sse bool) ([]string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	l, status, err := listen(ctx, http.DefaultClient, url, sse, -1)
	if err != nil || status != http.StatusOK {
		return nil, fmt.Errorf("status %d: %w", status, err)
	}
	defer l.close()
	var list []string
	for {
		m, err := l.next()
		switch {
		case errors.Is(err, errEnded):
			return list, nil
		case err != nil:
			return list, err
		case m.event == "record":
			list = append(list, m.data)
		}
	}
}

// watchRestlessly does the same and breaks off again and again, in the middle of a
// record too: it keeps what has come as a whole and asks for the rest.
func watchRestlessly(url string, sse bool) (list []string, cuts int, err error) {
	time.Sleep(time.Duration(rand.IntN(100)) * time.Millisecond)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: dialBrittle}}
	defer client.CloseIdleConnections()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); cuts++ {
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(1+rand.IntN(60))*time.Millisecond)
		over, err := watchOnce(ctx, client, url, sse, &list)
		cancel()
		if over || err != nil {
			return list, cuts, err
		}
	}
	return list, cuts, errors.New("the game never ended")
}

func watchOnce(ctx context.Context, client *http.Client, url string, sse bool, list *[]string) (over bool, err error) {
	l, status, err := listen(ctx, client, url, sse, len(*list)-1)
	if err != nil {
		return false, nil // cut off before it began
	}
	if l == nil {
		return status == http.StatusNoContent, nil
	}
	defer l.close()
	for {
		m, err := l.next()
		switch {
		case err != nil:
			return false, nil // half a record is no record: it is asked for again
		case m.event == "reset":
			return false, errors.New("an honest client was reset")
		case m.event == "record" && m.n != len(*list):
			return false, fmt.Errorf("record %d came in place of %d", m.n, len(*list))
		case m.event == "record":
			*list = append(*list, m.data)
		}
	}
}

// dialBrittle opens connections that break after a random number of bytes.
func dialBrittle(ctx context.Context, network, addr string) (net.Conn, error) {
	c, err := new(net.Dialer).DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	return &brittle{Conn: c, left: 500 + rand.IntN(8000)}, nil
}

type brittle struct {
	net.Conn
	left int
}

func (b *brittle) Read(p []byte) (int, error) {
	if b.left <= 0 {
		b.Close()
		return 0, net.ErrClosed
	}
	n, err := b.Conn.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

// Thousands watch one game. All receive all of it; those who stop reading are cut off
// and delay nobody; and when all are gone nothing is left of them.
func TestStreamsByTheThousand(t *testing.T) {
	readers, asleep := 2000, 20
	if testing.Short() {
		readers = 300
	}
	s := startServer(t, func(c *httpapi.Config, _ *http.Server) { c.StreamWriteWithin = 5 * time.Second })
	players, n := play(t, s.http.URL, plainChess)
	before := runtime.NumGoroutine()
	// A transport of its own: the ones that watch share no connection with those that play.
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	var arrived, done sync.WaitGroup
	lists := make([]int, readers)
	for i := range readers {
		arrived.Add(1)
		done.Go(func() {
			l, status, err := listen(t.Context(), client, players[0].url, i%2 == 0, -1)
			if err != nil || l == nil {
				arrived.Done()
				t.Errorf("reader %d: status %d, %v", i, status, err)
				return
			}
			defer l.close()
			for first := true; ; first = false {
				m, err := l.next()
				if first {
					arrived.Done()
				}
				if err != nil {
					return
				}
				if m.event == "record" && m.n == lists[i] {
					lists[i]++
				}
			}
		})
	}
	sleepers := fallAsleep(t, players[0].url, asleep)
	arrived.Wait()

	const moves = 20
	start := time.Now()
	if err := playLong(players, n, moves, 0); err != nil {
		t.Fatal(err)
	}
	played := time.Since(start)
	done.Wait()
	t.Logf("%d moves in %v while %d watched and %d slept; the last reader had all %v after the end", moves, played, readers, asleep, time.Since(start)-played)
	for i, got := range lists {
		if got != moves+3 {
			t.Errorf("reader %d has %d records, want %d", i, got, moves+3)
		}
	}
	for _, c := range sleepers {
		c.Close()
	}
	client.CloseIdleConnections()
	http.DefaultClient.CloseIdleConnections()
	for range 100 {
		if runtime.NumGoroutine() <= before+10 && s.hall.Stats().Watches == 0 {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("%d goroutines before, %d now; %d watches are left", before, runtime.NumGoroutine(), s.hall.Stats().Watches)
}

// fallAsleep opens streams whose readers never read.
func fallAsleep(t *testing.T, url string, n int) []net.Conn {
	t.Helper()
	host, path, _ := strings.Cut(strings.TrimPrefix(url, "http://"), "/")
	var conns []net.Conn
	for range n {
		c, err := net.Dial("tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.(*net.TCPConn).SetReadBuffer(1); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(c, "GET /%s/stream HTTP/1.1\r\nHost: %s\r\n\r\n", path, host)
		conns = append(conns, c)
	}
	return conns
}

// A reader that takes nothing is cut off once the buffers between are full.
func TestStreamSlowReaderIsCut(t *testing.T) {
	s := startServer(t, func(c *httpapi.Config, h *http.Server) {
		c.StreamWriteWithin, c.Heartbeat = 300*time.Millisecond, time.Millisecond
		h.ConnState = func(c net.Conn, state http.ConnState) {
			if tcp, ok := c.(*net.TCPConn); ok && state == http.StateNew {
				_ = tcp.SetWriteBuffer(4096)
			}
		}
	})
	players, _ := play(t, s.http.URL, plainChess, shuttle...)
	sleepers := fallAsleep(t, players[0].url, 5)
	for range 400 {
		metrics := ask(t, "GET", s.http.URL+"/metrics", "").body
		if strings.Contains(metrics, "\nchancery_streams_cut_total 5\n") {
			for _, c := range sleepers {
				c.Close()
			}
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("the sleepers were not cut: %s", linesWith(ask(t, "GET", s.http.URL+"/metrics", "").body, "chancery_streams"))
}

// Where a stream begins.
func TestStreamResumes(t *testing.T) {
	s := startServer(t, nil)
	players, n := play(t, s.http.URL, plainChess, "e2e4", "e7e5")
	tests := []struct {
		name    string
		query   string
		header  string
		from    int
		isReset bool
	}{
		{"at the beginning", "", "", 0, false},
		{"behind since", "since=1", "", 2, false},
		{"behind the last event", "", "2", 3, false},
		{"the header counts more", "since=0", "2", 3, false},
		{"a word", "since=last", "", 0, true},
		{"a word in the header", "", "%", 0, true},
		{"a negative number", "since=-4", "", 0, true},
		{"a number to come", "since=99", "", 0, true},
		{"a huge number", "since=99999999999999999999", "", 0, true},
		{"the header is wrong, since is right", "since=1", "99", 0, true},
	}
	for _, tt := range tests {
		for _, sse := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, SSE %v", tt.name, sse), func(t *testing.T) {
				headers := []string{"query", tt.query}
				if tt.header != "" {
					headers = append(headers, "Last-Event-ID", tt.header)
				}
				l, status, err := listen(t.Context(), http.DefaultClient, players[0].url, sse, -1, headers...)
				if err != nil || l == nil {
					t.Fatalf("status %d, %v", status, err)
				}
				defer l.close()
				want := []message{}
				if tt.isReset {
					want = append(want, message{event: "reset"})
				}
				for i := tt.from; i <= n; i++ {
					want = append(want, message{event: "record", n: i})
				}
				for i, w := range want {
					m, err := l.next()
					for err == nil && m.event == "" { // the opening words, heartbeats
						m, err = l.next()
					}
					if err != nil || m.event != w.event || w.event == "record" && m.n != w.n {
						t.Fatalf("message %d: %s %d, %v; want %s %d", i, m.event, m.n, err, w.event, w.n)
					}
				}
			})
		}
	}
}

// A stream's headers come at once, it outlives the server's timeouts, and while nothing
// happens it says that it is there.
func TestStreamOfAQuietGame(t *testing.T) {
	s := startServer(t, func(c *httpapi.Config, h *http.Server) {
		c.Heartbeat = 20 * time.Millisecond
		h.ReadTimeout, h.WriteTimeout = 100*time.Millisecond, 100*time.Millisecond
	})
	open := create(t, s.http.URL, plainChess)
	for _, sse := range []bool{true, false} {
		start := time.Now()
		l, status, err := listen(t.Context(), http.DefaultClient, open.url, sse, 0)
		if err != nil || l == nil {
			t.Fatalf("status %d, %v", status, err)
		}
		for beats := 0; beats < 20; {
			m, err := l.next()
			if err != nil {
				t.Fatalf("after %v and %d beats: %v", time.Since(start), beats, err)
			}
			if m.event == "" {
				beats++
			}
		}
		l.close()
	}
	open.join()
	l, _, err := listen(t.Context(), http.DefaultClient, open.url, true, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	for {
		m, err := l.next()
		if err != nil {
			t.Fatal(err)
		}
		if m.event == "record" {
			break
		}
	}
}

// Behind the last record of a game its streams end, and who has all of it is told so.
func TestStreamEnds(t *testing.T) {
	s := startServer(t, nil)
	players, n := play(t, s.http.URL, plainChess, "f2f3", "e7e5", "g2g4")
	steady := make(chan []string)
	go func() {
		list, err := watchSteadily(players[0].url, true)
		if err != nil {
			t.Error(err)
		}
		steady <- list
	}()
	time.Sleep(20 * time.Millisecond)
	players[1].move("d8h4", n)
	if list := <-steady; len(list) != n+2 {
		t.Errorf("%d records, want %d", len(list), n+2)
	}
	l, _, err := listen(t.Context(), http.DefaultClient, players[0].url, true, n)
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	var kinds []string
	for {
		m, err := l.next()
		if err != nil {
			break
		}
		if m.event != "" {
			kinds = append(kinds, m.event)
		}
	}
	if !slices.Equal(kinds, []string{"record", "end"}) {
		t.Errorf("messages %v", kinds)
	}
	if _, status, err := listen(t.Context(), http.DefaultClient, players[0].url, true, n+1); status != http.StatusNoContent {
		t.Errorf("status %d, %v", status, err)
	}
	if a := ask(t, "HEAD", players[0].url+"/stream", ""); a.status != 200 || a.header.Get("Content-Type") != "text/event-stream" {
		t.Errorf("HEAD: %d %s", a.status, a.header.Get("Content-Type"))
	}
}

// A server that stops ends its streams, so that it can stop.
func TestStreamsEndWithTheServer(t *testing.T) {
	s := startServer(t, nil)
	open := create(t, s.http.URL, plainChess)
	l, _, err := listen(t.Context(), http.DefaultClient, open.url, false, -1)
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	if _, err := l.next(); err != nil {
		t.Fatal(err)
	}
	s.http.Config.RegisterOnShutdown(s.api.CloseStreams)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if err := s.http.Config.Shutdown(ctx); err != nil {
		t.Errorf("Shutdown: %v", err)
	}
	if _, err := l.next(); !errors.Is(err, errEnded) {
		t.Errorf("the stream goes on: %v", err)
	}
}

// A seat's stream tells it of its own cards, and nobody else's tells of them.
func TestStreamOfASeat(t *testing.T) {
	s := startServer(t, nil)
	players, n := play(t, s.http.URL, `{"variant":"unochess"}`)
	told := func(sse bool, headers ...string) (private []string) {
		l, _, err := listen(t.Context(), http.DefaultClient, players[0].url, sse, -1, headers...)
		if err != nil {
			t.Fatal(err)
		}
		defer l.close()
		time.AfterFunc(300*time.Millisecond, l.close)
		for {
			m, err := l.next()
			switch {
			case err != nil:
				return private
			case m.event == "private":
				private = append(private, m.data)
			}
		}
	}
	var hands [2][]fair.Mine
	for i, p := range players {
		private := told(true, "Authorization", "Bearer "+p.Token)
		var mine struct {
			Seat  int
			N     int
			Cards []fair.Mine
		}
		if len(private) != 1 || json.Unmarshal([]byte(private[0]), &mine) != nil || mine.Seat != i || mine.N != n || len(mine.Cards) != 7 {
			t.Fatalf("seat %d was told %v", i, private)
		}
		if a := ask(t, "GET", p.url+"/mine", "", "Authorization", "Bearer "+p.Token); strings.TrimSpace(a.body) != private[0] {
			t.Errorf("/mine says %s, the stream %s", a.body, private[0])
		}
		hands[i] = mine.Cards
	}
	if private := told(true); private != nil {
		t.Errorf("a spectator was told %v", private)
	}
	all, err := recordsOf(http.DefaultClient, players[0].url)
	if err != nil {
		t.Fatal(err)
	}
	for i, cards := range hands {
		for _, c := range cards {
			if strings.Contains(strings.Join(all, ""), c.HSalt.String()) {
				t.Errorf("a salt of seat %d's card %d is public", i, c.Card)
			}
		}
	}
}
