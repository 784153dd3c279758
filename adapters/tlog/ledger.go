package tlog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"chancery/events"
)

// Why nothing is signed any more. Each of these needs a person: history is not what
// was signed.
var (
	// ErrShrunk says that the ledger has fewer records than it once had.
	ErrShrunk = errors.New("the ledger has lost records")
	// ErrChanged says that a record is not the one that once stood in its place.
	ErrChanged = errors.New("a record of the ledger has changed")
	// ErrGap says that a record is missing between others.
	ErrGap = errors.New("a record of the ledger is missing")
	// ErrForked says that the tree does not begin with what was signed.
	ErrForked = errors.New("the ledger is not the one whose checkpoint was signed")
	// ErrOrigin says that the ledger has another name than the one given.
	ErrOrigin = errors.New("the ledger has another name")
	// ErrNoKey says that there is no key to sign with.
	ErrNoKey = errors.New("there is no key for checkpoints; put back a copy of the keys, and start the server again")
	// ErrWrite says that the tree's files cannot be written.
	ErrWrite = errors.New("the ledger's tree cannot be written; make room on the disk, and start the server again")
)

// isAlarm says whether an error is one of those.
func isAlarm(err error) bool {
	for _, alarm := range []error{ErrShrunk, ErrChanged, ErrGap, ErrForked, ErrOrigin, ErrDamaged, ErrWrite, ErrWitness, ErrNoKey} {
		if errors.Is(err, alarm) {
			return true
		}
	}
	return false
}

// Notes are small named values kept beside a ledger, shared by all instances that
// serve it.
type Notes interface {
	// Update replaces the value of a note with what edit makes of it, nil for one not
	// yet written, and stores nothing where edit fails or gives nil. It runs edit
	// again where another instance was quicker.
	Update(ctx context.Context, name string, edit func(old []byte) ([]byte, error)) error
}

// Config is what a Ledger works with.
type Config struct {
	Log       events.Log
	Notes     Notes
	Tree      *Tree
	Origin    string       // the ledger's name in its checkpoints
	Keys      func() []Key // that sign checkpoints now, the newest first
	AllKeys   func() []Key // that have ever signed and are still there, likewise
	Witnesses []*Witness
	Logger    *slog.Logger
	Now       func() time.Time

	SignEvery    time.Duration // at most so often, but for the ends of games; 0: a second
	WitnessEvery time.Duration // 0: ten seconds
	GiveUp       time.Duration // a record that the ledger has and twice does not give is missing; 0: 10 s
}

const giveUp = 10 * time.Second

// A Ledger is the public side of a log: it follows the log into the tree, signs
// checkpoints, collects the witnesses' signatures and answers requests. Nothing is ever
// signed over a difference between the log, the tree and what was signed before.
type Ledger struct {
	Config
	grown chan struct{} // a record has come; holds one
	ended chan struct{} // a game has ended; holds one
	met   bool          // the witnesses were asked what they know; of the goroutine that signs

	asking sync.Mutex // one round of questions to the witnesses at a time

	mu        sync.RWMutex
	state     state
	trouble   error  // an alarm; for good
	rehashed  bool   // the whole log was compared with the tree
	announced string // the newest key, once it stands in the log
}

// Open returns the Ledger once the newest records of the log are those of the tree, and
// the tree begins with what was signed last. Otherwise it returns the alarm:
// [ErrShrunk], [ErrChanged], [ErrGap], [ErrForked], [ErrOrigin] or [ErrDamaged].
func Open(ctx context.Context, c Config) (*Ledger, error) {
	c.SignEvery = cmp.Or(c.SignEvery, time.Second)
	c.WitnessEvery = cmp.Or(c.WitnessEvery, 10*time.Second)
	c.GiveUp = cmp.Or(c.GiveUp, giveUp)
	l := &Ledger{Config: c, grown: make(chan struct{}, 1), ended: make(chan struct{}, 1)}
	if err := l.recall(ctx); err != nil {
		return nil, fmt.Errorf("opening the public ledger: %w", err)
	}
	if err := l.compareNewest(ctx); err != nil {
		return nil, fmt.Errorf("comparing the newest records with the ledger's tree: %w", err)
	}
	return l, nil
}

// Run follows, signs and collects until ctx ends. An alarm ends the signing, loudly, and
// nothing else: games are still played, and what was signed is still served.
func (l *Ledger) Run(ctx context.Context) {
	var parts sync.WaitGroup
	for _, part := range []func(context.Context){l.follow, l.signOn, l.collectOn} {
		parts.Go(func() { part(ctx) })
	}
	parts.Go(func() {
		if err := l.rehash(ctx); err != nil {
			l.alarm(ctx, err)
		}
	})
	parts.Wait()
	if err := l.Tree.Sync(); err != nil {
		l.Logger.Error("the ledger's tree is not synced", "err", err)
	}
}

// Trouble is why nothing is signed any more, or nil.
func (l *Ledger) Trouble() error {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.trouble
}

// alarm stops the signing for good, if err is an alarm; other errors pass. It says so.
func (l *Ledger) alarm(ctx context.Context, err error) {
	switch {
	case err == nil || ctx.Err() != nil:
		return
	case !isAlarm(err):
		l.Logger.Warn("the public ledger waits", "err", err)
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.trouble == nil {
		l.trouble = err
		l.Logger.Error("ALARM: no checkpoint of the ledger is signed any more; compare it with a backup and with the witnesses", "err", err)
	}
}

// Rehashed says whether the whole log was compared with the tree since the start, before
// which nothing is signed.
func (l *Ledger) Rehashed() bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.rehashed
}

// Size is how many records the tree has.
func (l *Ledger) Size() int64 { return l.Tree.Size() }

// Signed is the newest checkpoint, as text with its signatures; ok is false where there
// is none yet.
func (l *Ledger) Signed() (size int64, text string, ok bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.state.Size, l.state.Signed, l.state.Signed != ""
}

// Witnessed is the newest checkpoint that a witness has signed, likewise.
func (l *Ledger) Witnessed() (size int64, text string, ok bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.state.WitnessedSize, l.state.Witnessed, l.state.Witnessed != ""
}
