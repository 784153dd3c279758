package events

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// Canonical JSON has one spelling for every value, so that two parsers cannot read
// one payload differently and bytes can be hashed. It is RFC 8785 cut down to what
// the ledger needs: printable ASCII, no white space, keys plain and strictly
// ascending, whole numbers between -2^53 and 2^53 without the ends, true and false,
// texts with no escapes but \" and \\. There are no fractions and no null.

// ErrPayload says that bytes are not what this program would have written: not
// canonical, not a record, or an event of an unknown type or form.
var ErrPayload = errors.New("not a record of the ledger")

// maxDepth bounds the recursion on hostile input; records are six deep.
const maxDepth = 32

// Whole numbers lie between -maxInt and maxInt, which a float64 holds exactly.
const (
	maxInt    = 1 << 53
	maxDigits = 16 // of maxInt
)

// CheckCanonical returns nil if b is one value in canonical JSON, and otherwise an
// error that is [ErrPayload] and names the first byte that is wrong.
func CheckCanonical(b []byte) error {
	s := scanner{b: b}
	s.value(0)
	s.end()
	return s.err
}

// AppendCanonical appends v in canonical JSON to b. V must be made of structs with
// fields in the order of their names, maps, slices, texts, whole numbers and bools;
// a value that has no canonical form gives an error that is [ErrPayload].
func AppendCanonical(b []byte, v any) ([]byte, error) {
	var w writer
	text, err := w.marshal(v)
	if err != nil {
		return nil, err
	}
	if err := CheckCanonical(text); err != nil {
		return nil, fmt.Errorf("writing %T: %w", v, err)
	}
	return append(b, text...), nil
}

// A writer marshals values one after the other in one buffer.
type writer struct {
	buf bytes.Buffer
	enc *json.Encoder
}

// marshal is v as encoding/json writes it, without the escapes meant for HTML. The
// result lives until the next call. The order of struct fields is as declared: what
// must be canonical is checked afterwards.
func (w *writer) marshal(v any) ([]byte, error) {
	if w.enc == nil {
		w.enc = json.NewEncoder(&w.buf)
		w.enc.SetEscapeHTML(false)
	}
	w.buf.Reset()
	if err := w.enc.Encode(v); err != nil {
		return nil, fmt.Errorf("writing %T: %w: %w", v, ErrPayload, err)
	}
	return bytes.TrimSuffix(w.buf.Bytes(), []byte{'\n'}), nil
}

// A scanner walks over canonical JSON. It stops at the first error and keeps it;
// what it returns afterwards means nothing.
type scanner struct {
	b     []byte
	i     int
	err   error
	spare []byte // to write a value again and compare
}

func (s *scanner) fail(format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf("%w: byte %d: %s", ErrPayload, s.i, fmt.Sprintf(format, args...))
	}
}

// peek is the byte at hand, or 0 at the end or after an error.
func (s *scanner) peek() byte {
	if s.err != nil || s.i >= len(s.b) {
		return 0
	}
	return s.b[s.i]
}

// has steps over text if it comes next.
func (s *scanner) has(text string) bool {
	if s.err != nil || len(s.b)-s.i < len(text) || string(s.b[s.i:s.i+len(text)]) != text {
		return false
	}
	s.i += len(text)
	return true
}

// lit steps over text, which must come next.
func (s *scanner) lit(text string) {
	if !s.has(text) {
		s.fail("%s is due", text)
	}
}

func (s *scanner) end() {
	if s.i != len(s.b) {
		s.fail("more than one value")
	}
}

// raw is the next value as it stands.
func (s *scanner) raw() []byte {
	start := s.i
	s.value(0)
	if s.err != nil {
		return nil
	}
	return s.b[start:s.i:s.i]
}

func (s *scanner) value(depth int) {
	if depth > maxDepth {
		s.fail("more than %d levels", maxDepth)
		return
	}
	switch c := s.peek(); {
	case c == '{':
		s.object(depth)
	case c == '[':
		s.array(depth)
	case c == '"':
		s.text()
	case c == '-' || '0' <= c && c <= '9':
		s.number()
	case s.has("true"), s.has("false"):
	default:
		s.fail("no canonical value")
	}
}

func (s *scanner) object(depth int) {
	s.lit("{")
	if s.has("}") {
		return
	}
	var last []byte
	for s.err == nil {
		key := s.text()
		if last != nil && bytes.Compare(key, last) <= 0 || bytes.IndexByte(key, '\\') >= 0 {
			s.fail("the key %q does not ascend, or is escaped", key)
		}
		s.lit(":")
		s.value(depth + 1)
		if last = key; !s.has(",") {
			break
		}
	}
	s.lit("}")
}

func (s *scanner) array(depth int) {
	s.lit("[")
	if s.has("]") {
		return
	}
	for s.err == nil {
		s.value(depth + 1)
		if !s.has(",") {
			break
		}
	}
	s.lit("]")
}

// text steps over a text and returns what stands between its quotes, escapes as
// they are; never nil without an error.
func (s *scanner) text() []byte {
	s.lit(`"`)
	if s.err != nil {
		return nil
	}
	start := s.i
	for ; s.i < len(s.b); s.i++ {
		switch c := s.b[s.i]; {
		case c == '"':
			s.i++
			return s.b[start : s.i-1]
		case c == '\\':
			if s.i++; s.peek() != '"' && s.peek() != '\\' {
				s.fail("only quotes and backslashes are escaped")
				return nil
			}
		case c < ' ' || c > '~':
			s.fail("not printable ASCII")
			return nil
		}
	}
	s.fail("the text does not end")
	return nil
}

// number steps over a whole number and returns it.
func (s *scanner) number() int64 {
	start := s.i
	s.has("-")
	first := s.i
	for c := s.peek(); '0' <= c && c <= '9'; c = s.peek() {
		s.i++
	}
	digits := s.b[first:s.i]
	leading := len(digits) > 0 && digits[0] == '0' && (len(digits) > 1 || first > start)
	if len(digits) == 0 || leading || len(digits) > maxDigits {
		s.fail("no whole number below 2^53 in its shortest form")
		return 0
	}
	n, err := strconv.ParseInt(string(s.b[start:s.i]), 10, 64)
	if err != nil || n <= -maxInt || n >= maxInt {
		s.fail("no whole number below 2^53")
		return 0
	}
	return n
}
