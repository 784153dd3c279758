package events

import (
	"chancery/domain/fair"
	"chancery/domain/game"
)

// A Record is one decision: all its events, in one message, stored whole or not at
// all. Its canonical bytes are what is hashed, chained and proved.
type Record struct {
	At     game.Instant
	By     game.Seat // the seat that asked; the spectator for the server itself
	Cause  fair.Hash // derived from the command's idempotency key
	Events []game.Event
	Game   string
	N      int       // counts the records of the game from 0
	Prev   fair.Hash // hash of record N-1; zero for N = 0
}
