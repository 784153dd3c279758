package pgn

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"chancery/domain/game"
)

// A Game is one that was read: what its text says, and what became of it when it was
// played again by the rules of its variant.
type Game struct {
	Tags   []Tag // as they stand in the text
	State  game.State
	Events []game.Event // without proofs of chance; at the date of the game
}

// Tag is the value of the tag, or empty.
func (g Game) Tag(name string) string { return find(g.Tags, name).Value }

// An Error is what is wrong with the text of a game. It unwraps to [ErrSyntax], to
// [ErrRules], or to the refusal of the rules.
type Error struct {
	Line int
	Word string // as it stands in the text; empty where it is about the whole game
	Err  error
}

// Error names the line and the word.
func (e *Error) Error() string {
	if e.Word == "" {
		return fmt.Sprintf("line %d: %v", e.Line, e.Err)
	}
	return fmt.Sprintf("line %d, %.60s: %v", e.Line, e.Word, e.Err)
}

// Unwrap is what is wrong.
func (e *Error) Unwrap() error { return e.Err }

// A Reader reads games, one behind the other.
type Reader struct {
	scan scanner
	err  error // that no further game can be read
}

// NewReader reads games from in, which it reads ahead.
func NewReader(in io.Reader) *Reader {
	return &Reader{scan: scanner{in: bufio.NewReader(in), line: 1}}
}

// Next reads the next game and plays it again. At the end it gives io.EOF. A game that
// is not played by the rules gives an [*Error] that names the first thing in it that is
// wrong; the game behind it can still be read. A text that is no PGN, an *Error that is
// [ErrSyntax], or an error of the input ends the reading.
//
// What a text of another program does not say is supplied: without a variant it is a
// game of chess, and a result that nothing explains is a resignation or agreed.
func (r *Reader) Next() (Game, error) {
	if r.err != nil {
		return Game{}, r.err
	}
	t, err := r.scan.game()
	if err != nil {
		if !errors.Is(err, io.EOF) {
			err = &Error{Line: r.scan.line, Err: err}
		}
		r.err = err
		return Game{}, err
	}
	return play(t)
}
