package httpapi

import (
	"context"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"chancery/domain/game"
	"chancery/projections/lobby"
)

type listInput struct {
	Phase   string `query:"phase" example:"open" doc:"open or live; both if left out"`
	Variant string `query:"variant" doc:"Key of a variant; all if left out"`
	Player  string `query:"player" doc:"Id of a player in either seat"`
	Rated   string `query:"rated" doc:"true or false; both if left out"`
	Cursor  string `query:"cursor" doc:"The next of the page before"`
	Limit   string `query:"limit" example:"50" doc:"From 1 to 200; 50 if left out"`
}

// List is one page of the games that wait for a player or are being played.
type List struct {
	Games []lobby.Game `json:"games" doc:"The newest first"`
	Next  string       `json:"next,omitempty" doc:"Cursor of the next page, if there is one"`
}

type listOutput struct {
	Cache string `header:"Cache-Control"`
	Body  List
}

func (a *API) registerList(api huma.API) {
	huma.Register(api, huma.Operation{
		OperationID: "list", RejectUnknownQueryParameters: true, Method: http.MethodGet, Path: "/api/games",
		Summary: "The games that wait for a player or are being played",
	}, a.list)
}

func (a *API) list(_ context.Context, in *listInput) (*listOutput, error) {
	q, err := in.query()
	if err != nil {
		return nil, err
	}
	page, more := a.Lobby.List(q)
	out := &listOutput{Cache: "no-cache", Body: List{Games: page}}
	if page == nil {
		out.Body.Games = []lobby.Game{}
	}
	if more {
		out.Body.Next = strconv.FormatUint(uint64(page[len(page)-1].Position), 10)
	}
	return out, nil
}

func (in *listInput) query() (lobby.Query, error) {
	q := lobby.Query{Phase: lobby.Phase(in.Phase), Variant: in.Variant, Player: in.Player}
	if in.Phase != "" && q.Phase != lobby.Open && q.Phase != lobby.Live {
		return q, newProblem(game.BadCommand, "The parameter phase takes open or live.")
	}
	if in.Variant != "" {
		if _, err := game.Lookup(in.Variant); err != nil {
			return q, problemOf(err)
		}
	}
	var err error
	if q.Rated, err = truth("rated", in.Rated); err != nil {
		return q, err
	}
	if q.Before, err = cursor(in.Cursor); err != nil {
		return q, err
	}
	if q.Limit, err = limit(in.Limit); err != nil {
		return q, err
	}
	return q, nil
}
