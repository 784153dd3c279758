package httpapi

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net"
	"net/http"
	"net/url"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-chi/chi/v5"

	"chancery/domain/game"
)

// observe counts and times requests, and writes down those that we failed to answer.
// It looks at nothing that a client keeps secret: no headers, no bodies, no queries.
func (a *API) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		seen := &observed{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(seen, r)
		route, took, status := routeOf(r), time.Since(start), seen.status
		a.metrics.requests.WithLabelValues(methodOf(r), route, strconv.Itoa(status)).Inc()
		if !strings.HasSuffix(route, "/stream") {
			a.metrics.seconds.WithLabelValues(methodOf(r), route).Observe(took.Seconds())
		}
		level := slog.LevelDebug
		switch {
		case r.Context().Err() != nil: // the client has left, whatever it would have been told
		case status == http.StatusServiceUnavailable:
			level = slog.LevelWarn
		case status >= http.StatusInternalServerError:
			level = slog.LevelError
		}
		a.Logger.Log(r.Context(), level, "request", "method", methodOf(r), "route", route, "status", status, "took", took, "bytes", seen.bytes)
	})
}

// observed is an answer of which we note the status and the length. Everything else that
// a connection can do it does by itself, as [http.ResponseController] finds out.
type observed struct {
	http.ResponseWriter
	status int
	bytes  int
}

// WriteHeader notes the status.
func (o *observed) WriteHeader(status int) {
	o.status = status
	o.ResponseWriter.WriteHeader(status)
}

// Write counts.
func (o *observed) Write(b []byte) (int, error) {
	n, err := o.ResponseWriter.Write(b)
	o.bytes += n
	return n, err
}

// Unwrap is the answer itself.
func (o *observed) Unwrap() http.ResponseWriter { return o.ResponseWriter }

// routeOf is the pattern that matched, which names no game.
func routeOf(r *http.Request) string {
	if pattern := chi.RouteContext(r.Context()).RoutePattern(); pattern != "" {
		return pattern
	}
	return "none"
}

// methodOf is the method, or "other": who makes methods up would make us count each.
func methodOf(r *http.Request) string {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodOptions:
		return r.Method
	}
	return "other"
}

// recover turns a panic into a problem and a loud line in the log.
func (a *API) recover(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			fault := recover()
			if fault == nil {
				return
			}
			if err, is := fault.(error); is && errors.Is(err, http.ErrAbortHandler) {
				panic(fault)
			}
			a.Logger.Error("panic", "method", methodOf(r), "route", routeOf(r), "fault", fmt.Sprint(fault), "stack", string(debug.Stack()))
			writeProblem(w, r, newProblem(codeInternal, "Something is wrong with the server; its log says what."))
		}()
		next.ServeHTTP(w, r)
	})
}

// secured sets what every answer has: it is no page, and nobody frames or guesses it.
func secured(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Cache-Control", "no-store") // what may be kept says so itself
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
		next.ServeHTTP(w, r)
	})
}

// readable refuses an address that is no text, as nothing that it could name is: a
// database would fail over it.
func readable(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query, err := url.QueryUnescape(r.URL.RawQuery)
		if text := r.URL.Path + query; err != nil || !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
			writeProblem(w, r, newProblem(game.BadCommand, "The address is no text in UTF-8, or holds control characters; write it without."))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// readBody reads the body of a POST as a whole and refuses what cannot be a command,
// before anything else looks at it.
func readBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			next.ServeHTTP(w, r)
			return
		}
		if p := wrongType(r.Header.Get("Content-Type")); p != nil {
			writeProblem(w, r, p)
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil {
			writeProblem(w, r, unread(err))
			return
		}
		if fault := strictJSON(body); fault != "" {
			writeProblem(w, r, newProblem(game.BadCommand, fault))
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		r.ContentLength = int64(len(body))
		next.ServeHTTP(w, r)
	})
}

// wrongType refuses what does not call itself JSON, a form above all: other sites can
// make a browser send a form.
func wrongType(header string) *Problem {
	media, params, err := mime.ParseMediaType(header)
	if err == nil && media == "application/json" && (params["charset"] == "" || strings.EqualFold(params["charset"], "utf-8")) {
		return nil
	}
	p := newProblem(game.BadCommand, "Send JSON, with the header Content-Type: application/json.")
	p.Status = http.StatusUnsupportedMediaType
	return p
}

func unread(err error) *Problem {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return newProblem(codeTooLarge, fmt.Sprintf("A request has at most %d bytes.", large.Limit))
	}
	p := newProblem(game.BadCommand, "The request broke off before its end; send it again.")
	var slow net.Error
	if errors.As(err, &slow) && slow.Timeout() {
		p.Status = http.StatusRequestTimeout
	}
	return p
}

// nothingHere answers where there is no such address.
func nothingHere(w http.ResponseWriter, r *http.Request) {
	writeProblem(w, r, newProblem(codeNotFound, "There is nothing at this address; /api/openapi.json lists what there is."))
}

// notAllowed answers a method that an address does not have, and says which it has.
func notAllowed(router *chi.Mux) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var allowed []string
		if router.Match(chi.NewRouteContext(), http.MethodGet, r.URL.Path) {
			allowed = append(allowed, http.MethodGet, http.MethodHead)
		}
		if router.Match(chi.NewRouteContext(), http.MethodPost, r.URL.Path) {
			allowed = append(allowed, http.MethodPost)
		}
		if len(allowed) == 0 { // as a method that nobody knows is at any address
			nothingHere(w, r)
			return
		}
		w.Header().Set("Allow", strings.Join(append(allowed, http.MethodOptions), ", "))
		if r.Method == http.MethodOptions {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		p := newProblem(game.BadCommand, "This address takes "+strings.Join(allowed, ", ")+".")
		p.Status = http.StatusMethodNotAllowed
		writeProblem(w, r, p)
	}
}
