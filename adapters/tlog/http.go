package tlog

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	merkle "golang.org/x/mod/sumdb/tlog"

	"chancery/events"
)

// Paths are those that [Ledger.Handler] answers, for the router that it is put into.
func Paths() []string {
	return []string{"/ledger/*", "/api/games/{id}/proof", "/api/ledger/consistency"}
}

// Handler answers what anybody may ask of the public ledger: checkpoints, tiles and
// entries as C2SP tlog-tiles has them, the keys, and proofs. Locate gives the position
// of a game's record n, or with n below 0 of its newest; its errors are those of
// [events.Load].
func (l *Ledger) Handler(locate func(ctx context.Context, game string, n int) (events.Position, error), refuse Refuse) http.Handler {
	s := server{Ledger: l, locate: locate, refuse: refuse}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /ledger/checkpoint", s.checkpoint(l.Signed))
	mux.HandleFunc("GET /ledger/checkpoint/witnessed", s.checkpoint(l.Witnessed))
	mux.HandleFunc("GET /ledger/tile/{path...}", s.tile)
	mux.HandleFunc("GET /ledger/keys", s.keys)
	mux.HandleFunc("GET /api/games/{id}/proof", s.proof)
	mux.HandleFunc("GET /api/ledger/consistency", s.consistency)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.refuse(w, r, "not_found", "There is nothing at this address of the public ledger.")
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Access-Control-Allow-Origin", "*") // it is public, and a verifier may be a page of somebody else
		h.Set("Cross-Origin-Resource-Policy", "cross-origin")
		mux.ServeHTTP(w, r)
	})
}

type server struct {
	*Ledger
	locate func(ctx context.Context, game string, n int) (events.Position, error)
	refuse Refuse
}

// A Refuse answers a request with the problem document (RFC 9457) of a code: not_found,
// bad_command, unavailable or internal.
type Refuse func(w http.ResponseWriter, r *http.Request, code, detail string)

func plain(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	fmt.Fprint(w, text)
}

func (s server) checkpoint(newest func() (int64, string, bool)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, text, ok := newest()
		if !ok {
			s.refuse(w, r, "not_found", "There is no such checkpoint yet.")
			return
		}
		plain(w, text)
	}
}

// tile answers with a part of the tree that the newest checkpoint covers: it never
// changes again.
func (s server) tile(w http.ResponseWriter, r *http.Request) {
	t, ok := tileOf(r.PathValue("path"))
	if !ok {
		s.refuse(w, r, "not_found", "That is no address of a tile.")
		return
	}
	size, _, _ := s.Signed()
	b, ok, err := s.Tree.Tile(t, size)
	switch {
	case err != nil:
		s.Logger.Error("a tile cannot be read", "err", err)
		s.refuse(w, r, "internal", "The tile cannot be read; the server's log says why.")
		return
	case !ok:
		s.refuse(w, r, "not_found", "The newest checkpoint does not cover such a tile.")
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	if t.L >= 0 {
		_, _ = w.Write(b) // hashes do not get shorter
		return
	}
	writeShort(w, r, b)
}

// writeShort compresses an answer for those who can read it.
func writeShort(w http.ResponseWriter, r *http.Request, b []byte) {
	w.Header().Add("Vary", "Accept-Encoding")
	if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		_, _ = w.Write(b)
		return
	}
	w.Header().Set("Content-Encoding", "gzip")
	z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed) // a level that exists
	_, _ = z.Write(b)
	_ = z.Close() // what breaks off does not unpack
}

// tileOf reads the address of a tile behind tile/: level and number, or entries and
// number. There is one way to write each.
func tileOf(path string) (merkle.Tile, bool) {
	rest, entries := strings.CutPrefix(path, "entries/")
	switch {
	case entries:
		path = "data/" + rest
	case strings.HasPrefix(path, "data/"):
		return merkle.Tile{}, false
	}
	t, err := merkle.ParseTilePath(fmt.Sprintf("tile/%d/%s", tileHeight, path))
	return t, err == nil
}

