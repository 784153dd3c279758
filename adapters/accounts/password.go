package accounts

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/alexedwards/argon2id"

	"chancery/domain/player"
)

// strength is what one guess at a password costs: 19 MiB and about 20 ms, the first
// choice of OWASP's password storage cheat sheet.
var strength = argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// waiting is how many may wait for their password to be looked at.
const waiting = 32

// hashing looks at few passwords at a time, so that whoever sends many takes neither
// memory nor processors from those who play.
type hashing struct {
	turn  chan struct{}
	queue chan struct{}
}

func newHashing() hashing {
	most := max(1, runtime.NumCPU()/2)
	return hashing{turn: make(chan struct{}, most), queue: make(chan struct{}, most+waiting)}
}

// do waits for its turn. It returns [player.ErrBusy] where too many wait already.
func (h hashing) do(ctx context.Context, work func() error) error {
	select {
	case h.queue <- struct{}{}:
	default:
		return player.ErrBusy
	}
	defer func() { <-h.queue }()
	select {
	case h.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-h.turn }()
	return work()
}

func (h hashing) hash(ctx context.Context, password string) (hash string, err error) {
	err = h.do(ctx, func() (err error) {
		hash, err = argon2id.CreateHash(password, &strength)
		return err
	})
	return hash, err
}

// nobody is the hash that a password is compared with where there is no account, so
// that the time it takes does not tell.
const nobody = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

// checked finds the account of a name and compares its password. The error is
// [player.ErrPassword] for no account as for a wrong password, and [player.ErrGuesses]
// where neither is looked at.
func (a *Accounts) checked(ctx context.Context, name string, find func() (player.Account, error), password string) (_ player.Account, err error) {
	if err := a.guesses.take(name); err != nil {
		return player.Account{}, err
	}
	defer func() {
		if !errors.Is(err, player.ErrPassword) {
			a.guesses.giveBack(name)
		}
	}()
	account, err := find()
	unknown := errors.Is(err, player.ErrUnknown)
	if err != nil && !unknown {
		return player.Account{}, err
	}
	hash := account.Password
	if unknown {
		hash = nobody
	}
	var match bool
	err = a.hashing.do(ctx, func() (err error) {
		match, err = argon2id.ComparePasswordAndHash(password, hash)
		return err
	})
	switch {
	case err != nil:
		return player.Account{}, fmt.Errorf("comparing a password: %w", err)
	case !match || unknown:
		return player.Account{}, player.ErrPassword
	}
	return account, nil
}
