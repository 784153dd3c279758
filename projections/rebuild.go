package projections

import (
	"context"
	"errors"

	"chancery/events"
)

// A Rebuilder is a [Model] that can be computed anew while it is read and written.
type Rebuilder interface {
	Model

	// Outdated says that the read model was computed by an older version of its
	// projection, and must be computed anew before this one may write it. One computed
	// by a newer version is left to it: [ErrHeld].
	Outdated(ctx context.Context) (bool, error)

	// Stands is how far the read model in use has got.
	Stands(ctx context.Context) (Checkpoint, error)

	// Rebuild begins an empty read model beside the one in use. It returns [ErrHeld]
	// while another one is being built.
	Rebuild(ctx context.Context) (Build, error)
}

// A Build is a read model on its way to take the place of the one in use. Releasing it
// before it has done so throws it away.
type Build interface {
	Writer

	// Swap puts it in the place of the one in use, whose readers go on undisturbed, and
	// whose writer is fenced off. It returns [ErrBehind] and changes nothing while the
	// one in use has absorbed more, unless that one is of another ledger.
	Swap(ctx context.Context, foreign bool) error
}

// ErrBehind says that a read model being built has absorbed less than the one in use.
var ErrBehind = errors.New("the read model in use is further on")

// rebuildBatch is how many records a rebuild absorbs at once: nobody waits for them one by
// one, and what changes with every record is written once a batch.
const rebuildBatch = 5 * MaxBatch

// Rebuild computes a read model anew from the ledger, beside the one in use, and swaps
// the two once it has caught up with the ledger. Progress, which may be nil, is told
// the position reached and that of the ledger's end. The errors are the model's, the
// log's and, for a record that cannot be absorbed, a [*PoisonError]; whatever goes
// wrong, the read model in use stays.
func Rebuild(ctx context.Context, log events.Log, m Rebuilder, progress func(at, last events.Position)) error {
	b, err := m.Rebuild(ctx)
	if err != nil {
		return err
	}
	defer b.Release()
	last, err := log.Last(ctx)
	if err != nil {
		return err
	}
	inUse, err := m.Stands(ctx)
	if err != nil {
		return err
	}
	err = Known(ctx, log, inUse)
	foreign := errors.Is(err, ErrForeign)
	if err != nil && !foreign {
		return err
	}
	var at Checkpoint
	if last == 0 {
		return b.Swap(ctx, foreign)
	}
	for batch, err := range Batches(ctx, log, at, rebuildBatch) {
		if err != nil {
			return err
		}
		if at, err = Absorb(ctx, m.Name(), b, at, batch); err != nil {
			return err
		}
		if progress != nil {
			progress(at.Position, last)
		}
		if at.Position < last {
			continue
		}
		if last, err = log.Last(ctx); err != nil {
			return err
		}
		if at.Position < last {
			continue
		}
		if err = b.Swap(ctx, foreign); !errors.Is(err, ErrBehind) {
			return err
		}
	}
	return ctx.Err()
}

// Absorb applies a batch to a read model that stands at from, and says where it stands
// then. If a record cannot be absorbed, those before it are, and the error is a
// [*PoisonError] that names it.
func Absorb(ctx context.Context, name string, w Writer, from Checkpoint, batch []Record) (Checkpoint, error) {
	err := w.Apply(ctx, from, batch)
	switch {
	case err == nil:
		return batch[len(batch)-1].Checkpoint(), nil
	case Passing(err):
		return from, err
	case len(batch) == 1:
		r := batch[0]
		return from, &PoisonError{Projection: name, Position: r.Position, Game: r.Game, Err: err}
	}
	middle := len(batch) / 2
	if from, err = Absorb(ctx, name, w, from, batch[:middle]); err != nil {
		return from, err
	}
	return Absorb(ctx, name, w, from, batch[middle:])
}
