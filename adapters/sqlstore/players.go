package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"github.com/pressly/goose/v3"
	"modernc.org/sqlite"

	"chancery/domain/player"
	"chancery/migrations"
)

// Players keeps accounts and tokens: on PostgreSQL in the schema players, or in an
// SQLite file. It is no read model, for nothing of it is in the ledger. Errors of its
// methods are those of package player and [projections.ErrUnavailable].
type Players struct {
	sql    *sqlx.DB
	shared *DB // of PostgreSQL; nil with a file

	mu    sync.Mutex
	ready bool // the tables are as they should be
}

// OpenPlayers opens the accounts: in the PostgreSQL database at the URL, or if that is empty in
// the file at path, whose folder is made. A database that cannot be reached now is no
// error here.
func OpenPlayers(databaseURL, path string) (*Players, error) {
	if databaseURL == "" {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, fmt.Errorf("making the folder of the accounts: %w", err)
		}
		pool, err := openFile(path, "synchronous(FULL)", "secure_delete(ON)")
		return &Players{sql: pool}, err
	}
	db, err := Open(databaseURL, "")
	if err != nil {
		return nil, err
	}
	p := &Players{shared: db}
	p.sql, err = db.connect(playersSchema, 8)
	return p, err
}

const playersSchema = "players"

// Close closes the connections.
func (p *Players) Close() error {
	err := p.sql.Close()
	if p.shared != nil {
		err = errors.Join(err, p.shared.Close())
	}
	return err
}

// db gives the pool once its tables are there.
func (p *Players) db(ctx context.Context) (*sqlx.DB, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ready {
		return p.sql, nil
	}
	err := p.migrate(ctx)
	p.ready = err == nil
	return p.sql, err
}

// Migrate makes the tables, or brings them to their newest form. Whatever needs them
// does so by itself.
func (p *Players) Migrate(ctx context.Context) error {
	_, err := p.db(ctx)
	return err
}

// migrate brings the tables to their newest form, one process at a time.
func (p *Players) migrate(ctx context.Context) error {
	if p.shared == nil {
		return p.up(ctx, p.sql, goose.DialectSQLite3)
	}
	one, err := p.shared.connect(playersSchema, 1)
	if err != nil {
		return err
	}
	defer func() { _ = one.Close() }() // what it did is done
	return p.shared.locked(ctx, one, playersSchema, func() error {
		if _, err := one.ExecContext(ctx, "CREATE SCHEMA IF NOT EXISTS "+playersSchema); err != nil {
			return failed("making the schema of the accounts", err)
		}
		return p.up(ctx, one, goose.DialectPostgres)
	})
}

func (p *Players) up(ctx context.Context, pool *sqlx.DB, dialect goose.Dialect) error {
	folder, err := fs.Sub(migrations.Files, playersSchema)
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(dialect, pool.DB, folder, goose.WithTableName(playersSchema+"_version"), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("reading the migrations of the accounts: %w", err)
	}
	_, err = provider.Up(ctx)
	return failed("making the tables of the accounts", err)
}

// Add keeps a new account, whose name nobody has: otherwise [player.ErrTaken].
func (p *Players) Add(ctx context.Context, a player.Account) error {
	db, err := p.db(ctx)
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, db.Rebind("INSERT INTO players_account (id, name, folded, password, created) VALUES (?, ?, ?, ?, ?)"),
		a.ID, a.Name, player.Fold(a.Name), a.Password, a.Created)
	if isDuplicate(err) {
		return player.ErrTaken
	}
	return failed("keeping an account", err)
}

// isDuplicate says whether a statement failed for a value that must be unique.
func isDuplicate(err error) bool {
	const sqliteUnique, postgresUnique = 2067, "23505" // sqlite.org/rescode.html; Appendix A of PostgreSQL's manual
	var lite *sqlite.Error
	var post *pq.Error
	return errors.As(err, &lite) && lite.Code() == sqliteUnique || errors.As(err, &post) && post.Code == postgresUnique
}

// ByName is the account of that name, whatever its case; [player.ErrUnknown] if none.
func (p *Players) ByName(ctx context.Context, name string) (player.Account, error) {
	return p.account(ctx, "folded = ?", player.Fold(name))
}

