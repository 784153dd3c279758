package client

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"chancery/domain/fair"
	"chancery/domain/game"
)

// A Seat is a place at a table and the chain of links behind it, as the player's own
// machine keeps it.
type Seat struct {
	Server string    `json:"server"`
	Game   string    `json:"game"`
	Seat   game.Seat `json:"seat"`
	Token  string    `json:"token"`
	Tip    fair.Hash `json:"tip"` // of the chain; zero: the server keeps the chain
	Pin    *Pin      `json:"pin,omitempty"`

	// JoinKey is the idempotency key of the join, until the chain is known to stand in
	// the ledger.
	JoinKey string `json:"join_key,omitempty"`

	chain *fair.ClientChain
}

// NewSeat makes a seat with a fresh chain of its own.
func NewSeat(server, gameID string, seat game.Seat) *Seat {
	s := &Seat{Server: server, Game: gameID, Seat: seat}
	_, _ = rand.Read(s.Tip[:]) // never fails
	return s
}

// OwnsChain says whether the seat keeps its chain itself.
func (s *Seat) OwnsChain() bool { return !s.Tip.IsZero() }

// Delegate leaves the chain to the server.
func (s *Seat) Delegate() { s.Tip, s.chain = fair.Hash{}, nil }

// Anchor is what the seat publishes of its chain when it is taken.
func (s *Seat) Anchor() fair.Hash { return s.link(0) }

// FirstLink is the link that goes with a join.
func (s *Seat) FirstLink() fair.Hash { return s.link(1) }

func (s *Seat) link(i int) fair.Hash {
	if s.chain == nil {
		s.chain = fair.NewClientChain(s.Game, s.Seat.Wire(), s.Tip, fair.DefaultLen)
	}
	return s.chain.Chain.Link(i)
}

// ErrChain says that the table's record of the seat's chain is not the seat's own, so
// that no link may be released.
var ErrChain = errors.New("the ledger does not hold this seat's own chain")

// Link is the link that the seat's next command must carry in g, or nil where none is
// due: each only once the one before it stands in the ledger, and the first only when
// every other seat's anchor does.
func (s *Seat) Link(g game.State, a game.Action) (*fair.Hash, error) {
	chain := g.Fair.Seat[s.Seat.Wire()]
	_, opening := a.(game.OpenLink)
	_, stopping := a.(game.StopLinks) // asked for because there is no next link
	due := opening || !stopping && game.IsTurn(a) && g.ToAct() == s.Seat && g.Fair.Owes(s.Seat.Wire())
	switch {
	case !due || chain.Delegated:
		return nil, nil
	case !s.OwnsChain():
		return nil, fmt.Errorf("%w: it is kept by another program; play from there, or say: stop links", ErrChain)
	case !g.Fair.Anchored() || chain.Opened >= fair.DefaultLen || chain.Y != s.link(chain.Opened):
		return nil, ErrChain
	}
	y := s.link(chain.Opened + 1)
	return &y, nil
}

// A Keep is a folder of seats, which only its owner may read.
type Keep struct{ dir string }

// NewKeep returns the folder of seats at dir; it is made when something is kept.
func NewKeep(dir string) Keep { return Keep{dir: dir} }

// Save keeps the seat, whole or not at all.
func (k Keep) Save(s *Seat) error {
	b, err := json.MarshalIndent(s, "", "\t")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(k.dir, 0o700); err != nil {
		return fmt.Errorf("keeping the seat: %w", err)
	}
	f, err := os.CreateTemp(k.dir, "seat-*")
	if err != nil {
		return fmt.Errorf("keeping the seat: %w", err)
	}
	defer os.Remove(f.Name()) // nothing is there any more when all went well
	_, err = f.Write(append(b, '\n'))
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), k.file(s.Game, s.Seat))
	}
	if err != nil {
		return fmt.Errorf("keeping the seat: %w", err)
	}
	return nil
}

// Load finds what is kept of a seat of a game; of the spectator: of either, the first
// where both are kept. The error is [fs.ErrNotExist] where none is.
func (k Keep) Load(gameID string, seat game.Seat) (*Seat, error) {
	if !fair.ValidGameID(gameID) {
		return nil, fmt.Errorf("%.80q is no id of a game: %w", gameID, fs.ErrNotExist)
	}
	for _, player := range game.Players {
		if seat != game.Spectator && seat != player {
			continue
		}
		b, err := os.ReadFile(k.file(gameID, player))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var s Seat
		if err == nil {
			err = json.Unmarshal(b, &s)
		}
		if err != nil {
			return nil, fmt.Errorf("reading what is kept of game %s: %w", gameID, err)
		}
		return &s, nil
	}
	return nil, fmt.Errorf("no seat of game %s is kept in %s: %w", gameID, k.dir, fs.ErrNotExist)
}

func (k Keep) file(gameID string, seat game.Seat) string {
	return filepath.Join(k.dir, gameID+"."+seat.String()+".json")
}
