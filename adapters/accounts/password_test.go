package accounts

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/alexedwards/argon2id"

	"chancery/domain/player"
)

// However many passwords arrive, few are looked at at a time, some wait, and the rest are
// sent away at once.
func TestFewPasswordsAtATime(t *testing.T) {
	h := newHashing()
	release := make(chan struct{})
	begun := make(chan struct{}, cap(h.queue))
	var working sync.WaitGroup
	for range cap(h.queue) {
		working.Go(func() {
			err := h.do(context.Background(), func() error {
				begun <- struct{}{}
				<-release
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	for range cap(h.turn) {
		<-begun
	}
	for len(h.queue) < cap(h.queue) { // until the last has come
		if len(begun) > 0 {
			t.Fatal("more passwords are looked at than may be")
		}
	}
	if err := h.do(t.Context(), func() error { return nil }); !errors.Is(err, player.ErrBusy) {
		t.Errorf("one more: %v, want ErrBusy", err)
	}
	close(release)
	working.Wait()
	if err := h.do(t.Context(), func() error { return nil }); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// Who gives up waiting leaves the queue.
func TestGivingUp(t *testing.T) {
	h := hashing{turn: make(chan struct{}), queue: make(chan struct{}, 1)} // nobody gets a turn
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 2 {
		if err := h.do(ctx, func() error { return nil }); !errors.Is(err, context.Canceled) {
			t.Errorf("%v, want that it was cancelled", err)
		}
	}
}

// A password without an account is looked at as long as any other.
func TestNobodysHashCostsTheSame(t *testing.T) {
	params, salt, key, err := argon2id.DecodeHash(nobody)
	if err != nil {
		t.Fatal(err)
	}
	if *params != strength || len(salt) != int(strength.SaltLength) || len(key) != int(strength.KeyLength) {
		t.Errorf("%+v, want %+v", *params, strength)
	}
}
