package table

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"chancery/domain/game"
	"chancery/events"
)

// opened counts the lines of the operator's log that say why a seed was opened.
func (w *world) opened(why string) int {
	return strings.Count(w.out.String(), `msg="audit: seed opened" game=g kid=2026-11 why=`+why+"\n")
}

// reopen opens a hall on what the ledger holds by now, as a start does.
func (w *world) reopen() *Hall {
	h, err := Open(w.t.Context(), w.config())
	if err != nil {
		w.t.Fatal(err)
	}
	return h
}

// look sees a hand in both ways.
func (w *world) look(h *Hall, seat game.Seat) {
	w.t.Helper()
	g, err := h.Game(w.t.Context(), "g")
	if err != nil {
		w.t.Fatal(err)
	}
	v, err := h.View(g, seat)
	if err != nil || v.Table == nil || len(v.Table.Hand) == 0 {
		w.t.Fatalf("the hand: %+v, %v", v.Table, err)
	}
	if cards, err := h.Mine(g, seat); err != nil || len(cards) != len(v.Table.Hand) {
		w.t.Fatalf("%d cards with proofs, want %d; %v", len(cards), len(v.Table.Hand), err)
	}
}

// The box of a game is opened once a table, and the operator hears of it, but for the
// first time after a start.
func TestASeedIsOpenedOnce(t *testing.T) {
	w := newWorld(t)
	unsealed := func(h *Hall, boxes int64, told int) {
		t.Helper()
		if w.seals.opened.Load() != boxes {
			t.Errorf("%d boxes were opened, want %d", w.seals.opened.Load(), boxes)
		}
		if lines := w.opened(toDecide) + w.opened(toLook); lines != told || h.Stats().Opened != told {
			t.Errorf("%d lines and a count of %d tell of it, want %d; log: %s", lines, h.Stats().Opened, told, w.out)
		}
	}
	first := newHall(w.config())
	w.begin(first, "g", game.Create{Variant: "unochess"})
	w.look(first, game.First)
	w.look(first, game.Second)
	unsealed(first, 0, 0)

	h := w.reopen()
	w.look(h, game.First)
	w.look(h, game.Second)
	w.play(h)
	unsealed(h, 1, 0)

	away := func() {
		w.clock.pass(2 * idle)
		h.sweep()
		if h.known("g") != nil {
			t.Fatal("the table was not put away")
		}
	}
	away()
	w.look(h, game.First)
	w.play(h)
	w.look(h, game.Second)
	unsealed(h, 2, 1)
	if w.opened(toLook) != 1 {
		t.Errorf("the reason of a look: %s", w.out)
	}
	away()
	w.must(w.do(h, game.First, game.OfferDraw{}))
	w.look(h, game.First)
	unsealed(h, 3, 2)
	if w.opened(toDecide) != 1 {
		t.Errorf("the reason of a command: %s", w.out)
	}

	w.must(w.do(h, game.First, game.Resign{}))
	if box := &h.known("g").box; box.open || box.looks != nil || h.known("g").dealer != nil {
		t.Error("the secrets of a game that is over are still there")
	}
}

// play makes the first legal choice of the seat that must act.
func (w *world) play(h *Hall) {
	w.t.Helper()
	g, err := h.Game(w.t.Context(), "g")
	if err != nil {
		w.t.Fatal(err)
	}
	seat := g.State.ToAct()
	v, err := h.View(g, seat)
	if err != nil {
		w.t.Fatal(err)
	}
	a, _ := h.bots["random"].Act(v, uint64(g.N))
	w.must(w.do(h, seat, a))
}

// do has an action of the seat stored.
func (w *world) do(h *Hall, seat game.Seat, a game.Action) (events.Game, error) {
	g, err := h.Game(w.t.Context(), "g")
	if err != nil {
		return g, err
	}
	g, _, err = h.Do(w.t.Context(), "g", fmt.Sprint("do-", g.N), game.Command{By: seat, Action: a}, nil)
	return g, err
}

// Players look at their hands while others play.
func TestLooksWhileTheGameGoesOn(t *testing.T) {
	w := newWorld(t)
	w.begin(newHall(w.config()), "g", game.Create{Variant: "unochess"})
	h := w.reopen()
	ctx, stop := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for _, seat := range game.Players {
		all.Go(func() {
			for ctx.Err() == nil {
				g, err := h.Game(t.Context(), "g")
				if err == nil {
					_, err = h.View(g, seat)
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for range 12 {
		if g, _ := h.Game(t.Context(), "g"); !g.State.Over() {
			w.play(h)
		}
	}
	stop()
	all.Wait()
	if w.seals.opened.Load() != 1 {
		t.Errorf("%d boxes were opened, want 1", w.seals.opened.Load())
	}
}
