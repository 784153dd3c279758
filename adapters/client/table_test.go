package client

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"chancery/adapters/memory"
	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
)

const gameID = "client-test"

// A house is a server's side of a game: seat 1 with a chain of its own, seat 2 without.
type house struct {
	t      *testing.T
	log    events.Log
	game   events.Game
	dealer *fair.Dealer
	seat   *Seat
	sent   [][]byte // every payload
}

// newHouse opens a game of No Castle with a lot to be drawn, and joins it.
func newHouse(t *testing.T, seed byte) *house {
	h := &house{
		t: t, log: memory.New(), game: events.NewGame(gameID), dealer: fair.NewDealer(gameID, fair.Seed{seed}),
		seat: NewSeat("http://localhost", gameID, game.First),
	}
	h.seat.Tip = fair.Hash{9}
	anchor := h.seat.Anchor()
	h.do(game.First, game.Create{Variant: "nocastle", Anchor: &anchor}, nil)
	h.do(game.Second, game.Join{}, nil)
	return h
}

func (h *house) do(by game.Seat, a game.Action, link *fair.Hash) {
	h.t.Helper()
	c := game.Command{By: by, At: game.Instant(1000 * (h.game.N + 2)), Action: a, Link: link}
	terms := events.Terms{Cause: fair.Cause(gameID, fmt.Sprint(h.game.N)), Chance: h.dealer}
	next, outcome, err := events.Transact(h.t.Context(), h.log, h.game, c, terms)
	if err != nil {
		h.t.Fatalf("%T: %v", a, err)
	}
	h.game, h.sent = next, append(h.sent, outcome.Stored.Payload)
}

// own lets seat 1 act with the link that its own program gives.
func (h *house) own(a game.Action) {
	h.t.Helper()
	link, err := h.seat.Link(h.game.State, a)
	if err != nil {
		h.t.Fatal(err)
	}
	h.do(game.First, a, link)
}

func (h *house) firstMove() game.Action { return game.ActionOf(game.LegalMoves(h.game.State)[0]) }

func absorb(t *testing.T, table *Table, payloads ...[]byte) {
	t.Helper()
	for i, p := range payloads {
		if _, err := table.Absorb(p); err != nil {
			t.Fatalf("payload %d: %v", i, err)
		}
	}
}

// Links go out where the game demands them and nowhere else.
func TestLinksAreReleasedWhenTheyAreDue(t *testing.T) {
	h := newHouse(t, 1)
	link := func(a game.Action) *fair.Hash {
		y, err := h.seat.Link(h.game.State, a)
		if err != nil {
			t.Fatal(err)
		}
		return y
	}
	if y := link(game.OpenLink{}); y == nil || *y != h.seat.FirstLink() {
		t.Errorf("the opening gets %v", y)
	}
	h.own(game.OpenLink{})
	for _, a := range []game.Action{game.OfferDraw{}, game.Resign{}, game.ClaimDraw{}, game.Cancel{}, game.StopLinks{}} {
		if link(a) != nil {
			t.Errorf("%T carries a link", a)
		}
	}
	move := h.firstMove()
	if y := link(move); y == nil || fair.NextLink(gameID, "0", *y) != h.seat.FirstLink() || *y != *link(move) {
		t.Errorf("the first move behind a roll gets %v", y)
	}
	h.own(move)
	if link(move) != nil {
		t.Error("the other side's turn gets a link")
	}
	h.do(game.Second, h.firstMove(), nil)
	if link(h.firstMove()) != nil {
		t.Error("a second move without a roll in between gets a link")
	}
}

// A chain in the ledger that is not the seat's own gets no link: somebody else holds
// the seat, or the server made the anchor up.
func TestNoLinkForAnotherChain(t *testing.T) {
	h := newHouse(t, 1)
	stranger := NewSeat("", gameID, game.First)
	if _, err := stranger.Link(h.game.State, game.OpenLink{}); !errors.Is(err, ErrChain) {
		t.Errorf("a stranger's chain: %v", err)
	}
	stranger.Delegate()
	if _, err := stranger.Link(h.game.State, game.OpenLink{}); !errors.Is(err, ErrChain) {
		t.Errorf("a seat without a chain: %v", err)
	}
	open := game.Evolve(game.New(gameID), game.Event{Fact: game.GameCreated{Variant: "chess"}, Fair: h.create().Fair})
	if _, err := h.seat.Link(open, game.OpenLink{}); !errors.Is(err, ErrChain) {
		t.Errorf("before the other anchor stands in the ledger: %v", err)
	}
}

