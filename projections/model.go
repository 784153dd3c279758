package projections

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chancery/domain/fair"
	"chancery/events"
)

// A Checkpoint is the newest record that a read model has absorbed: its place in the
// ledger and its hash, by which another ledger is found out. The zero Checkpoint is a
// read model that has absorbed nothing.
type Checkpoint struct {
	Position events.Position
	Hash     fair.Hash
}

// ErrHeld says that another process writes the read model. It is tried again later.
var ErrHeld = errors.New("another process writes this read model")

// ErrFenced says that a writer no longer writes the read model: another process has
// taken over, or a rebuilt one took its place. Nothing was written; claim it again.
var ErrFenced = errors.New("the read model has another writer now")

// ErrUnavailable says that what keeps the read model cannot be reached, or could not
// do this now, so trying the same again may help. Whether a batch was applied is then
// told by the checkpoint alone.
var ErrUnavailable = errors.New("the read model's store cannot be reached")

// ErrForeign says that a checkpoint is of another ledger. What to do depends on what was
// computed, so whoever knows that adds it.
var ErrForeign = errors.New("it was computed from another ledger")

// A Model is a read model that a runner keeps up with the ledger. Package sqlstore makes
// one of a projection and its tables; what is kept elsewhere implements it itself. Its
// methods may be called from many goroutines.
type Model interface {
	// Name is the projection's: a word in lower case, the same for ever.
	Name() string

	// Claim makes this process the one that writes. It returns [ErrHeld] while another
	// one does, and [ErrUnavailable] where that cannot be known.
	Claim(ctx context.Context) (Writer, error)
}

// A Writer is one claim on a read model. It is used by one goroutine at a time, but for
// Renew.
type Writer interface {
	// Checkpoint is where the read model stands. The errors are [ErrFenced] and
	// [ErrUnavailable].
	Checkpoint(ctx context.Context) (Checkpoint, error)

	// Apply absorbs the records, which follow from in stream order without gaps, and
	// moves the checkpoint to the last of them: all or nothing. It returns [ErrFenced]
	// when the read model does not stand at from or has another writer, and
	// [ErrUnavailable] when trying again may help. Any other error is the projection's
	// and is about one of the records, which it cannot absorb.
	Apply(ctx context.Context, from Checkpoint, batch []Record) error

	// Renew says that the writer is still there. The errors are those of Checkpoint. A claim that is neither used nor
	// renewed within [Lease] may be taken by another process.
	Renew(ctx context.Context) error

	// Release gives the claim up. It may be called twice.
	Release()
}

// Lease is how long a claim lasts without a sign of its writer.
const Lease = 3 * time.Second

// A PoisonError names the record that stopped a projection.
type PoisonError struct {
	Projection string
	Position   events.Position
	Game       string
	Err        error
}

// Error says where the projection stopped and why.
func (e *PoisonError) Error() string {
	return fmt.Sprintf("projection %s stopped at position %d, a record of game %s: %v", e.Projection, e.Position, e.Game, e.Err)
}

// Unwrap gives why.
func (e *PoisonError) Unwrap() error { return e.Err }

// Passing says whether an error of a model may pass by itself, so that the same may be
// tried again: anything but what a projection says about a record.
func Passing(err error) bool {
	return errors.Is(err, ErrHeld) || errors.Is(err, ErrFenced) || errors.Is(err, ErrUnavailable) ||
		errors.Is(err, events.ErrUnavailable) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
