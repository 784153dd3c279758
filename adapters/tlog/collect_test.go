package tlog

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"
)

// A cosigning server signs what is asked at once, after its turn of refusals.
type cosigning struct {
	mu       sync.Mutex
	signer   note.Signer
	refuse   []int  // statuses of the first answers
	always   int    // status of every answer, if not 0
	size     string // said with a 409
	believes string // answers 403 to what this key has not signed, if not empty
	asked    int
	olds     []string // the sizes that the proofs it was sent begin at
}

func (c *cosigning) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	b, err := io.ReadAll(r.Body)
	old, _, signed, err2 := ParseAdd(string(b))
	if err != nil || err2 != nil || r.URL.Path != "/w/add-checkpoint" {
		http.Error(w, "bad", http.StatusBadRequest)
		return
	}
	c.asked++
	c.olds = append(c.olds, fmt.Sprint(old))
	if c.believes != "" {
		if key, err := note.NewVerifier(c.believes); err != nil || !bears(signed, key) {
			w.WriteHeader(http.StatusForbidden)
			return
		}
	}
	if c.always != 0 {
		w.WriteHeader(c.always)
		fmt.Fprint(w, c.size)
		return
	}
	if len(c.refuse) > 0 && strings.Split(signed, "\n")[1] == "30" { // the whole ledger, which may be signed in steps
		w.WriteHeader(c.refuse[0])
		c.refuse = c.refuse[1:]
		fmt.Fprint(w, c.size)
		return
	}
	body, _, _ := strings.Cut(signed, "\n\n")
	text, err := note.Sign(&note.Note{Text: body + "\n"}, c.signer)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_, lines, _ := strings.Cut(string(text), "\n\n")
	fmt.Fprint(w, lines)
}

func newCosigning(t *testing.T, n byte) (c *cosigning, w *Witness, public string) {
	t.Helper()
	signer, public := NewCosigner(fmt.Sprintf("w%d.example", n), ed25519.NewKeyFromSeed(append(make([]byte, 31), n)), time.Now)
	c = &cosigning{signer: signer}
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	w, err := ParseWitness(server.URL + "/w+" + public)
	if err != nil {
		t.Fatal(err)
	}
	return c, w, public
}

// A ledger gathers the signatures of its witnesses, and proves under the newest
// checkpoint that has them.
func TestCollect(t *testing.T) {
	one, w1, key1 := newCosigning(t, 1)
	two, w2, key2 := newCosigning(t, 2)
	one.refuse, one.size = []int{409}, "7\n" // it knows the ledger from another time
	two.refuse = []int{500, 500}             // it is not well at first
	s := newSite(t)
	play(t, s.log, 30)
	l, stop, err := s.serve(t, func(c *Config) { c.Witnesses = []*Witness{w1, w2} })
	if err != nil {
		t.Fatal(err)
	}
	policy, err := NewPolicy([]string{s.keys[0].Public()}, []string{key1, key2}, -1)
	if err != nil {
		t.Fatal(err)
	}
	both := func() bool {
		size, text, _ := l.Witnessed()
		_, err := policy.Open([]byte(text))
		return err == nil && size == 30
	}
	until(t, "both signatures", both)
	one.mu.Lock()
	if !slices.Contains(one.olds, "7") {
		t.Errorf("the witness at 7 is sent proofs from %v", one.olds)
	}
	asked := one.asked
	one.mu.Unlock()
	p, err := l.Prove(20)
	if err == nil {
		err = Evidence{p, policy}.Prove(rfcLeaf(some(20)[19]))
	}
	if err != nil {
		t.Errorf("the proof: %v", err)
	}
	time.Sleep(60 * time.Millisecond)
	one.mu.Lock()
	if one.asked != asked {
		t.Error("a witness is asked again for what it has signed")
	}
	one.mu.Unlock()
	stop()

	again, _, err := s.serve(t)
	if err != nil {
		t.Fatal(err)
	}
	if size, _, ok := again.Witnessed(); !ok || size != 30 {
		t.Errorf("after a restart %d records are witnessed, %v", size, ok)
	}
}

// A ledger that was restored from a backup, with all that stands beside it, signs nothing
// once a witness says that there was more.
func TestRestoredWithEverything(t *testing.T) {
	s := signedSite(t, 30)
	before := s.notes.state(t)
	server, w, _ := newCosigning(t, 1)
	server.refuse, server.size = []int{409, 409, 409}, "40\n"
	l, _, err := s.serve(t, func(c *Config) { c.Witnesses = []*Witness{w} })
	if err != nil {
		t.Fatal(err)
	}
	play(t, s.log, 5)
	until(t, "the alarm", func() bool { return errors.Is(l.Trouble(), ErrWitness) })
	if got := s.notes.state(t); got != before {
		t.Errorf("%d records are signed, and %d were", got.Size, before.Size)
	}
}

