// Package lobby is the list of games that wait for a player or are being played.
// It is folded from the ledger in order, and held in memory.
package lobby

import (
	"bytes"
	"fmt"
	"slices"
	"sort"
	"sync"

	"chancery/domain/game"
	"chancery/events"
)

// A Phase is what a game in the lobby does.
type Phase string

// The phases of games in the lobby. A game that is over has left it.
const (
	Open Phase = "open" // waits for its second player
	Live Phase = "live" // is being played, or about to be
)

// A Game is what the lobby shows of a game.
type Game struct {
	Game    string          `json:"game"`
	Variant string          `json:"variant"`
	Options game.Options    `json:"options"`
	Rated   bool            `json:"rated"`
	Color   game.ColorPref  `json:"color"` // what the creator asked for
	Clock   *game.ClockSpec `json:"clock,omitempty"`
	Start   string          `json:"start,omitempty"`
	Seats   []game.Sitter   `json:"seats"`
	Phase   Phase           `json:"phase"`
	N       int             `json:"n"`       // number of the newest record
	Created string          `json:"created"` // RFC 3339, UTC, milliseconds
	At      string          `json:"at"`      // when the newest record was made, likewise

	Position events.Position `json:"-"` // of its first record; orders the list
	over     bool
}

// A Lobby follows the ledger. Its methods may be called from many goroutines.
type Lobby struct {
	mu    sync.RWMutex
	games map[string]*Game
	order []*Game // as created; those that are over are swept out now and then
	at    events.Position
}

// New is the empty lobby, before the first record of the ledger.
func New() *Lobby { return &Lobby{games: map[string]*Game{}} }

// At is the position of the newest record that the lobby has absorbed.
func (l *Lobby) At() events.Position {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.at
}

// Absorb folds the next record of the ledger in; one that is already folded in
// changes nothing. Only a game's first record is decoded: of the others the lobby
// needs no more than their kind. The error is the codec's, for a first record that
// cannot be read; that game stays out of the list.
func (l *Lobby) Absorb(s events.Stored) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s.Position <= l.at {
		return nil
	}
	l.at = s.Position
	g, known := l.games[s.Game]
	if !known {
		return l.created(s)
	}
	g.N++
	g.At = at(s.Payload)
	switch {
	case says(s.Payload, "GameEnded") || says(s.Payload, "GameAborted") || says(s.Payload, "GameVoided"):
		l.remove(g)
	case says(s.Payload, "PlayerJoined"):
		g.Phase = Live
	}
	return nil
}

// created adds a game. A record of a game that is not known and does not begin one
// belongs to a game that is over.
func (l *Lobby) created(s events.Stored) error {
	if !says(s.Payload, "GameCreated") {
		return nil
	}
	r, err := events.DecodeRecord(s.Payload)
	if err != nil {
		return fmt.Errorf("listing game %s: %w", s.Game, err)
	}
	f, ok := r.Events[0].Fact.(game.GameCreated)
	if !ok {
		return nil
	}
	when := at(s.Payload)
	g := &Game{
		Game: s.Game, Variant: f.Variant, Options: f.Options, Rated: f.Rated, Color: f.Color, Clock: f.Clock,
		Start: f.Start, Seats: f.Seats, Phase: Open, Created: when, At: when, Position: s.Position,
	}
	l.games[s.Game] = g
	l.order = append(l.order, g)
	return nil
}

func (l *Lobby) remove(g *Game) {
	g.over = true
	delete(l.games, g.Game)
	if len(l.order) > 64 && len(l.games) < len(l.order)/2 {
		l.order = slices.DeleteFunc(l.order, func(g *Game) bool { return g.over })
	}
}

// A Query picks games. The zero Query is the newest games of all kinds.
type Query struct {
	Phase   Phase           // or empty
	Variant string          // key, or empty
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
		if g.over || q.Phase != "" && g.Phase != q.Phase || q.Variant != "" && g.Variant != q.Variant {
			continue
		}
		if q.Limit > 0 && len(page) == q.Limit {
			return page, true
		}
		page = append(page, *g)
	}
	return page, false
}

// says reports whether a record has an event of the type. In canonical bytes no
// text holds a bare quotation mark, so the words cannot come from anywhere else.
func says(payload []byte, eventType string) bool {
	return bytes.Contains(payload, []byte(`"type":"`+eventType+`"`))
}

// at is the time of a record: in canonical bytes it stands at the very front.
func at(payload []byte) string {
	const prefix, length = `{"at":"`, len("2026-11-29T20:00:05.000Z")
	rest, ok := bytes.CutPrefix(payload, []byte(prefix))
	if !ok || len(rest) < length {
		return ""
	}
	return string(rest[:length])
}
