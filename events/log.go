// Package events is the ledger as the rest of the program sees it: records of decisions
// and their one spelling ([EncodeRecord], [DecodeRecord]), the port to whatever keeps
// them ([Log]), games read back from it ([Load]), and commands decided on it
// ([Transact]). It knows no technology, no clock and no randomness.
package events

import (
	"context"
	"errors"
	"iter"
)

// A Position is a record's place in the whole log: 1, 2, 3, … without gaps. Zero is
// before the first.
type Position uint64

// A Revision is the Position of a game's last record; zero is a game not begun.
type Revision = Position

// ErrConflict says that a game's last record is no longer the expected one.
var ErrConflict = errors.New("the game has moved on")

// ErrUnavailable says that the log cannot be reached or cannot store now. Whether
// an append happened is then unknown, and asking again with the same entry is safe.
var ErrUnavailable = errors.New("the ledger cannot be reached")

// A Stored is a record as the log keeps it.
type Stored struct {
	Game     string
	Position Position
	Payload  []byte // the exact bytes; nobody writes to them
	Sealed   string // the sealed seed beside a game's first record, never part of it
}

// An Entry is a record on its way into the log.
type Entry struct {
	Game    string
	Payload []byte
	Cause   string   // 64 hex, of the game's own causes; a log may refuse one it holds already with ErrConflict
	Sealed  string   // with a game's first record only
	Rules   string   // "variant/version", for operators
	Types   []string // of the record's events, for operators
	Trace   string   // traceparent, or empty
}

// A Log keeps the records of all games, in one order, for ever. Its methods may be
// called at once from many goroutines. Errors of the technology are wrapped in
// [ErrUnavailable]; a cancelled context gives the context's error.
type Log interface {
	// Read yields the records of a game behind the revision after, oldest first, and
	// ends with the last one there is. A game that does not exist yields nothing.
	Read(ctx context.Context, game string, after Revision) iter.Seq2[Stored, error]

	// Append stores the entry if the game's last record is still at expected, and
	// gives its position. Otherwise it stores nothing and returns ErrConflict, unless
	// the record after expected has the entry's very Payload: then an earlier try
	// stored it, and its position is returned with no error. (The same Cause is not
	// enough: another node may have decided the same command at another moment, and
	// who then went on from his own bytes would break the chain.) A payload above
	// MaxPayload or none at all is refused with ErrPayload.
	Append(ctx context.Context, expected Revision, e Entry) (Revision, error)

	// Follow yields every record behind the position after, in order and without
	// gaps, and waits for new ones until ctx ends; then it yields the context's error.
	// Any other error ends it too, and it may be begun again behind the last record.
	Follow(ctx context.Context, after Position) iter.Seq2[Stored, error]

	// Last is the position of the newest record in the log, zero for an empty one.
	Last(ctx context.Context) (Position, error)
}
