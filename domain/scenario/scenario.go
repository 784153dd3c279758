// Package scenario reads rule scenarios and plays them. A scenario sets a table up,
// plays a few actions on it with scripted chance, and says what must be true.
//
// A scenario is data from outside: whatever in it is unknown or malformed is a
// failure of that scenario, never passed over.
package scenario

import (
	"encoding/json"
	"fmt"
)

// A Scenario is one entry of a scenario file.
type Scenario struct {
	Name    string                     `json:"name"`
	Variant string                     `json:"variant"`
	Options map[string]json.RawMessage `json:"options"`
	Start   *Start                     `json:"start"`
	Chance  map[string]json.RawMessage `json:"chance"`
	Steps   []Step                     `json:"steps"`
	Refused bool                       `json:"refused"` // no game may be created with these options

	fault error // what is wrong with the scenario itself
}

// A Start is the table before the first step.
type Start struct {
	FEN     string          `json:"fen"`
	Pool    json.RawMessage `json:"pool"`    // captured men of each army
	Cards   json.RawMessage `json:"cards"`   // piles and hands
	Idle    json.RawMessage `json:"idle"`    // turns in a row without a move
	Control json.RawMessage `json:"control"` // armies after a swap
	History []string        `json:"history"` // moves made from FEN, in UCI
}

// A Step is an action or a check.
type Step struct {
	By     string                     `json:"by"`
	Do     json.RawMessage            `json:"do"`
	Error  json.RawMessage            `json:"error"` // true, or the code of the refusal
	Expect map[string]json.RawMessage `json:"expect"`
}

// Parse reads a scenario file, an array of scenarios. The error is one of the whole
// file; a scenario that is malformed by itself fails when it is played.
func Parse(file []byte) ([]Scenario, error) {
	var raw []json.RawMessage
	if err := json.Unmarshal(file, &raw); err != nil {
		return nil, fmt.Errorf("a scenario file is a JSON array of scenarios: %w", err)
	}
	list := make([]Scenario, len(raw))
	for i, r := range raw {
		list[i].fault = list[i].read(r)
		if list[i].Name == "" {
			list[i].Name = fmt.Sprintf("scenario %d", i+1)
		}
	}
	return list, nil
}

func (s *Scenario) read(raw json.RawMessage) error {
	err := readStrictly(raw, s)
	switch {
	case err != nil:
		return err
	case s.Name == "":
		return fmt.Errorf("it has no name")
	case s.Refused && (s.Start != nil || s.Chance != nil || s.Steps != nil):
		return fmt.Errorf("one that is refused has no start, chance or steps")
	case !s.Refused && s.Steps == nil:
		return fmt.Errorf("it has no steps")
	}
	for i, step := range s.Steps {
		if err := step.check(); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return nil
}

func (s Step) check() error {
	switch {
	case s.Expect != nil && s.Do == nil && s.By == "" && s.Error == nil:
		return nil
	case s.Expect == nil && s.Do != nil && s.By != "":
		_, _, err := s.refusal()
		return err
	}
	return fmt.Errorf(`it is neither {"by", "do"} nor {"expect"}`)
}

// refusal says whether the action must be refused, and with which code; an empty
// code stands for any.
func (s Step) refusal() (expected bool, code string, err error) {
	if s.Error == nil {
		return false, "", nil
	}
	if err := json.Unmarshal(s.Error, &code); err == nil && code != "" {
		return true, code, nil
	}
	if string(s.Error) != "true" {
		return false, "", fmt.Errorf("error is true or a code, not %s", s.Error)
	}
	return true, "", nil
}
