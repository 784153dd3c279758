package jetstream_test

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"chancery/adapters/jetstream"
	"chancery/events"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"
)

func entry(game string, i byte) events.Entry {
	return events.Entry{Game: game, Payload: []byte{'0' + i}, Cause: game + string('0'+rune(i))}
}

func TestReopen(t *testing.T) {
	dir := t.TempDir()
	log := open(t, jetstream.Embedded{Dir: dir})
	at, err := log.Append(t.Context(), 0, entry("game", 0))
	if err != nil {
		t.Fatal(err)
	}
	log.Close()
	log.Close() // twice does no harm
	if _, err := log.Append(t.Context(), at, entry("game", 1)); !errors.Is(err, events.ErrUnavailable) {
		t.Errorf("append to a closed log: %v", err)
	}
	for _, err := range log.Follow(t.Context(), 0) {
		if !errors.Is(err, events.ErrUnavailable) {
			t.Errorf("follow a closed log: %v", err)
		}
	}
	log = open(t, jetstream.Embedded{Dir: dir})
	if last, err := log.Last(t.Context()); err != nil || last != at {
		t.Errorf("after opening again the last is %d, %v", last, err)
	}
	if again, err := log.Append(t.Context(), 0, entry("game", 0)); err != nil || again != at {
		t.Errorf("the same entry again: %d, %v", again, err)
	}
	if _, err := log.Append(t.Context(), at, entry("game", 1)); err != nil {
		t.Error(err)
	}
}

func TestLocked(t *testing.T) {
	dir := t.TempDir()
	log := open(t, jetstream.Embedded{Dir: dir})
	_, err := jetstream.OpenEmbedded(t.Context(), jetstream.Embedded{Dir: dir})
	var locked *jetstream.LockedError
	if !errors.As(err, &locked) || !errors.Is(err, jetstream.ErrLocked) || locked.PID != os.Getpid() || locked.Dir != dir {
		t.Errorf("a second one: %v", err)
	}
	log.Close()
	open(t, jetstream.Embedded{Dir: dir})
}

// TestDurabilityIsKept: a ledger stays what it was made, throwaway or not.
func TestDurabilityIsKept(t *testing.T) {
	for _, lazy := range []bool{false, true} {
		dir := t.TempDir()
		open(t, jetstream.Embedded{Dir: dir, Lazy: lazy}).Close()
		_, err := jetstream.OpenEmbedded(t.Context(), jetstream.Embedded{Dir: dir, Lazy: !lazy})
		var drift *jetstream.DriftError
		advice := map[bool]string{true: "open it with --lazy", false: "open it without --lazy"}[lazy]
		if !errors.As(err, &drift) || len(drift.Drifts) != 1 || !strings.Contains(err.Error(), advice) || strings.Contains(err.Error(), "nats stream edit") {
			t.Errorf("lazy %v opened as %v: %v", lazy, !lazy, err)
		}
		if log := open(t, jetstream.Embedded{Dir: dir, Lazy: lazy}); log.Lazy() != lazy {
			t.Errorf("lazy is %v", log.Lazy())
		}
	}
}

// single is one NATS server that listens, without a ledger.
func single(t *testing.T) string { return singleWith(t, server.Options{}) }

func singleWith(t *testing.T, o server.Options) string {
	t.Helper()
	o.Host, o.Port, o.JetStream, o.StoreDir, o.NoLog, o.NoSigs = "127.0.0.1", -1, true, t.TempDir(), true, true
	s, err := server.NewServer(&o)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server does not get ready")
	}
	return s.ClientURL()
}

