package sqlstore

import (
	"context"
	"errors"
	"io"
	"net"
	"net/url"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"chancery/projections"
	"chancery/projections/history"
	"chancery/tests/postgres"
)

// A wire is a network between a program and a database that can be cut without a sound:
// connections stay open, new ones are taken, and nothing comes through.
type wire struct {
	net.Listener
	to string

	mu   sync.Mutex
	open chan struct{} // closed while the wire is whole
}

// wired gives the database's URL through a wire.
func wired(t *testing.T, database string) (*wire, string) {
	t.Helper()
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query() // the tests' database has a socket in the file system
	w := &wire{Listener: l, to: filepath.Join(q.Get("host"), ".s.PGSQL.5432"), open: make(chan struct{})}
	w.mend()
	go w.serve()
	t.Cleanup(func() { l.Close() })
	u.Host, u.RawQuery = l.Addr().String(), "sslmode=disable"
	return w, u.String()
}

func (w *wire) cut() { w.mu.Lock(); defer w.mu.Unlock(); w.open = make(chan struct{}) }

func (w *wire) mend() { w.mu.Lock(); defer w.mu.Unlock(); close(w.open) }

// pass waits until the wire is whole.
func (w *wire) pass() {
	w.mu.Lock()
	open := w.open
	w.mu.Unlock()
	<-open
}

func (w *wire) serve() {
	for {
		near, err := w.Accept()
		if err != nil {
			return
		}
		go func() {
			w.pass()
			far, err := net.Dial("unix", w.to)
			if err != nil {
				near.Close()
				return
			}
			go w.carry(far, near)
			w.carry(near, far)
		}()
	}
}

// carry copies what comes from one side while the wire is whole.
func (w *wire) carry(from, to net.Conn) {
	defer from.Close()
	defer to.Close()
	b := make([]byte, 4096)
	for {
		n, err := from.Read(b)
		w.pass()
		if n > 0 {
			if _, err := to.Write(b[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// What is asked over a network that swallows everything ends with a word, on connections
// from before and on new ones; once packets get through again all is well.
func TestASilentNetwork(t *testing.T) {
	w, database := wired(t, postgres.URL(t))
	db, err := Open(database, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	log := ledger(t, 12)
	absorb(t, db.Model(History(log)), log, 100)
	ask := func() error {
		_, _, err := db.Games(context.WithoutCancel(t.Context()), history.Query{})
		return err
	}
	if err := ask(); err != nil {
		t.Fatal(err)
	}
	db.dialer.silence, db.dialer.rest = 300*time.Millisecond, time.Millisecond
	for range 2 {
		w.cut()
		for range 2 {
			if err := ask(); !errors.Is(err, projections.ErrUnavailable) {
				t.Fatalf("while the network is cut: %v, want ErrUnavailable", err)
			}
		}
		w.mend()
		for err := ask(); err != nil; err = ask() {
			if !errors.Is(err, projections.ErrUnavailable) {
				t.Fatal(err)
			}
		}
	}
}

// A database that is at work may be silent for as long as it likes.
func TestASlowStatement(t *testing.T) {
	db, err := Open(postgres.URL(t), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.dialer.silence = time.Second
	if _, err := db.shared.ExecContext(t.Context(), "SELECT pg_sleep(2.5)"); err != nil {
		t.Error(err)
	}
}

// A database that hangs up on who asks whether it is there is there.
func TestAnswers(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	d := newDialer()
	for name, answer := range map[string][]byte{"a letter": {'N'}, "nothing": nil} {
		go func() {
			if c, err := l.Accept(); err == nil {
				_, _ = io.ReadFull(c, make([]byte, len(gssRequest)))
				_, _ = c.Write(answer)
				c.Close()
			}
		}()
		if !d.answers("tcp", l.Addr().String()) {
			t.Errorf("it said %s and counts as gone", name)
		}
	}
}
