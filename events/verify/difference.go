package verify

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"chancery/domain/game"
	"chancery/events"
)

// difference is an error that says in one sentence where r is not what the rules give,
// which is want.
func difference(r, want events.Record) error {
	if want.At != r.At {
		return fmt.Errorf("its time lies %d ms before that of the record before it", want.At-r.At)
	}
	for i, should := range want.Events {
		if i == len(r.Events) {
			return fmt.Errorf("by the rules event %d is a %s, which is missing", i, nameOf(should))
		}
		if err := differs(i, fields(r, r.Events[i]), fields(r, should)); err != nil {
			return err
		}
	}
	if i := len(want.Events); i < len(r.Events) {
		return fmt.Errorf("event %d, %s, does not follow from what was asked", i, nameOf(r.Events[i]))
	}
	return fmt.Errorf("it is not the record that the rules give")
}

func nameOf(e game.Event) string {
	name, _ := events.TypeOf(e.Fact)
	return name
}

// An event as it is written.
type written struct {
	Data map[string]json.RawMessage `json:"data"`
	Fair map[string]json.RawMessage `json:"fair"`
	Type string                     `json:"type"`
}

// fields are those of one event as a record like r would write it.
func fields(r events.Record, e game.Event) written {
	r.Events = []game.Event{e}
	var frame struct{ Events []written }
	payload, err := events.EncodeRecord(r)
	if err == nil {
		err = json.Unmarshal(payload, &frame)
	}
	if err != nil || len(frame.Events) != 1 {
		return written{Type: nameOf(e)}
	}
	return frame.Events[0]
}

func differs(i int, is, should written) error {
	if is.Type != should.Type {
		return fmt.Errorf("by the rules event %d is a %s, not a %s", i, should.Type, is.Type)
	}
	if key, what := unequal(is.Data, should.Data); key != "" {
		return fmt.Errorf("by the rules %q of event %d, %s, %s", key, i, is.Type, what)
	}
	if key, what := unequal(is.Fair, should.Fair); key != "" {
		return fmt.Errorf("by the rules the %s in \"fair\" of event %d, %s, %s", key, i, is.Type, what)
	}
	return nil
}

// unequal is the first key whose values differ, and how; no key where all are equal.
func unequal(is, should map[string]json.RawMessage) (key, what string) {
	all := maps.Clone(should)
	if all == nil {
		all = map[string]json.RawMessage{}
	}
	maps.Copy(all, is)
	for _, key := range slices.Sorted(maps.Keys(all)) {
		a, has := is[key]
		b, due := should[key]
		switch {
		case string(a) == string(b):
		case !due:
			return key, "is absent, not " + short(a, 0)
		case !has:
			return key, "is " + short(b, 0) + ", and it is missing"
		default:
			at := common(a, b)
			return key, "is " + short(b, at) + ", not " + short(a, at)
		}
	}
	return "", ""
}

// common is how many bytes a and b begin with alike.
func common(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

// short is JSON cut to what fits a sentence, around byte at.
func short(b json.RawMessage, at int) string {
	const most, before = 90, 30
	text, left, right := string(b), "", ""
	if len(text) > most && at > before {
		text, left = text[at-before:], "…"
	}
	if len(text) > most {
		text, right = text[:most], "…"
	}
	return left + text + right
}
