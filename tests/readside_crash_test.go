package tests

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"chancery/adapters/jetstream"
	"chancery/adapters/sqlstore"
	"chancery/adapters/watermill"
	"chancery/events"
	"chancery/projections"
	"chancery/projections/ledgertest"
)

var readKills = flag.Int("read-kills", 12, "how often TestReadSideKilled kills")

// What the child of TestReadSideKilled is told.
const (
	childLedger   = "CHANCERY_TEST_LEDGER"
	childDatabase = "CHANCERY_TEST_DATABASE"
	childRound    = "CHANCERY_TEST_ROUND"
)

// TestReadSideChild is the process that TestReadSideKilled kills: it plays games into a
// ledger and keeps read models up with it, now and then rebuilding one. In any other
// run it has nothing to do.
func TestReadSideChild(t *testing.T) {
	dir := os.Getenv(childLedger)
	if dir == "" {
		return
	}
	log, err := jetstream.OpenEmbedded(t.Context(), jetstream.Embedded{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	store, err := sqlstore.Open(os.Getenv(childDatabase), dir+"/read")
	if err != nil {
		t.Fatal(err)
	}
	var models []projections.Model
	for _, p := range inSQL(log) {
		models = append(models, store.Model(p))
	}
	r := watermill.New(watermill.Config{Log: log, Models: models, Logger: slog.New(slog.DiscardHandler)})
	go func() { _ = r.Run(t.Context()) }() // until the kill
	go func() {
		for _, m := range models {
			_ = r.Rebuild(t.Context(), m.Name(), nil) // the kill may come first
		}
	}()
	fmt.Println("the child plays")
	round, _ := strconv.Atoi(os.Getenv(childRound))
	for from := round * 1000; ; from += 8 {
		if err := ledgertest.Play(t.Context(), log, ledgertest.Games{From: from, To: from + 8}); err != nil {
			t.Fatal(err)
		}
		fmt.Println("the child has played")
	}
}

// However often the process is killed while it projects, every read model ends as one
// that is computed from nothing.
func TestReadSideKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("it kills processes for half a minute")
	}
	onBothDatabases(t, func(t *testing.T, url string) {
		dir := t.TempDir()
		for round := range *readKills {
			killOnce(t, dir, url, round)
		}
		log, err := jetstream.OpenEmbedded(t.Context(), jetstream.Embedded{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		defer log.Close()
		if last, err := log.Last(t.Context()); err != nil || last < events.Position(10**readKills) {
			t.Errorf("only %d records were made, %v", last, err)
		}
		r := read(t, log, url, dir+"/read", inSQL(log))
		defer r.stop()
		r.until(t, "all is absorbed", caughtUp)
		r.sameWhenRebuilt(t)
	})
}

// killOnce lets a child play and project for a moment.
func killOnce(t *testing.T, dir, url string, round int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	child := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestReadSideChild$")
	child.Env = append(os.Environ(), childLedger+"="+dir, childDatabase+"="+url, childRound+"="+strconv.Itoa(round))
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for _, want := range []string{"the child plays", "the child has played"} { // or has failed
		if !lines.Scan() || lines.Text() != want {
			t.Errorf("the child of round %d says %q, want %q", round, lines.Text(), want)
		}
	}
	time.Sleep(time.Duration(rand.IntN(400)) * time.Millisecond)
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // killed
}
