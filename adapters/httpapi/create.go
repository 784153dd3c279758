package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"chancery/domain/game"
	"chancery/domain/player"
	"chancery/events"
)

// A Create asks for a game.
type Create struct {
	Variant  string       `json:"variant" example:"nocastle" doc:"Key of a variant; /api/variants lists them"`
	Options  game.Options `json:"options,omitempty" doc:"Those of the variant's options that differ from the defaults"`
	Color    string       `json:"color,omitempty" example:"random" doc:"The creator's army: white, black or random; white if left out"`
	Clock    *Clock       `json:"clock,omitempty" doc:"Time control; none if left out"`
	Rated    *bool        `json:"rated,omitempty" doc:"Whether the result is to count for ratings, which it does if both players have accounts. Left out it counts wherever it can: if an account creates the game, from the usual start, and not against a program."`
	Start    string       `json:"start,omitempty" doc:"FEN of an agreed start position, in games that are not rated"`
	ID       string       `json:"id,omitempty" doc:"22 characters of base64url from 128 random bits; the server makes one if left out"`
	Anchor   string       `json:"anchor,omitempty" doc:"Anchor of the creator's own chain of links, which needs an id; the server keeps the chain if left out"`
	Opponent *Opponent    `json:"opponent,omitempty" doc:"A program to play against"`
}

// A Clock is a time control.
type Clock struct {
	Base      int64 `json:"base_ms" example:"300000" doc:"Milliseconds at the start"`
	Increment int64 `json:"increment_ms,omitempty" example:"3000" doc:"Milliseconds for every turn"`
}

// An Opponent is a program of the server's.
type Opponent struct {
	Bot string `json:"bot" example:"random" doc:"Name of a bot; /api/variants lists them"`
}

// Seated says which seat a player has got.
type Seated struct {
	ID    string    `json:"id"`
	Seat  game.Seat `json:"seat" doc:"0 for the creator, 1 for the other player"`
	Token string    `json:"token" doc:"Proves that its bearer sits there; keep it secret"`
	N     int       `json:"n" doc:"Number of the record that gave the seat"`
}

type createInput struct {
	Bearer
	Key  string `header:"Idempotency-Key" doc:"At least 22 characters of the client's own randomness. The server makes one if left out, and then a repeated request opens another game."`
	Body Create
}

type seatedOutput struct {
	Location  string      `header:"Location"`
	Cache     string      `header:"Cache-Control"`
	SetCookie http.Cookie `header:"Set-Cookie"`
	Body      Seated
}

func (a *API) registerCreate(api huma.API) {
	huma.Register(api, huma.Operation{
		OperationID: "create", Method: http.MethodPost, Path: "/api/games", DefaultStatus: http.StatusCreated,
		Summary: "Open a game and take its first seat", MaxBodyBytes: 2 * maxBody,
	}, a.create)
}

func (a *API) create(ctx context.Context, in *createInput) (*seatedOutput, error) {
	key, err := keyOr(in.Key)
	if err != nil {
		return nil, problemOf(err)
	}
	c, err := in.Body.command()
	if err != nil {
		return nil, problemOf(err)
	}
	if err := a.takeFirst(ctx, in, &c); err != nil {
		return nil, problemOf(err)
	}
	id := in.Body.ID
	if id == "" {
		id = a.Secrets.GameID(key)
	}
	g, out, err := a.Games.Create(ctx, id, key, c)
	if err != nil {
		return nil, problemOf(err)
	}
	if out.Repeated && !events.Answers(out.Record, game.Command{By: game.First, Action: c}) {
		return nil, usedKey()
	}
	return seated(id, game.First, a.Secrets.Token(g.State.ID, game.First, out.Record.Cause), out.Record.N), nil
}

// takeFirst seats the player whose token the request has, or a nameless one, and decides
// whether the game is rated.
func (a *API) takeFirst(ctx context.Context, in *createInput, c *game.Create) error {
	token, err := in.token()
	if err != nil {
		return err
	}
	if token != "" {
		p, err := a.person(ctx, token)
		if err != nil {
			return err
		}
		c.Seats[game.First.Wire()].Player = p.ID
	}
	account, alone := player.IsAccount(c.Seats[game.First.Wire()].Player), c.Seats[game.Second.Wire()].Bot != ""
	switch wish := in.Body.Rated; {
	case wish == nil:
		c.Rated = account && !alone && c.Start == ""
	case *wish && alone:
		return newProblem(game.BadOption, "A game against a program cannot be rated; leave out rated or the opponent.")
	case *wish && !account:
		return newProblem(game.BadOption, "A rated game is between two accounts: log in and send your token as Authorization: Bearer <token>, or leave out rated.")
	default:
		c.Rated = *wish
	}
	return nil
}

func (c Create) command() (game.Create, error) {
	anchor, err := hash("anchor", c.Anchor)
	if err != nil {
		return game.Create{}, err
	}
	if anchor != nil && c.ID == "" {
		return game.Create{}, newProblem(game.BadCommand, "A chain of your own is bound to the game's id: choose the id yourself, and send it with the anchor.")
	}
	create := game.Create{
		Variant: c.Variant, Options: c.Options, Color: game.ColorPref(c.Color), Start: c.Start, Anchor: anchor,
	}
	if c.Clock != nil {
		create.Clock = &game.ClockSpec{Base: c.Clock.Base, Increment: c.Clock.Increment}
	}
	if c.Opponent != nil {
		if c.Opponent.Bot == "" {
			return game.Create{}, newProblem(game.BadOption, "An opponent is {\"bot\": name}; /api/variants lists the bots.")
		}
		create.Seats[game.Second.Wire()].Bot = c.Opponent.Bot
	}
	return create, nil
}

func seated(id string, seat game.Seat, token string, n int) *seatedOutput {
	return &seatedOutput{
		Location: "/api/games/" + id, Cache: "no-store", SetCookie: cookieOf(id, token),
		Body: Seated{ID: id, Seat: seat, Token: token, N: n},
	}
}
