package scenario

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"chancery/domain/fair"
	"chancery/domain/game"
)

// A Runner plays scenarios.
type Runner struct {
	// Name gives the type of an event as it is written down.
	Name func(game.Fact) string
	// Seed is what chance follows from where a scenario scripts none.
	Seed fair.Seed
}

// Run plays one scenario to its end or to the first step that goes wrong. The error
// says which and what; nil means that everything holds.
func (r Runner) Run(s Scenario) error {
	if s.fault != nil {
		return s.fault
	}
	if _, err := game.Lookup(s.Variant); err != nil {
		return err
	}
	chance, err := newScript(tableID, r.Seed, s.Chance)
	if err != nil {
		return err
	}
	t := &table{chance: chance, name: r.Name}
	switch err := t.open(s); {
	case s.Refused && refused(err, ""):
		return nil
	case s.Refused && err == nil:
		return fmt.Errorf("a game was created with these options")
	case err != nil:
		return err
	}
	for i, step := range s.Steps {
		if err := t.take(step); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return nil
}

// take plays an action or makes a check.
func (t *table) take(s Step) error {
	if s.Expect == nil {
		return t.act(s)
	}
	var faults []error
	for _, key := range slices.Sorted(maps.Keys(s.Expect)) {
		check, known := checks[key]
		if !known {
			return fmt.Errorf("unknown key %q in expect", key)
		}
		if err := check(t, s.Expect[key]); err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", key, err))
		}
	}
	t.events = nil
	return errors.Join(faults...)
}

func (t *table) act(s Step) error {
	by, err := t.seat(s.By)
	if err != nil {
		return err
	}
	expected, code, err := s.refusal()
	if err != nil {
		return err
	}
	action, err := game.ParseAction(s.Do)
	if err == nil {
		err = t.decide(by, action)
	}
	switch {
	case t.chance.fault != nil:
		return t.chance.fault
	case !expected && err != nil:
		return fmt.Errorf("%s %s was refused: %w", s.By, s.Do, err)
	case expected && err == nil:
		return fmt.Errorf("%s %s was not refused", s.By, s.Do)
	case expected && !refused(err, code):
		return fmt.Errorf("%s %s was not refused with %s: %w", s.By, s.Do, code, err)
	}
	return nil
}
