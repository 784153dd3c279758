package events_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"chancery/events"
)

func TestCheckCanonical(t *testing.T) {
	good := []string{
		`{}`, `[]`, `""`, `0`, `-1`, `true`, `false`, `9007199254740991`, `-9007199254740991`,
		`{"a":1,"b":[{"c":"<&>"}],"c":"\"\\/"}`, `{"A":1,"a":2}`, `{"a":1,"aa":2,"ab":3}`,
	}
	for _, text := range good {
		if err := events.CheckCanonical([]byte(text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	bad := map[string]string{
		"nothing":             ``,
		"white space":         `{"a": 1}`,
		"white space behind":  "{}\n",
		"two values":          `{}{}`,
		"keys unsorted":       `{"b":1,"a":2}`,
		"key twice":           `{"a":1,"a":2}`,
		"key escaped":         `{"\"":1}`,
		"null":                `{"a":null}`,
		"fraction":            `1.5`,
		"exponent":            `1e3`,
		"leading zero":        `01`,
		"minus zero":          `-0`,
		"minus alone":         `-`,
		"2^53":                `9007199254740992`,
		"-2^53":               `-9007199254740992`,
		"digits without end":  strings.Repeat("9", 400),
		"needless escape":     `"\u0041"`,
		"escaped slash":       `"\/"`,
		"escaped line feed":   `"\n"`,
		"control character":   "\"\x01\"",
		"delete character":    "\"\x7f\"",
		"not ASCII":           `"é"`,
		"text without an end": `"abc`,
		"escape at the end":   `"abc\`,
		"comma at the end":    `[1,]`,
		"no comma":            `[1 2]`,
		"no colon":            `{"a"1}`,
		"key no text":         `{1:2}`,
		"open object":         `{"a":1`,
		"word":                `True`,
		"too deep":            strings.Repeat("[", 5000) + strings.Repeat("]", 5000),
	}
	for why, text := range bad {
		if err := events.CheckCanonical([]byte(text)); !errors.Is(err, events.ErrPayload) {
			t.Errorf("%s: %q passed: %v", why, text, err)
		}
	}
}

// FuzzCanonical holds CheckCanonical against encoding/json: what it lets pass is
// exactly what a parse and a sorted write give back.
func FuzzCanonical(f *testing.F) {
	for _, seed := range []string{`{"a":[1,-2,{"b":"\"\\<"}],"c":true}`, `{"a":1,"A":2}`, `"\u0041"`, `[1.0,1e2]`, `null`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if events.CheckCanonical(b) != nil {
			return
		}
		dec := json.NewDecoder(bytes.NewReader(b))
		dec.UseNumber()
		var v any
		if err := dec.Decode(&v); err != nil {
			t.Fatalf("%q is no JSON: %v", b, err)
		}
		again, err := events.AppendCanonical(nil, v)
		if err != nil || !bytes.Equal(again, b) {
			t.Fatalf("%q is written again as %q, %v", b, again, err)
		}
	})
}

func TestAppendCanonicalRefuses(t *testing.T) {
	for why, v := range map[string]any{
		"unsorted fields": struct {
			B int `json:"b"`
			A int `json:"a"`
		}{},
		"fraction":  1.5,
		"nil":       []int(nil),
		"not ASCII": "é",
		"big":       int64(1) << 53,
		"channel":   make(chan int),
	} {
		if b, err := events.AppendCanonical(nil, v); !errors.Is(err, events.ErrPayload) {
			t.Errorf("%s: written as %q: %v", why, b, err)
		}
	}
}
