package witness

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"

	"golang.org/x/mod/sumdb/note"
	merkle "golang.org/x/mod/sumdb/tlog"

	"chancery/adapters/tlog"
)

const mostBody = 64 << 10

// Handler answers ledgers: POST /add-checkpoint. GET / says who the witness is.
func (w *Witness) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /add-checkpoint", w.answer)
	mux.HandleFunc("GET /{$}", func(out http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(out, "A witness of ledgers (C2SP tlog-witness). Its key is\n%s\n", w.public)
	})
	return mux
}

// A refusal is an answer other than a signature.
type refusal struct {
	status int
	text   string
	size   bool // text is the size that the witness knows, for a program
}

func (r *refusal) Error() string { return r.text }

func refuse(status int, format string, args ...any) error {
	return &refusal{status: status, text: fmt.Sprintf(format, args...)}
}

func (w *Witness) answer(out http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(out, r.Body, mostBody))
	if err != nil {
		http.Error(out, "the request is too long, or broke off", http.StatusBadRequest)
		return
	}
	lines, err := w.Add(string(body))
	var no *refusal
	switch {
	case err == nil:
		out.Header().Set("Content-Type", "text/plain; charset=utf-8")
		fmt.Fprint(out, lines)
	case !errors.As(err, &no):
		http.Error(out, "the witness cannot remember, and so does not sign", http.StatusInternalServerError)
	case no.size:
		out.Header().Set("Content-Type", "text/x.tlog.size")
		out.WriteHeader(no.status)
		fmt.Fprint(out, no.text)
	default:
		http.Error(out, no.text, no.status)
	}
}

// Add takes the body of an add-checkpoint request and gives the lines with the
// witness's signature. It has written down what it signs before it returns.
func (w *Witness) Add(body string) (lines string, err error) {
	old, proof, signed, err := tlog.ParseAdd(body)
	if err != nil {
		return "", refuse(http.StatusBadRequest, "%v", err)
	}
	c, err := w.open(signed)
	if err != nil {
		return "", err
	}
	if old > c.Size {
		return "", refuse(http.StatusBadRequest, "the old size is above the new one")
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.kept.Logs[c.Origin].continued(old, proof, c); err != nil {
		return "", err
	}
	next := w.kept
	next.Logs = maps.Clone(w.kept.Logs)
	next.Logs[c.Origin] = latest{Size: c.Size, Root: c.Root}
	if err := w.save(next); err != nil {
		return "", err
	}
	w.kept = next
	return w.sign(signed)
}

// open reads a checkpoint of a ledger that the witness answers for.
func (w *Witness) open(signed string) (tlog.Checkpoint, error) {
	text, _, _ := strings.Cut(signed, "\n\n")
	c, err := tlog.ParseCheckpoint(text + "\n")
	if err != nil {
		return c, refuse(http.StatusBadRequest, "%v", err)
	}
	keys := w.logs[c.Origin]
	if keys == nil {
		return c, refuse(http.StatusNotFound, "this witness does not answer for %.100q", c.Origin)
	}
	c, _, err = tlog.OpenCheckpoint([]byte(signed), keys...)
	if err != nil {
		return c, refuse(http.StatusForbidden, "no key of the ledger has signed this checkpoint")
	}
	return c, nil
}

// continued says why the checkpoint does not continue what was signed last.
func (l latest) continued(old int64, proof merkle.TreeProof, c tlog.Checkpoint) error {
	same := old == c.Size && l.Size == c.Size
	switch {
	case old != l.Size, same && l.Size > 0 && c.Root != l.Root:
		return &refusal{status: http.StatusConflict, text: fmt.Sprintf("%d\n", l.Size), size: true}
	case old == 0 || same:
		if len(proof) > 0 || c.Size == 0 && c.Root != sha256.Sum256(nil) {
			return refuse(http.StatusUnprocessableEntity, "the proof must be empty here, and the root of no records that of nothing")
		}
		return nil
	}
	if err := merkle.CheckTree(proof, c.Size, c.Root, l.Size, l.Root); err != nil {
		return refuse(http.StatusUnprocessableEntity, "the proof does not lead from the %d records that this witness knows to the new root", l.Size)
	}
	return nil
}

// sign gives the line with the witness's signature on a checkpoint.
func (w *Witness) sign(signed string) (string, error) {
	text, _, _ := strings.Cut(signed, "\n\n")
	b, err := note.Sign(&note.Note{Text: text + "\n"}, w.signer)
	if err != nil {
		return "", err
	}
	_, lines, _ := strings.Cut(string(b), "\n\n")
	return lines, nil
}
