package events

import (
	"encoding/hex"
	"fmt"
	"reflect"
	"strconv"
	"time"

	"chancery/domain/fair"
	"chancery/domain/game"
)

// MaxPayload is the most bytes that a record may have: the entry bundles of a
// transparency log count them in two bytes.
const MaxPayload = 65535

// atLayout is RFC 3339 in UTC with exactly three digits of milliseconds.
const atLayout = "2006-01-02T15:04:05.000Z"

// EncodeRecord is the payload of r: its canonical bytes. A record that has none, or
// more than [MaxPayload] bytes, gives an error that is [ErrPayload].
func EncodeRecord(r Record) ([]byte, error) { return ledgerTypes.encode(r) }

// DecodeRecord reads a payload. It refuses, with an error that is [ErrPayload], all
// bytes that EncodeRecord would not have written at the time: the frame, the data of
// every event and its part of chance must survive a typed round trip. Events of older
// versions come out in the current one.
func DecodeRecord(payload []byte) (Record, error) {
	r, err := ledgerTypes.decode(payload)
	if err != nil {
		return Record{}, fmt.Errorf("reading a record: %w", err)
	}
	return r, nil
}

func (t eventTypes) encode(r Record) ([]byte, error) {
	if !fair.ValidGameID(r.Game) || r.N < 0 || len(r.Events) == 0 || r.By > game.Second {
		return nil, fmt.Errorf("%w: record %d of game %q lacks a game, a number, events or a seat", ErrPayload, r.N, r.Game)
	}
	b := make([]byte, 0, 1024)
	b = append(b, `{"at":"`...)
	b = time.UnixMilli(int64(r.At)).UTC().AppendFormat(b, atLayout)
	b = append(b, '"')
	if r.By != game.Spectator {
		b = append(b, `,"by":`...)
		b = strconv.AppendInt(b, int64(r.By.Wire()), 10)
	}
	b = append(b, `,"cause":"`...)
	b = hex.AppendEncode(b, r.Cause[:])
	b = append(b, `","events":[`...)
	b, err := t.appendEvents(b, r)
	if err != nil {
		return nil, err
	}
	b = append(b, `],"game":"`...)
	b = append(b, r.Game...)
	b = append(b, `","n":`...)
	b = strconv.AppendInt(b, int64(r.N), 10)
	b = append(b, `,"prev":"`...)
	b = hex.AppendEncode(b, r.Prev[:])
	b = append(b, `","v":1}`...)
	return b, checkPayload(b)
}

func checkPayload(b []byte) error {
	if len(b) > MaxPayload {
		return fmt.Errorf("%w: %d bytes; a record has at most %d", ErrPayload, len(b), MaxPayload)
	}
	return CheckCanonical(b)
}

func (t eventTypes) appendEvents(b []byte, r Record) ([]byte, error) {
	var w writer
	for i, e := range r.Events {
		if e.At != r.At || e.N != r.N {
			return nil, fmt.Errorf("%w: event %d is not of the record's number and time", ErrPayload, i)
		}
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = t.appendEvent(b, e, &w); err != nil {
			return nil, fmt.Errorf("event %d: %w", i, err)
		}
	}
	return b, nil
}

func (t eventTypes) appendEvent(b []byte, e game.Event, w *writer) ([]byte, error) {
	typ := t.byGo[reflect.TypeOf(e.Fact)]
	if typ == nil || typ.up != nil {
		return nil, fmt.Errorf("%w: a %T has no name", ErrPayload, e.Fact)
	}
	data, err := w.marshal(e.Fact)
	if err != nil {
		return nil, err
	}
	b = append(append(b, `{"data":`...), data...)
	if e.Fair != nil {
		part, err := w.marshal(e.Fair)
		if err != nil {
			return nil, err
		}
		if string(part) == "{}" {
			return nil, fmt.Errorf("%w: a part of chance that says nothing is left out", ErrPayload)
		}
		b = append(append(b, `,"fair":`...), part...)
	}
	b = append(append(b, `,"type":"`...), typ.name...)
	b = append(b, `","v":`...)
	b = strconv.AppendInt(b, int64(typ.version), 10)
	return append(b, '}'), nil
}

