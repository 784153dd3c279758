package sqlstore

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"chancery/domain/fair"
	"chancery/events"
	"chancery/projections"
	"chancery/projections/tables"
)

// A writer is one claim on a build. Its fence is a number that grows with every claim:
// whoever has an older one changes nothing any more.
type writer struct {
	build *build
	fence int64
	games *projections.Games // nil until a projection asks
	rows  *tables.Games      // likewise
	done  func()
}

// now is the time in milliseconds by the database's clock, so that those of the
// processes do not matter.
func (db *DB) now() string {
	if db.shared == nil {
		return "CAST(unixepoch('subsec') * 1000 AS BIGINT)"
	}
	return "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)"
}

// claim takes the build if nobody else has it. A claim that lasts longer than any does is
// from before the database's clock went back, as on another machine that took over, and
// holds nobody up. A file is this process's alone.
func (b *build) claim(ctx context.Context) (fence int64, err error) {
	db := b.model.db
	free := fmt.Sprintf("holder = ? OR expires NOT BETWEEN %[1]s AND %[1]s + %[2]d", db.now(), projections.Lease.Milliseconds())
	if db.shared == nil {
		free = "? <> ''"
	}
	query := fmt.Sprintf("UPDATE %s_checkpoint SET holder = ?, fence = fence + 1, expires = %s + ? WHERE %s RETURNING fence", b.model.Name(), db.now(), free)
	var fences []int64
	err = b.sql.SelectContext(ctx, &fences, b.sql.Rebind(query), db.holder, projections.Lease.Milliseconds(), db.holder)
	switch {
	case err != nil:
		return 0, failed("claiming "+b.model.Name(), err)
	case len(fences) == 0:
		return 0, fmt.Errorf("claiming %s: %w", b.model.Name(), projections.ErrHeld)
	}
	return fences[0], nil
}

// Claim makes this process the one that writes the read model in use.
func (m *Model) Claim(ctx context.Context) (projections.Writer, error) {
	b, done, err := m.use(ctx)
	if err != nil {
		return nil, err
	}
	fence, err := b.claim(ctx)
	if err != nil {
		done()
		return nil, err
	}
	return &writer{build: b, fence: fence, done: done}, nil
}

// Checkpoint is where the read model stands.
func (w *writer) Checkpoint(ctx context.Context) (projections.Checkpoint, error) {
	c, fence, err := w.build.checkpoint(ctx, w.build.sql)
	switch {
	case err != nil:
		return c, err
	case fence != w.fence:
		return c, w.fenced()
	}
	return c, nil
}

// checkpoint reads where a build stands, and the fence of its newest claim.
func (b *build) checkpoint(ctx context.Context, q sqlx.QueryerContext) (c projections.Checkpoint, fence int64, err error) {
	var row struct {
		Position int64  `db:"position"`
		Hash     string `db:"hash"`
		Fence    int64  `db:"fence"`
	}
	err = sqlx.GetContext(ctx, q, &row, "SELECT position, hash, fence FROM "+b.model.Name()+"_checkpoint")
	if err != nil {
		return c, 0, failed("asking where "+b.model.Name()+" stands", err)
	}
	c.Position = events.Position(row.Position)
	if c.Position > 0 {
		err = c.Hash.UnmarshalText([]byte(row.Hash))
	}
	return c, row.Fence, err
}

func (w *writer) fenced() error {
	return fmt.Errorf("writing %s: %w", w.build.model.Name(), projections.ErrFenced)
}

// Apply absorbs the records and moves the checkpoint, in one transaction. The
// checkpoint goes first: its row is what two writers would wait for.
func (w *writer) Apply(ctx context.Context, from projections.Checkpoint, batch []projections.Record) error {
	m := w.build.model
	if m.db.shared == nil {
		w.build.writing.Lock()
		defer w.build.writing.Unlock()
	}
	tx, err := w.build.sql.BeginTxx(ctx, nil)
	if err != nil {
		return failed("beginning to write "+m.Name(), err)
	}
	defer func() { _ = tx.Rollback() }() // after a commit there is nothing to take back
	if err := w.move(ctx, tx, from, batch[len(batch)-1].Checkpoint()); err != nil {
		return err
	}
	t := &Tx{sql: tx, writer: w}
	if err := m.Project(ctx, t, batch); err != nil {
		return err
	}
	if err := t.Flush(ctx); err != nil {
		return err
	}
	return failed("committing "+m.Name(), tx.Commit())
}

func (w *writer) move(ctx context.Context, tx *sqlx.Tx, from, to projections.Checkpoint) error {
	m := w.build.model
	query := fmt.Sprintf("UPDATE %s_checkpoint SET position = ?, hash = ?, expires = %s + ? WHERE position = ? AND hash = ? AND fence = ?", m.Name(), m.db.now())
	done, err := tx.ExecContext(ctx, tx.Rebind(query), int64(to.Position), to.Hash.String(), projections.Lease.Milliseconds(), int64(from.Position), hashText(from), w.fence)
	return w.whether(done, err)
}

// hashText is how the table holds the hash of a checkpoint.
func hashText(c projections.Checkpoint) string {
	if c.Hash == (fair.Hash{}) {
		return ""
	}
	return hex.EncodeToString(c.Hash[:])
}

// whether says if an update of the checkpoint found the row as it should be.
func (w *writer) whether(done interface{ RowsAffected() (int64, error) }, err error) error {
	if err != nil {
		return failed("moving the checkpoint of "+w.build.model.Name(), err)
	}
	if n, err := done.RowsAffected(); err != nil || n != 1 {
		return errors.Join(w.fenced(), err)
	}
	return nil
}

// Renew says that the writer is still there.
func (w *writer) Renew(ctx context.Context) error {
	m := w.build.model
	if m.db.shared == nil {
		_, err := w.Checkpoint(ctx) // a file has no other writer to fear
		return err
	}
	query := fmt.Sprintf("UPDATE %s_checkpoint SET expires = %s + ? WHERE fence = ?", m.Name(), m.db.now())
	done, err := w.build.sql.ExecContext(ctx, w.build.sql.Rebind(query), projections.Lease.Milliseconds(), w.fence)
	return w.whether(done, err)
}

// Release gives the claim up, so that another process need not wait for it to expire.
func (w *writer) Release() {
	if w.done == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	query := fmt.Sprintf("UPDATE %s_checkpoint SET holder = '', expires = 0 WHERE fence = ?", w.build.model.Name())
	_, _ = w.build.sql.ExecContext(ctx, w.build.sql.Rebind(query), w.fence) // otherwise it expires
	w.done()
	w.done = nil
}
