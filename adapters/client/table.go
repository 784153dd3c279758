package client

import (
	"errors"
	"fmt"

	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
)

// ErrCheated says that the server broke the protocol: it changed history, its
// commitment, or a roll does not follow from the links.
var ErrCheated = errors.New("the server did not keep the protocol")

// A Pin is what a player keeps of a game outside of the server's reach, to hold every
// later answer against.
type Pin struct {
	C    fair.Hash `json:"c"`    // commitment to the seed
	N    int       `json:"n"`    // number of the newest record seen
	Head fair.Hash `json:"head"` // its hash
}

// A Table is a game as its records prove it. It is for one goroutine.
type Table struct {
	Game  events.Game
	heads map[fair.Hash]int
	pin   *Pin // what was seen in an earlier run; nil: nothing
}

// NewTable is a game of which no record has been read. Pin, which may be nil, is what an
// earlier run has seen.
func NewTable(id string, pin *Pin) *Table {
	return &Table{Game: events.NewGame(id), heads: map[fair.Hash]int{}, pin: pin}
}

// Absorb checks the next record and folds it in. A record that was seen already is
// passed over if it is the same. What does not follow is [ErrCheated] and changes
// nothing.
func (t *Table) Absorb(payload []byte) (events.Record, error) {
	hash := fair.RecordHash(payload)
	if _, seen := t.heads[hash]; seen {
		return events.DecodeRecord(payload)
	}
	stored := events.Stored{Game: t.Game.State.ID, Position: t.Game.Revision + 1, Payload: payload}
	next, r, err := t.Game.Absorb(stored)
	if err == nil {
		err = t.check(r, hash)
	}
	if err != nil {
		return r, fmt.Errorf("%w: record %d: %w", ErrCheated, t.Game.N+1, err)
	}
	t.Game, t.heads[hash] = next, r.N
	return r, nil
}

// check holds the record against the protocol of chance and against what was pinned.
func (t *Table) check(r events.Record, hash fair.Hash) error {
	s := t.Game.State.Fair
	for _, e := range r.Events {
		if err := s.Check(e.Fair, t.earlier); err != nil {
			return err
		}
		s = s.Evolve(e.Fair)
		if f, stopped := e.Fact.(game.LinksStopped); stopped {
			s = s.Stop(f.Seat.Wire())
		}
	}
	switch {
	case t.pin == nil:
	case r.N == 0 && s.C != t.pin.C:
		return errors.New("the commitment to the seed is another one than before")
	case r.N == t.pin.N && hash != t.pin.Head:
		return errors.New("the record is another one than before")
	}
	return nil
}

func (t *Table) earlier(h fair.Hash) (int, bool) {
	n, ok := t.heads[h]
	return n, ok
}

// Pin is what to keep of the game as it stands; nil before the first record.
func (t *Table) Pin() *Pin {
	if t.Game.N < 0 {
		return nil
	}
	p := &Pin{C: t.Game.State.Fair.C, N: t.Game.N, Head: t.Game.Head}
	if t.pin != nil && t.pin.N > p.N {
		p.N, p.Head = t.pin.N, t.pin.Head
	}
	return p
}
