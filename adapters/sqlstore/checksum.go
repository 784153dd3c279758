package sqlstore

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/jmoiron/sqlx"

	"chancery/events"
	"chancery/projections"
)

// A Checksum is the content of a read model in 32 bytes, in hex. Equal rows give equal
// checksums, on any database and in any order of writing.
type Checksum struct {
	Position events.Position // of the newest record absorbed
	Sum      string
}

// Checksum reads the whole read model, as it stands at one moment.
func (m *Model) Checksum(ctx context.Context) (Checksum, error) {
	var sum lanes
	at, err := m.snapshot(ctx, func(tx *Tx) error {
		for _, table := range m.Tables {
			if err := sum.table(ctx, tx.sql, table); err != nil {
				return failed("reading "+table, err)
			}
		}
		return nil
	})
	return Checksum{Position: at.Position, Sum: sum.String()}, err
}

// snapshot reads in a transaction that sees one moment, and says which one.
func (m *Model) snapshot(ctx context.Context, read func(*Tx) error) (at projections.Checkpoint, err error) {
	b, done, err := m.use(ctx)
	if err != nil {
		return at, err
	}
	defer done()
	options := &sql.TxOptions{ReadOnly: true} // of SQLite, where one moment is all that is seen
	if m.db.shared != nil {
		options.Isolation = sql.LevelRepeatableRead
	}
	tx, err := b.sql.BeginTxx(ctx, options)
	if err != nil {
		return at, failed("beginning to read "+m.Name(), err)
	}
	defer func() { _ = tx.Rollback() }() // nothing was written
	if at, _, err = b.checkpoint(ctx, tx); err != nil {
		return at, err
	}
	return at, read(&Tx{sql: tx})
}

// lanes are a sum of hashes: the order of the rows does not matter, and none has to be
// sorted.
type lanes [4]uint64

func (l *lanes) add(h [sha256.Size]byte) {
	var carry uint64
	for i := range l {
		l[i], carry = bits.Add64(l[i], binary.LittleEndian.Uint64(h[8*i:]), carry)
	}
}

// String is the sum in hex.
func (l *lanes) String() string { return fmt.Sprintf("%016x%016x%016x%016x", l[0], l[1], l[2], l[3]) }

func (l *lanes) table(ctx context.Context, q sqlx.QueryerContext, table string) error {
	rows, err := q.QueryxContext(ctx, "SELECT * FROM "+table)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // what was wrong Err says
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	for rows.Next() {
		values, err := rows.SliceScan()
		if err != nil {
			return err
		}
		text := []byte(table)
		for i, v := range values {
			text = fmt.Appendf(text, "\x00%s=%s", columns[i], plain(v))
		}
		l.add(sha256.Sum256(text))
	}
	return rows.Err()
}

// plain is a value as both databases give it.
func plain(v any) string {
	switch v := v.(type) {
	case nil:
		return "\x00null"
	case []byte:
		return string(v)
	case bool:
		if v {
			return "1"
		}
		return "0"
	}
	return fmt.Sprint(v)
}
