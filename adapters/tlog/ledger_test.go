package tlog

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"
	merkle "golang.org/x/mod/sumdb/tlog"

	"chancery/adapters/memory"
	"chancery/domain/game"
	"chancery/events"
)

const origin = "chess.example/ledger"

// testKey is a log key made by x/mod itself.
type testKey struct {
	note.Signer
	public string
}

func (k testKey) Public() string { return k.public }

func newKey(t testing.TB, n byte) testKey {
	t.Helper()
	secret, public, err := note.GenerateKey(bytes.NewReader(bytes.Repeat([]byte{n}, 64)), origin)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := note.NewSigner(secret)
	if err != nil {
		t.Fatal(err)
	}
	return testKey{signer, public}
}

// memoryNotes are notes that survive the ledgers of a test.
type memoryNotes struct {
	mu    sync.Mutex
	notes map[string][]byte
}

func (m *memoryNotes) Update(_ context.Context, name string, edit func([]byte) ([]byte, error)) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	next, err := edit(m.notes[name])
	if err == nil && next != nil {
		m.notes[name] = next
	}
	return err
}

func (m *memoryNotes) state(t testing.TB) state {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	s, err := readState(m.notes[stateNote])
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A site is what stays when a server stops: the log, the notes and the tree's files.
type site struct {
	log   events.Log
	notes *memoryNotes
	dir   string
	keys  []Key // the newest first
}

func newSite(t testing.TB) *site {
	return &site{
		log: memory.New(), notes: &memoryNotes{notes: map[string][]byte{}},
		dir: filepath.Join(t.TempDir(), "tree"), keys: []Key{newKey(t, 1)},
	}
}

func (s *site) config(tree *Tree) Config {
	keys := func() []Key { return s.keys }
	return Config{
		Log: s.log, Notes: s.notes, Tree: tree, Origin: origin, Keys: keys, AllKeys: keys,
		Logger: slog.New(slog.NewTextHandler(io.Discard, nil)), Now: time.Now,
		SignEvery: 20 * time.Millisecond, WitnessEvery: 20 * time.Millisecond, GiveUp: time.Second,
	}
}

// serve runs a ledger until stop or the test's end. The error is that of Open.
func (s *site) serve(t testing.TB, change ...func(*Config)) (l *Ledger, stop func(), err error) {
	t.Helper()
	tree, err := OpenTree(s.dir)
	if err != nil {
		return nil, nil, err
	}
	c := s.config(tree)
	for _, f := range change {
		f(&c)
	}
	if l, err = Open(t.Context(), c); err != nil {
		return nil, nil, errors.Join(err, tree.Close())
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); l.Run(ctx) }()
	var once sync.Once
	stop = func() {
		once.Do(func() {
			cancel()
			<-done
			if err := tree.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	t.Cleanup(stop)
	return l, stop, nil
}

// play appends n records to as many games.
func play(t testing.TB, log events.Log, n int) {
	t.Helper()
	last, err := log.Last(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		put(t, log, fmt.Sprintf(`{"n":%d}`, int(last)+i))
	}
}

func put(t testing.TB, log events.Log, payload string) {
	t.Helper()
	last, err := log.Last(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	e := events.Entry{Game: fmt.Sprintf("g%d", last), Payload: []byte(payload), Cause: fmt.Sprint(last)}
	if _, err := log.Append(t.Context(), 0, e); err != nil {
		t.Fatal(err)
	}
}

// until waits for what has to come.
func until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for range 1000 {
		if ok() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s does not come", what)
}

func untilSigned(t testing.TB, l *Ledger, size int64) {
	t.Helper()
	until(t, fmt.Sprintf("a checkpoint over %d", size), func() bool { n, _, _ := l.Signed(); return n == size })
}

// signedSite is a site whose server has signed n records and stopped.
func signedSite(t testing.TB, n int) *site {
	s := newSite(t)
	play(t, s.log, n)
	l, stop, err := s.serve(t)
	if err != nil {
		t.Fatal(err)
	}
	untilSigned(t, l, int64(n))
	stop()
	return s
}

func TestSignsWhatItFollows(t *testing.T) {
	s := newSite(t)
	l, stop, err := s.serve(t)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1, 299} {
		play(t, s.log, n)
	}
	untilSigned(t, l, 300)
	play(t, s.log, 30)
	untilSigned(t, l, 330)
	_, text, _ := l.Signed()
	verifier, err := note.NewVerifier(s.keys[0].Public())
	if err != nil {
		t.Fatal(err)
	}
	opened, err := note.Open([]byte(text), note.VerifierList(verifier))
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("%s\n330\n%s\n", origin, merkle.Hash(rfcRoot(some(330))))
	if opened.Text != want {
		t.Errorf("signed\n%s\nwant\n%s", opened.Text, want)
	}
	stop()

	again, _, err := s.serve(t)
	if err != nil {
		t.Fatal(err)
	}
	if _, after, _ := again.Signed(); after != text {
		t.Errorf("after a restart the checkpoint is\n%s\nwant\n%s", after, text)
	}
	play(t, s.log, 1)
	untilSigned(t, again, 331)
}

// A reveal is signed at once, whatever the period.
func TestSignsTheEndOfAGameAtOnce(t *testing.T) {
	s := newSite(t)
	l, _, err := s.serve(t, func(c *Config) { c.SignEvery = time.Hour })
	if err != nil {
		t.Fatal(err)
	}
	play(t, s.log, 1)
	untilSigned(t, l, 1)
	play(t, s.log, 5)
	put(t, s.log, `{"type":"SeedRevealed"}`)
	until(t, "a checkpoint over the reveal", func() bool { n, _, _ := l.Signed(); return n == 7 })
}

// copied is a log with the records of another, as edit leaves them.
func copied(t testing.TB, log events.Log, edit func([]string) []string) events.Log {
	t.Helper()
	last, err := log.Last(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for s, err := range between(t.Context(), log, 0, int64(last), time.Second) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, string(s.Payload))
	}
	next := memory.New()
	for _, payload := range edit(list) {
		put(t, next, payload)
	}
	return next
}

// A server that finds another history behind its back does not start where the newest
// records differ, and elsewhere finds it before it signs anything.
func TestTampered(t *testing.T) {
	swap := func(at int) func([]string) []string {
		return func(l []string) []string { l[at], l[at+1] = l[at+1], l[at]; return l }
	}
	change := func(at int) func([]string) []string {
		return func(l []string) []string { l[at] += " "; return l }
	}
	drop := func(at int) func([]string) []string {
		return func(l []string) []string { return append(l[:at], l[at+1:]...) }
	}
	for _, tt := range []struct {
		name  string
		edit  func([]string) []string
		want  error
		early bool // before anything is served
	}{
		{"the newest removed", drop(999), ErrShrunk, true},
		{"an old one removed", drop(3), ErrShrunk, true},
		{"an old one removed, and another added", func(l []string) []string { return append(drop(3)(l), "x") }, ErrChanged, true},
		{"the newest changed", change(999), ErrChanged, true},
		{"one of the newest changed", change(800), ErrChanged, true},
		{"newest reordered", swap(998), ErrChanged, true},
		{"an old one changed", change(0), ErrChanged, false},
		{"one in the middle changed", change(500), ErrChanged, false},
		{"old ones reordered", swap(2), ErrChanged, false},
		{"all gone", func([]string) []string { return nil }, ErrShrunk, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := signedSite(t, 1000)
			before := s.notes.state(t)
			s.log = copied(t, s.log, tt.edit)
			l, _, err := s.serve(t)
			if tt.early {
				if !errors.Is(err, tt.want) {
					t.Errorf("the server starts: %v, want %v", err, tt.want)
				}
			} else {
				if err != nil {
					t.Fatal(err)
				}
				play(t, s.log, 10)
				until(t, "the alarm", func() bool { return l.Trouble() != nil })
				if !errors.Is(l.Trouble(), tt.want) {
					t.Errorf("alarm %v, want %v", l.Trouble(), tt.want)
				}
				time.Sleep(50 * time.Millisecond)
			}
			if after := s.notes.state(t); after != before {
				t.Errorf("a checkpoint over %d was signed after that", after.Size)
			}
		})
	}
}

// Wherever a byte of the tree's files changes, the tree is not signed any more.
func TestSpoiledTree(t *testing.T) {
	for name, spoil := range map[string]func(dir string) error{
		"a leaf":         func(dir string) error { return poke(filepath.Join(dir, "hashes"), 32*merkle.StoredHashIndex(0, 77)+5) },
		"a node":         func(dir string) error { return poke(filepath.Join(dir, "hashes"), 32*merkle.StoredHashIndex(2, 9)) },
		"a node above":   func(dir string) error { return poke(filepath.Join(dir, "hashes"), 32*merkle.StoredHashIndex(6, 2)) },
		"an old entry":   func(dir string) error { return poke(filepath.Join(dir, "tile/entries/000"), 100) },
		"the newest one": func(dir string) error { return poke(filepath.Join(dir, "tile/entries/003"), 20) },
	} {
		t.Run(name, func(t *testing.T) {
			s := signedSite(t, 1000)
			before := s.notes.state(t)
			if err := spoil(s.dir); err != nil {
				t.Fatal(err)
			}
			l, _, err := s.serve(t)
			if err == nil {
				play(t, s.log, 1)
				until(t, "the alarm", func() bool { return l.Trouble() != nil })
				err = l.Trouble()
			}
			if !errors.Is(err, ErrDamaged) {
				t.Errorf("%v, want ErrDamaged", err)
			}
			if s.notes.state(t) != before {
				t.Error("it was signed")
			}
		})
	}
}

// A server that has lost its tree, or got another, signs only what continues what was
// signed.
func TestAnotherTree(t *testing.T) {
	s := signedSite(t, 600)
	s.dir = filepath.Join(t.TempDir(), "new")
	l, stop, err := s.serve(t)
	if err != nil {
		t.Fatal(err)
	}
	play(t, s.log, 1)
	untilSigned(t, l, 601)
	stop()

	s.dir = filepath.Join(t.TempDir(), "other")
	s.log = copied(t, s.log, func(l []string) []string { l[5] += " "; return append(l, "more") })
	before := s.notes.state(t)
	l, _, err = s.serve(t)
	if err == nil {
		until(t, "the alarm", func() bool { return l.Trouble() != nil })
		err = l.Trouble()
	}
	if !errors.Is(err, ErrForked) {
		t.Errorf("another history: %v, want ErrForked", err)
	}
	if s.notes.state(t) != before {
		t.Error("it was signed")
	}
}

func TestAnotherOrigin(t *testing.T) {
	s := signedSite(t, 3)
	_, _, err := s.serve(t, func(c *Config) { c.Origin = "other.example" })
	if !errors.Is(err, ErrOrigin) {
		t.Errorf("another name: %v, want ErrOrigin", err)
	}
}

// gappy leaves the record at a position out, as a broken broker might.
type gappy struct {
	events.Log
	at events.Position
}

func (g gappy) Follow(ctx context.Context, after events.Position) iter.Seq2[events.Stored, error] {
	return func(yield func(events.Stored, error) bool) {
		for s, err := range g.Log.Follow(ctx, after) {
			if s.Position != g.at && !yield(s, err) {
				return
			}
		}
	}
}

func TestGap(t *testing.T) {
	s := signedSite(t, 300)
	whole := s.log
	for _, tt := range []struct {
		name string
		at   events.Position
	}{{"among the newest", 290}, {"the newest", 300}} {
		s.log = gappy{whole, tt.at}
		if _, _, err := s.serve(t, func(c *Config) { c.GiveUp = 50 * time.Millisecond }); !errors.Is(err, ErrGap) {
			t.Errorf("%s: %v, want ErrGap", tt.name, err)
		}
	}
	s.log = gappy{whole, 302}
	l, _, err := s.serve(t)
	if err != nil {
		t.Fatal(err)
	}
	play(t, s.log, 5)
	until(t, "the alarm", func() bool { return errors.Is(l.Trouble(), ErrGap) })
	if got := s.notes.state(t).Size; got > 301 {
		t.Errorf("%d records are signed over the gap", got)
	}
}

// away is a log whose broker does not answer.
type away struct{ events.Log }

func (away) Follow(ctx context.Context, _ events.Position) iter.Seq2[events.Stored, error] {
	return func(yield func(events.Stored, error) bool) {
		<-ctx.Done()
		yield(events.Stored{}, ctx.Err())
	}
}

func (away) Last(context.Context) (events.Position, error) { return 0, events.ErrUnavailable }

// A broker that is away has lost nothing.
func TestAway(t *testing.T) {
	for _, err := range between(t.Context(), away{}, 0, 5, 20*time.Millisecond) {
		if isAlarm(err) || !errors.Is(err, events.ErrUnavailable) {
			t.Errorf("%v, want ErrUnavailable", err)
		}
	}
}

// Without a key nothing is called signed.
func TestNoKey(t *testing.T) {
	s := newSite(t)
	s.keys = nil
	play(t, s.log, 3)
	l, _, err := s.serve(t)
	if err != nil {
		t.Fatal(err)
	}
	until(t, "the alarm", func() bool { return errors.Is(l.Trouble(), ErrNoKey) })
	if _, text, ok := l.Signed(); ok {
		t.Errorf("signed:\n%s", text)
	}
}

// Compare finds what a tree's own files do not show.
func TestCompare(t *testing.T) {
	s := signedSite(t, 300)
	changed := copied(t, s.log, func(l []string) []string { l[5] += " "; return l })
	tree, err := ViewTree(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	for _, tt := range []struct {
		log  events.Log
		all  bool
		want error
	}{{s.log, false, nil}, {s.log, true, nil}, {changed, false, nil}, {changed, true, ErrChanged}} {
		if err := Compare(t.Context(), tt.log, tree, tt.all); !errors.Is(err, tt.want) {
			t.Errorf("all %v: %v, want %v", tt.all, err, tt.want)
		}
	}
}

// Two instances follow one log and share the notes: none signs another history, and both
// show the same checkpoint in the end.
func TestTwoInstances(t *testing.T) {
	s := newSite(t)
	other := *s
	other.dir = filepath.Join(t.TempDir(), "tree")
	a, _, err := s.serve(t)
	if err != nil {
		t.Fatal(err)
	}
	b, _, err := other.serve(t)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		play(t, s.log, 7)
		if i%4 == 0 {
			time.Sleep(15 * time.Millisecond)
		}
	}
	untilSigned(t, a, 140)
	untilSigned(t, b, 140)
	_, x, _ := a.Signed()
	_, y, _ := b.Signed()
	if x != y {
		t.Errorf("two checkpoints of one size:\n%s\n%s", x, y)
	}
}

// Who trusts the first key learns of the next ones from the ledger itself.
func TestRotation(t *testing.T) {
	s := newSite(t)
	play(t, s.log, 3)
	first := s.keys[0]
	l, stop, err := s.serve(t)
	if err != nil {
		t.Fatal(err)
	}
	untilSigned(t, l, 3)
	stop()
	second, third := newKey(t, 2), newKey(t, 3)
	s.keys = []Key{third, second, first}
	if l, stop, err = s.serve(t); err != nil {
		t.Fatal(err)
	}
	play(t, s.log, 1)
	until(t, "a checkpoint over the announcements", func() bool { n, _, _ := l.Signed(); return n >= 6 })
	_, text, _ := l.Signed()
	for _, k := range s.keys {
		v, err := note.NewVerifier(k.Public())
		if err != nil || !bears(text, v) {
			t.Errorf("the checkpoint lacks the signature of %s", k.Public())
		}
	}
	trusted := first.Public()
	for step, err := range events.Steps(t.Context(), s.log, events.NewGame(KeysGame)) {
		if err != nil {
			t.Fatal(err)
		}
		f := step.Record.Events[0].Fact.(game.LogKeyAdded)
		if err := CheckAnnouncement(f, trusted); err != nil {
			t.Error(err)
		}
		if err := CheckAnnouncement(f, newKey(t, 9).Public()); err == nil {
			t.Error("a stranger's key announces too")
		}
		trusted = f.Key
	}
	if trusted != third.Public() {
		t.Errorf("the announcements lead to %s, want %s", trusted, third.Public())
	}

	stop()
	s.keys = []Key{third} // the others' files are gone
	answer := httptest.NewRecorder()
	l.Handler(nil, refuse).ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/ledger/keys", nil))
	if want := fmt.Sprintf(`"history":[%q,%q]`, third.Public(), second.Public()); !strings.Contains(answer.Body.String(), want) {
		t.Errorf("%s, want %s", answer.Body, want)
	}
}

// refuse answers with the status of a code alone.
func refuse(w http.ResponseWriter, _ *http.Request, code, _ string) {
	w.WriteHeader(map[string]int{"not_found": 404, "bad_command": 400, "unavailable": 503}[code])
}

func TestHandler(t *testing.T) {
	s := newSite(t)
	play(t, s.log, 700)
	l, _, err := s.serve(t)
	if err != nil {
		t.Fatal(err)
	}
	untilSigned(t, l, 700)
	server := httptest.NewServer(l.Handler(func(_ context.Context, id string, n int) (events.Position, error) {
		switch {
		case id == "late":
			return 701, nil
		case id != "g" || n > 10:
			return 0, events.ErrNotFound
		}
		return events.Position(500 + n), nil
	}, refuse))
	defer server.Close()
	get := func(path string) (*http.Response, string) {
		t.Helper()
		r, err := http.Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		b, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		return r, string(b)
	}
	for path, want := range map[string]int{
		"/ledger/checkpoint": 200, "/ledger/checkpoint/witnessed": 404, "/ledger/keys": 200,
		"/ledger/tile/0/000": 200, "/ledger/tile/0/002.p/188": 200, "/ledger/tile/1/000.p/2": 200,
		"/ledger/tile/entries/001": 200, "/ledger/tile/entries/002.p/5": 200,
		"/ledger/tile/0/002.p/189": 404, "/ledger/tile/0/002": 404, "/ledger/tile/0/0": 404, "/ledger/tile/00/000": 404,
		"/ledger/tile/0/000.p/0": 404, "/ledger/tile/0/000.p/256": 404, "/ledger/tile/data/000": 404,
		"/ledger/tile/0/x000/000": 404, "/ledger/tile/-1/000": 404, "/ledger/other": 404,
		"/api/games/g/proof": 200, "/api/games/g/proof?n=3": 200, "/api/games/g/proof?n=11": 404,
		"/api/games/g/proof?n=x": 400, "/api/games/h/proof": 404, "/api/games/late/proof": 503,
		"/api/ledger/consistency?from=3&to=600": 200, "/api/ledger/consistency?from=3": 200,
		"/api/ledger/consistency?from=3&to=701": 400, "/api/ledger/consistency?from=9&to=3": 400, "/api/ledger/consistency": 400,
	} {
		r, body := get(path)
		if r.StatusCode != want {
			t.Errorf("GET %s: %d, want %d: %s", path, r.StatusCode, want, body)
		}
	}
	tile, _ := get("/ledger/tile/0/000")
	if !strings.Contains(tile.Header.Get("Cache-Control"), "immutable") || tile.Header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("a tile has the headers %v", tile.Header)
	}

	_, body := get("/api/games/g/proof?n=3")
	p, err := ParseProof(body)
	if err != nil || p.Index != 502 || p.Text() != body {
		t.Fatalf("proof %+v, %v", p, err)
	}
	policy, err := NewPolicy([]string{s.keys[0].Public()}, nil, -1)
	if err != nil {
		t.Fatal(err)
	}
	if err := (Evidence{p, policy}).Prove(rfcLeaf(some(503)[502])); err != nil {
		t.Errorf("the proof: %v", err)
	}
	if err := (Evidence{p, policy}).Prove(rfcLeaf([]byte("other"))); err == nil {
		t.Error("the proof holds for another record")
	}

	_, body = get("/api/ledger/consistency?from=3&to=600")
	var c struct {
		FromRoot merkle.Hash      `json:"from_root"`
		ToRoot   merkle.Hash      `json:"to_root"`
		Proof    merkle.TreeProof `json:"proof"`
	}
	if err := json.Unmarshal([]byte(body), &c); err != nil {
		t.Fatal(err)
	}
	if err := merkle.CheckTree(c.Proof, 600, c.ToRoot, 3, c.FromRoot); err != nil || c.FromRoot != rfcRoot(some(3)) {
		t.Errorf("consistency: %v", err)
	}
}

