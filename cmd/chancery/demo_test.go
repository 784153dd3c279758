package main

import (
	"crypto/rand"
	"log/slog"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"chancery/adapters/keys"
	"chancery/adapters/memory"
	"chancery/adapters/notes"
	"chancery/adapters/table"
	"chancery/domain/bot"
	"chancery/domain/game"
	"chancery/events"
	"chancery/projections/lobby"
)

// A demo opens one game of a variant at a time, and not too many in an hour; programs
// that play each other take their time.
func TestDemo(t *testing.T) {
	ring, err := keys.Open(filepath.Join(t.TempDir(), "keys"), time.Now(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := notes.Open(filepath.Join(t.TempDir(), "notes"))
	if err != nil {
		t.Fatal(err)
	}
	var passed atomic.Int64 // on the hall's clock
	start := time.Now()
	hall, err := table.Open(t.Context(), table.Config{
		Log: memory.New(), Seals: ring, Notes: kept, Bots: bot.Bots(), Patience: table.DefaultPatience, Lobby: lobby.New(),
		Logger: slog.New(slog.DiscardHandler), Entropy: rand.Reader, Alone: true,
		Now: func() time.Time { return start.Add(time.Duration(passed.Load())) },
	})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { defer close(ended); hall.Run(t.Context()) }()
	t.Cleanup(func() { <-ended })

	d := demo{hall: hall, begun: map[string]time.Time{}}
	list := func() []lobby.Game { games, _ := hall.Lobby.List(lobby.Query{}); return games }
	wait := func(what string, done func() bool) {
		t.Helper()
		for deadline := time.Now().Add(20 * time.Second); !done(); time.Sleep(5 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("never: %s", what)
			}
		}
	}
	all := len(game.Variants())
	d.keepAllUp(t.Context(), start)
	seated := func() bool { return hall.Lobby.At() >= events.Position(2*d.games) } // opening a game and joining it
	wait("both programs sit down", seated)
	unlucky := all - len(list()) // ended by the opening roll of Yugioh Chess
	if d.games != all || unlucky > 1 {
		t.Fatalf("%d games are opened and %d ended before a move", d.games, unlucky)
	}
	d.keepAllUp(t.Context(), start.Add(2*demoEvery))
	if n := d.games; n != all+unlucky {
		t.Errorf("%d games are opened while %d go on", n, all-unlucky)
	}
	moved := func() (n int) {
		for _, g := range list() {
			if g.N > 1 {
				n++
			}
		}
		return n
	}
	wait("all programs sit down", seated)
	if n := moved(); n > 0 {
		t.Errorf("%d games go on faster than anybody can follow", n)
	}
	for len(list()) > 0 {
		passed.Add(int64(table.DefaultPatience.Show))
		time.Sleep(3 * time.Millisecond)
		if time.Since(start) > time.Minute {
			t.Fatalf("%d games never end", len(list()))
		}
	}
	d.keepAllUp(t.Context(), start.Add(demoEvery-time.Second))
	if n := d.games; n != all+unlucky {
		t.Errorf("%d games are opened at once, %d of them before their time", n, n-all-unlucky)
	}
	d.keepAllUp(t.Context(), start.Add(demoEvery))
	if n := d.games; n != 2*all {
		t.Errorf("%d games are opened in all; want %d", n, 2*all)
	}
}
