package jetstream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// notesBucket is a key-value bucket beside the ledger. Unlike the ledger it may be
// lost: what stands in it says how instances serve the ledger, not what happened.
const notesBucket = "CHANCERY"

// noteTries bounds how often a note is edited again because another was quicker.
const noteTries = 16

// notesWait bounds how long a bucket may take until it answers: on a cluster one that was
// just begun has to choose its leader first.
const notesWait = 15 * time.Second

// Notes are small named values that all instances of a server share.
type Notes struct{ kv jetstream.KeyValue }

// Notes opens the notes beside the ledger, and begins them where there are none.
// Errors are [events.ErrUnavailable].
func (l *Log) Notes(ctx context.Context) (*Notes, error) {
	js := l.conns[0].js
	kv, err := js.KeyValue(ctx, notesBucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		kv, err = js.CreateKeyValue(ctx, jetstream.KeyValueConfig{
			Bucket: notesBucket, Description: "What the instances of a Chancery server tell each other.",
			Storage: jetstream.FileStorage, Replicas: l.replicas, History: 1,
		})
	}
	if err != nil {
		return nil, unavailable(ctx, "opening the bucket "+notesBucket, err)
	}
	return &Notes{kv: kv}, answers(ctx, kv)
}

// answers waits until the bucket does, whether or not it has what it is asked for.
func answers(ctx context.Context, kv jetstream.KeyValue) error {
	for giveUp := time.Now().Add(notesWait); ; {
		_, err := kv.Get(ctx, "any")
		switch {
		case err == nil || errors.Is(err, jetstream.ErrKeyNotFound):
			return nil
		case ctx.Err() != nil || time.Now().After(giveUp):
			return unavailable(ctx, "reading the bucket "+notesBucket, err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(remotePause):
		}
	}
}

// Update replaces the value of a note with what edit makes of it, nil for one not yet
// written, and stores nothing where edit fails or gives nil. It runs edit again where
// another instance was quicker.
func (n *Notes) Update(ctx context.Context, name string, edit func(old []byte) ([]byte, error)) error {
	var err error
	for range noteTries {
		var again bool
		if again, err = n.try(ctx, name, edit); !again {
			return err
		}
	}
	return unavailable(ctx, "writing the note "+name, err)
}

// try reads, edits and writes once; again says that the note had changed meanwhile.
func (n *Notes) try(ctx context.Context, name string, edit func([]byte) ([]byte, error)) (again bool, err error) {
	var old []byte
	var revision uint64
	switch entry, err := n.kv.Get(ctx, name); {
	case err == nil:
		old, revision = entry.Value(), entry.Revision()
	case !errors.Is(err, jetstream.ErrKeyNotFound):
		return false, unavailable(ctx, "reading the note "+name, err)
	}
	next, err := edit(old)
	if err != nil || next == nil {
		return false, err
	}
	if _, err = n.kv.Update(ctx, name, next, revision); err == nil {
		return false, nil
	}
	switch codeOf(err) {
	case jetstream.JSErrCodeStreamWrongLastSequence, jetstream.JSErrCodeStreamWrongLastSequenceConstant:
		return true, fmt.Errorf("the note %s had changed: %w", name, err)
	}
	return false, unavailable(ctx, "writing the note "+name, err)
}
