package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// An Env is the world that a command runs in. Tests give it one of their own.
type Env struct {
	In       io.Reader
	Out, Err io.Writer
	Getenv   func(string) string
	Terminal bool // Err is a terminal: progress may be drawn on it

	InTerminal bool // In is a terminal: a person types
}

func osEnv() *Env {
	return &Env{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv,
		Terminal: isTerminal(os.Stderr), InTerminal: isTerminal(os.Stdin),
	}
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != ""
}

// printf writes a result; one that cannot be written shows when the output is closed.
func (e *Env) printf(format string, args ...any) { fmt.Fprintf(e.Out, format, args...) }

// warnf writes what is no result: hints and progress.
func (e *Env) warnf(format string, args ...any) { fmt.Fprintf(e.Err, format, args...) }

// waits says why nothing happens while a command is repeated for so long at most.
func (e *Env) waits(err error, most time.Duration) {
	e.warnf("chancery: no answer yet, trying for %s: %v\n", most, err)
}

// printJSON writes v for programs, one value a line.
func (e *Env) printJSON(v any) error { return json.NewEncoder(e.Out).Encode(v) }

// oneLine is an error on one line, for lists of one line each.
func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }
