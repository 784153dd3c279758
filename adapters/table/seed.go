package table

import (
	"errors"
	"fmt"
	"sync"

	"chancery/domain/fair"
	"chancery/events"
)

// A seedBox keeps the seed of a game once its sealed box has been opened, so that it is
// opened once a table. All but keep want mu held.
type seedBox struct {
	mu    sync.Mutex
	open  bool
	seed  fair.Seed
	looks *fair.Dealer // for who looks at a hand, as a command may be using the table's
}

// keep puts the seed of a new game in, which has not been sealed away yet.
func (b *seedBox) keep(seed fair.Seed) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open, b.seed = true, seed
}

// dealer shows the hands of the game.
func (b *seedBox) dealer(id string) *fair.Dealer {
	if b.looks == nil {
		b.looks = fair.NewDealer(id, b.seed)
	}
	return b.looks
}

// wipe overwrites what is secret.
func (b *seedBox) wipe() {
	if b.looks != nil {
		b.looks.Wipe()
	}
	b.open, b.seed, b.looks = false, fair.Seed{}, nil
}

// Why a sealed seed is opened while the server runs.
const (
	toDecide = "command" // a command or a duty is to be decided
	toLook   = "look"    // a player looks at his cards, or a program at its own
)

// unseal opens the sealed seed of the game, unless the box has it. Its mu is held. The
// operator's log hears of each opening that is not the game's restart.
func (h *Hall) unseal(b *seedBox, g events.Game, why string) error {
	if b.open {
		return nil
	}
	seed, err := h.Seals.Unseal(g.Sealed, g.State.ID, g.State.Fair.C)
	if err != nil {
		return err
	}
	b.open, b.seed = true, seed
	if h.restarts(g) {
		return nil
	}
	h.opened.Add(1)
	kid, _ := fair.KidOf(g.Sealed) // it was just opened
	h.Logger.Info("audit: seed opened", "game", g.State.ID, "kid", kid, "why", why)
	return nil
}

// restarts says, once a game, that it was going on when the hall opened: then its seed
// has to be opened again.
func (h *Hall) restarts(g events.Game) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if g.State.Over() || g.Revision > h.start || h.restarted[g.State.ID] {
		return false
	}
	h.restarted[g.State.ID] = true
	return true
}

// deal gives the dealer of a game that is not over, and nil for one that is.
func (h *Hall) deal(t *table) (*fair.Dealer, error) {
	s := t.g.State
	if s.Over() || t.dealer != nil {
		return t.dealer, nil
	}
	t.box.mu.Lock()
	defer t.box.mu.Unlock()
	err := h.unseal(&t.box, t.g, toDecide)
	if err != nil && !errors.Is(err, fair.ErrSeal) {
		h.Logger.Error("the seed of a game cannot be had now", "game", s.ID, "err", err)
		return nil, fmt.Errorf("opening the seed of game %s: %w: %w", s.ID, events.ErrUnavailable, err)
	}
	if err != nil {
		return nil, err
	}
	t.dealer = fair.NewDealer(s.ID, t.box.seed)
	return t.dealer, nil
}

// peek lets look see the game's hands. A game that is not in memory is opened for this
// one look.
func (h *Hall) peek(g events.Game, look func(*fair.Dealer)) error {
	b, newest := &seedBox{}, g
	if t := h.known(g.State.ID); t != nil {
		b = &t.box
		if seen := t.seen.Load(); seen != nil && seen.N > g.N {
			newest = *seen
		}
	} else {
		defer b.wipe()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := h.unseal(b, newest, toLook); err != nil {
		return fmt.Errorf("looking at a hand in game %s: %w: %w", g.State.ID, events.ErrUnavailable, err)
	}
	look(b.dealer(g.State.ID))
	return nil
}
