package httpapi

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"net/http"
	"strings"

	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/domain/player"
	"chancery/events"
)

// cookieName is the cookie that holds a seat's token for a browser's EventSource, which
// cannot send headers. Its path is the game, so that each game has its own.
const cookieName = "chancery_seat"

// A Bearer is how a request says whose it is. It is part of the inputs of calls.
type Bearer struct {
	Authorization string `header:"Authorization" doc:"Bearer and the token of the seat or of its player; without it the caller is a spectator"`
}

// A Caller is a Bearer that may come as a cookie too, where nothing is changed.
type Caller struct {
	Bearer
	Cookie string `cookie:"chancery_seat" doc:"The seat's token, for a browser's EventSource"`
}

// token is what the header carries: "" for a spectator.
func (b Bearer) token() (string, error) {
	if b.Authorization == "" {
		return "", nil
	}
	scheme, token, ok := strings.Cut(b.Authorization, " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") || token == "" {
		return "", newProblem(codeUnauthorized, "Send your token as Authorization: Bearer <token>.")
	}
	return token, nil
}

// token prefers the header to the cookie.
func (c Caller) token() (string, error) {
	token, err := c.Bearer.token()
	if err != nil || token != "" {
		return token, err
	}
	return c.Cookie, nil
}

// seatOf is the seat of the game that a token proves: the spectator's for no token. A
// token that is for no seat of this game is refused, never taken for a spectator's: its
// bearer would wait for something that does not come. A player's token proves the seat
// that the player sits in, and elsewhere he is a spectator.
func (a *API) seatOf(ctx context.Context, g events.Game, token string) (game.Seat, error) {
	switch {
	case token == "":
		return game.Spectator, nil
	case player.IsToken(token):
		p, err := a.person(ctx, token)
		return seatOfPlayer(g.State, p.ID), err
	}
	for i, seat := range game.Players {
		cause, ok := g.CauseOf(i) // record 0 gives the first seat, record 1 the second
		if !ok || seat == game.Second && !g.State.Joined {
			continue
		}
		if subtle.ConstantTimeCompare([]byte(token), []byte(a.Secrets.Token(g.State.ID, seat, cause))) == 1 {
			return seat, nil
		}
	}
	return game.Spectator, newProblem(codeForbidden, "This token is for no seat of this game; use the one that creating or joining it gave you.")
}

// seatOfPlayer is the seat that a player has taken.
func seatOfPlayer(s game.State, id string) game.Seat {
	for i, seat := range game.Players {
		if id != "" && s.Seats[i].Player == id && (seat == game.First || s.Joined) {
			return seat
		}
	}
	return game.Spectator
}

// player is the seat of a call that only a player may make.
func (a *API) player(ctx context.Context, g events.Game, token string) (game.Seat, error) {
	seat, err := a.seatOf(ctx, g, token)
	if err == nil && seat == game.Spectator {
		err = newProblem(codeUnauthorized, "Only the players do this: send the token of your seat as Authorization: Bearer <token>.")
	}
	return seat, err
}

// cookieOf gives a browser the token for the game's own address alone, out of reach of
// scripts and of other sites.
func cookieOf(id, token string) http.Cookie {
	return http.Cookie{
		Name: cookieName, Value: token, Path: "/api/games/" + id, MaxAge: 90 * 24 * 60 * 60,
		HttpOnly: true, SameSite: http.SameSiteStrictMode,
	}
}

const (
	minKey = 22
	maxKey = 200
)

// checkKey refuses an idempotency key that somebody could guess or that is no text.
func checkKey(key string) error {
	plain := !strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' })
	if len(key) < minKey || len(key) > maxKey || !plain {
		return newProblem(game.BadCommand, "The header Idempotency-Key takes 22 to 200 plain characters of your own randomness, new for every command and the same for every try of it.")
	}
	return nil
}

// usedKey refuses a key that came with another command before: its answer is not this
// one's.
func usedKey() *Problem {
	return newProblem(game.BadCommand, "This Idempotency-Key has been used for something else; make a new one.")
}

// keyOr is the client's idempotency key, or a new one where it sent none.
func keyOr(key string) (string, error) {
	if key != "" {
		return key, checkKey(key)
	}
	var b [16]byte
	if _, err := rand.Read(b[:]); err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(b[:]), nil
}

// hash reads a field of 64 lowercase hexadecimal digits; nil for an absent one.
func hash(field, text string) (*fair.Hash, error) {
	if text == "" {
		return nil, nil
	}
	var h fair.Hash
	if err := h.UnmarshalText([]byte(text)); err != nil {
		return nil, newProblem(game.BadCommand, "The field "+field+" takes 64 lowercase hexadecimal digits.")
	}
	return &h, nil
}
