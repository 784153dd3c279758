package sqlstore

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/jmoiron/sqlx"
	"github.com/jmoiron/sqlx/reflectx"

	"chancery/events"
	"chancery/projections"
	"chancery/projections/tables"
)

// A Key is the key of a row: as many texts and numbers as the table's key has columns,
// of the very types that the fields of the row have. The rest is nil.
type Key [3]any

// A Tx is what a store works with while one batch is absorbed: a transaction, and
// the tables whose rows are written at its end.
type Tx struct {
	sql    *sqlx.Tx
	writer *writer // nil where nothing is written
	tables []interface {
		flush(ctx context.Context) error
	}
}

// gamesKept is how many unfinished games a writer keeps folded.
const gamesKept = 2000

// Games folds games, for this writer alone: a read model in use and the one being built
// beside it are at different places of the ledger. What is not in memory is read from
// the log.
func (t *Tx) Games(log events.Log) *projections.Games {
	if t.writer.games == nil {
		t.writer.games = projections.NewGames(log, gamesKept)
	}
	return t.writer.games
}

// Rows folds games into rows of tables, for this writer alone, like Games.
func (t *Tx) Rows(log events.Log) *tables.Games {
	if t.writer.rows == nil {
		t.writer.rows = tables.NewGames(log, gamesKept)
	}
	return t.writer.rows
}

// Select reads rows into a slice of structs or values. Rows that a [Table] has not yet
// written are not among them; flush it first.
func (t *Tx) Select(ctx context.Context, into any, query string, args ...any) error {
	return failed("reading rows", t.sql.SelectContext(ctx, into, t.sql.Rebind(query), args...))
}

// Exec writes. Rows that a [Table] has not yet written are not touched by it.
func (t *Tx) Exec(ctx context.Context, query string, args ...any) error {
	_, err := t.sql.ExecContext(ctx, t.sql.Rebind(query), args...)
	return failed("writing rows", err)
}

// Flush writes what the tables hold back, in the order in which they were made.
func (t *Tx) Flush(ctx context.Context) error {
	for _, table := range t.tables {
		if err := table.flush(ctx); err != nil {
			return err
		}
	}
	return nil
}

// A Table holds rows of one table while a batch is absorbed: it reads many at once and
// writes those that have changed at the end, so that a batch costs a few statements
// instead of some a record. R is a struct whose db tags name all columns.
type Table[R any] struct {
	tx      *Tx
	name    string
	keys    []string
	columns []string
	fields  [][]int
	key     [][]int // fields of the key
	rows    map[Key]*held[R]
	order   []Key // of rows to be written, as they were first put
}

// held is what is known of a row.
type held[R any] struct {
	row     R
	there   bool // it exists, or will
	changed bool
}

// mapper finds the columns of a struct.
var mapper = reflectx.NewMapper("db")

// NewTable holds rows of the table of that name in the transaction. The key columns are
// its primary key.
func NewTable[R any](tx *Tx, name string, key ...string) *Table[R] {
	t := &Table[R]{tx: tx, name: name, keys: key, rows: map[Key]*held[R]{}}
	tree := mapper.TypeMap(reflect.TypeFor[R]())
	for _, f := range tree.Index {
		if f.Embedded {
			continue // whose fields are columns
		}
		t.columns, t.fields = append(t.columns, f.Path), append(t.fields, f.Index)
	}
	for _, k := range key {
		t.key = append(t.key, tree.Paths[k].Index)
	}
	tx.tables = append(tx.tables, t)
	return t
}

// Load reads the rows of the keys, which Get then finds without asking.
func (t *Table[R]) Load(ctx context.Context, keys ...Key) error {
	var missing []Key
	for _, k := range keys {
		if _, known := t.rows[k]; !known {
			t.rows[k] = &held[R]{}
			missing = append(missing, k)
		}
	}
	for len(missing) > 0 {
		some := missing[:min(len(missing), 200)]
		missing = missing[len(some):]
		if err := t.read(ctx, some); err != nil {
			return err
		}
	}
	return nil
}

func (t *Table[R]) read(ctx context.Context, keys []Key) error {
	one := "(" + strings.Join(t.keys, " = ? AND ") + " = ?)"
	where := strings.TrimSuffix(strings.Repeat(one+" OR ", len(keys)), " OR ")
	if len(t.keys) == 1 {
		where = t.keys[0] + " IN (" + marks(len(keys)) + ")"
	}
	var args []any
	for _, k := range keys {
		args = append(args, k[:len(t.keys)]...)
	}
	var rows []R
	if err := t.tx.Select(ctx, &rows, "SELECT "+strings.Join(t.columns, ", ")+" FROM "+t.name+" WHERE "+where, args...); err != nil {
		return err
	}
	for _, r := range rows {
		*t.rows[t.keyOf(&r)] = held[R]{row: r, there: true}
	}
	return nil
}

