package tlog

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"golang.org/x/mod/sumdb/note"
	merkle "golang.org/x/mod/sumdb/tlog"

	"chancery/events"
)

// noted is the note of a ledger that has signed so many records.
func noted(t *testing.T, origin string, size int64, root byte) []byte {
	t.Helper()
	s := state{Origin: origin, Size: size, Root: merkle.Hash{root}}
	text, err := note.Sign(&note.Note{Text: Checkpoint{Origin: origin, Size: size, Root: s.Root}.Text()}, newKey(t, 1))
	if err != nil {
		t.Fatal(err)
	}
	s.Signed = string(text)
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// What a backup says was signed is put back where it forbids more than what is there.
func TestPutBack(t *testing.T) {
	none, five, other := []byte(nil), noted(t, "a/ledger", 5, 5), noted(t, "b/ledger", 5, 5)
	lying := []byte(`{"origin":"a/ledger","size":3,"root":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=","signed":` + fmt.Sprintf("%q", "a/ledger\n4\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n\nno\n") + `}`)
	for _, tt := range []struct {
		name        string
		there, back []byte
		records     events.Position
		want        []byte
		err         error
	}{
		{"nothing was signed", none, none, 9, none, nil},
		{"a new directory", none, five, 5, five, nil},
		{"a backup without what was signed", five, none, 7, five, nil},
		{"the same", five, five, 5, five, nil},
		{"the backup knows more", noted(t, "a/ledger", 3, 3), five, 5, five, nil},
		{"what is there knows more", noted(t, "a/ledger", 6, 6), five, 6, noted(t, "a/ledger", 6, 6), nil},
		{"an old backup", noted(t, "a/ledger", 6, 6), five, 5, noted(t, "a/ledger", 6, 6), ErrShrunk},
		{"a very old backup", five, none, 4, five, ErrShrunk},
		{"a backup with too few records", none, five, 4, none, ErrShrunk},
		{"another root", five, noted(t, "a/ledger", 5, 6), 9, five, ErrForked},
		{"another ledger", five, other, 9, five, ErrOrigin},
		{"a note that contradicts itself", none, lying, 9, none, ErrCheckpoint},
	} {
		t.Run(tt.name, func(t *testing.T) {
			notes := newSite(t).notes
			lay(t, notes, tt.there)
			if err := PutBack(t.Context(), notes, tt.back, tt.records); !errors.Is(err, tt.err) {
				t.Errorf("error %v, want %v", err, tt.err)
			}
			got, err := Carry(t.Context(), notes)
			if err != nil || string(got) != string(tt.want) {
				t.Errorf("beside the ledger stands %s, %v; want %s", got, err, tt.want)
			}
		})
	}
}

func lay(t *testing.T, notes Notes, value []byte) {
	t.Helper()
	if err := notes.Update(t.Context(), stateNote, func([]byte) ([]byte, error) { return value, nil }); err != nil {
		t.Fatal(err)
	}
}
