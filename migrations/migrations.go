// Package migrations holds the SQL of what is kept beside the ledger. Every read model
// has a folder of its name. The ledger needs none: its records are never rewritten, and
// older ones are read through upcasters.
//
// A read model is never migrated: a further file in its folder, even one that holds
// nothing but a comment, has it computed anew beside the old one at the next start. So
// the files of one folder are what a new, empty read model is made by, and whoever
// changes what a projection computes adds one.
//
// The folder players is none of a read model: accounts are nowhere else, so its tables
// are migrated, file by file, and its files never change.
//
// The text is for PostgreSQL and SQLite at once: TEXT, BIGINT, DOUBLE PRECISION and
// BOOLEAN, tables whose names begin with the folder's, no schema named. Times are text
// in RFC 3339, UTC, three digits of milliseconds, which sorts as it should.
package migrations

import "embed"

// Files are the folders.
//
//go:embed */*.sql
var Files embed.FS
