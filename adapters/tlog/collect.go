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
var ErrWitness = errors.New("a witness has seen another history of the ledger")

// collectOn asks all witnesses for their signatures, again and again.
func (l *Ledger) collectOn(ctx context.Context) {
	if len(l.Witnesses) == 0 {
		return
	}
	for ctx.Err() == nil {
		l.collect(ctx)
		select {
		case <-ctx.Done():
		case <-time.After(l.WitnessEvery):
		}
	}
}

// collect asks all witnesses to sign the newest checkpoint, and keeps what they gave.
func (l *Ledger) collect(ctx context.Context) {
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
			if lines[i], err = w.ask(ctx, l.Tree, size, signed); err != nil && ctx.Err() == nil {
				l.blame(w, err)
			}
		})
	}
	asked.Wait()
	if all := strings.Join(lines, ""); all != "" {
		if err := l.keep(ctx, size, signed+all); err != nil {
			l.alarm(ctx, err)
		}
	}
}

func (l *Ledger) blame(w *Witness, err error) {
	say := l.Logger.Warn
	if errors.Is(err, ErrWitness) {
		say = l.Logger.Error
	}
	say("a witness has not signed", "witness", w.verifier.Name(), "err", err)
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
func (w *Witness) ask(ctx context.Context, tree *Tree, size int64, signed string) (lines string, err error) {
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
			case err != nil || seen < 0 || seen == w.seen:
				return "", fmt.Errorf("%w, at the size of %d records: %s", ErrWitness, size, brief(answer))
			case seen > size && seen > tree.Size():
				return "", fmt.Errorf("%w: it knows %d records, and the ledger has %d: it has lost some", ErrWitness, seen, tree.Size())
			case seen > size:
				return "", nil // another instance was quicker
			}
			w.seen = seen
		case http.StatusUnprocessableEntity:
			return "", fmt.Errorf("%w: what it knows is no beginning of %d records: %s", ErrWitness, size, brief(answer))
		default:
			return "", fmt.Errorf("it answers %d: %s", status, brief(answer))
		}
	}
	return "", errors.New("it has moved on again; it is asked once more later")
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
