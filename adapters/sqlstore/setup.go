package sqlstore

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/jmoiron/sqlx"
	"github.com/pressly/goose/v3"

	"chancery/migrations"
	"chancery/projections"
)

// checkpoint is the table in which a read model's progress and writer stand. Live says
// that it is in use, and is not still being built.
const checkpoint = `CREATE TABLE IF NOT EXISTS %[1]s_checkpoint (
	one      BIGINT  NOT NULL PRIMARY KEY CHECK (one = 1),
	position BIGINT  NOT NULL,
	hash     TEXT    NOT NULL,
	holder   TEXT    NOT NULL,
	fence    BIGINT  NOT NULL,
	expires  BIGINT  NOT NULL,
	live     BOOLEAN NOT NULL
);
INSERT INTO %[1]s_checkpoint (one, position, hash, holder, fence, expires, live)
	VALUES (1, 0, '', '', 0, 0, %[2]t) ON CONFLICT (one) DO NOTHING;`

// setUp makes the tables of a read model where there are none. Tables of an older
// version stay as they are.
func (m *Model) setUp(ctx context.Context, pool *sqlx.DB, schema string, anew bool) error {
	if m.db.shared != nil {
		if anew {
			if _, err := pool.ExecContext(ctx, "DROP SCHEMA IF EXISTS "+schema+" CASCADE"); err != nil {
				return failed("clearing "+schema, err)
			}
		}
		if _, err := pool.ExecContext(ctx, "CREATE SCHEMA IF NOT EXISTS "+schema); err != nil {
			return failed("making the schema "+schema, err)
		}
	}
	p, err := m.goose(pool)
	if err != nil {
		return err
	}
	version, err := p.GetDBVersion(ctx)
	if err == nil && version == 0 {
		_, err = p.Up(ctx)
	}
	if err == nil {
		_, err = pool.ExecContext(ctx, fmt.Sprintf(checkpoint, m.Name(), !anew))
	}
	return failed("making the tables of "+m.Name(), err)
}

// goose reads the migrations of the read model.
func (m *Model) goose(pool *sqlx.DB) (*goose.Provider, error) {
	folder, err := fs.Sub(migrations.Files, m.Name())
	if err != nil {
		return nil, err
	}
	dialect := goose.DialectPostgres
	if m.db.shared == nil {
		dialect = goose.DialectSQLite3
	}
	p, err := goose.NewProvider(dialect, pool.DB, folder, goose.WithTableName(m.Name()+"_version"), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return nil, fmt.Errorf("reading the migrations of %s: %w", m.Name(), err)
	}
	return p, nil
}

// Outdated says whether the tables were made by an older version of the projection.
func (m *Model) Outdated(ctx context.Context) (bool, error) {
	b, done, err := m.use(ctx)
	if err != nil {
		return false, err
	}
	defer done()
	p, err := m.goose(b.sql)
	if err != nil {
		return false, err
	}
	var has, want int64 // goose would look for its table in one schema only
	err = b.sql.GetContext(ctx, &has, "SELECT max(version_id) FROM "+m.Name()+"_version")
	for _, s := range p.ListSources() {
		want = max(want, s.Version)
	}
	if err == nil && has > want {
		return false, fmt.Errorf("%s was computed by a newer version of this program: %w", m.Name(), projections.ErrHeld)
	}
	return has < want, failed("asking for the version of "+m.Name(), err)
}

// locked runs do while no other process runs something under the same name. The pool
// must have one connection only, which holds the lock.
func (db *DB) locked(ctx context.Context, pool *sqlx.DB, name string, do func() error) error {
	if _, err := pool.ExecContext(ctx, "SELECT pg_advisory_lock(hashtext($1))", "chancery "+name); err != nil {
		return failed("waiting for the turn to set up "+name, err)
	}
	defer func() {
		_, _ = pool.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock(hashtext($1))", "chancery "+name) // or it ends with the connection
	}()
	return do()
}

// openFile opens the newest file that has been in use, or makes the first one, and
// removes those that are left over from a rebuild.
func (m *Model) openFile(ctx context.Context) (*build, error) {
	numbers, err := m.fileNumbers()
	if err != nil {
		return nil, err
	}
	var found *build
	for _, n := range slices.Backward(numbers) {
		b, err := m.file(n)
		if err != nil {
			return nil, err
		}
		if found == nil && b.live(ctx) {
			found = b
			continue
		}
		b.discard()
	}
	if found == nil {
		if found, err = m.file(1); err != nil {
			return nil, err
		}
	}
	return found, m.setUp(ctx, found.sql, "", false)
}

// fileNumbers lists the files of the read model, which are numbered as they are made.
func (m *Model) fileNumbers() ([]int, error) {
	list, err := filepath.Glob(filepath.Join(m.db.dir, m.Name()+".*.db"))
	if err != nil {
		return nil, err
	}
	var numbers []int
	for _, path := range list {
		text := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), m.Name()+"."), ".db")
		if n, err := strconv.Atoi(text); err == nil {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return numbers, nil
}

func (m *Model) file(n int) (*build, error) {
	path := filepath.Join(m.db.dir, fmt.Sprintf("%s.%d.db", m.Name(), n))
	pool, err := openFile(path)
	return &build{model: m, sql: pool, file: path}, err
}

// live says whether the tables have been in use.
func (b *build) live(ctx context.Context) bool {
	var live bool
	err := b.sql.GetContext(ctx, &live, "SELECT live FROM "+b.model.Name()+"_checkpoint")
	return err == nil && live
}

// discard closes the build and deletes it. What cannot be deleted now is deleted when
// the read model is opened next.
func (b *build) discard() {
	if b.file == "" {
		return
	}
	_ = b.sql.Close()
	for _, end := range []string{"", "-wal", "-shm"} {
		_ = os.Remove(b.file + end)
	}
}