// Whatever is changed in a proof, it no longer holds.
func TestProofRefuses(t *testing.T) {
	s := newSite(t)
	play(t, s.log, 100)
	l, _, err := s.serve(t)
	if err != nil {
		t.Fatal(err)
	}
	untilSigned(t, l, 100)
	p, err := l.Prove(40)
	if err != nil {
		t.Fatal(err)
	}
	record := rfcLeaf(some(40)[39])
	_, public := NewCosigner("w.example", ed25519.NewKeyFromSeed(make([]byte, 32)), time.Now)
	policy := func(witnesses ...string) Policy {
		p, err := NewPolicy([]string{s.keys[0].Public()}, witnesses, -1)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	if err := (Evidence{p, policy()}).Prove(record); err != nil {
		t.Fatal(err)
	}
	if err := (Evidence{p, policy(public)}).Prove(record); err == nil {
		t.Error("it holds without the witness's signature")
	}
	stranger, err := NewPolicy([]string{newKey(t, 9).Public()}, nil, -1)
	if err != nil {
		t.Fatal(err)
	}
	if err := (Evidence{p, stranger}).Prove(record); err == nil {
		t.Error("it holds with another key")
	}
	text := []byte(p.Text())
	for i := range text {
		changed := bytes.Clone(text)
		changed[i] ^= 1
		q, err := ParseProof(string(changed))
		if err == nil {
			err = Evidence{q, policy()}.Prove(record)
		}
		if err == nil {
			t.Errorf("it holds with byte %d (%q) changed", i, text[i])
		}
	}
}