// keys lists the keys that sign: the ledger's, the witnesses', and those that signed
// earlier or are announced, also where their files are gone.
func (s server) keys(w http.ResponseWriter, r *http.Request) {
	_, announced, err := Announced(r.Context(), s.Log)
	if err != nil {
		s.refuse(w, r, "unavailable", "The ledger cannot be reached.")
		return
	}
	list := struct {
		Origin    string   `json:"origin"`
		Log       []string `json:"log"`
		Witnesses []string `json:"witnesses"`
		History   []string `json:"history"`
	}{Origin: s.Origin, Log: publicKeys(s.Keys()), Witnesses: []string{}, History: publicKeys(s.AllKeys())}
	for _, witness := range s.Witnesses {
		list.Witnesses = append(list.Witnesses, witness.Key)
	}
	for _, key := range slices.Backward(announced) {
		if !slices.Contains(list.History, key) {
			list.History = append(list.History, key)
		}
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache")
	_ = json.NewEncoder(w).Encode(list) // what breaks off is no JSON
}

func publicKeys(keys []Key) []string {
	list := []string{}
	for _, k := range keys {
		list = append(list, k.Public())
	}
	return list
}

// proof answers with the proof that a record stands in the ledger.
func (s server) proof(w http.ResponseWriter, r *http.Request) {
	n := -1
	if text := r.FormValue("n"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil || n < 0 {
			s.refuse(w, r, "bad_command", "The parameter n takes the number of a record, from 0.")
			return
		}
	}
	position, err := s.locate(r.Context(), r.PathValue("id"), n)
	switch {
	case errors.Is(err, events.ErrNotFound):
		s.refuse(w, r, "not_found", "There is no such record.")
		return
	case err != nil:
		s.refuse(w, r, "unavailable", "The ledger cannot be reached.")
		return
	}
	p, err := s.Prove(position)
	switch {
	case errors.Is(err, ErrNotYet):
		s.refuse(w, r, "unavailable", "No checkpoint covers the record yet; it takes about a second.")
	case err != nil:
		s.Logger.Error("a record cannot be proved", "position", uint64(position), "err", err)
		s.refuse(w, r, "internal", "The record cannot be proved; the server's log says why.")
	default:
		plain(w, p.Text())
	}
}

// consistency answers with the proof that one size of the ledger continues another.
func (s server) consistency(w http.ResponseWriter, r *http.Request) {
	signed, _, _ := s.Signed()
	to, err := parseSize(r.FormValue("to"))
	if r.FormValue("to") == "" {
		to, err = signed, nil
	}
	from, err2 := parseSize(r.FormValue("from"))
	if err != nil || err2 != nil || from > to || to > signed {
		s.refuse(w, r, "bad_command", fmt.Sprintf("The parameters from and to take sizes of the ledger, from 0 to %d, the smaller first.", signed))
		return
	}
	answer := struct {
		From     int64            `json:"from"`
		To       int64            `json:"to"`
		FromRoot merkle.Hash      `json:"from_root"`
		ToRoot   merkle.Hash      `json:"to_root"`
		Proof    merkle.TreeProof `json:"proof"`
	}{From: from, To: to}
	answer.FromRoot, err = s.Tree.Root(from)
	if err == nil {
		answer.ToRoot, err = s.Tree.Root(to)
	}
	if err == nil {
		answer.Proof, err = s.Tree.Consistency(to, from)
	}
	if err != nil {
		s.Logger.Error("the ledger's tree cannot be read", "err", err)
		s.refuse(w, r, "internal", "The tree cannot be read; the server's log says why.")
		return
	}
	if answer.Proof == nil {
		answer.Proof = merkle.TreeProof{}
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache")
	_ = json.NewEncoder(w).Encode(answer) // what breaks off is no JSON
}
