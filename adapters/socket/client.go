package socket

import (
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"chancery/events"
)

// ErrReadOnly refuses an append through the socket.
var ErrReadOnly = errors.New("the ledger can only be read while a server holds it; stop the server to change it from here")

// A Client is the [events.Log] of a running server, for reading.
type Client struct {
	path string
	http http.Client
}

var _ events.Log = (*Client)(nil)

// Open returns the ledger of the server that answers on the socket at path. It does not
// connect yet.
func Open(path string) *Client {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", path)
	}
	return &Client{path: path, http: http.Client{Transport: &http.Transport{DialContext: dial}}}
}

// Close lets idle connections go.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Read is [events.Log] Read.
func (c *Client) Read(ctx context.Context, game string, after events.Revision) iter.Seq2[events.Stored, error] {
	return c.receive(ctx, "/records", url.Values{"game": {game}, "after": {text(after)}})
}

// Follow is [events.Log] Follow.
func (c *Client) Follow(ctx context.Context, after events.Position) iter.Seq2[events.Stored, error] {
	return c.receive(ctx, "/follow", url.Values{"after": {text(after)}})
}

// Append refuses with [ErrReadOnly].
func (c *Client) Append(context.Context, events.Revision, events.Entry) (events.Revision, error) {
	return 0, ErrReadOnly
}

// Last is [events.Log] Last.
func (c *Client) Last(ctx context.Context) (events.Position, error) {
	body, err := c.get(ctx, "/last", nil)
	if err != nil {
		return 0, err
	}
	defer body.Close()
	b, err := io.ReadAll(body)
	if err != nil {
		return 0, c.failed(ctx, err)
	}
	n, err := strconv.ParseUint(string(b), 10, 64)
	if err != nil {
		return 0, c.failed(ctx, err)
	}
	return events.Position(n), nil
}

// Doctor asks the server about itself and decodes the answer into v.
func (c *Client) Doctor(ctx context.Context, v any) error {
	body, err := c.get(ctx, "/doctor", nil)
	if err != nil {
		return err
	}
	defer body.Close()
	if err := json.NewDecoder(body).Decode(v); err != nil {
		return c.failed(ctx, err)
	}
	return nil
}

// Rebuild has the server compute a read model anew. Progress may be nil. The error is
// what the server says, or that it does not answer.
func (c *Client) Rebuild(ctx context.Context, name string, progress func(at, last events.Position)) error {
	body, err := c.get(ctx, "/rebuild", url.Values{"name": {name}})
	if err != nil {
		return err
	}
	defer body.Close()
	for in := json.NewDecoder(body); ; {
		var s step
		switch err := in.Decode(&s); {
		case err != nil:
			return c.failed(ctx, err)
		case s.Error != "":
			return errors.New(s.Error)
		case s.Done:
			return nil
		case progress != nil:
			progress(s.At, s.Last)
		}
	}
}

func text(p events.Position) string { return strconv.FormatUint(uint64(p), 10) }

func (c *Client) get(ctx context.Context, path string, query url.Values) (io.ReadCloser, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://socket"+path+"?"+query.Encode(), nil)
	if err != nil {
		return nil, err
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, c.failed(ctx, err)
	}
	if response.StatusCode != http.StatusOK {
		defer response.Body.Close()
		b, _ := io.ReadAll(io.LimitReader(response.Body, 1000))
		return nil, c.failed(ctx, errors.New(response.Status+": "+strings.TrimSpace(string(b))))
	}
	return response.Body, nil
}

// receive yields the records of an answer.
func (c *Client) receive(ctx context.Context, path string, query url.Values) iter.Seq2[events.Stored, error] {
	return func(yield func(events.Stored, error) bool) {
		body, err := c.get(ctx, path, query)
		if err != nil {
			yield(events.Stored{}, err)
			return
		}
		defer body.Close()
		for in := gob.NewDecoder(body); ; {
			var f frame
			if err = in.Decode(&f); err == nil && f.Error != "" {
				err = errors.New(f.Error)
			}
			switch {
			case err != nil:
				yield(events.Stored{}, c.failed(ctx, err))
				return
			case f.Last || !yield(f.Record, nil):
				return
			}
		}
	}
}

// failed is the context's error if it ended, or else says that the server does not
// answer as it should.
func (c *Client) failed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fmt.Errorf("%w through %s: %w", events.ErrUnavailable, c.path, err)
}
