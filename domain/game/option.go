package game

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Value is the value of an option, held as its JSON text: true, 5 or
// "RNBQKBNR". Values compare with ==.
type Value string

// BoolValue, IntValue and TextValue make values.
func BoolValue(b bool) Value { return Value(strconv.FormatBool(b)) }

// IntValue makes the value of a number.
func IntValue(n int) Value { return Value(strconv.Itoa(n)) }

// TextValue makes the value of a text.
func TextValue(s string) Value { return Value(strconv.Quote(s)) }

// Text is the text of a text value, and empty for any other.
func (v Value) Text() string {
	s, err := strconv.Unquote(string(v))
	if err != nil {
		return ""
	}
	return s
}

// Int is the number of a number value, and 0 for any other.
func (v Value) Int() int { n, _ := strconv.Atoi(string(v)); return n }

// Bool says whether the value is true.
func (v Value) Bool() bool { return v == "true" }

// MarshalJSON writes the value as it is.
func (v Value) MarshalJSON() ([]byte, error) { return []byte(v), nil }

// UnmarshalJSON reads true, false, a whole number or a printable ASCII text.
func (v *Value) UnmarshalJSON(b []byte) error {
	var s string
	switch {
	case string(b) == "true" || string(b) == "false":
		*v = Value(b)
		return nil
	case json.Unmarshal(b, &s) == nil && string(b) != "null":
		if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' }) {
			return fmt.Errorf("an option's text must be plain ASCII: %.40q", s)
		}
		*v = TextValue(s)
		return nil
	}
	n, err := strconv.Atoi(string(b))
	if err != nil || strconv.Itoa(n) != string(b) {
		return fmt.Errorf("an option is true, false, a whole number or a text, not %.40s", b)
	}
	*v = Value(b)
	return nil
}

// Options are a table's options by name. A map that stands in an event or a State
// is never written to.
type Options map[string]Value

// An Option is one thing a table may choose, before the game, for all of it.
type Option struct {
	Name    string
	Summary string
	Default Value
	Min     int                 // of a number
	Max     int                 // of a number
	Among   []int               // of a number: these alone, where there are any
	Valid   func(string) string // of a text: what is wrong with it, or ""
}

// check says what is wrong with v as a value of o.
func (o Option) check(v Value) error {
	kind := func(v Value) string {
		switch {
		case v == "true" || v == "false":
			return "true or false"
		case strings.HasPrefix(string(v), `"`):
			return "a text"
		}
		return "a number"
	}
	switch want := kind(o.Default); {
	case kind(v) != want:
		return Refuse(BadOption, "The option %s takes %s.", o.Name, want)
	case want == "a number" && (v.Int() < o.Min || v.Int() > o.Max):
		return Refuse(BadOption, "The option %s takes a number from %d to %d.", o.Name, o.Min, o.Max)
	case want == "a number" && len(o.Among) > 0 && !slices.Contains(o.Among, v.Int()):
		return Refuse(BadOption, "The option %s takes one of %v.", o.Name, o.Among)
	case want == "a text" && o.Valid != nil && v.Text() != o.Default.Text():
		if wrong := o.Valid(v.Text()); wrong != "" {
			return Refuse(BadOption, "The option %s: %s.", o.Name, wrong)
		}
	}
	return nil
}

// Complete fills in the defaults, and refuses names and values the variant does
// not know: an option of another variant is an unknown option.
func (v Variant) Complete(given Options) (Options, error) {
	full := make(Options, len(v.Options))
	for _, o := range v.Options {
		full[o.Name] = o.Default
	}
	for name, value := range given {
		i := slices.IndexFunc(v.Options, func(o Option) bool { return o.Name == name })
		if i < 0 {
			return nil, Refuse(BadOption, "%s has no option %.40q; it has %s.", v.Name, name, v.optionNames())
		}
		if err := v.Options[i].check(value); err != nil {
			return nil, err
		}
		full[name] = value
	}
	if v.Conflict != nil {
		if wrong := v.Conflict(full); wrong != "" {
			return nil, Refuse(BadOption, "%s", wrong)
		}
	}
	return full, nil
}

func (v Variant) optionNames() string {
	if len(v.Options) == 0 {
		return "none"
	}
	names := make([]string, len(v.Options))
	for i, o := range v.Options {
		names[i] = o.Name
	}
	return strings.Join(names, ", ")
}
