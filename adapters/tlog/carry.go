package tlog

import (
	"context"
	"encoding/json"
	"fmt"

	"chancery/events"
)

// Carry gives the note about the newest signed checkpoint, for a backup: nil where
// nothing was signed. It is public, all of it.
func Carry(ctx context.Context, notes Notes) (note []byte, err error) {
	err = notes.Update(ctx, stateNote, func(old []byte) ([]byte, error) {
		s, err := readState(old)
		if err == nil && s.Signed != "" {
			note = old
		}
		return nil, err
	})
	return note, err
}

// PutBack puts the note of a backup of so many records beside a ledger that is restored
// from it. A note that is there already stays if it goes further, for it knows more of
// what was signed. The errors are [ErrShrunk] for a backup that is older than what was
// signed, [ErrOrigin] and [ErrForked] for one of another ledger, and [ErrCheckpoint] for
// a note that contradicts itself.
//
// The note only ever forbids: it lets nothing be signed that could not be without it.
func PutBack(ctx context.Context, notes Notes, note []byte, records events.Position) error {
	back, err := readState(note)
	if err == nil {
		err = back.sound()
	}
	if err != nil {
		return fmt.Errorf("reading what the backup says was signed: %w", err)
	}
	return notes.Update(ctx, stateNote, func(old []byte) ([]byte, error) {
		s, err := readState(old)
		if err != nil {
			return nil, err
		}
		if err := s.same(back); err != nil {
			return nil, err
		}
		if signed := max(s.Size, back.Size); signed > int64(records) {
			return nil, fmt.Errorf("%w: the backup has %d, and a checkpoint over %d was signed; take a newer backup", ErrShrunk, records, signed)
		}
		if back.Size <= s.Size {
			return nil, nil
		}
		return json.Marshal(back)
	})
}

// sound says how a state contradicts itself.
func (s state) sound() error {
	if s.Signed == "" {
		return nil
	}
	c, err := textOf(s.Signed)
	if err == nil && (c != Checkpoint{Origin: s.Origin, Size: s.Size, Root: s.Root}) {
		err = fmt.Errorf("%w: it says another thing than what it is kept for", ErrCheckpoint)
	}
	return err
}

// same says why two states cannot be of one ledger.
func (s state) same(other state) error {
	switch {
	case s.Signed == "" || other.Signed == "":
		return nil
	case s.Origin != other.Origin:
		return fmt.Errorf("%w: the backup is of %s, and beside it %s was signed", ErrOrigin, other.Origin, s.Origin)
	case s.Size == other.Size && s.Root != other.Root:
		return fmt.Errorf("%w: over %d records another root was signed than the backup has", ErrForked, s.Size)
	}
	return nil
}
