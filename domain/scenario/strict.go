package scenario

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
)

// readStrictly decodes one JSON value into v and refuses keys that are not spelled
// as in v's tags (the decoder alone would take "Name" for "name"), keys given
// twice, and anything behind the value.
func readStrictly(raw []byte, v any) error {
	if err := checkKeys(json.NewDecoder(bytes.NewReader(raw)), reflect.TypeOf(v)); err != nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	if err := dec.Decode(v); err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return fmt.Errorf("something stands behind the value")
	}
	return nil
}

// checkKeys walks one value and compares the keys of objects with the tags of t.
func checkKeys(dec *json.Decoder, t reflect.Type) error {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	token, err := dec.Token()
	if err != nil {
		return err
	}
	switch token {
	case nil:
		return fmt.Errorf("null is no value; leave the key out")
	case json.Delim('['):
		for dec.More() {
			if err := checkKeys(dec, elemOf(t)); err != nil {
				return err
			}
		}
		_, err = dec.Token()
	case json.Delim('{'):
		err = checkObject(dec, t)
	}
	return err
}

func checkObject(dec *json.Decoder, t reflect.Type) error {
	var seen []string
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return err
		}
		key, _ := token.(string)
		field, known := fieldOf(t, key)
		switch {
		case !known:
			return fmt.Errorf("unknown key %q", key)
		case slices.Contains(seen, key):
			return fmt.Errorf("key %q is given twice", key)
		}
		seen = append(seen, key)
		if err := checkKeys(dec, field); err != nil {
			return err
		}
	}
	_, err := dec.Token()
	return err
}

// rawMessage is a value that somebody else reads: any key will do.
var rawMessage = reflect.TypeFor[json.RawMessage]()

// fieldOf is the type that stands behind a key of t; nil where any value may.
func fieldOf(t reflect.Type, key string) (reflect.Type, bool) {
	switch {
	case t == nil || t == rawMessage:
		return nil, true
	case t.Kind() == reflect.Map:
		return t.Elem(), true
	case t.Kind() != reflect.Struct:
		return nil, true // of a wrong kind, which decoding reports
	}
	for i := range t.NumField() {
		if t.Field(i).Tag.Get("json") == key {
			return t.Field(i).Type, true
		}
	}
	return nil, false
}

func elemOf(t reflect.Type) reflect.Type {
	if t != nil && t != rawMessage && t.Kind() == reflect.Slice {
		return t.Elem()
	}
	return nil
}
