// Command write puts the forged games into a folder, for verifiers in other languages:
//
//	go run ./tests/forge/write DIR
//
// It writes a file of records for every honest game and every lie, one record a line, and
// expect.json: a list that says of each file which level must refuse it, if any, at which
// record and by which step of the protocol.
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

// An expectation is what a verifier has to say of one file. The levels before the one
// that refuses hold, and those behind it are not judged; a game without a level is honest.
type expectation struct {
	File    string       `json:"file"`
	Game    string       `json:"game"`
	Variant string       `json:"variant"`
	Records int          `json:"records"`
	Lie     string       `json:"lie,omitempty"`
	Level   verify.Level `json:"level,omitempty"`
	Record  *int         `json:"record,omitempty"`
	Step    string       `json:"step,omitempty"` // at the levels consistent and fair
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "say where to write: go run ./tests/forge/write DIR")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var list []expectation
	for _, p := range forge.Plans() {
		g, err := forge.Play(p, nil)
		if err != nil {
			return err
		}
		honest := expectation{File: p.Name + ".ndjson", Game: p.Name, Variant: p.Variant, Records: len(g.Payloads)}
		list = append(list, honest)
		if err := file(dir, honest.File, g.Payloads); err != nil {
			return err
		}
		for _, l := range g.Lies() {
			e := honest
			e.File, e.Lie, e.Records = p.Name+"."+l.Name+".ndjson", l.Name, len(l.Payloads)
			e.Level, e.Record, e.Step = l.Level, &l.Record, l.Step
			list = append(list, e)
			if err := file(dir, e.File, l.Payloads); err != nil {
				return err
			}
		}
	}
	expect, err := json.MarshalIndent(list, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "expect.json"), append(expect, '\n'), 0o600)
}

func file(dir, name string, payloads [][]byte) error {
	lines := append(bytes.Join(payloads, []byte{'\n'}), '\n')
	return os.WriteFile(filepath.Join(dir, name), lines, 0o600)
}
