package httpapi

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"

	"chancery/events"
)

const sse = "text/event-stream"

type streamInput struct {
	Caller
	ID          string `path:"id" maxLength:"64"`
	Since       string `query:"since" example:"4" doc:"Number of the last record that the client has; the stream goes on behind it. Everything if left out"`
	LastEventID string `header:"Last-Event-ID" doc:"The same, as a browser's EventSource sends it by itself; it counts more than since"`
	Accept      string `header:"Accept" doc:"text/event-stream, which is the default, or application/x-ndjson"`
}

const streamDescription = `As Server-Sent Events: one event "record" a record, its id the number n, its data the exact stored bytes. As NDJSON: the exact bytes, one record a line; a record carries its n.

Nothing is missing and nothing comes twice. A client that was cut off asks for what follows the last record that it has, by Last-Event-ID or since. If that is not the number of a record of this game, an event "reset" (in NDJSON the line {"reset":true}) says that the whole history follows, from record 0.

The stream of a seat also carries, as Server-Sent Events, an event "private" with the seat's own cards, as /mine gives them, whenever they have changed.

While nothing happens there is a comment, in NDJSON an empty line, every 15 seconds. Behind the record that ends the game comes an event "end", and the stream ends; who asks for more of such a game gets 204, which tells an EventSource to stop asking. A reader that does not take what it is sent is cut off.`

func (a *API) registerStream(api huma.API) {
	ok := &huma.Response{Description: "The records as they are made", Content: map[string]*huma.MediaType{sse: {}, ndjson: {}}}
	huma.Register(api, huma.Operation{
		OperationID: "stream", Method: http.MethodGet, Path: "/api/games/{id}/stream",
		Summary: "Follow a game live", Description: streamDescription,
		Responses: map[string]*huma.Response{"200": ok, "204": {Description: "The game is over and the client has all of it"}},
	}, a.stream)
}

func (a *API) stream(ctx context.Context, in *streamInput) (*huma.StreamResponse, error) {
	token, err := in.token()
	if err != nil {
		return nil, problemOf(err)
	}
	g, err := a.Games.Game(ctx, in.ID)
	if err != nil {
		return nil, problemOf(err)
	}
	seat, err := a.seatOf(ctx, g, token)
	if err != nil {
		return nil, problemOf(err)
	}
	watch, err := a.Games.Watch(ctx, in.ID)
	if err != nil {
		return nil, problemOf(err)
	}
	next, reset := a.begin(ctx, watch, in)
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		defer watch.Close()
		r, w := humachi.Unwrap(hc)
		s := a.newStream(w, in.Accept)
		switch rest, _, over := watch.From(next); {
		case over && len(rest) == 0:
			w.WriteHeader(http.StatusNoContent)
		case r.Method == http.MethodHead:
			s.head()
		default:
			s.begin(reset)
			a.run(r.Context(), s, watch, next, &hand{games: a.Games, id: in.ID, seat: seat})
		}
	}}, nil
}

// begin is the number of the first record to send. What the client says it has must be
// a record of the game, if need be one that another instance has just stored.
func (a *API) begin(ctx context.Context, watch Watch, in *streamInput) (next int, reset bool) {
	last := in.Since
	if in.LastEventID != "" {
		last = in.LastEventID
	}
	if last == "" {
		return 0, false
	}
	n, err := strconv.Atoi(last)
	if err != nil || n < 0 {
		return 0, true
	}
	if has(watch, n) {
		return n + 1, false
	}
	if err := watch.Reload(ctx); err != nil || !has(watch, n) {
		return 0, true
	}
	return n + 1, false
}

func has(watch Watch, n int) bool {
	records, _, _ := watch.From(n)
	return len(records) > 0
}

