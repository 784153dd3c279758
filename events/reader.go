package events

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// A reader reads the next value of a scanner into v, by the one spelling that
// encoding/json gives it: fields in their order, each with its exact key, optional ones
// only where they are not empty, no others. It so refuses whatever would not survive a
// round trip, without making one. What it cannot read becomes the scanner's error.
type reader func(s *scanner, v reflect.Value)

// readerOf is the reader of a type. It is made once, when the program starts; a type
// that has no one spelling is a mistake in the program and panics.
func readerOf(t reflect.Type) reader {
	switch p := reflect.PointerTo(t); {
	case p.Implements(reflect.TypeFor[json.Unmarshaler]()):
		return readCustom
	case p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]()):
		return readText
	}
	switch t.Kind() {
	case reflect.Bool:
		return readBool
	case reflect.String:
		return readString
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return readInt
	case reflect.Pointer:
		return readPointer(readerOf(t.Elem()))
	case reflect.Slice:
		return readSlice(t, readerOf(t.Elem()))
	case reflect.Array:
		return readArray(t.Len(), readerOf(t.Elem()))
	case reflect.Map:
		return readMap(t, readerOf(t.Elem()))
	case reflect.Struct:
		return readStruct(t)
	default:
		panic(fmt.Sprintf("events: a %v has no canonical form", t))
	}
}

func readBool(s *scanner, v reflect.Value) {
	if s.has("true") {
		v.SetBool(true)
		return
	}
	s.lit("false")
}

func readString(s *scanner, v reflect.Value) {
	text := string(s.text())
	if strings.IndexByte(text, '\\') >= 0 {
		text = unescape.Replace(text)
	}
	v.SetString(text)
}

// unescape undoes the two escapes that a scanner lets pass.
var unescape = strings.NewReplacer(`\\`, `\`, `\"`, `"`)

func readInt(s *scanner, v reflect.Value) {
	n := s.number()
	if v.OverflowInt(n) {
		s.fail("%d is too large", n)
		return
	}
	v.SetInt(n)
}

// readText reads a text that its type understands, and writes it again to compare: one
// value might have several texts.
func readText(s *scanner, v reflect.Value) {
	text := s.text()
	if s.err != nil {
		return
	}
	x := v.Addr().Interface()
	if err := x.(encoding.TextUnmarshaler).UnmarshalText(text); err != nil {
		s.fail("%v", err)
		return
	}
	var again []byte
	var err error
	if a, ok := x.(encoding.TextAppender); ok {
		s.spare, err = a.AppendText(s.spare[:0])
		again = s.spare
	} else {
		again, err = x.(encoding.TextMarshaler).MarshalText()
	}
	s.same(text, again, err)
}

// readCustom is the same for a type that understands JSON.
func readCustom(s *scanner, v reflect.Value) {
	raw := s.raw()
	if s.err != nil {
		return
	}
	x := v.Addr().Interface()
	if err := x.(json.Unmarshaler).UnmarshalJSON(raw); err != nil {
		s.fail("%v", err)
		return
	}
	again, err := x.(json.Marshaler).MarshalJSON()
	s.same(raw, again, err)
}

// same refuses what would be written again.
func (s *scanner) same(text, again []byte, err error) {
	switch {
	case err != nil:
		s.fail("%v", err)
	case !bytes.Equal(text, again):
		s.fail("it would be written %s", again)
	}
}

func readPointer(elem reader) reader {
	return func(s *scanner, v reflect.Value) {
		v.Set(reflect.New(v.Type().Elem()))
		elem(s, v.Elem())
	}
}

func readSlice(t reflect.Type, elem reader) reader {
	if k := t.Elem().Kind(); k == reflect.Uint8 {
		panic(fmt.Sprintf("events: a %v is written as base64", t))
	}
	return func(s *scanner, v reflect.Value) {
		s.lit("[")
		v.Set(reflect.MakeSlice(t, 0, 4))
		for first := true; s.err == nil && !s.has("]"); first = false {
			if !first {
				s.lit(",")
			}
			v.Grow(1)
			v.SetLen(v.Len() + 1)
			last := v.Index(v.Len() - 1)
			last.SetZero()
			elem(s, last)
		}
	}
}

func readArray(n int, elem reader) reader {
	return func(s *scanner, v reflect.Value) {
		s.lit("[")
		for i := range n {
			if i > 0 {
				s.lit(",")
			}
			elem(s, v.Index(i))
		}
		s.lit("]")
	}
}

func readMap(t reflect.Type, elem reader) reader {
	if t.Key().Kind() != reflect.String {
		panic(fmt.Sprintf("events: a %v has keys that are no texts", t))
	}
	return func(s *scanner, v reflect.Value) {
		v.Set(reflect.MakeMap(t))
		start := s.i
		if s.value(0); s.err != nil { // that the keys ascend
			return
		}
		s.i = start
		s.lit("{")
		for first := true; s.err == nil && !s.has("}"); first = false {
			if !first {
				s.lit(",")
			}
			key := reflect.ValueOf(string(s.text())).Convert(t.Key())
			s.lit(":")
			value := reflect.New(t.Elem()).Elem()
			elem(s, value)
			v.SetMapIndex(key, value)
		}
	}
}

// A fieldReader reads one field of a struct.
type fieldReader struct {
	index       int
	first, next string // the key with its colon, as the first field that is written and as a later one
	name        string
	optional    func(reflect.Value) bool // whether it is left out; nil: never
	read        reader
}

func readStruct(t reflect.Type) reader {
	var fields []fieldReader
	for i := range t.NumField() {
		f := t.Field(i)
		name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || f.Anonymous || name == "" || name == "-" {
			panic(fmt.Sprintf("events: field %s of %v has no name of its own on disk", f.Name, t))
		}
		if last := len(fields) - 1; last >= 0 && fields[last].name >= name {
			panic(fmt.Sprintf("events: field %s of %v is not in the order of names", f.Name, t))
		}
		key := `"` + name + `":`
		fields = append(fields, fieldReader{
			index: i, name: name, first: key, next: "," + key, optional: emptyBy(t, option), read: readerOf(f.Type),
		})
	}
	return func(s *scanner, v reflect.Value) {
		s.lit("{")
		written := false
		for i := range fields {
			written = fields[i].readFrom(s, v, written) || written
		}
		s.lit("}")
	}
}

// emptyBy is what an option of a field's tag leaves out.
func emptyBy(t reflect.Type, option string) func(reflect.Value) bool {
	switch option {
	case "":
		return nil
	case "omitempty":
		return isEmpty
	case "omitzero":
		return reflect.Value.IsZero
	}
	panic(fmt.Sprintf("events: a field of %v has the unknown option %q", t, option))
}

// isEmpty is what encoding/json takes for empty.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.Array:
		return v.Len() == 0
	case reflect.Struct:
		return false
	default:
		return v.IsZero()
	}
}

// readFrom reads the field if it comes next; it must, unless it is optional. It says
// whether it was there.
func (f *fieldReader) readFrom(s *scanner, v reflect.Value, written bool) bool {
	key := f.first
	if written {
		key = f.next
	}
	if !s.has(key) {
		if f.optional == nil {
			s.fail("the key %q is due", f.name)
		}
		return false
	}
	field := v.Field(f.index)
	f.read(s, field)
	if s.err == nil && f.optional != nil && f.optional(field) {
		s.fail("%q is empty and would be left out", f.name)
	}
	return true
}
