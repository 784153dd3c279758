// Package projections is how the ledger becomes read models. A projection is a
// function of records in stream order; its store keeps the rows; a [Model] is both
// together with a checkpoint, which moves in the transaction that writes the rows; a
// runner (adapters/watermill) feeds models. One package below this one is one
// projection.
package projections

import (
	"bytes"
	"time"

	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
)

// A Record is a record of the ledger on its way into a read model. It is decoded when
// somebody asks, and once.
type Record struct {
	events.Stored
	read *reading
}

type reading struct {
	record events.Record
	err    error
	done   bool
}

// NewRecord is the record that the log keeps as s.
func NewRecord(s events.Stored) Record { return Record{Stored: s, read: new(reading)} }

// Read is the record decoded. The error is the codec's, [events.ErrPayload]: a
// projection that needs the record gives it back and so stops there. It is not for
// several goroutines at once.
func (r Record) Read() (events.Record, error) {
	if !r.read.done {
		r.read.record, r.read.err = events.DecodeRecord(r.Payload)
		r.read.done = true
	}
	return r.read.record, r.read.err
}

// Says reports, without decoding, whether the record has an event of the type, named as
// on disk. In canonical bytes no text holds a bare quotation mark, so the words cannot
// come from anywhere else.
func (r Record) Says(eventType string) bool {
	return bytes.Contains(r.Payload, []byte(`"type":"`+eventType+`"`))
}

// Ends reports, without decoding, whether the game is over with this record.
func (r Record) Ends() bool {
	return r.Says("GameEnded") || r.Says("GameAborted") || r.Says("GameVoided")
}

// Hash is the record's, as the next one of its game names it.
func (r Record) Hash() fair.Hash { return fair.RecordHash(r.Payload) }

// Checkpoint is where a read model stands that has this record as its newest.
func (r Record) Checkpoint() Checkpoint { return Checkpoint{Position: r.Position, Hash: r.Hash()} }

// Time is when the record was made, as it is written: RFC 3339, UTC, milliseconds. It
// is empty for bytes that are no record.
func (r Record) Time() string {
	const prefix, length = `{"at":"`, len("2026-11-29T20:00:05.000Z")
	rest, ok := bytes.CutPrefix(r.Payload, []byte(prefix))
	if !ok || len(rest) < length {
		return ""
	}
	return string(rest[:length])
}

// Timestamp writes a moment as records do.
func Timestamp(at game.Instant) string {
	return time.UnixMilli(int64(at)).UTC().Format("2006-01-02T15:04:05.000Z")
}

// GamesOf lists the games that the records belong to, each once.
func GamesOf(batch []Record) []string {
	var ids []string
	seen := map[string]bool{}
	for _, r := range batch {
		if !seen[r.Game] {
			seen[r.Game] = true
			ids = append(ids, r.Game)
		}
	}
	return ids
}

// Seated is who sits where as a fact of the game tells it.
func Seated(seats [2]game.Sitter, f game.Fact) [2]game.Sitter {
	if created, ok := f.(game.GameCreated); ok {
		copy(seats[:], created.Seats)
	}
	if joined, ok := f.(game.PlayerJoined); ok && joined.Seat != game.Spectator {
		s := &seats[joined.Seat.Wire()]
		s.Player, s.Bot = joined.Player, joined.Bot
	}
	return seats
}
