package tlog

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	merkle "golang.org/x/mod/sumdb/tlog"

	"chancery/events"
)

// newest is how many records are compared before anything is served.
const newest = 256

// syncAfter is how many records of a long way are at most done again after a crash.
const syncAfter = 64 * tileWidth

// follow appends what comes to the log to the tree, from where the tree ends.
func (l *Ledger) follow(ctx context.Context) {
	for ctx.Err() == nil && l.Trouble() == nil {
		err := l.absorb(ctx)
		l.alarm(ctx, err)
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

func (l *Ledger) absorb(ctx context.Context) error {
	size := l.Tree.Size()
	for s, err := range l.Log.Follow(ctx, events.Position(size)) {
		switch {
		case err != nil:
			return fmt.Errorf("following the ledger behind %d: %w", size, err)
		case s.Position != events.Position(size)+1:
			return fmt.Errorf("%w: position %d follows %d", ErrGap, s.Position, size)
		}
		if err := l.Tree.Append(s.Payload); err != nil {
			return fmt.Errorf("%w: %w", ErrWrite, err)
		}
		size++
		if size%syncAfter == 0 {
			if err := l.Tree.Sync(); err != nil {
				return fmt.Errorf("%w: %w", ErrWrite, err)
			}
		}
		signal(l.grown)
		if endsGame(s.Payload) {
			signal(l.ended)
		}
	}
	return ctx.Err()
}

// endsGame says whether a record reveals a seed. In canonical bytes no text holds a bare
// quotation mark, so the words cannot come from anywhere else.
func endsGame(payload []byte) bool {
	return bytes.Contains(payload, []byte(`"type":"SeedRevealed"`))
}

// signal wakes who waits for the channel, now or later.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Compare compares a tree with the log that it was made of: the newest records, or all.
// The error is [ErrShrunk], [ErrChanged], [ErrGap], [ErrDamaged] or the log's.
func Compare(ctx context.Context, log events.Log, t *Tree, all bool) error {
	l := &Ledger{Config: Config{Log: log, Tree: t, GiveUp: giveUp}}
	if all {
		return l.compare(ctx, 0, t.Size())
	}
	return l.compareNewest(ctx)
}

// compareNewest compares the end of the tree with the log.
func (l *Ledger) compareNewest(ctx context.Context) error {
	size := l.Tree.Size()
	return l.compare(ctx, max(0, size-newest), size)
}

// rehash compares the whole tree with the log. Until it has, nothing is signed.
func (l *Ledger) rehash(ctx context.Context) error {
	start, size := l.Now(), l.Tree.Size()
	for {
		err := l.compare(ctx, 0, size)
		if err == nil {
			break
		}
		if isAlarm(err) || ctx.Err() != nil {
			return err
		}
		l.Logger.Warn("comparing the ledger with its tree begins again", "err", err)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Second):
		}
	}
	l.Logger.Info("the whole ledger is as it was signed", "records", size, "took", l.Now().Sub(start))
	l.mu.Lock()
	l.rehashed = true
	l.mu.Unlock()
	signal(l.grown)
	return nil
}

// compare compares the records from..to-1 of the tree with those of the log.
func (l *Ledger) compare(ctx context.Context, from, to int64) error {
	last, err := l.Log.Last(ctx)
	if err != nil {
		return err
	}
	if int64(last) < to {
		return fmt.Errorf("%w: it has %d, and its tree %d; restore the newest backup that has them all", ErrShrunk, last, to)
	}
	var copies []kept
	var whole accumulator
	for s, err := range between(ctx, l.Log, from, to, l.GiveUp) {
		if err != nil {
			return err
		}
		index := int64(s.Position) - 1
		if len(copies) == 0 {
			if copies, err = l.Tree.copies(index); err != nil {
				return err
			}
		}
		if err := l.same(s, to, copies[0], merkle.RecordHash(s.Payload)); err != nil {
			return err
		}
		if from == 0 && !slices.Equal(whole.add(copies[0].hashes[0]), copies[0].hashes) {
			return damaged("hashes", fmt.Errorf("those above position %d", s.Position))
		}
		copies = copies[1:]
	}
	if from > 0 {
		return nil
	}
	if root, err := l.Tree.Root(to); err != nil || root != whole.root() {
		return damaged("hashes", errors.New("they do not lead from the records to the root"))
	}
	return nil
}

