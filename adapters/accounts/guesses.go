package accounts

import (
	"sync"
	"time"

	"chancery/domain/player"
)

// How many wrong passwords a name may have at once, and how soon each is forgiven. So
// many are left for somebody who asks from many addresses: some 1,400 a day.
const (
	mostWrong = 60
	forgiven  = time.Minute
)

// guesses counts wrong passwords by name, of accounts that exist and of others alike, so
// that it does not tell which do.
type guesses struct {
	now func() time.Time

	mu    sync.Mutex
	clean map[string]time.Time // when the last wrong one of a name is forgiven
	swept time.Time
}

func newGuesses(now func() time.Time) guesses {
	return guesses{now: now, clean: map[string]time.Time{}}
}

// take counts a guess before anybody knows whether it is right; [player.ErrGuesses] if
// there were too many.
func (g *guesses) take(name string) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	now, key := g.now(), player.Fold(name)
	g.sweep(now)
	clean := g.clean[key]
	if clean.Before(now) {
		clean = now
	}
	if clean.Sub(now) > (mostWrong-1)*forgiven {
		return player.ErrGuesses
	}
	g.clean[key] = clean.Add(forgiven)
	return nil
}

// giveBack takes back a guess that was right, or that nobody looked at.
func (g *guesses) giveBack(name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	key := player.Fold(name)
	g.clean[key] = g.clean[key].Add(-forgiven)
}

// sweep forgets now and then the names that are clean.
func (g *guesses) sweep(now time.Time) {
	if now.Sub(g.swept) < forgiven {
		return
	}
	g.swept = now
	for name, clean := range g.clean {
		if !clean.After(now) {
			delete(g.clean, name)
		}
	}
}
