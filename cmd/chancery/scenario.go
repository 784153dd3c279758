package main

import (
	"crypto/rand"
	"fmt"
	"os"

	"chancery/domain/game"
	"chancery/domain/scenario"
	"chancery/events"
)

// ScenarioCmd runs rule scenarios.
type ScenarioCmd struct {
	Files []string `arg:"" name:"file" help:"Scenario files, JSON."`
	JSON  bool     `help:"For programs."`
}

// Help is an example.
func (ScenarioCmd) Help() string {
	return "Prints one line for each scenario that fails, and exits with 1 if any does. Example:\n\n    chancery scenario tests/scenarios/chess.json"
}

// A scenarioResult is what --json prints of one scenario.
type scenarioResult struct {
	File     string `json:"file"`
	Scenario string `json:"scenario"`
	Passed   bool   `json:"passed"`
	Problem  string `json:"problem,omitempty"`
}

// Run plays every scenario of every file.
func (c ScenarioCmd) Run(env *Env) error {
	runner := scenario.Runner{Name: typeName}
	if _, err := rand.Read(runner.Seed[:]); err != nil {
		return fmt.Errorf("asking the system for randomness: %w", err)
	}
	passed, failed := 0, 0
	for _, file := range c.Files {
		list, err := readScenarios(file)
		if err != nil {
			return err
		}
		for _, s := range list {
			err := runner.Run(s)
			if err == nil {
				passed++
			} else {
				failed++
			}
			if printErr := c.print(env, file, s, err); printErr != nil {
				return printErr
			}
		}
	}
	if !c.JSON {
		env.printf("%d passed, %d failed\n", passed, failed)
	}
	if failed > 0 {
		return errFailed
	}
	return nil
}

// typeName is the type of an event as it is written down.
func typeName(f game.Fact) string {
	name, _ := events.TypeOf(f)
	return name
}

func readScenarios(file string) ([]scenario.Scenario, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading scenarios: %w", err)
	}
	list, err := scenario.Parse(b)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", file, err)
	}
	return list, nil
}

func (c ScenarioCmd) print(env *Env, file string, s scenario.Scenario, err error) error {
	switch {
	case c.JSON:
		r := scenarioResult{File: file, Scenario: s.Name, Passed: err == nil}
		if err != nil {
			r.Problem = err.Error()
		}
		return env.printJSON(r)
	case err != nil:
		env.printf("%s: %s: %s\n", file, s.Name, oneLine(err))
	}
	return nil
}
