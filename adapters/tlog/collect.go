package tlog

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/mod/sumdb/note"

	"chancery/events"
)

// A Witness is an independent program that signs what it has seen of a ledger, and
// never two histories (C2SP tlog-witness).
type Witness struct {
	Key string // its public key

	url      string
	verifier note.Verifier
	client   http.Client
	seen     int64 // what it has signed last
}

// ParseWitness reads an address and a public key, joined by a plus sign, as in
// https://witness.example+witness.example/w1+1a2b3c4d+BAbC….
func ParseWitness(text string) (*Witness, error) {
	address, key, _ := strings.Cut(text, "+")
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("%w: a witness is named by its address and its public key, as in https://witness.example+witness.example/w1+1a2b3c4d+BAbC, not %.200q", ErrKey, text)
	}
	v, err := WitnessVerifier(key)
	if err != nil {
		return nil, err
	}
	return &Witness{
		Key: key, url: strings.TrimSuffix(address, "/") + "/add-checkpoint", verifier: v,
		client: http.Client{Timeout: witnessWithin},
	}, nil
}

const (
	witnessWithin = 8 * time.Second
	mostAnswer    = 64 << 10
)

// ErrWitness says that a witness has refused a checkpoint: it has seen another history.
var ErrWitness = errors.New("a witness has seen another history of the ledger; restore the newest backup that has all records, or, if the witness is wrong, serve without it")

// collectOn asks all witnesses for their signatures, again and again.
func (l *Ledger) collectOn(ctx context.Context) {
	if len(l.Witnesses) == 0 {
		return
	}
	for ctx.Err() == nil && l.Trouble() == nil {
		l.collect(ctx)
		select {
		case <-ctx.Done():
		case <-time.After(l.WitnessEvery):
		}
	}
}

// meet asks every witness what it knows before the first signature after a start: a
// ledger that was restored from a backup, with all that stands beside it, learns from
// them alone that it once went further. They are asked with what was signed last, or the
// beginning of every ledger where nothing was, under the keys of today: a witness may have
// learned a new one, and forgotten the old. A witness that does not answer is not waited for.
func (l *Ledger) meet(ctx context.Context) error {
	if l.met {
		return nil
	}
	if err := l.recall(ctx); err != nil {
		return err
	}
	size, _, known := l.Signed()
	root, err := l.Tree.Root(size)
	if err != nil {
		return err
	}
	asked, err := l.signed(state{}, Checkpoint{Origin: l.Origin, Size: size, Root: root})
	if err != nil {
		return err
	}
	l.asking.Lock()
	defer l.asking.Unlock()
	var answers sync.WaitGroup
	for _, w := range l.Witnesses {
		answers.Go(func() {
			if _, err := w.ask(ctx, l.Log, l.Tree, size, asked.Signed); err != nil && ctx.Err() == nil {
				l.blame(ctx, w, err)
			}
		})
	}
	answers.Wait()
	l.met = known
	return l.Trouble()
}

// collect asks the witnesses that have not signed the newest checkpoint to do so, and
// keeps what they gave.
func (l *Ledger) collect(ctx context.Context) {
	l.asking.Lock()
	defer l.asking.Unlock()
	size, signed, ok := l.Signed()
	witnessed, text, _ := l.Witnessed()
	if !ok {
		return
	}
	if witnessed == size {
		signed = text
	}
	var asked sync.WaitGroup
	lines := make([]string, len(l.Witnesses))
	for i, w := range l.Witnesses {
		if bears(signed, w.verifier) {
			continue
		}
		asked.Go(func() {
			var err error
			if lines[i], err = w.ask(ctx, l.Log, l.Tree, size, signed); err != nil && ctx.Err() == nil {
				l.blame(ctx, w, err)
			}
		})
	}
	asked.Wait()
	if more := strings.Join(lines, ""); more != "" {
		if err := l.keep(ctx, size, signed+more); err != nil {
			l.alarm(ctx, err)
		}
	}
}