// One that was restored without what was signed signs nothing either.
func TestRestoredWithoutWhatWasSigned(t *testing.T) {
	s := newSite(t)
	server, w, _ := newCosigning(t, 1)
	server.always, server.size = http.StatusConflict, "40\n"
	play(t, s.log, 30)
	l, _, err := s.serve(t, func(c *Config) { c.Witnesses = []*Witness{w} })
	if err != nil {
		t.Fatal(err)
	}
	until(t, "the alarm", func() bool { return errors.Is(l.Trouble(), ErrWitness) })
	if got := s.notes.state(t); got.Signed != "" {
		t.Errorf("%d records are signed", got.Size)
	}
}

// A witness that believes only a newer key of the ledger than the one that signed last is
// asked before the first signature too.
func TestRestoredBehindARotation(t *testing.T) {
	s := signedSite(t, 30)
	before := s.notes.state(t)
	s.keys = append([]Key{newKey(t, 9)}, s.keys...)
	server, w, _ := newCosigning(t, 1)
	server.always, server.size, server.believes = http.StatusConflict, "40\n", s.keys[0].Public()
	l, _, err := s.serve(t, func(c *Config) { c.Witnesses = []*Witness{w} })
	if err != nil {
		t.Fatal(err)
	}
	play(t, s.log, 5)
	until(t, "the alarm", func() bool { return errors.Is(l.Trouble(), ErrWitness) })
	if got := s.notes.state(t); got != before {
		t.Errorf("%d records are signed, and %d were", got.Size, before.Size)
	}
}

func TestAsk(t *testing.T) {
	s := signedSite(t, 30)
	tree, err := ViewTree(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	signed := s.notes.state(t).Signed
	for _, tt := range []struct {
		name   string
		refuse []int
		size   string
		want   error // nil: none; errors.ErrUnsupported: some other
	}{
		{"it knows more than there is", []int{409}, "31\n", ErrWitness},
		{"it knows another history", []int{422}, "", ErrWitness},
		{"it knows another of the same size", []int{409, 409}, "30\n", ErrWitness},
		{"it is not well", []int{500}, "", errors.ErrUnsupported},
		{"something before it answers", []int{409}, "<html>", errors.ErrUnsupported},
		{"it does not know the ledger", []int{404}, "", errors.ErrUnsupported},
		{"it is elsewhere", []int{409}, "12\n", nil},
	} {
		server, w, _ := newCosigning(t, 1)
		server.refuse, server.size = tt.refuse, tt.size
		lines, err := w.ask(t.Context(), s.log, tree, 30, signed)
		switch {
		case tt.want == nil && (err != nil || !strings.HasPrefix(lines, "— w1.example ")):
			t.Errorf("%s: %q, %v", tt.name, lines, err)
		case errors.Is(tt.want, ErrWitness) && !errors.Is(err, ErrWitness), tt.want != nil && (err == nil || lines != ""):
			t.Errorf("%s: %q, %v", tt.name, lines, err)
		case errors.Is(tt.want, errors.ErrUnsupported) && errors.Is(err, ErrWitness):
			t.Errorf("%s: %v is taken for another history", tt.name, err)
		}
	}
}

// A signature of somebody else, or on something else, is not taken.
func TestAskChecksTheSignature(t *testing.T) {
	s := signedSite(t, 30)
	tree, err := ViewTree(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	server, w, _ := newCosigning(t, 1)
	server.signer, _ = NewCosigner("w1.example", ed25519.NewKeyFromSeed(make([]byte, 32)), time.Now)
	if lines, err := w.ask(t.Context(), s.log, tree, 30, s.notes.state(t).Signed); err == nil || lines != "" {
		t.Errorf("another key's signature is taken: %q", lines)
	}
}

func TestParseWitness(t *testing.T) {
	_, public := NewCosigner("w.example", ed25519.NewKeyFromSeed(make([]byte, 32)), time.Now)
	if w, err := ParseWitness("https://w.example/a/+" + public); err != nil || w.url != "https://w.example/a/add-checkpoint" || w.Key != public {
		t.Errorf("%+v, %v", w, err)
	}
	for _, text := range []string{"", public, "ftp://w.example+" + public, "https://w.example", "https://w.example+" + newKey(t, 1).public, "https://w.example+x" + public} {
		if _, err := ParseWitness(text); !errors.Is(err, ErrKey) {
			t.Errorf("%q: %v, want ErrKey", text, err)
		}
	}
}