// run sends records until the game is over, the reader leaves or is too slow, or the
// server closes.
func (a *API) run(ctx context.Context, s *stream, watch Watch, next int, own *hand) {
	a.metrics.streams.Inc()
	defer a.metrics.streams.Dec()
	beat := time.NewTicker(a.Heartbeat)
	defer beat.Stop()
	for {
		records, more, over := watch.From(next)
		for i, r := range records {
			s.record(next+i, r)
		}
		next += len(records)
		if len(records) > 0 && s.events {
			s.private(own.after(ctx, next-1))
		}
		if over {
			s.end(next - 1)
		}
		s.flush()
		if s.err != nil {
			a.metrics.cut.Inc()
		}
		if over || s.err != nil {
			return
		}
		select {
		case <-more:
		case <-beat.C:
			s.beat()
		case <-ctx.Done():
			return
		case <-a.closing:
			return
		}
	}
}

// A stream writes records in one of the two forms.
type stream struct {
	w      http.ResponseWriter
	rc     *http.ResponseController
	events bool // Server-Sent Events, and not lines
	within time.Duration
	buf    []byte
	err    error // the first that writing gave; then nothing more is written
}

// maxPending is how much is collected before it is sent.
const maxPending = 32 << 10

// newStream frees the connection of the server's own deadlines: a stream lasts.
func (a *API) newStream(w http.ResponseWriter, accept string) *stream {
	s := &stream{w: w, rc: http.NewResponseController(w), within: a.StreamWriteWithin}
	s.events = strings.Contains(accept, sse) || !strings.Contains(accept, ndjson)
	_ = s.rc.SetReadDeadline(time.Time{}) // a writer without deadlines has none to lift
	return s
}

func (s *stream) head() {
	h := s.w.Header()
	h.Set("Content-Type", ndjson)
	if s.events {
		h.Set("Content-Type", sse)
	}
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // proxies that collect answers would hold everything back
	h.Set("Vary", "Accept")
	s.w.WriteHeader(http.StatusOK)
}

// begin sends the headers at once, though nothing may happen for a long time.
func (s *stream) begin(reset bool) {
	s.head()
	if s.events {
		s.buf = append(s.buf, "retry: 2000\n\n"...)
	}
	switch {
	case reset && s.events:
		s.buf = append(s.buf, "event: reset\ndata: {\"reset\":true}\n\n"...)
	case reset:
		s.buf = append(s.buf, "{\"reset\":true}\n"...)
	}
	s.send()
	if s.err == nil {
		s.err = s.rc.Flush()
	}
}

func (s *stream) record(n int, r events.Stored) {
	if s.events {
		s.buf = append(s.buf, "id: "...)
		s.buf = strconv.AppendInt(s.buf, int64(n), 10)
		s.buf = append(s.buf, "\nevent: record\ndata: "...)
	}
	s.buf = append(append(s.buf, r.Payload...), '\n')
	if s.events {
		s.buf = append(s.buf, '\n')
	}
	if len(s.buf) >= maxPending {
		s.send()
	}
}

// private tells a seat of its own cards. It has no id: it is no record, and comes again.
func (s *stream) private(data []byte) {
	if data != nil {
		s.buf = append(append(append(s.buf, "event: private\ndata: "...), data...), "\n\n"...)
	}
}

func (s *stream) end(n int) {
	if s.events {
		s.buf = append(s.buf, "event: end\ndata: {\"n\":"...)
		s.buf = strconv.AppendInt(s.buf, int64(n), 10)
		s.buf = append(s.buf, "}\n\n"...)
	}
}

func (s *stream) beat() {
	if s.events {
		s.buf = append(s.buf, ":\n"...)
	}
	s.buf = append(s.buf, '\n')
}

// send writes what has been collected, for as long as a reader may take to make room.
func (s *stream) send() {
	if s.err == nil {
		_ = s.rc.SetWriteDeadline(time.Now().Add(s.within))
		_, s.err = s.w.Write(s.buf)
	}
	s.buf = s.buf[:0]
}

// flush sends what has been collected on its way.
func (s *stream) flush() {
	if len(s.buf) == 0 {
		return
	}
	s.send()
	if s.err == nil {
		s.err = s.rc.Flush()
	}
}
