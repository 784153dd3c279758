package tlog

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"golang.org/x/mod/sumdb/note"
	merkle "golang.org/x/mod/sumdb/tlog"
)

// stateNote is the name of the note with what was signed last.
const stateNote = "ledger"

// state is what was signed last. It is stored before anybody sees the signature, and
// replaced only by what continues it, so that two instances, or one that was restored
// from a backup, cannot sign two histories.
type state struct {
	Origin string      `json:"origin"`
	Size   int64       `json:"size"`
	Root   merkle.Hash `json:"root"`
	Signed string      `json:"signed"` // the checkpoint, with its signatures

	WitnessedSize int64  `json:"witnessed_size,omitempty"`
	Witnessed     string `json:"witnessed,omitempty"` // the newest with a witness's signature
}

func readState(b []byte) (state, error) {
	var s state
	if b == nil {
		return s, nil
	}
	if err := json.Unmarshal(b, &s); err != nil {
		return s, fmt.Errorf("reading what was signed last: %w", err)
	}
	return s, nil
}

// Recorded gives the newest checkpoints that were signed, as the notes beside the ledger
// have them; both are empty where none was.
func Recorded(ctx context.Context, notes Notes) (origin, signed, witnessed string, err error) {
	err = notes.Update(ctx, stateNote, func(old []byte) ([]byte, error) {
		s, err := readState(old)
		origin, signed, witnessed = s.Origin, s.Signed, s.Witnessed
		return nil, err
	})
	return origin, signed, witnessed, err
}

// recall takes what was signed last over from the notes, if the tree continues it.
func (l *Ledger) recall(ctx context.Context) error {
	return l.Notes.Update(ctx, stateNote, func(old []byte) ([]byte, error) {
		s, err := readState(old)
		if err != nil || s.Signed == "" {
			return nil, err
		}
		last, err := l.Log.Last(ctx)
		if err != nil {
			return nil, err
		}
		if int64(last) < s.Size {
			return nil, fmt.Errorf("%w: it has %d, and a checkpoint over %d was signed; restore the newest backup that has them all", ErrShrunk, last, s.Size)
		}
		return nil, l.adopt(s)
	})
}

// adopt makes s what was signed last, if the tree continues it. A tree that is still on
// its way there adopts nothing yet.
func (l *Ledger) adopt(s state) error {
	if s.Signed == "" {
		return nil
	}
	if s.Origin != l.Origin {
		return fmt.Errorf("%w: it is called %s and not %s; serve it with --origin %[2]s, or begin another ledger", ErrOrigin, s.Origin, l.Origin)
	}
	if s.Size > l.Tree.Size() {
		return nil
	}
	if err := s.begins(l.Tree); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if s.Size >= l.state.Size {
		l.state = s
	}
	return nil
}

// burst is how soon after another the ends of games lead to checkpoints.
const burst = 100 * time.Millisecond

// signOn signs when the tree has grown: at once when a game has ended, and otherwise at
// most once per period.
func (l *Ledger) signOn(ctx context.Context) {
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-l.grown:
			if !l.due() {
				continue
			}
			if err := l.sign(ctx); err != nil {
				l.alarm(ctx, err)
				signal(l.grown) // what can be mended is tried again
			}
			l.rest(ctx)
		}
	}
}

// rest lasts for the period, or until a game ends.
func (l *Ledger) rest(ctx context.Context) {
	sleep := func(d time.Duration, wake <-chan struct{}) {
		select {
		case <-ctx.Done():
		case <-wake:
			signal(l.grown)
		case <-time.After(d):
		}
	}
	short := min(burst, l.SignEvery)
	sleep(short, nil)
	sleep(l.SignEvery-short, l.ended)
}

// due says whether there is something to sign, and nothing against it.
func (l *Ledger) due() bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.rehashed && l.trouble == nil && l.Tree.Size() > l.state.Size
}

// sign signs the tree as it is now, unless somebody else has signed as much. What is
// signed is stored before it is shown.
func (l *Ledger) sign(ctx context.Context) error {
	c := Checkpoint{Origin: l.Origin, Size: l.Tree.Size()}
	if err := l.meet(ctx); err != nil {
		return err
	}
	if err := l.announce(ctx); err != nil {
		return err
	}
	last, err := l.Log.Last(ctx)
	if err != nil {
		return fmt.Errorf("signing a checkpoint: %w", err)
	}
	if int64(last) < c.Size {
		return fmt.Errorf("%w: it has %d, and its tree %d", ErrShrunk, last, c.Size)
	}
	if err := l.Tree.Sync(); err != nil {
		return fmt.Errorf("%w: %w", ErrWrite, err)
	}
	if c.Root, err = l.Tree.Root(c.Size); err != nil {
		return err
	}
	var now state
	err = l.Notes.Update(ctx, stateNote, func(old []byte) (next []byte, err error) {
		if now, err = readState(old); err != nil {
			return nil, err
		}
		if err := l.adopt(now); err != nil || now.Size >= c.Size {
			return nil, err
		}
		if now, err = l.signed(now, c); err != nil {
			return nil, err
		}
		return json.Marshal(now)
	})
	if err != nil {
		return fmt.Errorf("signing a checkpoint over %d records: %w", c.Size, err)
	}
	return l.adopt(now)
}

// signed is the state with a new checkpoint.
func (l *Ledger) signed(s state, c Checkpoint) (state, error) {
	var signers []note.Signer
	for _, k := range l.Keys() {
		signers = append(signers, k)
	}
	if len(signers) == 0 {
		return s, ErrNoKey
	}
	text, err := note.Sign(&note.Note{Text: c.Text()}, signers...)
	s.Origin, s.Size, s.Root, s.Signed = c.Origin, c.Size, c.Root, string(text)
	return s, err
}

// Continues says whether the tree in a directory begins with what was signed last. The
// error is [ErrShrunk] or [ErrForked] where it does not.
func Continues(ctx context.Context, notes Notes, dir string) error {
	tree, err := ViewTree(dir)
	if err != nil {
		return err
	}
	defer tree.Close()
	return notes.Update(ctx, stateNote, func(old []byte) ([]byte, error) {
		s, err := readState(old)
		if err != nil || s.Signed == "" {
			return nil, err
		}
		if tree.Size() < s.Size {
			return nil, fmt.Errorf("%w: it has %d, and a checkpoint over %d was signed", ErrShrunk, tree.Size(), s.Size)
		}
		return nil, s.begins(tree)
	})
}

// begins says whether the tree, which is large enough, begins with what was signed.
func (s state) begins(tree *Tree) error {
	root, err := tree.Root(s.Size)
	if err == nil && root != s.Root {
		err = fmt.Errorf("%w: its first %d records come to %s, and %s was signed; restore the newest backup that has them as they were", ErrForked, s.Size, root, s.Root)
	}
	return err
}

// Sizes gives the ledger's name, and how many records the newest signed checkpoint and
// the newest witnessed one cover, as the notes beside the ledger have them.
func Sizes(ctx context.Context, notes Notes) (origin string, signed, witnessed int64, err error) {
	err = notes.Update(ctx, stateNote, func(old []byte) ([]byte, error) {
		s, err := readState(old)
		origin, signed, witnessed = s.Origin, s.Size, s.WitnessedSize
		return nil, err
	})
	return origin, signed, witnessed, err
}
