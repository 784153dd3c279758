// Package table is the live side of games. A [Hall] keeps a table for every game in
// play: its state, the order of its commands, its clocks, its links and bots, and the
// people who watch it. It adapts the world's time and entropy to the pure core; what
// it keeps in memory is a cache of the ledger and can be thrown away at any moment.
package table

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"chancery/domain/bot"
	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
	"chancery/projections/lobby"
)

// Seals keep the seeds of unfinished games.
type Seals interface {
	// Seal is the header that keeps the seed of a new game with the commitment c.
	Seal(game string, c fair.Hash, seed fair.Seed) (string, error)
	// Unseal opens it again. [fair.ErrSeal] means that the seed is lost for good; any
	// other error that it cannot be had now.
	Unseal(header, game string, c fair.Hash) (fair.Seed, error)
	// Held is nil for a key that is there, and else the error of Unseal.
	Held(kid string) error
}

// Config is what a Hall works with.
type Config struct {
	Log      events.Log
	Seals    Seals
	Notes    Notes
	Bots     []bot.Bot
	Patience Patience
	Lobby    *lobby.Lobby     // is kept up to date with the ledger
	Logger   *slog.Logger     // never told a key, token, link or seed
	Now      func() time.Time // the wall clock
	Entropy  io.Reader        // a secret source, such as crypto/rand.Reader
	Alone    bool             // no other process serves the ledger
	Tables   int              // how many games to keep in memory; 0: [DefaultTables]
}

// DefaultTables is how many games a Hall keeps in memory, some 20 kB each.
const DefaultTables = 10_000

const (
	idle     = 5 * time.Minute  // a table that nobody has used for so long is put away
	appendBy = 15 * time.Second // the ledger takes a record within this time, or is unavailable
)

// A Hall is all tables of one process. Its methods may be called from many goroutines.
// [Hall.Run] keeps it going.
type Hall struct {
	Config
	patience Patience
	bots     map[string]bot.Bot
	agenda   *agenda
	watches  *watches
	sealed   *sealed
	presence atomic.Pointer[attendance]
	start    events.Position // of the newest record when the hall opened
	trouble  atomic.Int64    // when the ledger last failed to take a record, ms; 0: it works

	opened atomic.Int64 // seeds opened outside of a restart

	mu        sync.Mutex
	tables    map[string]*table
	restarted map[string]bool // games older than the hall, whose seeds it has opened
}

// Open returns a Hall with all its tables empty. It learns when no server was there, and
// says that one is there now, so [Hall.Run] should follow soon. Errors are those of the
// notes and of the ledger.
func Open(ctx context.Context, c Config) (*Hall, error) {
	h := newHall(c)
	var err error
	if h.start, err = c.Log.Last(ctx); err != nil {
		return nil, fmt.Errorf("opening the hall: %w", err)
	}
	return h, h.arrive(ctx)
}

func newHall(c Config) *Hall {
	if c.Tables == 0 {
		c.Tables = DefaultTables
	}
	h := &Hall{
		Config: c, patience: c.Patience, bots: map[string]bot.Bot{}, agenda: newAgenda(),
		tables: map[string]*table{}, restarted: map[string]bool{}, watches: newWatches(c.Log), sealed: newSealed(),
	}
	for _, b := range c.Bots {
		h.bots[b.Name] = b
	}
	h.presence.Store(&attendance{})
	return h
}

// Create opens the game that c asks for under the id. A create repeated with its key
// answers the same. The errors are those of [events.Transact], and a [game.Refusal] of
// a bad id or of a bot that there is not.
func (h *Hall) Create(ctx context.Context, id, key string, c game.Create) (g events.Game, out events.Outcome, err error) {
	if err := h.admit(id, c); err != nil {
		return g, out, err
	}
	command := game.Command{By: game.First, At: h.instant(), Action: c}
	err = h.at(ctx, id, func(ctx context.Context, t *table) error {
		seed, sealed, err := h.seed(id)
		if err != nil {
			return err
		}
		dealer := fair.NewDealer(id, seed)
		terms := events.Terms{Cause: fair.Cause(id, key), Chance: dealer, Sealed: sealed}
		if out, err = h.transact(ctx, t, command, terms); err == nil && !out.Repeated {
			t.dealer = dealer
			t.box.keep(seed)
		}
		g = t.g
		return err
	})
	return g, out, err
}

// admit refuses what cannot become a game, before there is a table for it.
func (h *Hall) admit(id string, c game.Create) error {
	if !fair.ValidGameID(id) || game.LedgerWide(id) {
		return game.Refuse(game.BadCommand, "A game id is 1 to 64 letters, digits, - or _, and does not begin with _.")
	}
	name := c.Seats[game.Second.Wire()].Bot
	if _, known := h.bots[name]; name != "" && !known {
		return game.Refuse(game.BadOption, "There is no bot %.40q; choose one of %s.", name, h.botNames())
	}
	return nil
}

func (h *Hall) botNames() string {
	names := make([]string, len(h.Bots))
	for i, b := range h.Bots {
		names[i] = b.Name
	}
	return strings.Join(names, ", ")
}

// seed makes the secret of a new game, and the header that keeps it.
func (h *Hall) seed(id string) (seed fair.Seed, sealed string, err error) {
	if _, err := io.ReadFull(h.Entropy, seed[:]); err != nil {
		return seed, "", fmt.Errorf("making a seed: %w", err)
	}
	if sealed, err = h.Seals.Seal(id, fair.Commitment(id, seed), seed); err != nil {
		return seed, "", fmt.Errorf("sealing a seed: %w", err)
	}
	return seed, sealed, nil
}

// Do has a seat's command decided and stored, with the moment of the call as its time.
// What the server itself owed the game until then happens first, so that a command
// that comes too late meets a game that is over. Expect is the number of the newest
// record that the client has seen, or nil. The errors are those of
// [events.Transact] and [events.ErrNotFound].
func (h *Hall) Do(ctx context.Context, id, key string, c game.Command, expect *int) (g events.Game, out events.Outcome, err error) {
	c.At = h.instant()
	err = h.at(ctx, id, func(ctx context.Context, t *table) error {
		if t.g.N < 0 {
			return fmt.Errorf("game %.80q: %w", id, events.ErrNotFound)
		}
		if err := h.settle(ctx, t, c.At); err != nil {
			return err
		}
		out, err = h.act(ctx, t, c, events.Terms{Cause: fair.Cause(id, key), Expect: expect})
		g = t.g
		return err
	})
	return g, out, err
}

// instant is the moment now.
func (h *Hall) instant() game.Instant { return game.Instant(h.Now().UnixMilli()) }

// random is a number for bots, which are no part of the game's own chance.
func (h *Hall) random() uint64 {
	var b [8]byte
	if _, err := io.ReadFull(h.Entropy, b[:]); err != nil {
		h.Logger.Error("no entropy for a bot", "err", err)
	}
	return binary.LittleEndian.Uint64(b[:])
}