// same says whether a record is the one that the tree, of that size, has a copy of.
func (l *Ledger) same(s events.Stored, size int64, c kept, leaf merkle.Hash) error {
	switch {
	case leaf != c.hashes[0]:
		return l.differs(s, size, c.hashes[0])
	case !bytes.Equal(s.Payload, c.entry):
		return damaged("entries", fmt.Errorf("the one of position %d", s.Position))
	}
	return nil
}

// differs says which of the two has changed, where the tree has another leaf than the
// log has a record: if the leaf still leads to the root, it is the record.
func (l *Ledger) differs(s events.Stored, size int64, leaf merkle.Hash) error {
	index := int64(s.Position) - 1
	root, err := l.Tree.Root(size)
	if err != nil {
		return err
	}
	p, err := l.Tree.Inclusion(size, index)
	if err != nil {
		return err
	}
	if err := merkle.CheckRecord(p, size, root, index, leaf); err != nil {
		return damaged("hashes", fmt.Errorf("the leaf of position %d", s.Position))
	}
	return fmt.Errorf("%w: the one at position %d, of game %s; restore a backup, and compare it with the checkpoints of the witnesses", ErrChanged, s.Position, s.Game)
}

// An accumulator computes the root of records that come one by one, and remembers the
// roots of full trees only, the largest first.
type accumulator struct {
	count int64
	full  []merkle.Hash
}

// add takes the next leaf in and gives it, and the nodes that it completes, from below.
func (a *accumulator) add(leaf merkle.Hash) []merkle.Hash {
	nodes := append(make([]merkle.Hash, 0, 8), leaf)
	for n := a.count; n&1 == 1; n >>= 1 {
		last := len(a.full) - 1
		leaf, a.full = merkle.NodeHash(a.full[last], leaf), a.full[:last]
		nodes = append(nodes, leaf)
	}
	a.full = append(a.full, leaf)
	a.count++
	return nodes
}

func (a *accumulator) root() merkle.Hash {
	if len(a.full) == 0 {
		return sha256.Sum256(nil)
	}
	root := a.full[len(a.full)-1]
	for _, left := range slices.Backward(a.full[:len(a.full)-1]) {
		root = merkle.NodeHash(left, root)
	}
	return root
}

// Between yields the records behind one position up to another, which the log has. A log
// that leaves one out, or twice does not give the next within ten seconds although it
// answers, yields [ErrGap].
func Between(ctx context.Context, log events.Log, after, to events.Position) iter.Seq2[events.Stored, error] {
	return between(ctx, log, int64(after), int64(to), giveUp)
}

// between yields the records from..to-1, counted from 0, which the log has. A log that
// leaves one out, or twice does not give the next within the time although it answers,
// yields [ErrGap]; one that does not answer is away, and has lost nothing.
func between(ctx context.Context, log events.Log, from, to int64, within time.Duration) iter.Seq2[events.Stored, error] {
	return func(yield func(events.Stored, error) bool) {
		for late := 0; from < to; {
			var err error
			for s, stepErr := range punctual(ctx, log, events.Position(from), within) {
				if err = stepErr; err != nil {
					break
				}
				if from, late = from+1, 0; !yield(s, nil) || from == to {
					return
				}
			}
			if errors.Is(err, errLate) {
				if late++; late == 1 {
					_, err = log.Last(ctx)
				} else {
					err = missing(from + 1)
				}
			}
			if err != nil {
				yield(events.Stored{}, fmt.Errorf("reading the ledger behind %d: %w", from, err))
				return
			}
		}
	}
}

func missing(position int64) error {
	return fmt.Errorf("%w: the one at position %d; restore the newest backup that has it", ErrGap, position)
}

var errLate = errors.New("the next record does not come")

// punctual follows the log behind a position until a record is left out, [ErrGap], or
// takes longer than the time, errLate.
func punctual(ctx context.Context, log events.Log, after events.Position, within time.Duration) iter.Seq2[events.Stored, error] {
	return func(yield func(events.Stored, error) bool) {
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		watch := time.AfterFunc(within, func() { cancel(errLate) })
		defer watch.Stop()
		for s, err := range log.Follow(ctx, after) {
			after++
			switch {
			case err != nil && errors.Is(context.Cause(ctx), errLate):
				err = errLate
			case err == nil && s.Position != after:
				err = missing(int64(after))
			}
			if !yield(s, err) || err != nil {
				return
			}
			watch.Reset(within)
		}
	}
}
