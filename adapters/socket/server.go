// Package socket lets other commands read a ledger whose data directory a running
// server holds: an [events.Log] over HTTP on a Unix socket in that directory. Who may
// open the socket's file may read everything, sealed boxes too; nobody can append.
package socket

import (
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"chancery/events"
)

// Name is the socket's file in a data directory.
const Name = "chancery.sock"

// A frame is one step of an answer. The last one says that the answer is whole, or
// what cut it short: an answer without one has been cut off on its way.
type frame struct {
	Record events.Stored
	Last   bool
	Error  string
}

// Services are what a server does for other commands besides reading. Each may be nil.
type Services struct {
	// Doctor gives what [Client.Doctor] reads, as a value for JSON.
	Doctor func(context.Context) (any, error)
	// Rebuild computes a read model anew, and tells how far it is.
	Rebuild func(ctx context.Context, name string, progress func(at, last events.Position)) error
}

// Serve answers readers of the log on a socket at path until ctx ends, and removes the
// socket. Only the owner of the file can open it. The caller holds the data directory,
// so a file left at path by a server that was killed is replaced. The error is nil when
// ctx ended.
func Serve(ctx context.Context, path string, log events.Log, s Services) error {
	listener, err := listen(path)
	if err != nil {
		return fmt.Errorf("opening the socket for other commands: %w", err)
	}
	defer os.Remove(path)
	h := handler{log: log, Services: s}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /last", h.last)
	mux.HandleFunc("GET /records", h.records)
	mux.HandleFunc("GET /follow", h.follow)
	mux.HandleFunc("GET /doctor", h.examine)
	mux.HandleFunc("GET /rebuild", h.rebuild)
	server := &http.Server{
		Handler: mux, ReadHeaderTimeout: 10 * time.Second,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	err = server.Serve(listener)
	if ctx.Err() != nil && errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("answering other commands on the socket: %w", err)
}

// listen opens the socket in a folder that nobody else can enter, and moves it to its
// place when it is private: there is no moment in which others could connect.
func listen(path string) (net.Listener, error) {
	private, err := os.MkdirTemp(filepath.Dir(path), ".sock")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(private)
	made := filepath.Join(private, "s")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: made, Net: "unix"})
	if err != nil {
		return nil, fmt.Errorf("%w (a socket's path can have about 100 characters: choose a data directory with a shorter one)", err)
	}
	l.SetUnlinkOnClose(false)
	if err := errors.Join(os.Chmod(made, 0o600), os.Rename(made, path)); err != nil {
		_ = l.Close()
		return nil, err
	}
	return l, nil
}

type handler struct {
	log events.Log
	Services
}

func (h handler) last(w http.ResponseWriter, r *http.Request) {
	at, err := h.log.Last(r.Context())
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	fmt.Fprint(w, at)
}

func (h handler) records(w http.ResponseWriter, r *http.Request) {
	after, ok := position(w, r)
	if ok {
		send(w, h.log.Read(r.Context(), r.FormValue("game"), after), false)
	}
}

func (h handler) follow(w http.ResponseWriter, r *http.Request) {
	after, ok := position(w, r)
	if ok {
		send(w, h.log.Follow(r.Context(), after), true)
	}
}

func (h handler) examine(w http.ResponseWriter, r *http.Request) {
	if h.Doctor == nil {
		http.NotFound(w, r)
		return
	}
	found, err := h.Doctor(r.Context())
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(found) // an answer cut short is no JSON
}

func position(w http.ResponseWriter, r *http.Request) (events.Position, bool) {
	n, err := strconv.ParseUint(r.FormValue("after"), 10, 64)
	if err != nil {
		http.Error(w, "after is a position", http.StatusBadRequest)
	}
	return events.Position(n), err == nil
}

// send writes the records as frames, those of a live answer each at once.
func send(w http.ResponseWriter, records iter.Seq2[events.Stored, error], live bool) {
	out := gob.NewEncoder(w)
	flush := http.NewResponseController(w).Flush
	if live && flush() != nil {
		return
	}
	for record, err := range records {
		if err != nil {
			_ = out.Encode(frame{Last: true, Error: err.Error()})
			return
		}
		if out.Encode(frame{Record: record}) != nil || live && flush() != nil {
			return
		}
	}
	_ = out.Encode(frame{Last: true})
}
