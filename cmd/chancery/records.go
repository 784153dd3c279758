package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"chancery/domain/fair"
	"chancery/events"
)

// gameRecords are the lines of one game in a file, or its payloads in a ledger.
type gameRecords struct {
	id       string
	payloads [][]byte
	last     events.Position // of the last one, in a ledger
}

// readGames sorts the lines of a file by game, in the order in which the games begin.
// Nothing is judged here, and no line is lost: one that does not say of which game it
// is counts for the game of the line before it. With an id only that game is kept.
func readGames(in io.Reader, id string) ([]gameRecords, error) {
	var games []gameRecords
	at, last := map[string]int{}, ""
	lines, begins, found := exactLines(in), "", false
	for lines.Scan() {
		if begins == "" {
			begins = lines.Text()
		}
		found = found || bytes.HasPrefix(lines.Bytes(), []byte(`{"`))
		name := gameOf(lines.Bytes())
		if name == "" {
			name = last
		}
		last = name
		if _, known := at[name]; !known {
			at[name] = len(games)
			games = append(games, gameRecords{id: name})
		}
		g := &games[at[name]]
		g.payloads = append(g.payloads, bytes.Clone(lines.Bytes()))
	}
	if err := lines.Err(); err != nil {
		return nil, readingLines(err)
	}
	if !found {
		return nil, notRecords(begins)
	}
	if id != "" {
		i, known := at[id]
		if !known {
			return nil, fmt.Errorf("game %.80q: %w; the file holds %d other games", id, events.ErrNotFound, len(games))
		}
		return games[i : i+1], nil
	}
	return games, nil
}

// notRecords says what a file is not, by its first line.
func notRecords(begins string) error {
	if strings.HasPrefix(begins, "[") {
		return errors.New("this looks like PGN, which has the moves and not the records; chancery export GAME --out game.ndjson writes those")
	}
	return errors.New("there are no records in it; chancery export GAME --out game.ndjson writes some")
}

// readingLines says what is wrong with lines that cannot be read.
func readingLines(err error) error {
	if errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("a line is longer than any record, which has at most %d bytes; chancery export writes files of records", events.MaxPayload)
	}
	return fmt.Errorf("reading records: %w", err)
}

// exactLines reads lines as long as a record can be, and leaves them as they are: a
// carriage return, say, is part of its line.
func exactLines(in io.Reader) *bufio.Scanner {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, 64<<10), 2*events.MaxPayload)
	lines.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		if i := bytes.IndexByte(data, '\n'); i >= 0 {
			return i + 1, data[:i], nil
		}
		if atEOF && len(data) > 0 {
			return len(data), data, nil
		}
		return 0, nil, nil
	})
	return lines
}

// gameOf is the game that the frame of a record names; empty where there is none.
func gameOf(line []byte) string {
	const key = `,"game":"`
	i := bytes.LastIndex(line, []byte(key))
	if i < 0 {
		return ""
	}
	name, _, ok := bytes.Cut(line[i+len(key):], []byte{'"'})
	if !ok || !fair.ValidGameID(string(name)) {
		return ""
	}
	return string(name)
}
