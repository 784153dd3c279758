package tests

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chancery/adapters/memory"
	"chancery/domain/bot"
	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
)

// longest is how many actions a playthrough has before a seat resigns.
const longest = 40

// TestGoldenPlaythroughs plays one game of every variant from a fixed seed and compares
// every event, and what every seat sees, with tests/playthroughs. Counts of moves do not
// see a wrong draw or a hand that shows; the difference of two such files does. Write
// them anew with CHANCERY_UPDATE=1 and look at what changed.
func TestGoldenPlaythroughs(t *testing.T) {
	for _, v := range game.Variants() {
		t.Run(v.Key, func(t *testing.T) {
			got := playthrough(t, v)
			file := playthroughFile(v.Key)
			if os.Getenv("CHANCERY_UPDATE") != "" {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatalf("%v; write it with CHANCERY_UPDATE=1", err)
			}
			if line, g, w := firstDifference(got, want); line > 0 {
				t.Errorf("%s, line %d:\ngot  %.400s\nwant %.400s", file, line, g, w)
			}
		})
	}
}

func TestEveryVariantHasAPlaythrough(t *testing.T) {
	want := map[string]bool{}
	for _, v := range game.Variants() {
		want[playthroughFile(v.Key)] = true
	}
	have, err := filepath.Glob(playthroughFile("*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range have {
		if !want[file] {
			t.Errorf("%s is of no variant", file)
		}
		delete(want, file)
	}
	for file := range want {
		t.Errorf("%s is missing; write it with CHANCERY_UPDATE=1", file)
	}
}

func playthroughFile(key string) string { return filepath.Join("playthroughs", key+".txt") }

func firstDifference(got, want []byte) (line int, g, w string) {
	a, b := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(a), len(b)) {
		g, w := "", ""
		if i < len(a) {
			g = a[i]
		}
		if i < len(b) {
			w = b[i]
		}
		if g != w {
			return i + 1, g, w
		}
	}
	return 0, "", ""
}

// A playing is a playthrough on its way: seat 1 keeps its own chain, seat 2 leaves its
// to the server.
type playing struct {
	t      *testing.T
	log    events.Log
	game   events.Game
	dealer *fair.Dealer
	chain  *fair.ClientChain
	out    bytes.Buffer
	views  map[game.Seat]map[string]string // what each seat saw last, by key
}

func playthrough(t *testing.T, v game.Variant) []byte {
	id := "playthrough-" + v.Key
	p := &playing{
		t: t, log: memory.New(), game: events.NewGame(id), views: map[game.Seat]map[string]string{},
		dealer: fair.NewDealer(id, fair.Seed(fair.H("seed2", id))),
		chain:  fair.NewClientChain(id, game.First.Wire(), fair.H("tip", id), fair.DefaultLen),
	}
	fmt.Fprintf(&p.out, "%s: every event of a game from a fixed seed, and what changed for every seat.\n", v.Name)
	anchor := p.chain.Anchor().Y
	p.do(game.First, game.Create{Variant: v.Key, Color: game.PreferRandom, Anchor: &anchor, Clock: &game.ClockSpec{Base: 300_000, Increment: 3000}})
	p.do(game.Second, game.Join{Bot: "random"})
	p.do(game.First, game.OpenLink{})
	random := rand.New(rand.NewPCG(8, 64))
	player, err := bot.Lookup("random")
	if err != nil {
		t.Fatal(err)
	}
	for range longest {
		seat := p.game.State.ToAct()
		if p.game.State.Over() {
			return p.out.Bytes()
		}
		action, ok := player.Act(game.ViewFor(p.game.State, seat, p.dealer), random.Uint64())
		if !ok {
			t.Fatalf("after record %d nobody can act", p.game.N)
		}
		p.do(seat, action)
	}
	if !p.game.State.Over() {
		p.do(game.Second, game.Resign{})
	}
	return p.out.Bytes()
}

// do lets the seat act, with the link that is due, and writes down what came of it.
func (p *playing) do(by game.Seat, a game.Action) {
	c := game.Command{By: by, At: 1_795_982_400_000 + game.Instant(p.game.N)*1500, Action: a}
	_, opening := a.(game.OpenLink)
	if mine := p.game.State.Fair; by == game.First && (opening || game.IsTurn(a) && mine.Owes(by.Wire())) {
		c.Link = &p.chain.Link(mine.Seat[by.Wire()].Opened + 1).Y
	}
	terms := events.Terms{Cause: fair.Cause(p.game.State.ID, fmt.Sprint(p.game.N)), Chance: p.dealer}
	next, outcome, err := events.Transact(p.t.Context(), p.log, p.game, c, terms)
	if err != nil {
		p.t.Fatalf("%s, record %d, %T by %s: %v", p.game.State.ID, p.game.N+1, a, by, err)
	}
	p.game = next
	fmt.Fprintf(&p.out, "\nrecord %d by %s\n", next.N, by)
	var record struct{ Events []json.RawMessage }
	if err := json.Unmarshal(outcome.Stored.Payload, &record); err != nil {
		p.t.Fatal(err)
	}
	for _, e := range record.Events {
		fmt.Fprintf(&p.out, "  %s\n", e)
	}
	for _, seat := range []game.Seat{game.Spectator, game.First, game.Second} {
		p.look(seat)
	}
}

// look writes what changed in the seat's view.
func (p *playing) look(seat game.Seat) {
	b, err := json.Marshal(game.ViewFor(p.game.State, seat, p.dealer))
	if err != nil {
		p.t.Fatal(err)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(b, &fields); err != nil {
		p.t.Fatal(err)
	}
	now, before := map[string]string{}, p.views[seat]
	for key, value := range fields {
		now[key] = string(value)
	}
	fmt.Fprintf(&p.out, "  %s:\n", seat)
	for _, key := range slices.Sorted(maps.Keys(now)) {
		if now[key] != before[key] && key != "n" {
			fmt.Fprintf(&p.out, "    %s %s\n", key, now[key])
		}
	}
	for _, key := range slices.Sorted(maps.Keys(before)) {
		if _, still := now[key]; !still {
			fmt.Fprintf(&p.out, "    %s is gone\n", key)
		}
	}
	p.views[seat] = now
}
