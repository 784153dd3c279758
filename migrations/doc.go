// Package migrations holds the SQL of the read models, numbered in the order
// in which they are applied. The ledger needs none: its records are never
// rewritten, and older ones are read through upcasters.
package migrations