// create is the event that opened the game.
func (h *house) create() game.Event {
	r, err := events.DecodeRecord(h.sent[0])
	if err != nil {
		h.t.Fatal(err)
	}
	return r.Events[0]
}

func TestATableFollowsAnHonestServer(t *testing.T) {
	h := newHouse(t, 1)
	h.own(game.OpenLink{})
	h.own(h.firstMove())
	table := NewTable(gameID, nil)
	absorb(t, table, h.sent...)
	if table.Game.Head != h.game.Head {
		t.Error("another head than the server's")
	}
	absorb(t, table, h.sent...) // a stream that begins anew
	if table.Game.N != len(h.sent)-1 {
		t.Errorf("records were counted twice: %d", table.Game.N)
	}
	again := NewTable(gameID, table.Pin())
	absorb(t, again, h.sent...)
	if *again.Pin() != *table.Pin() {
		t.Errorf("pins %v and %v", again.Pin(), table.Pin())
	}
}

// A server that changes what it said, or how chance came about, is found out.
func TestATableFindsOutACheat(t *testing.T) {
	honest, other := newHouse(t, 1), newHouse(t, 2)
	for _, h := range []*house{honest, other} {
		h.own(game.OpenLink{})
		h.own(h.firstMove())
	}
	pinned := NewTable(gameID, nil)
	absorb(t, pinned, honest.sent...)
	for name, c := range map[string]struct {
		pin  *Pin
		good [][]byte
		bad  []byte
	}{
		"another commitment than before": {pinned.Pin(), nil, other.sent[0]},
		"another record than before":     {&Pin{C: pinned.Pin().C, N: 1, Head: fair.Hash{1}}, honest.sent[:1], honest.sent[1]},
		"a record of another history":    {nil, honest.sent[:2], other.sent[2]},
		"a record left out":              {nil, honest.sent[:1], honest.sent[2]},
		"another lot":                    {nil, honest.sent[:2], changedRoll(t, honest.sent[2])},
		"no record at all":               {nil, honest.sent[:1], []byte(`{"at":"x"}`)},
	} {
		table := NewTable(gameID, c.pin)
		absorb(t, table, c.good...)
		before := table.Game.N
		if _, err := table.Absorb(c.bad); !errors.Is(err, ErrCheated) {
			t.Errorf("%s: %v", name, err)
		}
		if table.Game.N != before {
			t.Errorf("%s: the table went on", name)
		}
	}
}

// changedRoll is the record with the lot of another array, which the roll's links do
// not give.
func changedRoll(t *testing.T, payload []byte) []byte {
	t.Helper()
	r, err := events.DecodeRecord(payload)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range r.Events {
		if e.Fair != nil && e.Fair.Roll != nil {
			r.Events[i].Fair.Roll.Out[0] = (e.Fair.Roll.Out[0] + 1) % 2880
		}
	}
	changed, err := events.EncodeRecord(r)
	if err != nil || bytes.Equal(changed, payload) {
		t.Fatalf("nothing was changed: %v", err)
	}
	return changed
}

func TestSeatsAreKept(t *testing.T) {
	k := NewKeep(filepath.Join(t.TempDir(), "a", "b"))
	first, second := NewSeat("http://x", "G", game.First), NewSeat("http://x", "G", game.Second)
	second.Token, second.Pin = "token", &Pin{N: 3}
	for _, s := range []*Seat{first, second} {
		if err := k.Save(s); err != nil {
			t.Fatal(err)
		}
	}
	got, err := k.Load("G", game.Second)
	if err != nil || got.Tip != second.Tip || got.Token != "token" || got.Pin.N != 3 || !got.OwnsChain() {
		t.Errorf("got %+v, %v", got, err)
	}
	if got, err := k.Load("G", game.Spectator); err != nil || got.Seat != game.First {
		t.Errorf("any seat: %+v, %v", got, err)
	}
	for _, id := range []string{"H", "../G", ""} {
		if _, err := k.Load(id, game.Spectator); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: %v", id, err)
		}
	}
	files, err := os.ReadDir(k.dir)
	if err != nil || len(files) != 2 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, f := range files {
		if info, err := f.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", f.Name(), info.Mode(), err)
		}
	}
}
