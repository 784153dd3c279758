package events

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
)

// A Raw is an event of a record as it was written: its data untouched, in the version
// of its time. So it is the same for ever, whatever versions come later.
type Raw struct {
	Type    string
	Version int
	Data    []byte // canonical JSON, part of the payload: nobody writes to it
}

// RawEvents takes the events out of the payload of a record, without their parts of
// chance. It only looks for where they stand: that they are what they should be is for
// [DecodeRecord] to say. The error is [ErrPayload].
func RawEvents(payload []byte) ([]Raw, error) {
	s := &scanner{b: payload}
	s.lit(`{"at":`)
	s.text()
	if s.has(`,"by":`) {
		s.number()
	}
	s.lit(`,"cause":`)
	s.text()
	s.lit(`,"events":[`)
	list := make([]Raw, 0, 4)
	for s.err == nil {
		if list = append(list, s.rawEvent()); !s.has(",") {
			break
		}
	}
	s.lit("]")
	if s.err != nil {
		return nil, fmt.Errorf("taking the events out of a record: %w", s.err)
	}
	return list, nil
}

func (s *scanner) rawEvent() (r Raw) {
	s.lit(`{"data":`)
	r.Data = s.raw()
	if s.has(`,"fair":`) {
		s.value(0)
	}
	s.lit(`,"type":`)
	r.Type = string(s.text())
	s.lit(`,"v":`)
	r.Version = s.count()
	s.lit("}")
	return r
}

// A Type is one version of one type of event.
type Type struct {
	Name    string
	Version int
	Go      reflect.Type // the struct whose JSON the data is
	Current bool         // the version that is written today
}

// Types lists every version of every type that was ever written, by name and version.
func Types() []Type {
	var list []Type
	for _, versions := range ledgerTypes.byName {
		for _, t := range versions {
			list = append(list, Type{Name: t.name, Version: t.version, Go: t.goType, Current: t.up == nil})
		}
	}
	slices.SortFunc(list, func(a, b Type) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Version, b.Version))
	})
	return list
}
