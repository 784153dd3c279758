package jetstream_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"chancery/adapters/jetstream"
	"chancery/domain/fair"
	"chancery/events"
	"chancery/events/logtest"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"
)

// A cluster is three real servers in this process, connected by real routes.
type cluster struct {
	t       testing.TB
	options []*server.Options
	servers []*server.Server
	url     string
}

const nodes = 3

func newCluster(t testing.TB) *cluster {
	c := &cluster{t: t, servers: make([]*server.Server, nodes)}
	ports := freePorts(t, 2*nodes)
	var routes []*url.URL
	var urls []string
	for i := range nodes {
		routes = append(routes, &url.URL{Scheme: "nats", Host: fmt.Sprintf("127.0.0.1:%d", ports[i])})
		urls = append(urls, fmt.Sprintf("nats://127.0.0.1:%d", ports[nodes+i]))
	}
	c.url = strings.Join(urls, ",")
	for i := range nodes {
		c.options = append(c.options, &server.Options{
			ServerName: fmt.Sprint("n", i), Host: "127.0.0.1", Port: ports[nodes+i], NoSigs: true, NoLog: true,
			JetStream: true, StoreDir: t.TempDir(), SyncAlways: true, Routes: routes,
			Cluster: server.ClusterOpts{Name: "test", Host: "127.0.0.1", Port: ports[i]},
		})
	}
	for i := range nodes {
		c.start(i)
	}
	t.Cleanup(func() {
		for _, s := range c.servers {
			s.Shutdown()
			s.WaitForShutdown()
		}
	})
	return c
}

func freePorts(t testing.TB, n int) []int {
	ports := make([]int, n)
	for i := range ports {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		ports[i] = l.Addr().(*net.TCPAddr).Port
	}
	return ports
}

func (c *cluster) start(i int) {
	s, err := server.NewServer(c.options[i].Clone())
	if err != nil {
		c.t.Fatal(err)
	}
	s.Start()
	c.servers[i] = s
}

func (c *cluster) stop(i int) {
	c.servers[i].Shutdown()
	c.servers[i].WaitForShutdown()
}

// open gives an empty ledger: the one before it is destroyed.
func (c *cluster) open(t testing.TB) *jetstream.Log {
	t.Helper()
	c.destroy(t)
	log, err := jetstream.OpenRemote(t.Context(), jetstream.Remote{URL: c.url, Create: true, Wait: 30 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(log.Close)
	return log
}

func (c *cluster) destroy(t testing.TB) {
	nc, err := nats.Connect(c.url)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := natsjs.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		err := js.DeleteStream(ctx, "LEDGER")
		cancel()
		if err == nil || errors.Is(err, natsjs.ErrStreamNotFound) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("no cluster: ", err)
		}
	}
}

// leader is the index of the server that leads the ledger's stream, or -1.
func (c *cluster) leader() int {
	for i, s := range c.servers {
		if s.JetStreamIsStreamLeader("$G", "LEDGER") {
			return i
		}
	}
	return -1
}

func TestCluster(t *testing.T) {
	if testing.Short() {
		t.Skip("starts three servers")
	}
	c := newCluster(t)
	logtest.Run(t, func(t *testing.T) events.Log { return c.open(t) })
}

// TestLeaderStops stops the leader of the stream in the middle of concurrent appends,
// twice, and starts it again. Every append that was acknowledged is there, once, in
// order; and so is what a reader saw who followed all the time.
func TestLeaderStops(t *testing.T) {
	if testing.Short() {
		t.Skip("starts three servers")
	}
	c := newCluster(t)
	log := c.open(t)
	const games = 12
	w := writers{t: t, log: log, stop: make(chan struct{}), acked: make([][]events.Position, games)}
	for g := range games {
		w.group.Go(func() { w.write(g) })
	}
	followed := make(chan []events.Stored)
	stopFollowing := w.follow(followed)
	for range 2 {
		time.Sleep(time.Second)
		leader := c.leader()
		if leader < 0 {
			t.Fatal("the stream has no leader")
		}
		c.stop(leader)
		time.Sleep(4 * time.Second)
		c.start(leader)
		time.Sleep(2 * time.Second)
	}
	close(w.stop)
	w.group.Wait()
	end, err := log.Last(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	stopFollowing(end)
	w.check(<-followed)
	t.Logf("%d appends acknowledged, %d tries ended without an answer", end, w.unknown)
}

// writers play games that only grow, and count what they were told is stored.
type writers struct {
	t     testing.TB
	log   events.Log
	group sync.WaitGroup
	stop  chan struct{}
	acked [][]events.Position

	mu      sync.Mutex
	unknown int
}

func stoppedEntry(g, i int) events.Entry {
	game := fmt.Sprint("game-", g)
	return events.Entry{Game: game, Payload: fmt.Appendf(nil, `{"game":%d,"i":%d}`, g, i), Cause: fair.Cause(game, fmt.Sprint(i)).String()}
}

func (w *writers) write(g int) {
	at := events.Revision(0)
	for i := 0; ; {
		select {
		case <-w.stop:
			return
		default:
		}
		position, err := w.log.Append(w.t.Context(), at, stoppedEntry(g, i))
		switch {
		case err == nil:
			w.acked[g] = append(w.acked[g], position)
			at = position
			i++
		case errors.Is(err, events.ErrUnavailable): // unknown: the same again
			w.mu.Lock()
			w.unknown++
			w.mu.Unlock()
		default:
			w.t.Errorf("game %d, record %d: %v", g, i, err)
			return
		}
	}
}

// follow collects everything until the returned function says where the end is.
func (w *writers) follow(out chan<- []events.Stored) func(events.Position) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	ends := make(chan events.Position, 1)
	go func() {
		defer cancel()
		var all []events.Stored
		end := events.Position(0)
		for s, err := range w.log.Follow(ctx, 0) {
			if err != nil {
				w.t.Errorf("follow: %v", err)
				break
			}
			all = append(all, s)
			select {
			case end = <-ends:
			default:
			}
			if end > 0 && s.Position >= end {
				break
			}
		}
		out <- all
	}()
	return func(end events.Position) {
		ends <- end
		// One more record makes sure that the reader looks at the end.
		if _, err := w.log.Append(ctx, 0, stoppedEntry(999, 0)); err != nil {
			w.t.Error(err)
		}
	}
}

func (w *writers) check(followed []events.Stored) {
	t := w.t
	at := map[events.Position]events.Stored{}
	for i, s := range followed {
		if s.Position != events.Position(i+1) {
			t.Fatalf("the reader saw position %d at index %d", s.Position, i)
		}
		at[s.Position] = s
	}
	for g, acked := range w.acked {
		if len(acked) == 0 {
			t.Errorf("game %d never grew", g)
		}
		i := 0
		for s, err := range w.log.Read(t.Context(), fmt.Sprint("game-", g), 0) {
			if err != nil {
				t.Fatal(err)
			}
			if want := stoppedEntry(g, i); string(s.Payload) != string(want.Payload) {
				t.Fatalf("game %d: record %d is %s", g, i, s.Payload)
			}
			if i < len(acked) && acked[i] != s.Position {
				t.Errorf("game %d: record %d acknowledged at %d, stored at %d", g, i, acked[i], s.Position)
			}
			if string(at[s.Position].Payload) != string(s.Payload) {
				t.Errorf("game %d: the reader saw %s at %d", g, at[s.Position].Payload, s.Position)
			}
			i++
		}
		if i < len(acked) {
			t.Errorf("game %d: %d records acknowledged, %d stored", g, len(acked), i)
		}
	}
}
