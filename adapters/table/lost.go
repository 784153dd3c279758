package table

import (
	"errors"
	"maps"
	"slices"
	"sync"

	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
)

// sealed are the games that are not over, by the key that their seeds are sealed under.
type sealed struct {
	mu    sync.Mutex
	games map[string]map[string]bool // ids by kid
	lost  map[string]int             // keys that were gone when somebody last looked, and how many games that was said of
}

func newSealed() *sealed {
	return &sealed{games: map[string]map[string]bool{}, lost: map[string]int{}}
}

// set notes the game, or strikes it off once it is over.
func (s *sealed) set(g events.Game) {
	id := g.State.ID
	kid, err := fair.KidOf(g.Sealed)
	if err != nil || game.LedgerWide(id) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case !g.State.Over() && s.games[kid] == nil:
		s.games[kid] = map[string]bool{id: true}
	case !g.State.Over():
		s.games[kid][id] = true
	default:
		delete(s.games[kid], id)
		if len(s.games[kid]) == 0 {
			delete(s.games, kid)
			delete(s.lost, kid)
		}
	}
}

// Lost are the open games whose seal key is gone, by its kid, as of the last half minute.
// Their next command, or what the server owes them, voids them; until then the key can
// be put back.
func (h *Hall) Lost() map[string][]string {
	h.sealed.mu.Lock()
	defer h.sealed.mu.Unlock()
	lost := map[string][]string{}
	for kid := range h.sealed.lost {
		lost[kid] = slices.Sorted(maps.Keys(h.sealed.games[kid]))
	}
	return lost
}

// mostNamed is how many lost games a line of the log names.
const mostNamed = 100

// missKeys looks whether a key is gone that an open game needs, and says so. It voids
// nothing: the key may only be missing here, where a directory was not mounted or not
// copied whole, while other instances go on with it.
func (h *Hall) missKeys() {
	h.sealed.mu.Lock()
	kids := slices.Sorted(maps.Keys(h.sealed.games))
	h.sealed.mu.Unlock()
	for _, kid := range kids {
		gone := errors.Is(h.Seals.Held(kid), fair.ErrSeal)
		h.sealed.mu.Lock()
		ids := slices.Sorted(maps.Keys(h.sealed.games[kid]))
		told := h.sealed.lost[kid]
		delete(h.sealed.lost, kid)
		if gone && len(ids) > 0 {
			h.sealed.lost[kid] = len(ids)
		}
		h.sealed.mu.Unlock()
		switch {
		case gone && len(ids) > told:
			h.Logger.Error("a seal key is gone: put it back, or its open games are void at their next command",
				"kid", kid, "count", len(ids), "games", ids[:min(len(ids), mostNamed)])
		case told > 0 && !gone:
			h.Logger.Info("a seal key is back", "kid", kid)
		}
	}
}
