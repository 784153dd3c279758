package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"chancery/domain/fair"
	"chancery/domain/game"
)

type mineInput struct {
	Caller
	ID string `path:"id" maxLength:"64"`
}

// Mine is what only a seat's own player may have.
type Mine struct {
	Seat  game.Seat   `json:"seat"`
	N     int         `json:"n" doc:"Number of the newest record"`
	Cards []fair.Mine `json:"cards" doc:"The cards in the seat's hand with the salts of their envelopes; empty where there are none"`
}

type mineOutput struct {
	Cache string `header:"Cache-Control"`
	Body  Mine
}

func (a *API) registerMine(api huma.API) {
	huma.Register(api, huma.Operation{
		OperationID: "mine", Method: http.MethodGet, Path: "/api/games/{id}/mine",
		Summary: "A seat's own cards, with what proves them", Security: []map[string][]string{{"seat": {}}},
	}, a.mine)
}

func (a *API) mine(ctx context.Context, in *mineInput) (*mineOutput, error) {
	token, err := in.token()
	if err != nil {
		return nil, problemOf(err)
	}
	g, err := a.played(ctx, in.ID)
	if err != nil {
		return nil, problemOf(err)
	}
	seat, err := a.player(ctx, g, token)
	if err != nil {
		return nil, problemOf(err)
	}
	cards, err := a.Games.Mine(g, seat)
	if err != nil {
		return nil, problemOf(err)
	}
	if cards == nil {
		cards = []fair.Mine{}
	}
	return &mineOutput{Cache: "no-store", Body: Mine{Seat: seat, N: g.N, Cards: cards}}, nil
}