func TestRemote(t *testing.T) {
	c := jetstream.Remote{URL: single(t), Replicas: 1}
	if _, err := jetstream.OpenRemote(t.Context(), c); !errors.Is(err, jetstream.ErrNoStream) {
		t.Fatalf("without a ledger: %v", err)
	}
	for range 2 {
		if err := jetstream.Migrate(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	log, err := jetstream.OpenRemote(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	if last, err := log.Last(t.Context()); err != nil || last != 0 {
		t.Errorf("opening stored something: %d, %v", last, err)
	}
	if _, err := log.Append(t.Context(), 0, entry("game", 0)); err != nil {
		t.Error(err)
	}
}

func TestRemoteIsNotThere(t *testing.T) {
	_, err := jetstream.OpenRemote(t.Context(), jetstream.Remote{URL: "nats://127.0.0.1:1"})
	if !errors.Is(err, events.ErrUnavailable) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	heard := listener{heard: cancel}
	_, err = jetstream.OpenRemote(ctx, jetstream.Remote{URL: "nats://127.0.0.1:1", Wait: time.Hour, Logger: slog.New(slog.NewTextHandler(&heard, nil))})
	if !errors.Is(err, context.Canceled) || !strings.Contains(heard.String(), "waiting for the NATS servers") {
		t.Errorf("%v, and said %q", err, heard.String())
	}
}

// A listener acts on the first line of a log.
type listener struct {
	strings.Builder
	heard func()
}

func (l *listener) Write(b []byte) (int, error) {
	defer l.heard()
	return l.Builder.Write(b)
}

// TestDrift changes the stream behind the log's back in the ways that lose history.
func TestDrift(t *testing.T) {
	url := single(t)
	c := jetstream.Remote{URL: url, Replicas: 1}
	if err := jetstream.Migrate(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	nc, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := natsjs.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	s, err := js.Stream(t.Context(), "LEDGER")
	if err != nil {
		t.Fatal(err)
	}
	good := s.CachedInfo().Config
	for name, change := range map[string]func(*natsjs.StreamConfig){
		"max_age":          func(c *natsjs.StreamConfig) { c.MaxAge = time.Hour },
		"max_msgs":         func(c *natsjs.StreamConfig) { c.MaxMsgs = 10 },
		"max_bytes":        func(c *natsjs.StreamConfig) { c.MaxBytes = 1 << 20 },
		"discard":          func(c *natsjs.StreamConfig) { c.Discard = natsjs.DiscardOld },
		"subjects":         func(c *natsjs.StreamConfig) { c.Subjects = []string{"game.>"} },
		"compression":      func(c *natsjs.StreamConfig) { c.Compression = natsjs.NoCompression },
		"duplicate_window": func(c *natsjs.StreamConfig) { c.Duplicates = time.Minute },
	} {
		changed := good
		change(&changed)
		if _, err := js.UpdateStream(t.Context(), changed); err != nil {
			t.Fatal(name, err)
		}
		var drift *jetstream.DriftError
		_, err := jetstream.OpenRemote(t.Context(), c)
		if !errors.As(err, &drift) || len(drift.Drifts) != 1 || drift.Drifts[0].Name != name || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
		if err := jetstream.Migrate(t.Context(), c); !errors.As(err, &drift) {
			t.Errorf("%s: migrate: %v", name, err)
		}
		if _, err := js.UpdateStream(t.Context(), good); err != nil {
			t.Fatal(name, err)
		}
	}
	// The operator's own: opens as before.
	good.Description = "ours"
	if _, err := js.UpdateStream(t.Context(), good); err != nil {
		t.Fatal(err)
	}
	log, err := jetstream.OpenRemote(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	log.Close()
}

// TestFull fills the broker's store: what does not fit is refused at once and is not
// there, and what was acknowledged stays.
func TestFull(t *testing.T) {
	c := jetstream.Remote{URL: singleWith(t, server.Options{JetStreamMaxStore: 1 << 20, JetStreamMaxMemory: 1 << 20}), Replicas: 1, Create: true}
	log, err := jetstream.OpenRemote(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	var acked events.Revision
	for i := byte(0); err == nil; i++ {
		e := entry("game", i)
		e.Payload = make([]byte, 50_000)
		if _, err := rand.Read(e.Payload); err != nil {
			t.Fatal(err)
		}
		var at events.Revision
		if at, err = log.Append(t.Context(), acked, e); err == nil {
			acked = at
		}
		if i > 100 {
			t.Fatal("the store does not fill")
		}
	}
	if !errors.Is(err, events.ErrUnavailable) {
		t.Errorf("append to a full store: %v", err)
	}
	if last, err := log.Last(t.Context()); err != nil || last != acked || acked == 0 {
		t.Errorf("last is %d, acknowledged %d, %v", last, acked, err)
	}
}

// TestPermissions runs as the server's user on a shared cluster should: it may not
// create, change or empty the stream, and needs nothing of that.
func TestPermissions(t *testing.T) {
	url := singleWith(t, server.Options{Users: []*server.User{
		{Username: "admin", Password: "a"},
		{Username: "server", Password: "s", Permissions: &server.Permissions{Publish: &server.SubjectPermission{Deny: []string{
			"$JS.API.STREAM.CREATE.>", "$JS.API.STREAM.UPDATE.>", "$JS.API.STREAM.DELETE.>", "$JS.API.STREAM.PURGE.>", "$JS.API.STREAM.MSG.DELETE.>",
		}}}},
	}})
	as := func(user string) jetstream.Remote {
		return jetstream.Remote{URL: strings.Replace(url, "nats://", "nats://"+user+"@", 1), Replicas: 1}
	}
	if err := jetstream.Migrate(t.Context(), as("admin:a")); err != nil {
		t.Fatal(err)
	}
	log, err := jetstream.OpenRemote(t.Context(), as("server:s"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	if _, err := log.Append(t.Context(), 0, entry("game", 0)); err != nil {
		t.Error(err)
	}
	for s, err := range log.Follow(t.Context(), 0) {
		if err != nil || s.Position != 1 {
			t.Error(s.Position, err)
		}
		break
	}
}

// TestNothingIsDeleted tries what the stream's settings forbid.
func TestNothingIsDeleted(t *testing.T) {
	log := open(t, jetstream.Embedded{Dir: t.TempDir()})
	if _, err := log.Append(t.Context(), 0, entry("game", 0)); err != nil {
		t.Fatal(err)
	}
	js, err := natsjs.New(log.Conns()[0])
	if err != nil {
		t.Fatal(err)
	}
	s, err := js.Stream(t.Context(), "LEDGER")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteMsg(t.Context(), 1); err == nil {
		t.Error("a record could be deleted")
	}
	if err := s.Purge(t.Context()); err == nil {
		t.Error("the ledger could be purged")
	}
	if last, err := log.Last(t.Context()); err != nil || last != 1 {
		t.Errorf("last is %d, %v", last, err)
	}
}

// TestListen lets others read along, and nothing else.
func TestListen(t *testing.T) {
	port := freePorts(t, 1)[0]
	at := "127.0.0.1:" + strconv.Itoa(port)
	log := open(t, jetstream.Embedded{Dir: t.TempDir(), Listen: at})
	if _, err := log.Append(t.Context(), 0, entry("game", 0)); err != nil {
		t.Fatal(err)
	}
	nc, err := nats.Connect("nats://"+at, nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := natsjs.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	s, err := js.Stream(t.Context(), "LEDGER")
	if err != nil {
		t.Fatal(err)
	}
	if m, err := s.GetMsg(t.Context(), 1); err != nil || string(m.Data) != "0" {
		t.Errorf("a reader reads %v, %v", m, err)
	}
	short, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := js.Publish(short, "game.game", []byte("forged")); err == nil {
		t.Error("a reader could write")
	}
	if err := js.DeleteStream(short, "LEDGER"); err == nil {
		t.Error("a reader could delete the ledger")
	}
	if last, err := log.Last(t.Context()); err != nil || last != 1 {
		t.Errorf("last is %d, %v", last, err)
	}
}

func TestDoctor(t *testing.T) {
	for _, test := range []struct {
		lazy bool
		want jetstream.Health
	}{{false, jetstream.Well}, {true, jetstream.Unwell}} {
		log := open(t, jetstream.Embedded{Dir: t.TempDir(), Lazy: test.lazy})
		if _, err := log.Append(t.Context(), 0, entry("game", 0)); err != nil {
			t.Fatal(err)
		}
		findings, err := log.Doctor(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range findings {
			want := jetstream.Well
			if f.Name == "durability" {
				want = test.want
			}
			if f.Health != want || f.Text == "" {
				t.Errorf("lazy %v: %+v, want %s", test.lazy, f, want)
			}
		}
	}
}
