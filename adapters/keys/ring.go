// Package keys keeps a server's keys in a directory: the master keys under which
// the seeds of unfinished games are sealed, the key of seat tokens, and the keys that
// sign the ledger's checkpoints. All instances of a server have the same directory, or
// copies of it.
//
// Nothing here is ever printed: a [Ring] shows the names of its keys and no more.
package keys

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"sync"

	"chancery/domain/fair"
	"chancery/domain/game"
)

// ErrMissing says that a game is sealed under a key that is newer than all of this
// instance's: another instance has it, so the directory has to be copied again. The
// seed is not lost.
var ErrMissing = errors.New("a seal key of another instance is missing here")

// A Ring is the keys of one server. Its methods may be called from many goroutines.
type Ring struct {
	dir     string
	entropy io.Reader

	mu    sync.RWMutex
	seal  map[string]fair.Master // by kid
	kid   string                 // the newest, under which new games are sealed
	token fair.Master            // 32 bytes that print nothing
	log   []logSeed              // the newest last
}

// Format shows the newest kid and nothing secret, whatever the verb.
func (r *Ring) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "keys, newest %s", r.Kid()) }

// Kid names the key under which new games are sealed.
func (r *Ring) Kid() string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.kid
}

// Seal is the header that keeps the seed of a new game with the commitment c.
func (r *Ring) Seal(game string, c fair.Hash, seed fair.Seed) (string, error) {
	var nonce [12]byte
	if _, err := io.ReadFull(r.entropy, nonce[:]); err != nil {
		return "", fmt.Errorf("sealing a seed: %w", err)
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	return fair.Seal(r.seal[r.kid], r.kid, game, c, seed, nonce), nil
}

// Unseal opens the header of a game with the commitment c. [fair.ErrSeal] means
// that the seed is lost for good; [ErrMissing] that its key is elsewhere.
func (r *Ring) Unseal(header, game string, c fair.Hash) (fair.Seed, error) {
	kid, err := fair.KidOf(header)
	if err != nil {
		return fair.Seed{}, err
	}
	master, err := r.master(kid)
	if err != nil {
		return fair.Seed{}, err
	}
	return fair.Unseal(master, header, game, c)
}

// Held is nil if the seal key is here. [fair.ErrSeal] means that it is lost, and so are
// the games that are sealed under it; [ErrMissing] that it is elsewhere.
func (r *Ring) Held(kid string) error {
	_, err := r.master(kid)
	return err
}

// master finds a seal key, if need be among those that have been put into the
// directory since the start.
func (r *Ring) master(kid string) (fair.Master, error) {
	if m, ok := r.held(kid); ok {
		return m, nil
	}
	if err := r.reload(); err != nil {
		return fair.Master{}, err
	}
	m, ok := r.held(kid)
	switch {
	case ok:
		return m, nil
	case kid > r.Kid():
		return fair.Master{}, fmt.Errorf("%w: %s in %s; copy the keys of the instance that made it", ErrMissing, kid, r.dir)
	}
	return fair.Master{}, fmt.Errorf("there is no key %q in %s: %w", kid, r.dir, fair.ErrSeal)
}

func (r *Ring) held(kid string) (fair.Master, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	m, ok := r.seal[kid]
	return m, ok
}

// Token is what proves that its bearer sits in the seat of the game: an HMAC of
// game, seat and the cause of the record that gave the seat. Any instance can
// compute it again, so none is ever stored.
func (r *Ring) Token(game string, seat game.Seat, cause fair.Hash) string {
	secret := r.secret()
	return text(fair.F(secret[:], "token", game, seat.Wire(), cause))
}

// GameID is the id of a game created with the idempotency key and without an id of
// the client's: 22 characters of base64url, the first a letter or digit. The same key
// always gives the same id, on every instance, so a repeated create cannot make two
// games.
func (r *Ring) GameID(key string) string {
	secret := r.secret()
	id := text(fair.F(secret[:], "game", key))[:22]
	if id[0] == '_' || id[0] == '-' { // the server's own ids, and what a command line takes for a flag
		return "A" + id[1:]
	}
	return id
}

// secret is the key of tokens.
func (r *Ring) secret() fair.Master {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.token
}

func text(h fair.Hash) string { return base64.RawURLEncoding.EncodeToString(h[:]) }
