// Package accounts lets people be players: with a name and a password, or as guests.
// Whoever has a player's token is that player. Passwords are kept as argon2id hashes,
// tokens as SHA-256 hashes, and both only in the [Store].
package accounts

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"chancery/domain/game"
	"chancery/domain/player"
	"chancery/projections"
)

// A Store keeps accounts and tokens. Times are texts that sort, as in records.
type Store interface {
	// Add keeps a new account, or returns [player.ErrTaken].
	Add(ctx context.Context, a player.Account) error
	// ByName and ByID find accounts, or return [player.ErrUnknown].
	ByName(ctx context.Context, name string) (player.Account, error)
	ByID(ctx context.Context, id string) (player.Account, error)
	// Names are the names of those of the ids that are accounts.
	Names(ctx context.Context, ids []string) (map[string]string, error)
	// Erase forgets a player and his tokens.
	Erase(ctx context.Context, id string) error
	// AddToken keeps the hash of a token until it expires.
	AddToken(ctx context.Context, hash, id, now, expires string) error
	// Bearer is whose token has that hash, or [player.ErrToken].
	Bearer(ctx context.Context, hash, now string) (player.Player, error)
	// RemoveToken lets a token be good for nothing.
	RemoveToken(ctx context.Context, hash string) error
}

// Accounts are the players of a server. Its methods may be called from many goroutines;
// besides the errors they name they return the store's.
type Accounts struct {
	store   Store
	now     func() time.Time
	hashing hashing
	guesses guesses
}

// tokenLife is how long a token is good. Who has a password gets another one.
const tokenLife = 90 * 24 * time.Hour

// New are the accounts of a store.
func New(store Store, now func() time.Time) *Accounts {
	return &Accounts{store: store, now: now, hashing: newHashing(), guesses: newGuesses(now)}
}

// Register opens an account. The errors are [player.NameError], [player.ErrTaken] and
// [player.ErrBusy].
func (a *Accounts) Register(ctx context.Context, name, password string) (player.Session, error) {
	if err := player.CheckName(name); err != nil {
		return player.Session{}, err
	}
	if err := player.CheckPassword(password); err != nil {
		return player.Session{}, err
	}
	hash, err := a.hashing.hash(ctx, password)
	if err != nil {
		return player.Session{}, err
	}
	p := player.Player{ID: rand.Text(), Name: name}
	if err := a.store.Add(ctx, player.Account{Player: p, Password: hash, Created: stamp(a.now())}); err != nil {
		return player.Session{}, err
	}
	return a.session(ctx, p)
}

// Guest is a new player without an account, whose games are not ranked.
func (a *Accounts) Guest(ctx context.Context) (player.Session, error) {
	return a.session(ctx, player.Player{ID: player.GuestID(rand.Text())})
}

// Login gives somebody who knows the password another token. The errors are
// [player.ErrPassword], whichever of the two was wrong, [player.ErrGuesses] and
// [player.ErrBusy].
func (a *Accounts) Login(ctx context.Context, name, password string) (player.Session, error) {
	account, err := a.checked(ctx, name, func() (player.Account, error) { return a.store.ByName(ctx, name) }, password)
	if err != nil {
		return player.Session{}, err
	}
	return a.session(ctx, account.Player)
}

// Logout lets a token be good for nothing.
func (a *Accounts) Logout(ctx context.Context, token string) error {
	return a.store.RemoveToken(ctx, hashOf(token))
}

// Erase forgets the player whose token it is: name, password and every token. His games
// stay in the ledger, under an id that says nothing. Of an account the password must be
// given, too: otherwise [player.ErrPassword], [player.ErrGuesses] or [player.ErrBusy].
func (a *Accounts) Erase(ctx context.Context, token, password string) error {
	p, err := a.Bearer(ctx, token)
	if err != nil {
		return err
	}
	if !player.IsGuest(p.ID) {
		if _, err := a.checked(ctx, p.Name, func() (player.Account, error) { return a.store.ByID(ctx, p.ID) }, password); err != nil {
			return err
		}
	}
	return a.store.Erase(ctx, p.ID)
}

// Bearer is whose token it is, or [player.ErrToken].
func (a *Accounts) Bearer(ctx context.Context, token string) (player.Player, error) {
	return a.store.Bearer(ctx, hashOf(token), stamp(a.now()))
}

// Find is the account of that id or name, or [player.ErrUnknown]. No name is an id.
func (a *Accounts) Find(ctx context.Context, idOrName string) (player.Player, error) {
	find := a.store.ByID
	if player.CheckName(idOrName) == nil {
		find = a.store.ByName
	}
	account, err := find(ctx, idOrName)
	return account.Player, err
}

// Names are the names of those of the ids that are accounts.
func (a *Accounts) Names(ctx context.Context, ids []string) (map[string]string, error) {
	return a.store.Names(ctx, ids)
}

// session gives a player a token.
func (a *Accounts) session(ctx context.Context, p player.Player) (player.Session, error) {
	s := player.Session{Player: p, Token: player.Token(rand.Text() + rand.Text())}
	now := a.now()
	if err := a.store.AddToken(ctx, hashOf(s.Token), p.ID, stamp(now), stamp(now.Add(tokenLife))); err != nil {
		return player.Session{}, fmt.Errorf("giving a token: %w", err)
	}
	return s, nil
}

func hashOf(token string) string {
	h := sha256.Sum256([]byte(token))
	return hex.EncodeToString(h[:])
}

func stamp(t time.Time) string { return projections.Timestamp(game.Instant(t.UnixMilli())) }
