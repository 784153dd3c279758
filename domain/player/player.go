// Package player says who plays: people with an account, and guests. The ledger knows
// them by opaque ids only; names are kept elsewhere and can be erased.
package player

import (
	"errors"
	"strings"
)

// guestPrefix begins the ids of guests, so that the ledger alone tells whose games
// count for ratings.
const guestPrefix = "guest-"

// GuestID makes the id of a guest from randomness.
func GuestID(random string) string { return guestPrefix + random }

// IsGuest says whether the id is a guest's.
func IsGuest(id string) bool { return strings.HasPrefix(id, guestPrefix) }

// IsAccount says whether the id is that of a person with an account. A seat without an
// id is nobody's.
func IsAccount(id string) bool { return id != "" && !IsGuest(id) }

// A Player is a person, as others may know him.
type Player struct {
	ID   string
	Name string // empty for a guest, and once it has been erased
}

// An Account is what is kept of a person who has registered.
type Account struct {
	Player
	Password string // its hash
	Created  string // RFC 3339, UTC, milliseconds
}

// A Session is a player with the token by which he says who he is.
type Session struct {
	Player
	Token string
}

// tokenPrefix begins the tokens of players, and of nothing else.
const tokenPrefix = "player_"

// Token makes the token of a player from randomness.
func Token(random string) string { return tokenPrefix + random }

// IsToken says whether a token is meant to be a player's, and not that of a seat.
func IsToken(token string) bool { return strings.HasPrefix(token, tokenPrefix) }

// What may be wrong with accounts.
var (
	ErrUnknown  = errors.New("there is no such player")
	ErrTaken    = errors.New("the name is taken")
	ErrPassword = errors.New("name and password do not belong together")
	ErrToken    = errors.New("the token is not a player's, or has expired")
	ErrBusy     = errors.New("too many passwords are being checked")
	ErrGuesses  = errors.New("too many wrong passwords were given for the name")
)
