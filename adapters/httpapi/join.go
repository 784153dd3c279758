package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"chancery/domain/game"
	"chancery/domain/player"
	"chancery/events"
)

// A Join takes the second seat.
type Join struct {
	Anchor string `json:"anchor,omitempty" doc:"Anchor of the player's own chain of links; the server keeps the chain if left out"`
	Link   string `json:"link,omitempty" doc:"First link of that chain"`
}

type joinInput struct {
	Bearer
	ID   string `path:"id" maxLength:"64"`
	Key  string `header:"Idempotency-Key" doc:"At least 22 characters of the client's own randomness. The server makes one if left out, and then a lost answer is lost."`
	Body Join
}

func (a *API) registerJoin(api huma.API) {
	huma.Register(api, huma.Operation{
		OperationID: "join", Method: http.MethodPost, Path: "/api/games/{id}/join",
		Summary: "Take the second seat of a game", MaxBodyBytes: 2 * maxBody,
	}, a.join)
}

func (a *API) join(ctx context.Context, in *joinInput) (*seatedOutput, error) {
	key, err := keyOr(in.Key)
	if err != nil {
		return nil, problemOf(err)
	}
	anchor, err := hash("anchor", in.Body.Anchor)
	if err != nil {
		return nil, problemOf(err)
	}
	link, err := hash("link", in.Body.Link)
	if err != nil {
		return nil, problemOf(err)
	}
	who, err := a.joiner(ctx, in)
	if err != nil {
		return nil, problemOf(err)
	}
	c := game.Command{By: game.Second, Action: game.Join{Anchor: anchor, Player: who}, Link: link}
	g, out, err := a.Games.Do(ctx, in.ID, key, c, nil)
	if err != nil {
		return nil, problemOf(err)
	}
	if out.Repeated && !events.Answers(out.Record, c) {
		return nil, usedKey()
	}
	return seated(in.ID, game.Second, a.Secrets.Token(g.State.ID, game.Second, out.Record.Cause), out.Record.N), nil
}

// joiner is the id of the player who joins, empty for a nameless one. Who sits at the
// table already is refused: nobody plays himself.
func (a *API) joiner(ctx context.Context, in *joinInput) (id string, err error) {
	g, err := a.played(ctx, in.ID)
	if err != nil {
		return "", err
	}
	token, err := in.token()
	if err != nil || token == "" {
		return "", err
	}
	if player.IsToken(token) {
		p, err := a.person(ctx, token)
		return p.ID, err
	}
	seat, err := a.seatOf(ctx, g, token)
	if err == nil && seat == game.First {
		err = game.Refuse(game.AlreadyJoined, "You sit at this table already; send the invitation to somebody else.")
	}
	return "", err
}
