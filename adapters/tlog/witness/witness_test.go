package witness

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"
	merkle "golang.org/x/mod/sumdb/tlog"

	"chancery/adapters/tlog"
)

const origin = "chess.example/ledger"

// A book is a ledger in memory, made and signed with nothing but x/mod.
type book struct {
	hashes []merkle.Hash
	size   int64
	signer note.Signer
	public string
}

func newBook(t *testing.T, name string, key byte) *book {
	t.Helper()
	secret, public, err := note.GenerateKey(bytes.NewReader(bytes.Repeat([]byte{key}, 64)), name)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := note.NewSigner(secret)
	if err != nil {
		t.Fatal(err)
	}
	return &book{signer: signer, public: public}
}

func (b *book) ReadHashes(places []int64) ([]merkle.Hash, error) {
	var list []merkle.Hash
	for _, p := range places {
		list = append(list, b.hashes[p])
	}
	return list, nil
}

func (b *book) grow(t *testing.T, n int, salt string) {
	t.Helper()
	for range n {
		more, err := merkle.StoredHashes(b.size, fmt.Appendf(nil, "%s%d", salt, b.size), b)
		if err != nil {
			t.Fatal(err)
		}
		b.hashes = append(b.hashes, more...)
		b.size++
	}
}

func (b *book) body(size int64) string {
	root, err := merkle.TreeHash(size, b)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf("%s\n%d\n%s\n", b.signer.Name(), size, root)
}

func (b *book) checkpoint(t *testing.T, size int64) string {
	t.Helper()
	text, err := note.Sign(&note.Note{Text: b.body(size)}, b.signer)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// request is the body of add-checkpoint from old to size.
func (b *book) request(t *testing.T, old, size int64) string {
	t.Helper()
	var proof merkle.TreeProof
	if old > 0 && old < size {
		var err error
		if proof, err = merkle.ProveTree(size, old, b); err != nil {
			t.Fatal(err)
		}
	}
	text := fmt.Sprintf("old %d\n", old)
	for _, h := range proof {
		text += h.String() + "\n"
	}
	return text + "\n" + b.checkpoint(t, size)
}

var noon = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)

