package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// maxDepth is how deep the JSON of a request may be nested. A command needs four.
const maxDepth = 16

// strictJSON says what is wrong with the body of a request, or nothing: it must be one
// JSON value in UTF-8 in which no object has a key twice, for two programs might read
// such an object differently, and its numbers are whole.
func strictJSON(b []byte) string {
	if !utf8.Valid(b) {
		return "The request is not UTF-8."
	}
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	var fraction *notWhole
	switch err := oneValue(dec, "", 0); {
	case errors.As(err, &fraction):
		return fraction.Error()
	case errors.Is(err, io.EOF) && len(bytes.TrimSpace(b)) == 0:
		return "The request has no body; send a JSON object, {} at least."
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "The request is not JSON: it ends too early."
	case err != nil:
		return "The request is not JSON: " + err.Error() + "."
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return "The request is not JSON: something follows the first value."
	}
	return ""
}

// A notWhole is a number of the wrong kind: whatever a command counts it counts in whole
// numbers.
type notWhole struct{ key, number string }

// Error says what to write instead.
func (n *notWhole) Error() string {
	return fmt.Sprintf("%.40q takes a whole number, written in digits alone, and not %.40s.", n.key, n.number)
}

// oneValue reads a value, which has the key where it is the member of an object.
func oneValue(dec *json.Decoder, key string, depth int) error {
	if depth > maxDepth {
		return errors.New("it is nested too deeply")
	}
	token, err := dec.Token()
	if err != nil {
		return err
	}
	switch token {
	case json.Delim('{'):
		return members(dec, depth, map[string]bool{})
	case json.Delim('['):
		return members(dec, depth, nil)
	}
	if n, ok := token.(json.Number); ok {
		if _, err := n.Int64(); err != nil {
			return &notWhole{key, n.String()}
		}
	}
	return nil
}

// members reads the rest of an array, or of an object, whose keys it collects.
func members(dec *json.Decoder, depth int, keys map[string]bool) error {
	for dec.More() {
		var key string
		if keys != nil {
			token, err := dec.Token()
			if err != nil {
				return err
			}
			key, _ = token.(string)
			if keys[key] {
				return fmt.Errorf("it has the key %.40q twice", key)
			}
			keys[key] = true
		}
		if err := oneValue(dec, key, depth+1); err != nil {
			return err
		}
	}
	_, err := dec.Token()
	return err
}
