package pgn

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ErrSyntax says that a text is no PGN.
var ErrSyntax = errors.New("this is no PGN")

// MaxGame is the most bytes that the text of one game may have.
const MaxGame = 1 << 20

// A text is a game as it was written: nothing in it is known to be true.
type text struct {
	tags   []Tag
	marks  []mark
	result string // as it ends: 1-0, 0-1, 1/2-1/2 or *
	first  int    // line on which it begins
	line   int    // on which it ends
}

// tag is the value of the tag, and empty where there is none.
func (t *text) tag(name string) string { return find(t.tags, name).Value }

func (t *text) has(name string) bool { return find(t.tags, name).Name == name }

func find(tags []Tag, name string) Tag {
	for _, t := range tags {
		if t.Name == name {
			return t
		}
	}
	return Tag{}
}

// A scanner reads texts of games, one behind the other. It looks at one byte ahead and
// keeps no stack, so that neither a long nor a deep text troubles it.
type scanner struct {
	in   *bufio.Reader
	line int
	left int // bytes that the game may still have
	last byte
	head *Tag // the first tag of the next game, where it has been read already
}

// errTooLong ends the reading of a game without an end.
var errTooLong = fmt.Errorf("%w: a game has at most %d bytes", ErrSyntax, MaxGame)

// next is the next byte, or an error: io.EOF at the end.
func (s *scanner) next() (byte, error) {
	if s.left--; s.left < 0 {
		return 0, errTooLong
	}
	if s.last == '\n' {
		s.line++
	}
	c, err := s.in.ReadByte()
	s.last = c
	return c, err
}

// peek is the next byte without taking it; 0 at the end.
func (s *scanner) peek() byte {
	b, err := s.in.Peek(1)
	if err != nil {
		return 0
	}
	return b[0]
}

// game reads the next game; io.EOF if there is none.
func (s *scanner) game() (*text, error) {
	s.left = MaxGame
	t := &text{}
	if s.head != nil {
		t.tags, s.head = append(t.tags, *s.head), nil
	}
	for {
		c, err := s.skipBlank()
		if t.first == 0 {
			t.first = s.line
		}
		switch {
		case errors.Is(err, io.EOF) && t.empty():
			return nil, io.EOF
		case errors.Is(err, io.EOF):
			return s.end(t, "*"), nil
		case err != nil:
			return nil, err
		case c == '[' && t.marks == nil:
			if err = s.readTag(t); err == nil && s.head != nil {
				return s.end(t, "*"), nil
			}
		case c == '[': // the next game; this one has no result
			return s.end(t, "*"), s.in.UnreadByte()
		case c == '{':
			err = s.comment(t)
		case c == '(':
			err = s.skipLine()
		case strings.IndexByte(")]}", c) >= 0:
			err = fmt.Errorf("%w: %q closes nothing", ErrSyntax, c)
		default:
			var done bool
			if done, err = s.word(t, c); done && err == nil {
				return t, nil
			}
		}
		if err != nil {
			return nil, s.fault(err)
		}
	}
}

func (t *text) empty() bool { return t.tags == nil && t.marks == nil }

func (s *scanner) end(t *text, result string) *text {
	t.result, t.line = result, s.line
	return t
}

func (s *scanner) fault(err error) error {
	if errors.Is(err, io.EOF) {
		err = fmt.Errorf("%w: it breaks off: %w", ErrSyntax, io.ErrUnexpectedEOF)
	}
	return err
}

const blank = " \t\r\n\v\f\ufeff"

// skipBlank takes the next byte that means something: behind white space, comments up
// to the end of a line, and lines for other programs, which begin with %.
func (s *scanner) skipBlank() (byte, error) {
	for {
		fresh := s.last == '\n' || s.last == 0
		c, err := s.next()
		switch {
		case err != nil:
			return 0, err
		case c == ';' || c == '%' && fresh:
			if err := s.skipTo('\n'); err != nil {
				return 0, err
			}
		case strings.IndexByte(blank, c) < 0:
			return c, nil
		}
	}
}

