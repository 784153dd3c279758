package tests

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/domain/scenario"
	"chancery/events"
)

// newerScenarios is where a checkout next to ours may keep more and newer files.
const newerScenarios = "../../shared/scenarios"

// TestScenarios plays the rule scenarios of every variant: our copy of each file, a
// newer one where there is any, and those that we wrote beside them.
func TestScenarios(t *testing.T) {
	for _, v := range game.Variants() {
		t.Run(v.Key, func(t *testing.T) {
			playScenarios(t, filepath.Join("scenarios", v.Key+".json"), false)
		})
		t.Run(v.Key+", more", func(t *testing.T) {
			playScenarios(t, filepath.Join("scenarios", "more-"+v.Key+".json"), false)
		})
		t.Run(v.Key+", newer", func(t *testing.T) {
			playScenarios(t, filepath.Join(newerScenarios, v.Key+".json"), true)
		})
	}
}

func playScenarios(t *testing.T, file string, optional bool) {
	text, err := os.ReadFile(file)
	if optional && errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	list, err := scenario.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	runner := scenario.Runner{Seed: fair.Seed{1}, Name: typeName}
	for _, s := range list {
		t.Run(s.Name, func(t *testing.T) {
			if err := runner.Run(s); err != nil {
				t.Error(err)
			}
		})
	}
	if len(list) == 0 {
		t.Errorf("%s holds no scenario", file)
	}
}

func typeName(f game.Fact) string {
	name, _ := events.TypeOf(f)
	return name
}
