package sqlstore

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"

	"chancery/projections"
)

// Rebuild begins an empty read model beside the one in use.
func (m *Model) Rebuild(ctx context.Context) (projections.Build, error) {
	_, done, err := m.use(ctx) // so that there is one to take the place of
	if err != nil {
		return nil, err
	}
	done()
	if !m.rebuilding.TryLock() {
		return nil, fmt.Errorf("rebuilding %s: this process does so already: %w", m.Name(), projections.ErrHeld)
	}
	n := &next{model: m}
	if err := n.begin(ctx); err != nil {
		n.Release()
		return nil, fmt.Errorf("rebuilding %s: %w", m.Name(), err)
	}
	return n, nil
}

// next is a build that will be in use.
type next struct {
	*writer
	model    *Model
	turn     *sqlx.DB // PostgreSQL: its one connection holds the lock on rebuilding
	swapped  bool
	released bool
}

func (n *next) schema() string { return n.model.Name() + "_next" }
func (n *next) before() string { return n.model.Name() + "_before" }

func (n *next) begin(ctx context.Context) (err error) {
	b := &build{model: n.model}
	n.writer = &writer{build: b, done: func() {}}
	if n.model.db.shared == nil {
		numbers, err := n.model.fileNumbers()
		if err != nil {
			return err
		}
		if b, err = n.model.file(numbers[len(numbers)-1] + 1); err != nil {
			return err
		}
		n.build = b
	} else if err := n.takeTurn(ctx, b); err != nil {
		return err
	}
	if err := n.model.setUp(ctx, b.sql, n.schema(), true); err != nil {
		return err
	}
	n.fence, err = b.claim(ctx)
	return err
}

// takeTurn makes sure that only this process rebuilds the read model.
func (n *next) takeTurn(ctx context.Context, b *build) (err error) {
	if n.turn, err = n.model.db.connect(n.schema(), 1); err != nil {
		return err
	}
	n.turn.SetConnMaxIdleTime(0)
	var mine bool
	if err := n.turn.GetContext(ctx, &mine, "SELECT pg_try_advisory_lock(hashtext($1))", "chancery rebuild "+n.model.Name()); err != nil {
		return failed("asking for the turn to rebuild", err)
	}
	if !mine {
		return fmt.Errorf("it is being rebuilt: %w", projections.ErrHeld)
	}
	b.sql, err = n.model.db.connect(n.schema(), 2)
	return err
}

// Swap puts the build in use if it has absorbed as much as the one that is, or if that
// one is of another ledger.
func (n *next) Swap(ctx context.Context, foreign bool) error {
	var err error
	if n.model.db.shared == nil {
		err = n.swapFiles(ctx, foreign)
	} else {
		err = n.swapSchemas(ctx, foreign)
	}
	if err != nil {
		return fmt.Errorf("putting the rebuilt %s in use: %w", n.model.Name(), err)
	}
	n.swapped = true
	return nil
}

// swapFiles holds the writer of the file in use off until the other one is in use. Of
// two files that have been in use, as after a crash, the newer counts.
func (n *next) swapFiles(ctx context.Context, foreign bool) error {
	old, done, err := n.model.use(ctx)
	if err != nil {
		return err
	}
	defer done()
	old.writing.Lock()
	defer old.writing.Unlock()
	was, _, err := old.checkpoint(ctx, old.sql)
	if err != nil {
		return err
	}
	is, _, err := n.build.checkpoint(ctx, n.build.sql)
	if err != nil {
		return err
	}
	if is.Position < was.Position && !foreign {
		return projections.ErrBehind
	}
	table := n.model.Name() + "_checkpoint"
	if _, err := n.build.sql.ExecContext(ctx, "UPDATE "+table+" SET live = true"); err != nil {
		return failed("marking the new file", err)
	}
	n.model.replace(n.build)
	_, err = old.sql.ExecContext(ctx, "UPDATE "+table+" SET fence = fence + 1")
	return failed("fencing off the writer of the old file", err)
}

// swapSchemas renames, in a transaction that holds the row which every writer needs. The
// writer that waits for it meanwhile finds another fence than its own, and writes
// nothing; what it would write then would go into the new tables under the old names.
func (n *next) swapSchemas(ctx context.Context, foreign bool) error {
	name, table := n.model.Name(), n.model.Name()+"_checkpoint"
	if _, err := n.turn.ExecContext(ctx, "DROP SCHEMA IF EXISTS "+n.before()+" CASCADE"); err != nil {
		return failed("removing what an earlier rebuild left", err)
	}
	tx, err := n.turn.BeginTxx(ctx, nil)
	if err != nil {
		return failed("beginning", err)
	}
	defer func() { _ = tx.Rollback() }()
	var was, is, fence int64
	steps := []error{
		tx.QueryRowxContext(ctx, fmt.Sprintf("UPDATE %s.%s SET fence = fence + 1 RETURNING position, fence", name, table)).Scan(&was, &fence),
		tx.QueryRowxContext(ctx, fmt.Sprintf("UPDATE %s.%s SET fence = GREATEST(fence, $1) + 1, live = true, holder = '', expires = 0 RETURNING position", n.schema(), table), fence).Scan(&is),
	}
	for _, err := range steps {
		if err != nil {
			return failed("comparing the two", err)
		}
	}
	if is < was && !foreign {
		return projections.ErrBehind
	}
	for _, s := range []string{
		fmt.Sprintf("ALTER SCHEMA %s RENAME TO %s", name, n.before()),
		fmt.Sprintf("ALTER SCHEMA %s RENAME TO %s", n.schema(), name),
	} {
		if _, err := tx.ExecContext(ctx, s); err != nil {
			return failed("renaming the schemas", err)
		}
	}
	if err := tx.Commit(); err != nil {
		return failed("swapping the schemas", err)
	}
	_, _ = n.turn.ExecContext(ctx, "DROP SCHEMA IF EXISTS "+n.before()+" CASCADE") // or the next rebuild removes it
	return nil
}

// Release throws the build away, unless it is in use by now.
func (n *next) Release() {
	if n.released {
		return
	}
	n.released = true
	defer n.model.rebuilding.Unlock()
	b := n.build
	switch {
	case n.turn != nil:
		if b.sql != nil {
			_ = b.sql.Close() // in use or not, its pool is not needed
		}
		if !n.swapped && b.sql != nil {
			_, _ = n.turn.ExecContext(context.Background(), "DROP SCHEMA IF EXISTS "+n.schema()+" CASCADE") // or the next rebuild does
		}
		_, _ = n.turn.ExecContext(context.Background(), "SELECT pg_advisory_unlock_all()") // or it goes with the connection, a moment later
		_ = n.turn.Close()
	case !n.swapped && b.file != "":
		b.discard()
	}
}

var _ projections.Build = (*next)(nil)