func (s *scanner) skipTo(end byte) error {
	for {
		c, err := s.next()
		if err != nil || c == end {
			return err
		}
	}
}

// skipLine skips a side line and what is nested in it; its bracket has been taken.
func (s *scanner) skipLine() error {
	for depth := 1; depth > 0; {
		c, err := s.next()
		switch {
		case err != nil:
			return err
		case c == '{':
			err = s.skipTo('}')
		case c == ';':
			err = s.skipTo('\n')
		case c == '(':
			depth++
		case c == ')':
			depth--
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readTag reads a line of the head: a name and a value between quotes. A name that the
// game has already begins the head of the next one.
func (s *scanner) readTag(t *text) error {
	var name, value strings.Builder
	for {
		c, err := s.next()
		switch {
		case err != nil:
			return err
		case c == '"':
			if err := s.quoted(&value); err != nil {
				return err
			}
			if err := s.skipTo(']'); err != nil {
				return err
			}
			tag := Tag{strings.TrimSpace(name.String()), value.String()}
			if t.has(tag.Name) {
				s.head = &tag
				return nil
			}
			t.tags = append(t.tags, tag)
			return nil
		case c == ']' || c == '[' || c == '{':
			return fmt.Errorf("%w: a tag has a value between quotes", ErrSyntax)
		}
		name.WriteByte(c)
	}
}

// quoted reads up to the closing quote. A backslash takes the next byte as it is.
func (s *scanner) quoted(value *strings.Builder) error {
	for {
		c, err := s.next()
		switch {
		case err != nil:
			return err
		case c == '"':
			return nil
		case c == '\\':
			if c, err = s.next(); err != nil {
				return err
			}
		case c == '\n' || c == '\r':
			return fmt.Errorf("%w: the value of a tag ends on its line", ErrSyntax)
		}
		value.WriteByte(c)
	}
}

// comment reads a comment for its commands; its brace has been taken.
func (s *scanner) comment(t *text) error {
	for {
		c, err := s.next()
		switch {
		case err != nil:
			return err
		case c == '}':
			return nil
		case c == '[' && s.peek() == '%':
			if err := s.command(t); err != nil {
				return err
			}
		}
	}
}

// command reads a command; its square bracket has been taken. Commands of other
// programs are none of ours.
func (s *scanner) command(t *text) error {
	line := s.line
	var b strings.Builder
	for {
		c, err := s.next()
		switch {
		case err != nil:
			return err
		case c == '}':
			return fmt.Errorf("%w: a comment ends within a command", ErrSyntax)
		case c != ']':
			b.WriteByte(c)
			continue
		}
		fields := strings.Fields(b.String()[1:])
		if len(fields) > 0 && ours(fields[0]) {
			t.marks = append(t.marks, mark{command: fields[0], text: strings.Join(fields[1:], " "), line: line})
		}
		return nil
	}
}

const delimiters = blank + "{}()[];$"

// word reads a word that begins with c: a number, a move, a sign for how good it was,
// or the result, which ends the game.
func (s *scanner) word(t *text, c byte) (done bool, err error) {
	line := s.line
	b := []byte{c}
	for n := s.peek(); n != 0 && strings.IndexByte(delimiters, n) < 0; n = s.peek() {
		if c, err = s.next(); err != nil {
			return false, err
		}
		b = append(b, c)
	}
	w := string(b)
	switch w {
	case "1-0", "0-1", "1/2-1/2", "*":
		s.end(t, w)
		return true, nil
	}
	if rest := strings.TrimLeft(w, "0123456789"); rest == "" || rest[0] == '.' {
		w = strings.TrimLeft(rest, ".")
	}
	switch {
	case w == "" || w[0] == '$':
	case w == nullMove || w == "Z0":
		t.marks = append(t.marks, mark{command: nullMove, line: line})
	default:
		t.marks = append(t.marks, mark{text: w, line: line})
	}
	return false, nil
}