// blame says that a witness has not signed, and stops the signing if it has seen another
// history.
func (l *Ledger) blame(ctx context.Context, w *Witness, err error) {
	l.Logger.Warn("a witness has not signed", "witness", w.verifier.Name(), "err", err)
	if errors.Is(err, ErrWitness) {
		l.alarm(ctx, fmt.Errorf("%s: %w", w.verifier.Name(), err))
	}
}

// bears says whether a checkpoint has the signature of the key.
func bears(signed string, key note.Verifier) bool {
	_, err := note.Open([]byte(signed), note.VerifierList(key))
	return err == nil
}

// keep stores a checkpoint that witnesses have signed.
func (l *Ledger) keep(ctx context.Context, size int64, text string) error {
	var now state
	err := l.Notes.Update(ctx, stateNote, func(old []byte) (next []byte, err error) {
		if now, err = readState(old); err != nil || now.WitnessedSize > size {
			return nil, err
		}
		now.WitnessedSize, now.Witnessed = size, text
		if now.Size == size {
			now.Signed = text
		}
		return json.Marshal(now)
	})
	if err != nil {
		return fmt.Errorf("keeping what the witnesses signed: %w", err)
	}
	return l.adopt(now)
}

// ask sends a checkpoint over size records and gives the lines with the witness's
// signatures.
func (w *Witness) ask(ctx context.Context, log events.Log, tree *Tree, size int64, signed string) (lines string, err error) {
	for range 2 { // the first time it can say that it is elsewhere
		status, answer, err := w.send(ctx, tree, size, signed)
		if err != nil {
			return "", err
		}
		switch status {
		case http.StatusOK:
			w.seen = size
			return w.lines(signed, answer)
		case http.StatusConflict:
			seen, err := strconv.ParseInt(strings.TrimSuffix(answer, "\n"), 10, 64)
			switch {
			case err != nil || seen < 0:
				return "", fmt.Errorf("it answers %d without its size: %s", status, brief(answer))
			case seen > size:
				return "", ahead(ctx, log, seen)
			case seen == w.seen:
				return "", fmt.Errorf("%w (at the size of %d records)", ErrWitness, size)
			}
			w.seen = seen
		case http.StatusUnprocessableEntity:
			return "", fmt.Errorf("%w (what it knows is no beginning of %d records: %s)", ErrWitness, size, brief(answer))
		default:
			return "", fmt.Errorf("it answers %d: %s", status, brief(answer))
		}
	}
	return "", errors.New("it has moved on again; it is asked once more later")
}

// ahead is what it means that a witness has seen more than was sent: another instance was
// quicker, or the log has lost records.
func ahead(ctx context.Context, log events.Log, seen int64) error {
	last, err := log.Last(ctx)
	if err == nil && int64(last) < seen {
		err = fmt.Errorf("%w (it knows %d records, and the ledger has %d)", ErrWitness, seen, last)
	}
	return err
}

func (w *Witness) send(ctx context.Context, tree *Tree, size int64, signed string) (status int, answer string, err error) {
	proof, err := tree.Consistency(size, min(w.seen, size))
	if err != nil {
		return 0, "", err
	}
	body := bytes.NewBufferString("old " + strconv.FormatInt(min(w.seen, size), 10) + "\n")
	for _, h := range proof {
		body.WriteString(h.String() + "\n")
	}
	body.WriteString("\n" + signed)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, w.url, body)
	if err != nil {
		return 0, "", err
	}
	response, err := w.client.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	b, err := io.ReadAll(io.LimitReader(response.Body, mostAnswer))
	return response.StatusCode, string(b), err
}

// lines are those of the answer that bear the witness's own signature on the checkpoint.
func (w *Witness) lines(signed, answer string) (string, error) {
	n, err := note.Open([]byte(signed+answer), note.VerifierList(w.verifier))
	if err != nil {
		return "", fmt.Errorf("its signature: %w", err)
	}
	var b strings.Builder
	for _, sig := range n.Sigs {
		fmt.Fprintf(&b, "— %s %s\n", sig.Name, sig.Base64)
	}
	return b.String(), nil
}

func brief(answer string) string { return strconv.Quote(answer[:min(len(answer), 200)]) }
