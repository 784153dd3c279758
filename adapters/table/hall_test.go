package table

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chancery/adapters/memory"
	"chancery/domain/bot"
	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
	"chancery/projections/ledgertest"
	"chancery/projections/lobby"
)

// seals keep seeds under one key; lost says that the key is gone.
type seals struct {
	lost   bool
	opened atomic.Int64 // how many boxes
}

func (s *seals) Seal(id string, c fair.Hash, seed fair.Seed) (string, error) {
	var nonce [12]byte
	rand.Read(nonce[:])
	return fair.Seal(fair.Master{1}, "2026-11", id, c, seed, nonce), nil
}

func (s *seals) Unseal(header, id string, c fair.Hash) (fair.Seed, error) {
	if s.lost {
		return fair.Seed{}, fmt.Errorf("no key: %w", fair.ErrSeal)
	}
	s.opened.Add(1)
	return fair.Unseal(fair.Master{1}, header, id, c)
}

func (s *seals) Held(kid string) error {
	if s.lost {
		return fmt.Errorf("no key %s: %w", kid, fair.ErrSeal)
	}
	return nil
}

// noteMap is notes in memory.
type noteMap struct {
	mu    sync.Mutex
	notes map[string][]byte
}

func (m *noteMap) Update(_ context.Context, name string, edit func([]byte) ([]byte, error)) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	next, err := edit(m.notes[name])
	if err == nil && next != nil {
		m.notes[name] = next
	}
	return err
}

// a clock is set by the test.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// logged is what a hall has written to its log.
type logged struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// A world is a ledger and all around it; halls come and go.
type world struct {
	t     *testing.T
	log   *memory.Log
	notes *noteMap
	clock *clock
	seals *seals
	out   *logged
}

func newWorld(t *testing.T) *world {
	return &world{
		t: t, log: memory.New(), notes: &noteMap{notes: map[string][]byte{}}, seals: &seals{}, out: &logged{},
		clock: &clock{now: time.Date(2026, 11, 29, 20, 0, 0, 0, time.UTC)},
	}
}

// hall opens a hall on the world's ledger; stop ends it.
func (w *world) hall() (h *Hall, stop func()) {
	h, err := Open(context.Background(), w.config())
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { h.Run(ctx) })
	w.until("the lobby has caught up", func() bool { return strings.Contains(w.out.String(), "has been read") })
	w.out.mu.Lock()
	w.out.b.Reset()
	w.out.mu.Unlock()
	return h, func() { cancel(); running.Wait() }
}

