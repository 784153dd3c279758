package sqlstore

import (
	"context"
	"encoding/binary"
	"errors"
	"net"
	"os"
	"sync/atomic"
	"time"

	"github.com/lib/pq"
)

var (
	errSilent = errors.New("the database does not answer, nor does a new connection to it")
	errGone   = errors.New("the database did not answer a moment ago")
)

// A dialer opens connections to PostgreSQL that notice when the network swallows what
// they send, long before the kernel gives up. A database that is at work is silent too;
// so after a while of silence we ask it for something else, on a connection of its own.
type dialer struct {
	net.Dialer
	silence time.Duration // then it is asked, and has as long again to answer
	flush   time.Duration // then what is sent must be on its way
	rest    time.Duration // so long it counts as gone once it did not answer, lest all who wait find out in turn

	gone atomic.Int64 // until then, Unix ns
}

func newDialer() *dialer {
	return &dialer{
		Dialer: net.Dialer{
			Control:         unacknowledged,
			KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 10 * time.Second, Interval: 5 * time.Second, Count: 3},
		},
		silence: 3 * time.Second, flush: 20 * time.Second, rest: time.Second,
	}
}

var _ pq.DialerContext = (*dialer)(nil)

// DialContext opens a connection.
func (d *dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	if time.Now().UnixNano() < d.gone.Load() {
		return nil, &net.OpError{Op: "dial", Net: network, Err: errGone}
	}
	begun := time.Now()
	c, err := d.Dialer.DialContext(ctx, network, address)
	switch {
	case err != nil && time.Since(begun) >= d.silence:
		d.miss()
		return nil, &net.OpError{Op: "dial", Net: network, Err: errSilent}
	case err != nil:
		return nil, err
	}
	return &line{Conn: c, dialer: d, network: network, address: address}, nil
}

// DialTimeout opens a connection within the time.
func (d *dialer) DialTimeout(network, address string, timeout time.Duration) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return d.DialContext(ctx, network, address)
}

// A line is a connection that is not silent for ever.
type line struct {
	net.Conn
	dialer           *dialer
	network, address string
	own              atomic.Bool // its user has set a deadline, as while it connects
}

// SetDeadline sets the user's own, which goes before the line's.
func (l *line) SetDeadline(t time.Time) error {
	l.own.Store(!t.IsZero())
	return l.Conn.SetDeadline(t)
}

// Read reads what comes, however long it takes, as long as the database is there at all.
func (l *line) Read(b []byte) (int, error) {
	for {
		own := l.own.Load()
		if !own {
			_ = l.SetReadDeadline(time.Now().Add(l.dialer.silence)) // a closed one says so below
		}
		n, err := l.Conn.Read(b)
		switch {
		case n > 0 || !errors.Is(err, os.ErrDeadlineExceeded):
			return n, err
		case own:
			l.dialer.miss()
			return n, err
		case !l.dialer.answers(l.network, l.address):
			return n, &net.OpError{Op: "read", Net: l.network, Addr: l.RemoteAddr(), Err: errSilent}
		}
	}
}

// Write sends, unless nothing of it gets on its way.
func (l *line) Write(b []byte) (int, error) {
	if !l.own.Load() {
		_ = l.SetWriteDeadline(time.Now().Add(l.dialer.flush)) // likewise
	}
	return l.Conn.Write(b)
}

func (d *dialer) miss() { d.gone.Store(time.Now().Add(d.rest).UnixNano()) }

// gssRequest asks for encryption by GSSAPI, the cheapest thing that PostgreSQL answers and
// writes nothing about (section 55.7 of its manual): a length and a number.
var gssRequest = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, 8), 80877104)

// answers says whether anything of the database can be heard, be it that it hangs up.
func (d *dialer) answers(network, address string) bool {
	if time.Now().UnixNano() < d.gone.Load() {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), d.silence)
	defer cancel()
	c, err := d.Dialer.DialContext(ctx, network, address)
	if err == nil {
		defer c.Close()
		deadline, _ := ctx.Deadline()
		_ = c.SetDeadline(deadline) // it is new and open
		_, _ = c.Write(gssRequest)  // or Read says why
		_, err = c.Read(make([]byte, 1))
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) {
		d.miss()
		return false
	}
	return true
}
