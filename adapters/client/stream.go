package client

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/url"
	"strconv"
	"time"

	"chancery/events"
)

// silence is how long a stream may say nothing, not even a heartbeat, before it is
// taken for dead.
const silence = time.Minute

// Stream yields the payload of every record of a game with a number above since (-1:
// all), and goes on with new ones. A stream that is cut off is taken up again behind the
// last record; a server that has forgotten where that was begins anew, and records may
// come twice. It ends after the record that ends the game, with the context's error, or
// with a [*Problem].
func (c *Client) Stream(ctx context.Context, id string, since int) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for pause := firstPause; ; pause = min(2*pause, longPause) {
			before := since
			over, err := c.stream(ctx, id, &since, yield)
			switch {
			case over:
				return
			case ctx.Err() != nil:
				yield(nil, ctx.Err())
				return
			case !passing(err):
				yield(nil, err)
				return
			}
			if since > before {
				pause = firstPause
			}
			select {
			case <-ctx.Done():
			case <-time.After(pause):
			}
		}
	}
}

// errCut is a stream that ended before its game.
var errCut = errors.New("the stream was cut off")

// stream reads one connection. Over means that nothing more is to be read.
func (c *Client) stream(ctx context.Context, id string, since *int, yield func([]byte, error) bool) (over bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	query := url.Values{}
	if *since >= 0 {
		query.Set("since", strconv.Itoa(*since))
	}
	response, err := c.get(ctx, path(id, "stream"), query, "application/x-ndjson")
	if err != nil {
		return false, err
	}
	defer response.Body.Close()
	watchdog := time.AfterFunc(silence, cancel)
	defer watchdog.Stop()
	lines := bufio.NewReaderSize(response.Body, 64<<10)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return false, cut(err)
		}
		watchdog.Reset(silence)
		line = bytes.TrimSpace(line)
		if !isRecord(line) {
			continue // a heartbeat, or something that is only for some clients
		}
		r, err := events.DecodeRecord(line)
		if err != nil {
			yield(nil, err)
			return true, nil
		}
		if !yield(line, nil) {
			return true, nil
		}
		*since = max(*since, r.N)
	}
}

func cut(err error) error {
	if errors.Is(err, io.EOF) {
		return errCut
	}
	return fmt.Errorf("%w: %w", errCut, err)
}

// isRecord knows a record by its first key; canonical JSON has them sorted.
func isRecord(line []byte) bool { return bytes.HasPrefix(line, []byte(`{"at":`)) }
