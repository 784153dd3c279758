package sqlstore

import (
	"context"
	"fmt"
	"sync"

	"github.com/jmoiron/sqlx"

	"chancery/projections"
)

// A Projection is what a read model in SQL consists of, besides its folder of
// migrations, which has its name.
type Projection struct {
	Name   string
	Tables []string // all of them, for the checksum

	// Project absorbs records in stream order. It runs in the transaction that moves
	// the checkpoint, and may run again if that fails, so it changes nothing else.
	Project func(ctx context.Context, tx *Tx, batch []projections.Record) error
}

// A Model is a read model in SQL. It is for any number of goroutines.
type Model struct {
	db *DB
	Projection

	mu     sync.Mutex
	inUse  *build // nil until it has been opened
	closed bool

	rebuilding sync.Mutex // in this process
}

// Model is the read model of a projection, the same each time.
func (db *DB) Model(p Projection) *Model {
	m, _ := db.models.LoadOrStore(p.Name, &Model{db: db, Projection: p})
	return m.(*Model)
}

// read reads rows of the read model of that name, which somebody has asked for by
// [DB.Model] before.
func (db *DB) read(ctx context.Context, name string, into any, query string, args ...any) error {
	m, known := db.models.Load(name)
	if !known {
		return fmt.Errorf("reading %s: %w: it is not kept here", name, projections.ErrUnavailable)
	}
	return m.(*Model).Select(ctx, into, query, args...)
}

// Name is the projection's.
func (m *Model) Name() string { return m.Projection.Name }

// A build is one set of tables of a read model.
type build struct {
	model   *Model
	sql     *sqlx.DB
	writing sync.Mutex // held while SQLite's file is written or taken out of use
	file    string     // of SQLite
	refs    int        // who is using it; guarded by the model
	retired bool       // another one has taken its place
}

// use gives the build in use, opened if need be, and keeps it open until done is called.
func (m *Model) use(ctx context.Context) (b *build, done func(), err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, nil, fmt.Errorf("using %s: %w: the store is closed", m.Name(), projections.ErrUnavailable)
	}
	if m.inUse == nil {
		if m.inUse, err = m.open(ctx); err != nil {
			return nil, nil, fmt.Errorf("opening the read model %s: %w", m.Name(), err)
		}
	}
	b = m.inUse
	b.refs++
	return b, func() { m.done(b) }, nil
}

func (m *Model) done(b *build) {
	m.mu.Lock()
	defer m.mu.Unlock()
	b.refs--
	if b.retired && b.refs == 0 {
		b.discard()
	}
}

// replace puts next in use. The one before is discarded with its last user.
func (m *Model) replace(next *build) {
	m.mu.Lock()
	defer m.mu.Unlock()
	old := m.inUse
	m.inUse = next
	if old == nil || old == next {
		return
	}
	old.retired = true
	if old.refs == 0 {
		old.discard()
	}
}

func (m *Model) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	if m.inUse != nil && m.inUse.file != "" {
		_ = m.inUse.sql.Close() // what was committed is in the file or its log
	}
}

// Read runs a reader on the read model in use, which stays whole until it returns.
func (m *Model) Read(ctx context.Context, read func(q *sqlx.DB) error) error {
	b, done, err := m.use(ctx)
	if err != nil {
		return err
	}
	defer done()
	return failed("reading "+m.Name(), read(b.sql))
}

// Select reads rows of the read model in use into a slice of structs or values.
func (m *Model) Select(ctx context.Context, into any, query string, args ...any) error {
	return m.Read(ctx, func(q *sqlx.DB) error { return q.SelectContext(ctx, into, q.Rebind(query), args...) })
}

// Stands is how far the read model in use has got, which is made if there is none.
func (m *Model) Stands(ctx context.Context) (projections.Checkpoint, error) {
	b, done, err := m.use(ctx)
	if err != nil {
		return projections.Checkpoint{}, err
	}
	defer done()
	at, _, err := b.checkpoint(ctx, b.sql)
	return at, err
}

// open makes the read model in use if there is none.
func (m *Model) open(ctx context.Context) (*build, error) {
	if m.db.shared == nil {
		return m.openFile(ctx)
	}
	pool, err := m.db.connect(m.Name(), 1)
	if err != nil {
		return nil, err
	}
	defer func() { _ = pool.Close() }() // nothing is left to be written
	err = m.db.locked(ctx, pool, m.Name(), func() error { return m.setUp(ctx, pool, m.Name(), false) })
	return &build{model: m, sql: m.db.shared}, err
}

var _ projections.Rebuilder = (*Model)(nil)
