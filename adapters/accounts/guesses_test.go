package accounts

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"chancery/domain/player"
)

// A name takes so many wrong passwords and no more, whoever sends them, until some are
// forgiven; right ones do not count, and other names do not suffer.
func TestGuesses(t *testing.T) {
	now := time.Date(2026, 11, 29, 20, 0, 0, 0, time.UTC)
	g := newGuesses(func() time.Time { return now })
	for i := range 3 * mostWrong {
		if err := g.take("bob"); err != nil {
			t.Fatalf("right password %d: %v", i, err)
		}
		g.giveBack("bob")
	}
	for i := range mostWrong {
		if err := g.take([]string{"Ada", "ada", "ADA"}[i%3]); err != nil {
			t.Fatalf("wrong password %d: %v", i, err)
		}
	}
	if err := g.take("ada"); !errors.Is(err, player.ErrGuesses) {
		t.Errorf("one too many: %v", err)
	}
	if err := g.take("bob"); err != nil {
		t.Errorf("another name: %v", err)
	}
	now = now.Add(2 * forgiven)
	for i, want := range []error{nil, nil, player.ErrGuesses} {
		if err := g.take("ada"); !errors.Is(err, want) {
			t.Errorf("guess %d two minutes later: %v, want %v", i, err, want)
		}
	}
}

// Names that are clean again are forgotten.
func TestGuessesForget(t *testing.T) {
	now := time.Date(2026, 11, 29, 20, 0, 0, 0, time.UTC)
	g := newGuesses(func() time.Time { return now })
	for i := range 1000 {
		if err := g.take(fmt.Sprint("name-", i)); err != nil {
			t.Fatal(err)
		}
	}
	now = now.Add(2 * forgiven)
	if err := g.take("ada"); err != nil || len(g.clean) != 1 {
		t.Errorf("%d names are remembered, %v", len(g.clean), err)
	}
}