// decode reads the frame by its one spelling, key by key.
func (t eventTypes) decode(payload []byte) (Record, error) {
	if len(payload) > MaxPayload {
		return Record{}, fmt.Errorf("%w: %d bytes; a record has at most %d", ErrPayload, len(payload), MaxPayload)
	}
	var r Record
	s := &scanner{b: payload}
	s.lit(`{"at":`)
	r.At = s.instant()
	if s.has(`,"by":`) {
		r.By = s.seat()
	}
	s.lit(`,"cause":`)
	r.Cause = s.hash()
	s.lit(`,"events":[`)
	r.Events = t.events(s)
	s.lit(`],"game":`)
	r.Game = s.id()
	s.lit(`,"n":`)
	r.N = s.count()
	s.lit(`,"prev":`)
	r.Prev = s.hash()
	s.lit(`,"v":1}`)
	s.end()
	for i := range r.Events {
		r.Events[i].N, r.Events[i].At = r.N, r.At
	}
	return r, s.err
}

func (t eventTypes) events(s *scanner) []game.Event {
	list := make([]game.Event, 0, 4)
	for s.err == nil {
		if list = append(list, t.event(s)); !s.has(",") {
			break
		}
	}
	return list
}

// event reads the data last: what it is stands behind it.
func (t eventTypes) event(s *scanner) (e game.Event) {
	s.lit(`{"data":`)
	data := *s
	s.value(0)
	if end := s.i; s.err == nil {
		data.b = s.b[:end]
	}
	if s.has(`,"fair":`) {
		if s.has("{}") {
			s.fail("a part of chance that says nothing is left out")
		}
		e.Fair = new(fair.Part)
		readPart(s, reflect.ValueOf(e.Fair).Elem())
	}
	s.lit(`,"type":`)
	name := s.text()
	s.lit(`,"v":`)
	version := s.count()
	s.lit(`}`)
	if s.err != nil {
		return game.Event{}
	}
	e.Fact = t.fact(string(name), version, &data)
	if data.end(); data.err != nil {
		s.err = fmt.Errorf("%s version %d: %w", name, version, data.err)
	}
	return e
}

var readPart = readerOf(reflect.TypeFor[fair.Part]())

func (s *scanner) instant() game.Instant {
	text := s.text()
	if s.err != nil {
		return 0
	}
	at, ok := instantOf(text)
	if !ok {
		s.fail("%q is no time of the form %s", text, atLayout)
	}
	return at
}

// instantOf reads a time of the form of atLayout that the calendar has. It does what
// time.Parse and writing it again would, which take a tenth of the reading of a record.
func instantOf(text []byte) (at game.Instant, ok bool) {
	if len(text) != len(atLayout) {
		return 0, false
	}
	var n [8]int // year, month, day, hour, minute, second, millisecond, and what follows
	field := 0
	for i, c := range text {
		switch form := atLayout[i]; {
		case '0' <= form && form <= '9' && '0' <= c && c <= '9':
			n[field] = 10*n[field] + int(c-'0')
		case c != form || '0' <= form && form <= '9':
			return 0, false
		default:
			field++
		}
	}
	t := time.Date(n[0], time.Month(n[1]), n[2], n[3], n[4], n[5], n[6]*int(time.Millisecond), time.UTC)
	same := int(t.Month()) == n[1] && t.Day() == n[2] && t.Hour() == n[3] && t.Minute() == n[4] && t.Second() == n[5]
	return game.Instant(t.UnixMilli()), same
}

func (s *scanner) seat() game.Seat {
	seat := game.SeatFromWire(s.count())
	if seat == game.Spectator {
		s.fail("a seat is 0 or 1")
	}
	return seat
}

func (s *scanner) hash() (h fair.Hash) {
	text := s.text()
	if s.err != nil {
		return h
	}
	if err := h.UnmarshalText(text); err != nil {
		s.fail("%v", err)
	}
	return h
}

func (s *scanner) id() string {
	text := string(s.text())
	if !fair.ValidGameID(text) {
		s.fail("%q cannot name a game", text)
	}
	return text
}

func (s *scanner) count() int {
	n := s.number()
	if n < 0 {
		s.fail("a number from 0 is due")
	}
	return int(n)
}
