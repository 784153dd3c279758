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
// such an object differently.
func strictJSON(b []byte) string {
	if !utf8.Valid(b) {
		return "The request is not UTF-8."
	}
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	switch err := oneValue(dec, 0); {
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

// oneValue reads a value.
func oneValue(dec *json.Decoder, depth int) error {
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
	return nil
}

// members reads the rest of an array, or of an object, whose keys it collects.
func members(dec *json.Decoder, depth int, keys map[string]bool) error {
	for dec.More() {
		if keys != nil {
			token, err := dec.Token()
			if err != nil {
				return err
			}
			key, _ := token.(string)
			if keys[key] {
				return fmt.Errorf("it has the key %.40q twice", key)
			}
			keys[key] = true
		}
		if err := oneValue(dec, depth+1); err != nil {
			return err
		}
	}
	_, err := dec.Token()
	return err
}
