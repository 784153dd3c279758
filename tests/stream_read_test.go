package tests

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// A message is one thing that a stream says.
type message struct {
	event string // record, reset, end; empty for a heartbeat
	n     int    // of a record
	data  string
}

// A listener reads one stream in either form.
type listener struct {
	lines *bufio.Scanner
	sse   bool
	close func()
}

// errEnded says that a stream has ended, well or by a cut.
var errEnded = errors.New("the stream has ended")

// listen opens a stream from behind record since, or from the beginning for -1. Headers
// come as name, value; the name query sets the query instead.
func listen(ctx context.Context, client *http.Client, url string, sse bool, since int, headers ...string) (*listener, int, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/stream", nil)
	if err != nil {
		return nil, 0, err
	}
	r.Header.Set("Accept", "application/x-ndjson")
	if sse {
		r.Header.Set("Accept", "text/event-stream")
	}
	if since >= 0 {
		r.Header.Set("Last-Event-ID", strconv.Itoa(since))
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "query" {
			r.URL.RawQuery = headers[i+1]
			continue
		}
		r.Header.Set(headers[i], headers[i+1])
	}
	resp, err := client.Do(r)
	if err != nil {
		return nil, 0, err
	}
	l := &listener{lines: bufio.NewScanner(resp.Body), sse: sse, close: func() { resp.Body.Close() }}
	l.lines.Buffer(nil, 1<<20)
	if resp.StatusCode != http.StatusOK {
		l.close()
		return nil, resp.StatusCode, nil
	}
	return l, resp.StatusCode, nil
}

// next is what the stream says next; errEnded when it says no more.
func (l *listener) next() (message, error) {
	if l.sse {
		return l.nextEvent()
	}
	if !l.lines.Scan() {
		return message{}, l.ended()
	}
	line := l.lines.Text()
	switch line {
	case "":
		return message{}, nil
	case `{"reset":true}`:
		return message{event: "reset", data: line}, nil
	}
	n, err := numberOf(line)
	return message{event: "record", n: n, data: line}, err
}

func (l *listener) nextEvent() (message, error) {
	m := message{n: -1}
	for l.lines.Scan() {
		field, value, _ := strings.Cut(l.lines.Text(), ": ")
		switch field {
		case "":
			return l.checked(m)
		case ":":
		case "event":
			m.event = value
		case "data":
			m.data = value
		case "id":
			n, err := strconv.Atoi(value)
			if err != nil {
				return m, err
			}
			m.n = n
		case "retry":
		default:
			return m, fmt.Errorf("an unknown line: %q", l.lines.Text())
		}
	}
	return message{}, l.ended()
}

// checked makes sure that a record's id is its number.
func (l *listener) checked(m message) (message, error) {
	if m.event != "record" {
		return m, nil
	}
	n, err := numberOf(m.data)
	if err == nil && n != m.n {
		err = fmt.Errorf("record %d under the id %d", n, m.n)
	}
	return m, err
}

func (l *listener) ended() error {
	if err := l.lines.Err(); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: %w", errEnded, err)
	}
	return errEnded
}

func numberOf(payload string) (int, error) {
	var record struct {
		N *int `json:"n"`
	}
	if err := json.Unmarshal([]byte(payload), &record); err != nil || record.N == nil {
		return -1, fmt.Errorf("no record: %q", payload)
	}
	return *record.N, nil
}

// recordsOf asks for the exact records of a game, one a line.
func recordsOf(client *http.Client, url string) ([]string, error) {
	a, err := tryAsk(context.Background(), client, http.MethodGet, url+"/records", "")
	if err != nil || a.status != http.StatusOK {
		return nil, fmt.Errorf("status %d, %w", a.status, err)
	}
	return strings.Split(strings.TrimSuffix(a.body, "\n"), "\n"), nil
}
