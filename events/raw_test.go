package events

import (
	"errors"
	"reflect"
	"testing"

	"chancery/domain/fair"
	"chancery/domain/game"

	"github.com/google/go-cmp/cmp"
)

// The raw events of a record are those that were written, without their chance.
func TestRawEvents(t *testing.T) {
	part := &fair.Part{Link: &fair.Link{Seat: 1}}
	for _, by := range []game.Seat{game.Spectator, game.Second} {
		r := Record{Game: "g", By: by}
		var want []Raw
		for i, f := range samples {
			e := game.Event{Fact: f}
			if i%2 == 0 {
				e.Fair = part
			}
			r.Events = append(r.Events, e)
			name, version := TypeOf(f)
			data, err := new(writer).marshal(f)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, Raw{Type: name, Version: version, Data: data})
		}
		payload, err := EncodeRecord(r)
		if err != nil {
			t.Fatal(err)
		}
		got, err := RawEvents(payload)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		for cut := range payload[:len(payload)-200] {
			if list, err := RawEvents(payload[:cut]); err == nil && len(list) == len(want) {
				continue // all events were there already
			} else if err != nil && !errors.Is(err, ErrPayload) {
				t.Fatalf("%d bytes: %v", cut, err)
			}
		}
	}
}

func TestTypes(t *testing.T) {
	current := map[string]reflect.Type{}
	for _, typ := range Types() {
		if typ.Current {
			current[typ.Name] = typ.Go
		}
	}
	for _, f := range samples {
		if name, _ := TypeOf(f); current[name] != reflect.TypeOf(f) {
			t.Errorf("%s is listed as %v", name, current[name])
		}
	}
}
