// Package sqlstore keeps read models in SQL: on PostgreSQL, shared by all processes, or
// in SQLite files of this process. Both run the same text, written with question marks
// and rebound.
//
// A read model is a set of tables made by its folder in migrations, and one table more
// with its checkpoint. On PostgreSQL it has a schema of its own, on SQLite a file. So
// another one can be built beside it and take its place in a moment.
package sqlstore

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	_ "modernc.org/sqlite" // the driver "sqlite"

	"chancery/migrations"
)

// A DB is a place for read models. It is for any number of goroutines.
type DB struct {
	dir    string   // of the SQLite files; empty on PostgreSQL
	lock   *os.File // on that folder
	dsn    string   // of PostgreSQL, without a search path
	dialer *dialer
	shared *sqlx.DB // PostgreSQL, with every read model in its search path
	holder string   // names this process in claims
	models sync.Map // *Model by name
}

// Open opens a place for read models: the PostgreSQL database at the URL
// (postgres://user@host/name), or if that is empty the folder dir, which is made. A database that
// cannot be reached now is no error here: whatever needs it says so, and works again
// once it is back. A folder that another process uses is [ErrInUse].
func Open(databaseURL, dir string) (*DB, error) {
	db := &DB{holder: rand.Text()}
	if databaseURL == "" {
		db.dir = dir
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("making the folder of the read models: %w", err)
		}
		var err error
		db.lock, err = lock(dir)
		return db, err
	}
	u, err := url.Parse(databaseURL)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return nil, fmt.Errorf("a database URL is written postgres://user:password@host:5432/name") // not %w: it would show the password
	}
	db.dsn, db.dialer = databaseURL, newDialer()
	db.shared, err = db.connect(schemas(), 16)
	return db, err
}

// Close closes the connections. Read models that are being written are left where
// their last batch brought them.
func (db *DB) Close() error {
	var err error
	if db.shared != nil {
		err = db.shared.Close()
	}
	db.models.Range(func(_, m any) bool {
		m.(*Model).close()
		return true
	})
	if db.lock != nil {
		err = errors.Join(err, db.lock.Close())
	}
	return err
}

// Ping asks whether the database answers.
func (db *DB) Ping(ctx context.Context) error {
	if db.shared == nil {
		return nil
	}
	return failed("asking the database", db.shared.PingContext(ctx))
}

// schemas are the names of all read models, each a folder of migrations.
func schemas() string {
	folders, _ := fs.ReadDir(migrations.Files, ".") // embedded, so there
	names := make([]string, len(folders))
	for i, f := range folders {
		names[i] = f.Name()
	}
	return strings.Join(names, ",")
}

// connect opens a pool that looks for tables in the given schemas. A statement that
// takes too long is cancelled, and so is a transaction that is left open: neither may
// hold others up.
func (db *DB) connect(searchPath string, most int) (*sqlx.DB, error) {
	u, err := url.Parse(db.dsn)
	if err != nil {
		return nil, err
	}
	q := u.Query()
	q.Set("search_path", searchPath)
	for name, usual := range map[string]string{
		"application_name": "chancery", "connect_timeout": "5",
		"statement_timeout": "60000", "idle_in_transaction_session_timeout": "30000",
	} {
		if !q.Has(name) {
			q.Set(name, usual)
		}
	}
	u.RawQuery = q.Encode()
	connector, err := pq.NewConnector(u.String())
	if err != nil {
		return nil, fmt.Errorf("opening the database: %w", err)
	}
	connector.Dialer(db.dialer)
	pool := sqlx.NewDb(sql.OpenDB(connector), "postgres")
	pool.SetMaxOpenConns(most)
	pool.SetMaxIdleConns(most)
	pool.SetConnMaxIdleTime(time.Minute)
	return pool, nil
}

// openFile opens an SQLite file, made if it is not there. A crash of the process loses
// nothing; one of the machine may lose the last batches, and the checkpoint with them.
// Further pragmas override these.
func openFile(path string, pragmas ...string) (*sqlx.DB, error) {
	q := url.Values{
		"_txlock": {"immediate"},
		"_pragma": append([]string{"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(NORMAL)", "cache_size(-16000)", "wal_autocheckpoint(8000)", "temp_store(MEMORY)"}, pragmas...),
	}
	name, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	u := url.URL{Scheme: "file", Path: name, RawQuery: q.Encode()}
	pool, err := sqlx.Open("sqlite", u.String())
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	pool.SetMaxOpenConns(8)
	pool.SetMaxIdleConns(4)
	return pool, nil
}