func (t *Table[R]) keyOf(r *R) (k Key) {
	v := reflect.ValueOf(r).Elem()
	for i, f := range t.key {
		k[i] = reflectx.FieldByIndexesReadOnly(v, f).Interface()
	}
	return k
}

// Get is the row of a key, and whether there is one.
func (t *Table[R]) Get(ctx context.Context, k Key) (row R, ok bool, err error) {
	h, known := t.rows[k]
	if !known {
		if err := t.Load(ctx, k); err != nil {
			return row, false, err
		}
		h = t.rows[k]
	}
	return h.row, h.there, nil
}

// Put adds a row or replaces the one of its key.
func (t *Table[R]) Put(row R) { t.set(t.keyOf(&row), held[R]{row: row, there: true, changed: true}) }

// forget lets go of rows that have been written, for those who go on to many others.
func (t *Table[R]) forget() {
	if t.order == nil {
		clear(t.rows)
	}
}

// Delete removes the row of a key, if there is one.
func (t *Table[R]) Delete(k Key) { t.set(k, held[R]{changed: true}) }

func (t *Table[R]) set(k Key, next held[R]) {
	h, known := t.rows[k]
	if !known {
		h = &held[R]{}
		t.rows[k] = h
	}
	if !h.changed {
		t.order = append(t.order, k)
	}
	*h = next
}

// most is how many values a statement may have: SQLite's limit is 32,766.
const most = 30_000

func (t *Table[R]) flush(ctx context.Context) error {
	var gone []Key
	var rows []*R
	for _, k := range t.order {
		h := t.rows[k]
		h.changed = false
		if h.there {
			rows = append(rows, &h.row)
		} else {
			gone = append(gone, k)
		}
	}
	t.order = nil
	for size := 200; len(gone) > 0; gone = gone[min(size, len(gone)):] {
		if err := t.remove(ctx, gone[:min(size, len(gone))]); err != nil {
			return err
		}
	}
	for size := min(500, most/len(t.columns)); len(rows) > 0; rows = rows[min(size, len(rows)):] {
		if err := t.write(ctx, rows[:min(size, len(rows))]); err != nil {
			return err
		}
	}
	return nil
}

func (t *Table[R]) remove(ctx context.Context, keys []Key) error {
	one := "(" + strings.Join(t.keys, " = ? AND ") + " = ?)"
	var args []any
	for _, k := range keys {
		args = append(args, k[:len(t.keys)]...)
	}
	return t.tx.Exec(ctx, "DELETE FROM "+t.name+" WHERE "+strings.TrimSuffix(strings.Repeat(one+" OR ", len(keys)), " OR "), args...)
}

// write puts the rows in one statement.
func (t *Table[R]) write(ctx context.Context, rows []*R) error {
	var q strings.Builder
	fmt.Fprintf(&q, "INSERT INTO %s (%s) VALUES ", t.name, strings.Join(t.columns, ", "))
	one := "(" + marks(len(t.columns)) + ")"
	args := make([]any, 0, len(rows)*len(t.columns))
	for i, r := range rows {
		if i > 0 {
			q.WriteByte(',')
		}
		q.WriteString(one)
		v := reflect.ValueOf(r).Elem()
		for _, f := range t.fields {
			args = append(args, reflectx.FieldByIndexesReadOnly(v, f).Interface())
		}
	}
	fmt.Fprintf(&q, " ON CONFLICT (%s) DO %s", strings.Join(t.keys, ", "), t.update())
	return t.tx.Exec(ctx, q.String(), args...)
}

// update is what happens to a row that is there already.
func (t *Table[R]) update() string {
	var sets []string
	for _, c := range t.columns {
		if !slices.Contains(t.keys, c) {
			sets = append(sets, c+" = excluded."+c)
		}
	}
	if sets == nil {
		return "NOTHING"
	}
	return "UPDATE SET " + strings.Join(sets, ", ")
}

// marks are n question marks with commas between them.
func marks(n int) string { return strings.TrimSuffix(strings.Repeat("?, ", n), ", ") }
