package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A running command writes what it says here.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// A background command runs until stop, or by itself.
type background struct {
	out, err safeBuffer
	cancel   context.CancelFunc
	done     chan struct{}
	code     int
}

func start(t *testing.T, args ...string) *background {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	b := &background{cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(b.done)
		b.code = run(ctx, args, &Env{In: strings.NewReader(""), Out: &b.out, Err: &b.err, Getenv: func(string) string { return "" }})
	}()
	t.Cleanup(b.stop)
	return b
}

func (b *background) stop() {
	b.cancel()
	<-b.done
}

var readyAt = regexp.MustCompile(`ready at (http://\S+)`)

// ready waits until the command serves, and says where.
func (b *background) ready(t *testing.T) string {
	t.Helper()
	for range 1000 {
		if m := readyAt.FindStringSubmatch(b.out.String()); m != nil {
			return m[1]
		}
		select {
		case <-b.done:
			t.Fatalf("it ends with %d: %s", b.code, b.err.String())
		case <-time.After(10 * time.Millisecond):
		}
	}
	t.Fatalf("it does not get ready: %s%s", b.out.String(), b.err.String())
	return ""
}

func fetch(t *testing.T, url string) (int, string) {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(b)
}

// awaited is the body at an address once it has all the words.
func awaited(t *testing.T, url string, words ...string) string {
	t.Helper()
	var body string
	for range 1500 {
		_, body = fetch(t, url)
		missing := false
		for _, w := range words {
			missing = missing || !strings.Contains(body, w)
		}
		if !missing {
			return body
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s does not come to have %q: %s", url, words, body)
	return ""
}

// ledgerOf is a throwaway ledger with some games, and how many records it has once it is
// served.
func ledgerOf(t *testing.T, games int) (data string, records int) {
	t.Helper()
	data = filepath.Join(t.TempDir(), "d")
	ok(t, "simulate", "--variant", "yugioh", "--games", fmt.Sprint(games), "--seed", "5", "--lazy", "--data", data, "--parallel", "1")
	return data, strings.Count(ok(t, "export", "--all", "--data", data, "--lazy"), "\n") + releases()
}

func serveArgs(data string, more ...string) []string {
	return append([]string{"serve", "--listen", "127.0.0.1:0", "--data", data, "--lazy"}, more...)
}

// From an empty key directory to a game whose record is proved under a checkpoint that
// the ledger and a witness have signed.
func TestRecorded(t *testing.T) {
	const origin = "chess.example/ledger"
	data, records := ledgerOf(t, 2)
	var list keyList
	if err := json.Unmarshal([]byte(ok(t, "keys", "list", "--data", data, "--origin", origin, "--json")), &list); err != nil || len(list.Log) != 1 {
		t.Fatal(list, err)
	}
	state := filepath.Join(t.TempDir(), "w.json")
	w := start(t, "witness", "--listen", "127.0.0.1:0", "--state", state, "--name", "w.example", "--log-key", list.Log[0])
	witnessURL := w.ready(t)
	key := regexp.MustCompile(`w\.example\+\S+`).FindString(w.out.String())
	s := start(t, serveArgs(data, "--origin", origin, "--witness", witnessURL+"+"+key)...)
	url := s.ready(t)
	awaited(t, url+"/ledger/checkpoint/witnessed", fmt.Sprintf("%s\n%d\n", origin, records), "— w.example ")

	const id = "simulated-5-1"
	file := filepath.Join(t.TempDir(), "game.ndjson")
	proof := strings.TrimSuffix(file, ".ndjson") + ".tlog-proof"
	ok(t, "export", id, "--data", data, "--out", file, "--proof")
	_, served := fetch(t, url+"/api/games/"+id+"/proof")
	if got := string(read(t, proof)); got != served {
		t.Errorf("the exported proof is\n%s\nand the served one\n%s", got, served)
	}
	trust := []string{"--log-key", list.Log[0], "--witness", key, "--proof", proof}
	if out := ok(t, append([]string{"verify", file}, trust...)...); !strings.Contains(out, "recorded    holds") {
		t.Errorf("verify: %s", out)
	}
	if out := ok(t, "verify", id, "--data", data, "--log-key", list.Log[0], "--witness", key); !strings.Contains(out, "recorded    holds") {
		t.Errorf("verify of the ledger: %s", out)
	}
	// Nothing but the proof fixes when the last record was made.
	game := read(t, file)
	last := bytes.LastIndex(game, []byte(`{"at":"`)) + len(`{"at":"2026-11-29T20:00:0`)
	game[last] = '0' + (game[last]-'0'+1)%10
	changed := filepath.Join(t.TempDir(), "changed.ndjson")
	if err := os.WriteFile(changed, game, 0o600); err != nil {
		t.Fatal(err)
	}
	if r := chancery(t, append([]string{"verify", changed}, trust...)...); r.code != exitFailed || !strings.Contains(r.out, "recorded    REFUSED") {
		t.Errorf("verify of a changed file: %d, %s%s", r.code, r.out, r.err)
	}
	w.stop()
	if r := chancery(t, "verify", file, "--log-key", list.Log[0], "--witness", "w.example+00000000+AAAA", "--proof", proof); r.code != exitUsage {
		t.Errorf("a broken witness key: %d, %s", r.code, r.err)
	}
	if out := ok(t, "rebuild", "ledger", "--data", data); !strings.Contains(out, "is what was signed") {
		t.Errorf("rebuild beside a server: %s", out)
	}
	s.stop()

	// Without a server, from its files.
	ok(t, "export", id, "--data", data, "--lazy", "--out", file, "--proof")
	ok(t, append([]string{"verify", file}, trust...)...)
	if err := os.RemoveAll(filepath.Join(data, treeDir)); err != nil {
		t.Fatal(err)
	}
	ok(t, "rebuild", "ledger", "--data", data, "--lazy")
	ok(t, "export", id, "--data", data, "--lazy", "--out", file, "--proof")
	ok(t, append([]string{"verify", file}, trust...)...)

	if r := chancery(t, serveArgs(data, "--origin", "other.example")...); r.code != exitFailed || !strings.Contains(r.err, origin) {
		t.Errorf("served under another name: %d, %s", r.code, r.err)
	}
}

// tamper opens the broker's files with a server of our own, as somebody with the machine
// in his hands can, and writes the stream anew as edit leaves it.
func tamper(t *testing.T, data string, edit func([]*nats.Msg) []*nats.Msg) {
	t.Helper()
	s, err := server.NewServer(&server.Options{ServerName: "chancery", NoSigs: true, NoLog: true, JetStream: true, StoreDir: filepath.Join(data, "nats"), DontListen: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	defer func() { s.Shutdown(); s.WaitForShutdown() }()
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the broker does not start")
	}
	nc, err := nats.Connect("", nats.InProcessServer(s))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	stream, err := js.Stream(ctx, "LEDGER")
	if err != nil {
		t.Fatal(err)
	}
	info := stream.CachedInfo()
	var list []*nats.Msg
	for seq := uint64(1); seq <= info.State.LastSeq; seq++ {
		m, err := stream.GetMsg(ctx, seq)
		if err != nil {
			t.Fatal(err)
		}
		m.Header.Del("Nats-Expected-Last-Subject-Sequence")
		list = append(list, &nats.Msg{Subject: m.Subject, Header: m.Header, Data: m.Data})
	}
	if err := js.DeleteStream(ctx, "LEDGER"); err != nil {
		t.Fatal(err)
	}
	if _, err := js.CreateStream(ctx, info.Config); err != nil {
		t.Fatal(err)
	}
	for _, m := range edit(list) {
		if _, err := js.PublishMsg(ctx, m); err != nil {
			t.Fatal(err)
		}
	}
}

// Whatever is done to the store while no server looks, no checkpoint is signed over it.
func TestTamperedStore(t *testing.T) {
	at := func(i int, edit func(l []*nats.Msg, i int) []*nats.Msg) func(string) {
		return func(data string) {
			tamper(t, data, func(l []*nats.Msg) []*nats.Msg { return edit(l, (i+len(l))%len(l)) })
		}
	}
	remove := func(l []*nats.Msg, i int) []*nats.Msg { return append(l[:i:i], l[i+1:]...) }
	change := func(l []*nats.Msg, i int) []*nats.Msg {
		l[i].Data = bytes.Replace(l[i].Data, []byte(`"at":"20`), []byte(`"at":"19`), 1)
		return l
	}
	swap := func(l []*nats.Msg, i int) []*nats.Msg { l[i], l[i-1] = l[i-1], l[i]; return l }
	flip := func(data string) {
		blocks, err := filepath.Glob(filepath.Join(data, "nats/jetstream/*/streams/LEDGER/msgs/*.blk"))
		if err != nil || len(blocks) == 0 {
			t.Fatal(blocks, err)
		}
		b := read(t, blocks[0])
		b[len(b)/2] ^= 0x10
		if err := os.WriteFile(blocks[0], b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cut := func(data string) {
		blocks, err := filepath.Glob(filepath.Join(data, "nats/jetstream/*/streams/LEDGER/msgs/*.blk"))
		if err != nil || len(blocks) == 0 {
			t.Fatal(blocks, err)
		}
		b := read(t, blocks[len(blocks)-1])
		if err := os.WriteFile(blocks[len(blocks)-1], b[:len(b)-2000], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	data, records := ledgerOf(t, 20)
	if records < 600 {
		t.Fatalf("%d records are too few for this test", records)
	}
	s := start(t, serveArgs(data)...)
	awaited(t, s.ready(t)+"/ledger/checkpoint", fmt.Sprintf("\n%d\n", records))
	s.stop()
	signed := read(t, filepath.Join(data, "notes", "ledger.json"))

	for _, tt := range []struct {
		name  string
		spoil func(data string)
	}{
		{"the newest removed", at(-1, remove)},
		{"one of the newest changed", at(-50, change)},
		{"newest reordered", at(-7, swap)},
		{"an old one removed", at(10, remove)},
		{"an old one changed", at(10, change)},
		{"old ones reordered", at(10, swap)},
		{"a bit flipped in the file", flip},
		{"the file cut", cut},
	} {
		t.Run(tt.name, func(t *testing.T) {
			copied := filepath.Join(t.TempDir(), "d")
			if err := os.CopyFS(copied, os.DirFS(data)); err != nil {
				t.Fatal(err)
			}
			if err := restrict(copied); err != nil {
				t.Fatal(err)
			}
			tt.spoil(copied)
			s := start(t, serveArgs(copied)...)
			alarmed := func() bool {
				return strings.Contains(s.err.String(), "ALARM") || strings.Contains(s.err.String(), "has lost records") ||
					strings.Contains(s.err.String(), "has changed") || strings.Contains(s.err.String(), "is missing")
			}
			for range 3000 {
				if alarmed() {
					break
				}
				time.Sleep(10 * time.Millisecond)
			}
			if !alarmed() {
				t.Errorf("nobody is told: %s", s.err.String())
			}
			alarms(t, s, copied)
			s.stop()
			if tt.name == "the file cut" {
				if e := chancery(t, "export", "--all", "--data", copied, "--lazy"); e.code != exitFailed || !strings.Contains(e.err, "missing") {
					t.Errorf("an export of what is left: exit %d, %s", e.code, e.err)
				}
			}
			if !strings.Contains(s.err.String(), "has changed") {
				return // the doctor finds it in other ways, and waits for what is missing
			}
			if d := chancery(t, "doctor", "--all", "--data", copied, "--lazy"); d.code != exitFailed || !strings.Contains(d.out, "fail  public ledger") {
				t.Errorf("without a server the doctor says\n%s%s", d.out, d.err)
			}
			if now := read(t, filepath.Join(copied, "notes", "ledger.json")); !bytes.Equal(now, signed) {
				t.Errorf("something was signed: %s", now)
			}
		})
	}
}

// alarms looks whether a server that goes on tells all who ask that it signs no more.
func alarms(t *testing.T, s *background, data string) {
	t.Helper()
	at := readyAt.FindStringSubmatch(s.out.String())
	if at == nil {
		return // it refuses to serve
	}
	if _, body := fetch(t, at[1]+"/readyz"); !strings.Contains(body, "public ledger: ALARM") {
		t.Errorf("readyz says %s", body)
	}
	if _, body := fetch(t, at[1]+"/metrics"); !strings.Contains(body, "\nchancery_ledger_alarm 1\n") {
		t.Error("the metric of the alarm is not 1")
	}
	if d := chancery(t, "doctor", "--data", data, "--lazy"); d.code != exitFailed || !strings.Contains(d.out, "fail  signing          ALARM") {
		t.Errorf("the doctor says\n%s%s", d.out, d.err)
	}
}

// restrict gives copied keys and directories the modes of the originals.
func restrict(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.Chmod(path, 0o700)
		}
		return os.Chmod(path, 0o600)
	})
}

// A key that was rotated stands in the ledger, and both sign.
func TestRotatedLogKey(t *testing.T) {
	data, records := ledgerOf(t, 1)
	s := start(t, serveArgs(data)...)
	awaited(t, s.ready(t)+"/ledger/checkpoint", fmt.Sprintf("\n%d\n", records))
	s.stop()
	old := listedKeys(t, data).Log[0]
	time.Sleep(time.Second) // log keys are named after the second
	ok(t, "keys", "rotate", "--log", "--data", data)
	list := listedKeys(t, data).Log
	s = start(t, serveArgs(data)...)
	url := s.ready(t)
	opened(t, t.TempDir(), url, "--variant", "chess")
	text := awaited(t, url+"/ledger/checkpoint", fmt.Sprintf("\n%d\n", records+2)) // the game and the key
	if n := strings.Count(text, "— "+defaultOrigin+" "); n != 2 {
		t.Errorf("%d signatures of the ledger, want those of both keys:\n%s", n, text)
	}
	for _, key := range list {
		if _, body := fetch(t, url+"/ledger/keys"); !strings.Contains(body, key) {
			t.Errorf("/ledger/keys does not list %s: %s", key, body)
		}
	}
	announced := ok(t, "export", "_keys", "--data", data)
	if !strings.Contains(announced, list[0]) || list[1] != old {
		t.Errorf("announced is %s, want %s after %s", announced, list[0], old)
	}
	proved := filepath.Join(t.TempDir(), "keys.ndjson")
	ok(t, "export", "_keys", "--data", data, "--out", proved, "--proof")
	if code, body := fetch(t, url+"/api/games"); code != http.StatusOK || strings.Contains(body, "_keys") {
		t.Errorf("the list of games: %d %s", code, body)
	}
}
