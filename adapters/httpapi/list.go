package httpapi

import (
	"context"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"chancery/domain/game"
	"chancery/events"
	"chancery/projections/lobby"
)

type listInput struct {
	Phase   string `query:"phase" example:"open" doc:"open or live; both if left out"`
	Variant string `query:"variant" doc:"Key of a variant; all if left out"`
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
		OperationID: "list", Method: http.MethodGet, Path: "/api/games",
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
	q := lobby.Query{Phase: lobby.Phase(in.Phase), Variant: in.Variant, Limit: 50}
	if in.Phase != "" && q.Phase != lobby.Open && q.Phase != lobby.Live {
		return q, newProblem(game.BadCommand, "The parameter phase takes open or live.")
	}
	if in.Variant != "" {
		if _, err := game.Lookup(in.Variant); err != nil {
			return q, problemOf(err)
		}
	}
	if in.Cursor != "" {
		position, err := strconv.ParseUint(in.Cursor, 10, 64)
		if err != nil || position == 0 {
			return q, newProblem(game.BadCommand, "The parameter cursor takes the next of another page.")
		}
		q.Before = events.Position(position)
	}
	if in.Limit != "" {
		limit, err := strconv.Atoi(in.Limit)
		if err != nil || limit < 1 || limit > 200 {
			return q, newProblem(game.BadCommand, "The parameter limit takes a number from 1 to 200.")
		}
		q.Limit = limit
	}
	return q, nil
}
