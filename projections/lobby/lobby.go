package lobby

import (
	"slices"
	"sort"
	"sync"

	"chancery/domain/game"
	"chancery/events"
	"chancery/projections"
)

// A Lobby is the list in memory, for those who cannot wait for a database: the live side
// of this process. Its methods may be called from many goroutines.
type Lobby struct {
	mu    sync.RWMutex
	games map[string]*entry
	order []*entry // as created; those that are over are swept out now and then
	at    events.Position
}

type entry struct {
	Game
	over bool
}

// New is the empty lobby, before the first record of the ledger.
func New() *Lobby { return &Lobby{games: map[string]*entry{}} }

// Restore is the lobby as of a position, with its games in the order in which they were
// created. It goes on behind that position.
func Restore(games []Game, at events.Position) *Lobby {
	l := New()
	l.at = at
	for _, g := range games {
		l.add(g)
	}
	return l
}

// At is the position of the newest record that the lobby has absorbed.
func (l *Lobby) At() events.Position {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.at
}

// Absorb folds the next record of the ledger in; one that is already folded in
// changes nothing. The error is the codec's, for a record that cannot be read; the list
// is then as before.
func (l *Lobby) Absorb(s events.Stored) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s.Position <= l.at {
		return nil
	}
	l.at = s.Position
	var g Game
	old, known := l.games[s.Game]
	if known {
		g = old.Game
	}
	next, listed, err := Next(g, projections.NewRecord(s))
	switch {
	case err != nil:
		return err
	case known && listed:
		old.Game = next
	case known:
		l.remove(old)
	case listed:
		l.add(next)
	}
	return nil
}

func (l *Lobby) add(g Game) {
	e := &entry{Game: g}
	l.games[g.Game] = e
	l.order = append(l.order, e)
}

func (l *Lobby) remove(e *entry) {
	e.over = true
	delete(l.games, e.Game.Game)
	if len(l.order) > 64 && len(l.games) < len(l.order)/2 {
		l.order = slices.DeleteFunc(l.order, func(e *entry) bool { return e.over })
	}
}

// A Query picks games. The zero Query is the newest games of all kinds.
type Query struct {
	Phase   Phase           // or empty
	Variant string          // key, or empty
	Player  string          // in either seat, or empty
	Rated   *bool           // or nil
	Before  events.Position // games created before the one at this position; 0: the newest
	Limit   int             // at most so many; 0: all
}

// List gives the games that q asks for, the newest first. More says that there are
// others behind the last one, whose Position is the next query's Before.
func (l *Lobby) List(q Query) (page []Game, more bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	end := len(l.order)
	if q.Before > 0 {
		end = sort.Search(end, func(i int) bool { return l.order[i].Position >= q.Before })
	}
	for _, g := range slices.Backward(l.order[:end]) {
		if g.over || !q.picks(g.Game) {
			continue
		}
		if q.Limit > 0 && len(page) == q.Limit {
			return page, true
		}
		page = append(page, g.Game)
	}
	return page, false
}

func (q Query) picks(g Game) bool {
	seated := func(s game.Sitter) bool { return s.Player == q.Player }
	return (q.Phase == "" || g.Phase == q.Phase) && (q.Variant == "" || g.Variant == q.Variant) &&
		(q.Player == "" || slices.ContainsFunc(g.Seats, seated)) && (q.Rated == nil || g.Rated == *q.Rated)
}