// ByID is the account of that id; [player.ErrUnknown] if there is none.
func (p *Players) ByID(ctx context.Context, id string) (player.Account, error) {
	return p.account(ctx, "id = ?", id)
}

func (p *Players) account(ctx context.Context, where string, args ...any) (player.Account, error) {
	list, err := p.accounts(ctx, where, args...)
	if err == nil && len(list) == 0 {
		err = player.ErrUnknown
	}
	if err != nil {
		return player.Account{}, err
	}
	return list[0], nil
}

func (p *Players) accounts(ctx context.Context, where string, args ...any) ([]player.Account, error) {
	db, err := p.db(ctx)
	if err != nil {
		return nil, err
	}
	var rows []struct{ ID, Name, Password, Created string }
	err = db.SelectContext(ctx, &rows, db.Rebind("SELECT id, name, password, created FROM players_account WHERE "+where), args...)
	list := make([]player.Account, len(rows))
	for i, r := range rows {
		list[i] = player.Account{Player: player.Player{ID: r.ID, Name: r.Name}, Password: r.Password, Created: r.Created}
	}
	return list, failed("reading accounts", err)
}

// Names are the names of those of the ids that are accounts.
func (p *Players) Names(ctx context.Context, ids []string) (map[string]string, error) {
	names := map[string]string{}
	if len(ids) == 0 {
		return names, nil
	}
	args := make([]any, len(ids))
	for i, id := range ids {
		args[i] = id
	}
	list, err := p.accounts(ctx, "id IN ("+marks(len(ids))+")", args...)
	for _, a := range list {
		names[a.ID] = a.Name
	}
	return names, err
}

// Erase forgets a player: his name, his password and his tokens. His games stay, under
// an id that says nothing.
func (p *Players) Erase(ctx context.Context, id string) error {
	db, err := p.db(ctx)
	if err != nil {
		return err
	}
	tx, err := db.BeginTxx(ctx, nil)
	if err != nil {
		return failed("beginning to erase a player", err)
	}
	defer func() { _ = tx.Rollback() }() // after a commit there is nothing to take back
	for _, query := range []string{"DELETE FROM players_account WHERE id = ?", "DELETE FROM players_token WHERE player = ?"} {
		if _, err := tx.ExecContext(ctx, tx.Rebind(query), id); err != nil {
			return failed("erasing a player", err)
		}
	}
	if err := tx.Commit(); err != nil || p.shared != nil {
		return failed("erasing a player", err)
	}
	_, err = db.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)") // the old bytes are in the log yet
	return failed("erasing a player", err)
}

// AddToken keeps the hash of a player's token until it expires, and forgets those that
// have. Times are as in records.
func (p *Players) AddToken(ctx context.Context, hash, id, now, expires string) error {
	db, err := p.db(ctx)
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, db.Rebind("INSERT INTO players_token (hash, player, expires) VALUES (?, ?, ?)"), hash, id, expires)
	if err == nil {
		_, err = db.ExecContext(ctx, db.Rebind("DELETE FROM players_token WHERE expires <= ?"), now)
	}
	return failed("keeping a token", err)
}

// Bearer is the player whose token has that hash, with his name if he has one;
// [player.ErrToken] if there is none or it has expired.
func (p *Players) Bearer(ctx context.Context, hash, now string) (player.Player, error) {
	db, err := p.db(ctx)
	if err != nil {
		return player.Player{}, err
	}
	var rows []player.Player
	err = db.SelectContext(ctx, &rows, db.Rebind(`SELECT t.player AS id, COALESCE(a.name, '') AS name
		FROM players_token t LEFT JOIN players_account a ON a.id = t.player WHERE t.hash = ? AND t.expires > ?`), hash, now)
	switch {
	case err != nil:
		return player.Player{}, failed("looking a token up", err)
	case len(rows) == 0:
		return player.Player{}, player.ErrToken
	}
	return rows[0], nil
}

// RemoveToken lets a token be good for nothing.
func (p *Players) RemoveToken(ctx context.Context, hash string) error {
	db, err := p.db(ctx)
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, db.Rebind("DELETE FROM players_token WHERE hash = ?"), hash)
	return failed("removing a token", err)
}
