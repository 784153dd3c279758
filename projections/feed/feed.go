// Package feed is the public events for other systems: one event at a time, each a
// CloudEvent (cloudevents.io, version 1.0). Nothing in them is hidden from anybody, and
// nothing depends on what is: the parts that prove chance are left out.
package feed

import (
	"fmt"
	"slices"
	"strconv"

	"chancery/events"
	"chancery/projections"
)

// An Event is one event of a record. It is a function of the ledger alone, so it may be
// sent again and is the same to the last byte.
type Event struct {
	Game     string
	Variant  string          // key; empty for games of the ledger itself, which nobody plays
	N        int             // number of the record within the game, from 0
	I        int             // place within the record, from 0
	Of       int             // how many events the record has
	Position events.Position // of the record in the ledger
	Time     string          // when the record was made: RFC 3339, UTC, milliseconds
	events.Raw
}

// Events are the events of a record, in order; a record has at least one. The error is
// the codec's.
func Events(r projections.Record, b projections.Beginning) ([]Event, error) {
	record, err := r.Read()
	if err != nil {
		return nil, err
	}
	raw, err := events.RawEvents(r.Payload)
	if err != nil {
		return nil, err
	}
	list := make([]Event, len(raw))
	for i := range raw {
		list[i] = Event{
			Game: r.Game, Variant: b.Variant, N: record.N, I: i, Of: len(raw), Position: r.Position, Time: r.Time(), Raw: raw[i],
		}
	}
	return list, nil
}

// ID names the event for ever: game/n/i.
func (e Event) ID() string { return fmt.Sprintf("%s/%d/%d", e.Game, e.N, e.I) }

// An Attribute is an attribute of a CloudEvent.
type Attribute struct{ Name, Value string }

// Attributes are those of the event, without the content type. Within a game (a source)
// sequence ascends as a text. Record, index and of show what is missing: behind an event
// comes index+1 of the same record, or after the last of them index 0 of record+1.
func (e Event) Attributes() []Attribute {
	return []Attribute{
		{"specversion", "1.0"},
		{"id", e.ID()},
		{"source", "/games/" + e.Game},
		{"type", fmt.Sprintf("chancery.%s.v%d", e.Type, e.Version)},
		{"time", e.Time},
		{"sequence", fmt.Sprintf("%010d.%03d", e.N, e.I)},
		{"variant", e.VariantToken()},
		{"record", fmt.Sprint(e.N)},
		{"index", fmt.Sprint(e.I)},
		{"of", fmt.Sprint(e.Of)},
		{"position", fmt.Sprint(uint64(e.Position))},
	}
}

// AppendJSON appends the event in the JSON format of CloudEvents (application/cloudevents+json),
// one line without its end.
func (e Event) AppendJSON(b []byte) []byte {
	b = append(b, '{')
	for _, a := range e.Attributes() {
		b = append(strconv.AppendQuote(b, a.Name), ':')
		if slices.Contains(numbers, a.Name) {
			b = append(b, a.Value...)
		} else {
			b = strconv.AppendQuote(b, a.Value) // plain ASCII, all of it
		}
		b = append(b, ',')
	}
	b = append(b, `"datacontenttype":"application/json","data":`...)
	return append(append(b, e.Data...), '}')
}

// numbers are the attributes that are numbers in JSON; CloudEvents has none above 31 bits.
var numbers = []string{"record", "index", "of"}

// VariantToken is the variant, or an underscore where nobody plays.
func (e Event) VariantToken() string {
	if e.Variant == "" {
		return "_"
	}
	return e.Variant
}
