package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/lib/pq"
	"modernc.org/sqlite"

	"chancery/projections"
)

// failed wraps an error of a database, nil for none. What a database says about the
// data is the caller's fault and stays one when tried again; everything else, a lost
// connection above all, is [projections.ErrUnavailable].
func failed(doing string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, sql.ErrNoRows), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), aboutData(err):
		return fmt.Errorf("%s: %w", doing, err)
	}
	return fmt.Errorf("%s: %w: %w", doing, projections.ErrUnavailable, err)
}

// Result codes of SQLite (sqlite.org/rescode.html), in the low byte.
const (
	sqliteError      = 1
	sqliteTooBig     = 18
	sqliteConstraint = 19
	sqliteMismatch   = 20
	sqliteRange      = 25
)

// aboutData says whether a statement and its values were refused for what they are.
func aboutData(err error) bool {
	var lite *sqlite.Error
	if errors.As(err, &lite) {
		switch lite.Code() & 0xff {
		case sqliteError, sqliteTooBig, sqliteConstraint, sqliteMismatch, sqliteRange:
			return true
		}
		return false
	}
	var post *pq.Error
	if errors.As(err, &post) {
		switch post.Code.Class() { // Appendix A of PostgreSQL's manual
		case "21", "22", "23", "42":
			return post.Code != undefinedTable
		}
	}
	return false
}

// undefinedTable is what PostgreSQL says before a read model has been made, which the
// process that writes it does.
const undefinedTable = "42P01"
