package history

import (
	"chancery/domain/game"
	"chancery/events"
)

// A Query picks games that are over. The zero Query is all of them.
type Query struct {
	Player  string      // id, in either seat
	Bot     string      // name of a program, in either seat
	Variant string      // key
	Result  game.Result // * for games that were called off
	Reason  game.Reason
	Rated   *bool
	Options game.Options // each must have been so; those left out may have been anything
	From    string       // ended at or after, RFC 3339, UTC, milliseconds
	Until   string       // ended before, likewise
	Voided  bool         // with those that count for nothing

	Before events.Position // games that ended before the one at this position; 0: the newest
	Limit  int             // at most so many; 0: all
}
