// Command write plays the games of package forge, tells every lie about them, and writes
// all of it as files, so that verifiers in other languages meet the same ones:
//
//	go run ./tests/forge/write DIR
//
// DIR/GAME.ndjson is a game, DIR/GAME.tlog-proof the proof of its last record, and
// DIR/GAME.LIE.ndjson a lie about it. DIR/forged.json says what has to be found.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"chancery/events/verify"
	"chancery/tests/forge"
)

// Forged describes the files.
type Forged struct {
	Games      []string `json:"games"`
	Lies       []Lie    `json:"lies"`
	LogKey     string   `json:"log_key"`
	WitnessKey string   `json:"witness_key"`
}

// A Lie says which level has to refuse a file, at which record, and at which step.
type Lie struct {
	Game   string       `json:"game"`
	Name   string       `json:"name"`
	Level  verify.Level `json:"level"`
	Record int          `json:"record"`
	Step   string       `json:"step,omitempty"`
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./tests/forge/write DIR")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "forging:", err)
		os.Exit(1)
	}
}

func write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var forged Forged
	var games []forge.Game
	for _, p := range forge.Plans() {
		g, err := forge.Play(p, nil)
		if err != nil {
			return err
		}
		games = append(games, g)
		forged.Games = append(forged.Games, g.Name)
		if err := writeRecords(dir, g.Name, g.Payloads); err != nil {
			return err
		}
		for _, l := range g.Lies() {
			forged.Lies = append(forged.Lies, Lie{g.Name, l.Name, l.Level, l.Record, l.Step})
			if err := writeRecords(dir, g.Name+"."+l.Name, l.Payloads); err != nil {
				return err
			}
		}
	}
	l := newLedger(games)
	forged.LogKey, forged.WitnessKey = l.logKey, l.witnessKey
	for _, g := range games {
		proof, err := l.proof(g)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, g.Name+".tlog-proof"), []byte(proof), 0o644); err != nil {
			return err
		}
	}
	text, err := json.MarshalIndent(forged, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "forged.json"), append(text, '\n'), 0o644)
}

func writeRecords(dir, name string, payloads [][]byte) error {
	text := append(bytes.Join(payloads, []byte{'\n'}), '\n')
	return os.WriteFile(filepath.Join(dir, name+".ndjson"), text, 0o644)
}