func open(t *testing.T, path string, logKeys ...string) *Witness {
	t.Helper()
	w, err := Open(Config{Path: path, Name: "witness.example/w1", LogKeys: logKeys, Entropy: rand.Reader, Now: func() time.Time { return noon }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

func post(t *testing.T, url, body string) (status int, kind, answer string) {
	t.Helper()
	r, err := http.Post(url+"/add-checkpoint", "text/plain", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, r.Header.Get("Content-Type"), string(b)
}

// The signature is what C2SP tlog-cosignature says, computed here byte by byte.
func TestCosignature(t *testing.T) {
	b := newBook(t, origin, 1)
	b.grow(t, 5, "")
	w := open(t, filepath.Join(t.TempDir(), "w.json"), b.public)
	line, err := w.Add(b.request(t, 0, 5))
	if err != nil {
		t.Fatal(err)
	}
	text, ok := strings.CutPrefix(line, "— witness.example/w1 ")
	sig, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(text, "\n"))
	if !ok || err != nil || len(sig) != 4+8+64 {
		t.Fatalf("the line %q, %v", line, err)
	}
	seed, err := hex.DecodeString(w.kept.Seed)
	if err != nil {
		t.Fatal(err)
	}
	public := ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey)
	id := sha256.Sum256(append([]byte("witness.example/w1\n\x04"), public...))
	if !bytes.Equal(sig[:4], id[:4]) {
		t.Errorf("key id %x, want %x", sig[:4], id[:4])
	}
	if at := binary.BigEndian.Uint64(sig[4:]); at != uint64(noon.Unix()) {
		t.Errorf("time %d", at)
	}
	message := fmt.Sprintf("cosignature/v1\ntime %d\n%s", noon.Unix(), b.body(5))
	if !ed25519.Verify(public, []byte(message), sig[12:]) {
		t.Error("the signature is on something else")
	}
	want := fmt.Sprintf("witness.example/w1+%x+%s", id[:4], base64.StdEncoding.EncodeToString(append([]byte{4}, public...)))
	if w.Public() != want {
		t.Errorf("public key %s, want %s", w.Public(), want)
	}
	verifier, err := tlog.WitnessVerifier(w.Public())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := note.Open([]byte(b.checkpoint(t, 5)+line), note.VerifierList(verifier)); err != nil {
		t.Errorf("our own verifier: %v", err)
	}
}

func TestAnswers(t *testing.T) {
	honest := newBook(t, origin, 1)
	honest.grow(t, 40, "")
	liar := newBook(t, origin, 1) // the same key, another history
	liar.grow(t, 10, "")
	liar.grow(t, 40, "x")
	stranger, other := newBook(t, origin, 2), newBook(t, "other.example", 1)
	stranger.grow(t, 40, "")
	other.grow(t, 40, "")

	path := filepath.Join(t.TempDir(), "w.json")
	w := open(t, path, honest.public)
	server := httptest.NewServer(w.Handler())
	defer server.Close()
	for _, tt := range []struct {
		name   string
		body   string
		status int
		size   string // where the witness says how far it is
	}{
		{"a beginning that is thought to be known", honest.request(t, 5, 20), 409, "0\n"},
		{"a first proof of something", strings.Replace(honest.request(t, 3, 20), "old 3", "old 0", 1), 422, ""},
		{"the first", honest.request(t, 0, 20), 200, ""},
		{"the same again", honest.request(t, 20, 20), 200, ""},
		{"the first again", honest.request(t, 0, 20), 409, "20\n"},
		{"a smaller one", honest.request(t, 0, 10), 409, "20\n"},
		{"the next", honest.request(t, 20, 30), 200, ""},
		{"another history", liar.request(t, 30, 45), 422, ""},
		{"another history of the same size", liar.request(t, 30, 30), 409, "30\n"},
		{"an old size above the new", honest.request(t, 40, 35), 400, ""},
		{"the proof of another step", strings.Replace(honest.request(t, 29, 40), "old 29", "old 30", 1), 422, ""},
		{"no proof", strings.Replace(honest.request(t, 0, 40), "old 0", "old 30", 1), 422, ""},
		{"another key", stranger.request(t, 30, 40), 403, ""},
		{"another ledger", other.request(t, 0, 40), 404, ""},
		{"nothing", "", 400, ""},
		{"no old size", "\n" + honest.checkpoint(t, 40), 400, ""},
		{"a leading zero", strings.Replace(honest.request(t, 30, 40), "old 30", "old 030", 1), 400, ""},
		{"no checkpoint", "old 30\n\nhello\n", 400, ""},
		{"too much", "old 30\n" + strings.Repeat("A", 100_000), 400, ""},
		{"too many hashes", "old 30\n" + strings.Repeat(merkle.Hash{}.String()+"\n", 64) + "\n" + honest.checkpoint(t, 40), 400, ""},
		{"the last", honest.request(t, 30, 40), 200, ""},
	} {
		status, kind, answer := post(t, server.URL, tt.body)
		if status != tt.status {
			t.Errorf("%s: %d %q, want %d", tt.name, status, answer, tt.status)
		}
		if tt.size != "" && (answer != tt.size || kind != "text/x.tlog.size") {
			t.Errorf("%s: %s %q, want %q", tt.name, kind, answer, tt.size)
		}
	}

	w.Close()
	again := open(t, path, honest.public)
	if again.Public() != w.Public() {
		t.Error("a restart changed the key")
	}
	if _, err := again.Add(liar.request(t, 20, 45)); err == nil {
		t.Error("a restart forgot what was signed")
	}
	if _, err := again.Add(honest.request(t, 40, 40)); err != nil {
		t.Errorf("after a restart: %v", err)
	}
}

// Of checkpoints that come at once no two are signed that do not continue one another.
func TestAtOnce(t *testing.T) {
	b := newBook(t, origin, 1)
	b.grow(t, 64, "")
	w := open(t, filepath.Join(t.TempDir(), "w.json"), b.public)
	var all sync.WaitGroup
	var signed [65]bool
	for size := int64(1); size <= 64; size++ {
		body := b.request(t, 0, size)
		all.Go(func() {
			_, err := w.Add(body)
			signed[size] = err == nil
		})
	}
	all.Wait()
	n := 0
	for _, ok := range signed {
		if ok {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d first checkpoints are signed, want 1", n)
	}
}

func TestOpenRefuses(t *testing.T) {
	b := newBook(t, origin, 1)
	dir := t.TempDir()
	good := filepath.Join(dir, "good.json")
	open(t, good, b.public)
	damaged := filepath.Join(dir, "damaged.json")
	if err := os.WriteFile(damaged, []byte(`{"name":"w","seed":"00"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	c := Config{Name: "w", LogKeys: []string{b.public}, Entropy: rand.Reader, Now: time.Now}
	for _, tt := range []struct {
		name   string
		change func(*Config)
		want   error
	}{
		{"a file in use", func(c *Config) { c.Path = good }, ErrState},
		{"a damaged file", func(c *Config) { c.Path = damaged }, ErrState},
		{"no name for a new one", func(c *Config) { c.Path, c.Name = filepath.Join(dir, "a"), "" }, ErrState},
		{"a name with a plus", func(c *Config) { c.Path, c.Name = filepath.Join(dir, "b"), "a+b" }, ErrState},
		{"no public key", func(c *Config) { c.Path, c.LogKeys = filepath.Join(dir, "c"), []string{"x"} }, tlog.ErrKey},
	} {
		c := c
		tt.change(&c)
		if _, err := Open(c); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
	info, err := os.Stat(good)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file has mode %v, %v", info.Mode(), err)
	}
}

// Whichever byte of its file changes, a witness never goes on with another memory.
func TestDamagedMemory(t *testing.T) {
	b := newBook(t, origin, 1)
	b.grow(t, 7, "")
	path := filepath.Join(t.TempDir(), "w.json")
	c := Config{Path: path, Name: "w", LogKeys: []string{b.public}, Entropy: rand.Reader, Now: time.Now}
	w, err := Open(c)
	if err == nil {
		_, err = w.Add(b.request(t, 0, 7))
	}
	if err != nil {
		t.Fatal(err)
	}
	public, memory := w.Public(), w.kept.Logs[origin]
	w.Close()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for i := range whole {
		changed := bytes.Clone(whole)
		changed[i] ^= 1
		if err := os.WriteFile(path, changed, 0o600); err != nil {
			t.Fatal(err)
		}
		w, err := Open(c)
		if err != nil {
			refused++
			continue
		}
		if w.Public() != public || w.kept.Logs[origin] != memory {
			t.Errorf("with byte %d changed it is %s at %v", i, w.Public(), w.kept.Logs)
		}
		w.Close()
	}
	if refused < len(whole)/2 {
		t.Errorf("%d of %d changes are refused", refused, len(whole))
	}
}

func FuzzAdd(f *testing.F) {
	f.Add("old 0\n\nchess.example/ledger\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n— chess.example/ledger AAAAAA==\n")
	f.Add("old 1\nx\n\n")
	path := filepath.Join(f.TempDir(), "w.json")
	w, err := Open(Config{Path: path, Name: "w", Entropy: rand.Reader, Now: time.Now})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, body string) {
		if lines, err := w.Add(body); err == nil {
			t.Errorf("it signs for a ledger that it does not know: %q", lines)
		}
	})
}