// until waits for something that happens by itself.
func (w *world) until(what string, holds func() bool) {
	w.t.Helper()
	for range 1000 {
		if holds() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	w.t.Fatalf("it did not happen: %s; log: %s", what, w.out.String())
}

// begin opens a game of two delegated seats, ready for the first move.
func (w *world) begin(h *Hall, id string, c game.Create) events.Game {
	w.t.Helper()
	if c.Variant == "" {
		c.Variant = "chess"
	}
	if _, _, err := h.Create(w.t.Context(), id, "create-"+id, c); err != nil {
		w.t.Fatal(err)
	}
	g, _, err := h.Do(w.t.Context(), id, "join-"+id, game.Command{By: game.Second, Action: game.Join{}}, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	return g
}

// move plays a move for the seat; the key is the move's own.
func (w *world) move(h *Hall, id string, seat game.Seat, uci string) (events.Game, error) {
	g, _, err := h.Do(w.t.Context(), id, fmt.Sprintf("%s-%s-%s", id, seat, uci), game.Command{By: seat, Action: game.Move{UCI: uci}}, nil)
	return g, err
}

// load reads a game from the ledger alone.
func (w *world) load(id string) events.Game {
	w.t.Helper()
	g, err := events.Load(context.Background(), w.log, id)
	if err != nil {
		w.t.Fatal(err)
	}
	return g
}

var blitz = &game.ClockSpec{Base: 60_000, Increment: 1_000}

func TestAGameFromCreateToMate(t *testing.T) {
	w := newWorld(t)
	h, stop := w.hall()
	defer stop()
	w.begin(h, "g", game.Create{})
	for i, uci := range []string{"f2f3", "e7e5", "g2g4", "d8h4"} {
		if _, err := w.move(h, "g", game.Players[i%2], uci); err != nil {
			t.Fatal(err)
		}
	}
	g := w.load("g")
	if g.State.Reason != game.Checkmate || g.State.Winner != game.Second || !g.State.Fair.Revealed {
		t.Errorf("ended by %s, winner %s, revealed %v", g.State.Reason, g.State.Winner, g.State.Fair.Revealed)
	}
	if _, err := w.move(h, "g", game.First, "e2e4"); !errors.Is(err, game.GameOver) {
		t.Errorf("a move after the end: %v", err)
	}
}

func TestRepeatedCommands(t *testing.T) {
	w := newWorld(t)
	h, stop := w.hall()
	defer stop()
	w.begin(h, "g", game.Create{})
	first, err := w.move(h, "g", game.First, "e2e4")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.move(h, "g", game.Second, "e7e5"); err != nil {
		t.Fatal(err)
	}
	for name, hall := range map[string]*Hall{"here": h, "elsewhere": newHall(h.Config)} {
		_, out, err := hall.Do(t.Context(), "g", "g-seat1-e2e4", game.Command{By: game.First, Action: game.Move{UCI: "e2e4"}}, nil)
		if err != nil || !out.Repeated || out.Record.N != first.N {
			t.Errorf("%s: record %d, repeated %v, %v; want record %d", name, out.Record.N, out.Repeated, err, first.N)
		}
		_, out, err = hall.Create(t.Context(), "g", "create-g", game.Create{Variant: "chess"})
		if err != nil || !out.Repeated || out.Record.N != 0 {
			t.Errorf("%s: create again: %+v, %v", name, out.Record.N, err)
		}
		if _, _, err = hall.Create(t.Context(), "g", "another", game.Create{Variant: "chess"}); !errors.Is(err, game.Exists) {
			t.Errorf("%s: another create: %v", name, err)
		}
	}
	if last, _ := w.log.Last(t.Context()); last != 4 {
		t.Errorf("%d records, want 4", last)
	}
}

func TestUnknownGame(t *testing.T) {
	w := newWorld(t)
	h, stop := w.hall()
	defer stop()
	if _, err := w.move(h, "nowhere", game.First, "e2e4"); !errors.Is(err, events.ErrNotFound) {
		t.Errorf("a move: %v", err)
	}
	if _, err := h.Game(t.Context(), "nowhere"); !errors.Is(err, events.ErrNotFound) {
		t.Errorf("a look: %v", err)
	}
	if h.known("nowhere") != nil {
		t.Error("a table was left behind")
	}
}

// What the server does by itself when players keep it waiting.
func TestDuties(t *testing.T) {
	own := fair.NewClientChain("g", 0, fair.Hash{1}, 16)
	anchor, theirs := own.Anchor().Y, fair.NewClientChain("g", 1, fair.Hash{2}, 16)
	tests := []struct {
		name  string
		given func(w *world, h *Hall)
		early time.Duration // nothing yet
		late  time.Duration // then this
		want  game.Reason
		won   game.Seat
	}{
		{
			name:  "nobody joins",
			given: func(w *world, h *Hall) { w.create(h, "g", game.Create{Variant: "chess"}) },
			early: 24*time.Hour - time.Second, late: time.Second, want: game.NoOpponent,
		},
		{
			name: "the flag falls",
			given: func(w *world, h *Hall) {
				w.begin(h, "g", game.Create{Clock: blitz})
			},
			early: time.Minute - time.Millisecond, late: time.Millisecond, want: game.Timeout, won: game.Second,
		},
		{
			name: "the flag falls after a move, with its increment",
			given: func(w *world, h *Hall) {
				w.begin(h, "g", game.Create{Clock: blitz})
				w.clock.pass(10 * time.Second)
				w.must(w.move(h, "g", game.First, "e2e4"))
				w.clock.pass(20 * time.Second)
				w.must(w.move(h, "g", game.Second, "e7e5"))
			},
			early: 51*time.Second - time.Millisecond, late: time.Millisecond, want: game.Timeout, won: game.Second,
		},
		{
			name: "the creator does not open the first link, with a clock",
			given: func(w *world, h *Hall) {
				w.create(h, "g", game.Create{Variant: "chess", Anchor: &anchor, Clock: blitz})
				w.joinWith(h, theirs)
			},
			early: 30*time.Second - time.Millisecond, late: time.Millisecond, want: game.Forfeit, won: game.Second,
		},
		{
			name: "the creator does not open the first link, by post",
			given: func(w *world, h *Hall) {
				w.create(h, "g", game.Create{Variant: "chess", Anchor: &anchor})
				w.joinWith(h, theirs)
			},
			early: 3*24*time.Hour - time.Millisecond, late: time.Millisecond, want: game.Forfeit, won: game.Second,
		},
		{
			name: "nobody ever moves",
			given: func(w *world, h *Hall) {
				w.begin(h, "g", game.Create{})
				w.must(w.move(h, "g", game.First, "e2e4"))
			},
			early: 30*24*time.Hour - time.Millisecond, late: time.Millisecond, want: game.Abandoned,
		},
		{
			name: "a player of a game under way is gone",
			given: func(w *world, h *Hall) {
				w.begin(h, "g", game.Create{})
				w.must(w.move(h, "g", game.First, "e2e4"))
				w.must(w.move(h, "g", game.Second, "e7e5"))
			},
			early: 30*24*time.Hour - time.Millisecond, late: time.Millisecond, want: game.Forfeit, won: game.Second,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			h := newHall(w.config())
			tt.given(w, h)
			w.clock.pass(tt.early)
			h.tend(t.Context(), "g")
			if g := w.load("g"); g.State.Over() {
				t.Fatalf("too early: %s", g.State.Reason)
			}
			w.clock.pass(tt.late)
			h.tend(t.Context(), "g")
			if g := w.load("g"); g.State.Reason != tt.want || g.State.Winner != tt.won {
				t.Errorf("reason %q, winner %s; want %q, %s", g.State.Reason, g.State.Winner, tt.want, tt.won)
			}
		})
	}
}

func (w *world) config() Config {
	return Config{
		Log: w.log, Seals: w.seals, Notes: w.notes, Bots: bot.Bots(), Patience: DefaultPatience, Lobby: lobby.New(),
		Logger: slog.New(slog.NewTextHandler(w.out, nil)), Now: w.clock.Now, Entropy: rand.Reader, Alone: true,
	}
}

func (w *world) create(h *Hall, id string, c game.Create) {
	w.t.Helper()
	_, _, err := h.Create(context.Background(), id, "create", c)
	w.must(events.Game{}, err)
}

func (w *world) joinWith(h *Hall, chain *fair.ClientChain) {
	w.t.Helper()
	anchor, link := chain.Anchor().Y, chain.Link(1).Y
	_, _, err := h.Do(context.Background(), "g", "join", game.Command{By: game.Second, Action: game.Join{Anchor: &anchor}, Link: &link}, nil)
	w.must(events.Game{}, err)
}

func (w *world) must(_ events.Game, err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// The flag falls by itself, on the wall clock of a running hall.
func TestTheAgendaKeepsTime(t *testing.T) {
	w := newWorld(t)
	h, stop := w.hall()
	defer stop()
	w.begin(h, "g", game.Create{Clock: blitz})
	w.clock.pass(time.Minute)
	w.until("the flag falls", func() bool { return w.load("g").State.Reason == game.Timeout })
}

// A command that comes too late meets a game that is over, even before the server's own
// timer has run.
func TestALateMove(t *testing.T) {
	w := newWorld(t)
	h := newHall(w.config())
	w.begin(h, "g", game.Create{Clock: blitz})
	w.clock.pass(time.Minute)
	if _, err := w.move(h, "g", game.First, "e2e4"); !errors.Is(err, game.GameOver) {
		t.Errorf("a late move: %v", err)
	}
	if g := w.load("g"); g.State.Reason != game.Timeout || g.State.Plies != 0 {
		t.Errorf("reason %q after %d plies", g.State.Reason, g.State.Plies)
	}
}

// A move and the timer race at the deadline: whichever is stored, the ledger's times
// agree with it.
func TestTheFlagRace(t *testing.T) {
	rounds := 300
	if testing.Short() {
		rounds = 30
	}
	w := newWorld(t)
	h, other := newHall(w.config()), newHall(w.config())
	moved := 0
	for i := range rounds {
		id := fmt.Sprintf("g%d", i)
		started := w.begin(h, id, game.Create{Clock: &game.ClockSpec{Base: 1000}}).State.At
		w.clock.pass(time.Second - 1*time.Millisecond)
		var race sync.WaitGroup
		race.Go(func() { _, _ = w.move(h, id, game.First, "e2e4") })
		race.Go(func() { w.clock.pass(1 * time.Millisecond); other.tend(t.Context(), id) })
		race.Wait()
		h.tend(t.Context(), id)

		g := w.load(id)
		switch {
		case g.State.Plies == 1 && g.State.Clock.Left[0] > 0:
			moved++
		case g.State.Reason == game.Timeout && g.State.At >= started+1000:
		default:
			t.Fatalf("game %d: %d plies, reason %q, left %v", i, g.State.Plies, g.State.Reason, g.State.Clock.Left)
		}
	}
	t.Logf("the move came first in %d of %d races", moved, rounds)
}

// Nobody pays for the time in which the server was down, and nothing ends by it.
func TestARestart(t *testing.T) {
	for _, down := range []time.Duration{5 * time.Second, 5 * time.Minute, 40 * 24 * time.Hour} {
		t.Run(down.String(), func(t *testing.T) {
			w := newWorld(t)
			h, stop := w.hall()
			w.begin(h, "g", game.Create{Clock: blitz})
			w.create(h, "open", game.Create{Variant: "chess"})
			for range 5 {
				w.clock.pass(beat)
				h.signIn(t.Context())
			}
			stop()
			w.clock.pass(down)

			again, stop := w.hall()
			defer stop()
			w.until("the clock goes on", func() bool { return again.known("g") != nil && w.load("g").N == 2 })
			g := w.load("g")
			if left := g.State.Clock.At(again.instant()); left[0] != 50_000 || left[1] != 60_000 {
				t.Errorf("clocks %v after %s, want 50 s and 60 s", left, down)
			}
			if open := w.load("open"); open.State.Over() {
				t.Error("the open game has ended")
			}
			w.clock.pass(49 * time.Second)
			w.must(w.move(again, "g", game.First, "e2e4"))
			w.clock.pass(time.Minute)
			w.until("the other flag falls", func() bool { return w.load("g").State.Reason == game.Timeout })
			if w.load("g").State.Winner != game.First {
				t.Errorf("winner %s", w.load("g").State.Winner)
			}
		})
	}
}

func TestALostSeed(t *testing.T) {
	w := newWorld(t)
	w.begin(newHall(w.config()), "g", game.Create{})
	w.seals.lost = true
	h := newHall(w.config())
	if _, err := w.move(h, "g", game.First, "e2e4"); !errors.Is(err, game.GameOver) {
		t.Errorf("a move: %v", err)
	}
	if g := w.load("g"); !g.State.Voided || g.State.Reason != game.SeedLost {
		t.Errorf("voided %v, reason %q", g.State.Voided, g.State.Reason)
	}
	if !strings.Contains(w.out.String(), "level=ERROR") {
		t.Error("nothing was said about it")
	}
}

// A key that is gone is said aloud before any game is void, and forgotten once it is back.
func TestALostKeyIsTold(t *testing.T) {
	w := newWorld(t)
	first := newHall(w.config())
	w.begin(first, "g", game.Create{})
	w.begin(first, "over", game.Create{})
	_, _, err := first.Do(t.Context(), "over", "resign", game.Command{By: game.First, Action: game.Resign{}}, nil)
	w.must(events.Game{}, err)

	w.seals.lost = true
	h := w.reopen()
	for range 2 {
		for _, id := range []string{"g", "over"} {
			h.tend(t.Context(), id)
		}
		h.missKeys()
	}
	if diff := cmp.Diff(map[string][]string{"2026-11": {"g"}}, h.Lost()); diff != "" || h.Stats().Lost != 1 {
		t.Error("(-want +got)", diff)
	}
	if strings.Count(w.out.String(), "level=ERROR") != 1 || !strings.Contains(w.out.String(), "kid=2026-11 count=1 games=[g]") {
		t.Errorf("what was said of it: %s", w.out)
	}

	w.seals.lost = false
	h.missKeys()
	if len(h.Lost()) > 0 {
		t.Errorf("%v, although the key is back", h.Lost())
	}
	w.must(w.move(h, "g", game.First, "e2e4"))

	w.seals.lost = true
	again := w.reopen()
	again.tend(t.Context(), "g")
	again.missKeys()
	if _, err := w.move(again, "g", game.Second, "e7e5"); !errors.Is(err, game.GameOver) {
		t.Errorf("a move: %v", err)
	}
	again.missKeys()
	if len(again.Lost()) > 0 {
		t.Errorf("%v, although the game is void", again.Lost())
	}
}

func TestABrokenGame(t *testing.T) {
	w := newWorld(t)
	g := w.begin(newHall(w.config()), "g", game.Create{})
	if _, err := w.log.Append(t.Context(), g.Revision, events.Entry{Game: "g", Payload: []byte(`{"at":1}`), Cause: "x"}); err != nil {
		t.Fatal(err)
	}
	before, _ := w.log.Last(t.Context())
	h := newHall(w.config())
	if _, err := w.move(h, "g", game.First, "e2e4"); !errors.Is(err, events.ErrBroken) {
		t.Errorf("a move: %v", err)
	}
	h.tend(t.Context(), "g")
	if after, _ := w.log.Last(t.Context()); after != before {
		t.Error("a frozen game was played on")
	}
	if !strings.Contains(w.out.String(), "level=ERROR") {
		t.Error("nothing was said about it")
	}
}

func TestABotPlays(t *testing.T) {
	w := newWorld(t)
	h, stop := w.hall()
	defer stop()
	w.create(h, "g", game.Create{Variant: "nocastle", Seats: [2]game.Sitter{1: {Bot: "random"}}})
	for range 10 {
		w.until("it is our turn", func() bool {
			g := w.load("g")
			return g.State.Over() || g.State.ToAct() == game.First
		})
		g := w.load("g")
		if g.State.Over() {
			break
		}
		v, err := h.View(g, game.First)
		w.must(g, err)
		_, _, err = h.Do(t.Context(), "g", fmt.Sprint("move-", g.N), game.Command{By: game.First, Action: game.Move{UCI: v.Legal[0]}}, nil)
		w.must(g, err)
	}
	if g := w.load("g"); g.State.Plies < 18 && !g.State.Over() {
		t.Errorf("%d plies", g.State.Plies)
	}
	if _, _, err := h.Create(t.Context(), "h", "k", game.Create{Variant: "chess", Seats: [2]game.Sitter{1: {Bot: "deep"}}}); !errors.Is(err, game.BadOption) {
		t.Errorf("an unknown bot: %v", err)
	}
}

// Two processes serve the same game on the same ledger: no move is lost or doubled.
func TestTwoHalls(t *testing.T) {
	w := newWorld(t)
	a, stopA := w.hall()
	defer stopA()
	b, stopB := w.hall()
	defer stopB()
	w.begin(a, "g", game.Create{})
	moves := []string{"g1f3", "g8f6", "f3g1", "f6g8"}
	for i := range 16 {
		var both sync.WaitGroup
		for _, h := range []*Hall{a, b} {
			both.Go(func() {
				key := fmt.Sprint("move-", i)
				g, _, err := h.Do(t.Context(), "g", key, game.Command{By: game.Players[i%2], Action: game.Move{UCI: moves[i%4]}}, nil)
				if err != nil && !errors.Is(err, game.GameOver) {
					t.Error(err)
				}
				if err == nil && g.State.Plies != i+1 {
					t.Errorf("move %d: %d plies", i, g.State.Plies)
				}
			})
		}
		both.Wait()
	}
	if g := w.load("g"); g.State.Plies != 16 {
		t.Errorf("%d plies, want 16", g.State.Plies)
	}
	for _, h := range []*Hall{a, b} {
		w.until("both know the newest record", func() bool {
			g, err := h.Game(t.Context(), "g")
			return err == nil && g.N == w.load("g").N
		})
	}
}

func TestTheLobbyFollows(t *testing.T) {
	w := newWorld(t)
	h, stop := w.hall()
	w.create(h, "open", game.Create{Variant: "chess"})
	w.begin(h, "live", game.Create{Variant: "nocastle"})
	w.begin(h, "done", game.Create{})
	_, _, err := h.Do(t.Context(), "done", "resign", game.Command{By: game.First, Action: game.Resign{}}, nil)
	w.must(events.Game{}, err)
	check := func(h *Hall) {
		t.Helper()
		w.until("the lobby has it", func() bool {
			last, _ := w.log.Last(t.Context())
			return h.Lobby.At() == last
		})
		games, more := h.Lobby.List(lobby.Query{})
		if len(games) != 2 || more || games[0].Game != "live" || games[0].Phase != lobby.Live || games[1].Game != "open" || games[1].Phase != lobby.Open {
			t.Errorf("lobby: %+v", games)
		}
	}
	check(h)
	stop()
	again, stop := w.hall()
	defer stop()
	check(again)
}

// In duet each die rolls in a record of its own, the server's where it keeps both chains;
// also where a server has just started.
func TestDuetOfDelegatedSeats(t *testing.T) {
	w := newWorld(t)
	g := w.begin(newHall(w.config()), "g", game.Create{Variant: "yugioh", Options: game.Options{"duet": game.BoolValue(true)}, Clock: blitz})
	if !g.State.AwaitsServer() {
		t.Fatalf("phase %s behind the first roll", g.State.Phase)
	}
	h, stop := w.hall()
	defer stop()
	w.until("the dice of the opening", func() bool { g = w.load("g"); return g.State.Phase != game.PhaseLink })
	for range 6 {
		seat := g.State.ToAct()
		if seat == game.Spectator || g.State.Over() {
			break
		}
		n := g.N + 1
		if _, _, err := h.Do(t.Context(), "g", fmt.Sprint("key", n), game.Command{By: seat, Action: game.ActionOf(game.LegalMoves(g.State)[0])}, nil); err != nil {
			t.Fatal(err)
		}
		w.until("the dice behind a move", func() bool { g = w.load("g"); return g.State.Phase != game.PhaseLink })
	}
	for step, err := range events.Steps(t.Context(), w.log, events.NewGame("g")) {
		rolls := 0
		for _, e := range step.Record.Events {
			if e.Fair.Random() {
				rolls++
			}
		}
		if _, moved := step.Record.Events[0].Fact.(game.MovePlayed); err != nil || rolls > 1 || moved && rolls > 0 {
			t.Errorf("record %d: %d rolls, %v", step.Record.N, rolls, err)
		}
	}
}

// What the ledger says by itself is there to be read, and no game that anybody could play
// or that the server would ever end.
func TestTheLedgersOwnGames(t *testing.T) {
	w := newWorld(t)
	if err := ledgertest.Play(t.Context(), w.log, ledgertest.Games{To: 1, Moves: 1}); err != nil {
		t.Fatal(err)
	}
	h, stop := w.hall()
	defer stop()
	for _, id := range ledgertest.Own {
		g, err := h.Game(t.Context(), id)
		if err != nil || g.N != 0 {
			t.Errorf("%s: record %d, %v", id, g.N, err)
		}
		if d := h.next(g, game.Instant(w.clock.now.AddDate(1, 0, 0).UnixMilli())); d.at != nothing.at {
			t.Errorf("%s: the server would %s", id, d.what)
		}
		for by, a := range map[game.Seat]game.Action{
			game.Second: game.Join{}, game.First: game.Resign{}, game.Spectator: game.Abort{Reason: game.Abandoned},
		} {
			var refused *game.Refusal
			if _, _, err := h.Do(t.Context(), id, "key", game.Command{By: by, Action: a}, nil); !errors.As(err, &refused) {
				t.Errorf("%s: %T by %s gives %v", id, a, by, err)
			}
		}
	}
}

func TestTablesArePutAway(t *testing.T) {
	w := newWorld(t)
	c := w.config()
	c.Tables = 3
	h := newHall(c)
	for i := range 10 {
		w.create(h, fmt.Sprint("g", i), game.Create{Variant: "chess"})
		w.clock.pass(10 * time.Second)
	}
	h.sweep()
	if len(h.tables) > 3 {
		t.Errorf("%d tables in memory, want 3", len(h.tables))
	}
	if _, err := h.Game(t.Context(), "g0"); err != nil {
		t.Errorf("a game that was put away: %v", err)
	}
	w.clock.pass(idle)
	h.sweep()
	if len(h.tables) != 0 {
		t.Errorf("%d tables after a quiet while", len(h.tables))
	}
}
