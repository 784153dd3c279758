package keys

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"chancery/domain/fair"
)

// ErrOtherKeys says that the ledger's games belong to another set of keys.
var ErrOtherKeys = errors.New("these are not the keys of this ledger")

// Notes are small named values kept beside a ledger, shared by all instances that
// serve it.
type Notes interface {
	// Update replaces the value of a note with what edit makes of it, nil for one not
	// yet written, and stores nothing where edit fails or gives nil. It runs edit
	// again where another instance was quicker.
	Update(ctx context.Context, name string, edit func(old []byte) ([]byte, error)) error
}

// canaryNote is the name of the note that says which keys a ledger's games need.
const canaryNote = "keys"

// A canary is one fingerprint a key. From a fingerprint nobody gets the key, but two
// different keys never have the same.
type canary struct {
	Log   string            `json:"log"`  // of the first key for checkpoints
	Seal  map[string]string `json:"seal"` // by kid
	Token string            `json:"token"`
}

// Check compares the keys with those that the ledger has been served with, which
// catches an instance started with keys of its own, and then adds what is new. It
// returns [ErrOtherKeys]; retired names the keys that were once used and are no
// longer here, whose unfinished games are lost.
func (r *Ring) Check(ctx context.Context, notes Notes) (retired []string, err error) {
	err = notes.Update(ctx, canaryNote, func(old []byte) ([]byte, error) {
		known, err := readCanary(old)
		if err != nil {
			return nil, err
		}
		if retired, err = r.compare(known); err != nil {
			return nil, err
		}
		next, err := json.Marshal(r.merged(known))
		if err != nil || bytes.Equal(next, old) {
			return nil, err
		}
		return next, nil
	})
	if err != nil {
		return nil, fmt.Errorf("comparing the keys with the ledger's: %w", err)
	}
	return retired, nil
}

// Compare is Check without adding anything.
func (r *Ring) Compare(ctx context.Context, notes Notes) (retired []string, err error) {
	err = notes.Update(ctx, canaryNote, func(old []byte) ([]byte, error) {
		known, err := readCanary(old)
		if err == nil {
			retired, err = r.compare(known)
		}
		return nil, err
	})
	return retired, err
}

// Known names the seal keys that a ledger has been served with.
func Known(ctx context.Context, notes Notes) (kids []string, err error) {
	err = notes.Update(ctx, canaryNote, func(old []byte) ([]byte, error) {
		known, err := readCanary(old)
		kids = slices.Sorted(maps.Keys(known.Seal))
		return nil, err
	})
	return kids, err
}

func readCanary(b []byte) (known canary, err error) {
	if b == nil {
		return known, nil
	}
	if err := json.Unmarshal(b, &known); err != nil {
		return known, fmt.Errorf("reading the canary of the keys: %w; restore notes/keys.json from a backup, or remove it if you are sure of the keys", err)
	}
	return known, nil
}

func (r *Ring) compare(known canary) (retired []string, err error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if known.Token != "" && known.Token != fingerprint(r.token) {
		return nil, fmt.Errorf("%w: the token key in %s differs; copy the directory of an instance that serves it", ErrOtherKeys, r.dir)
	}
	if known.Log != "" && known.Log != fingerprint(r.log[0].seed) {
		return nil, fmt.Errorf("%w: the first key for checkpoints in %s differs; copy the directory of an instance that serves it", ErrOtherKeys, r.dir)
	}
	for kid, want := range known.Seal {
		switch m, held := r.seal[kid]; {
		case held && fingerprint(m) != want:
			return nil, fmt.Errorf("%w: the seal key %s in %s differs; copy the directory of an instance that serves it", ErrOtherKeys, kid, r.dir)
		case !held && kid > r.kid:
			return nil, fmt.Errorf("%w: the seal key %s is missing in %s; copy it from the instance that made it or, if it is lost for good, make another with chancery keys rotate: the games sealed under it are void", ErrOtherKeys, kid, r.dir)
		case !held:
			retired = append(retired, kid)
		}
	}
	return retired, nil
}

func (r *Ring) merged(known canary) canary {
	r.mu.RLock()
	defer r.mu.RUnlock()
	next := canary{Log: fingerprint(r.log[0].seed), Seal: map[string]string{}, Token: fingerprint(r.token)}
	for kid, f := range known.Seal {
		next.Seal[kid] = f
	}
	for kid, m := range r.seal {
		next.Seal[kid] = fingerprint(m)
	}
	return next
}

// fingerprint tells keys apart and gives none away.
func fingerprint(m fair.Master) string { return fair.F(m[:], "canary").String() }
