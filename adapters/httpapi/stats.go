package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"chancery/domain/game"
	"chancery/projections/stats"
)

// Stats is what the API needs of the figures. An error is that of read models.
type Stats interface {
	Stats(ctx context.Context, q stats.Query) (stats.Figures, error)
}

type statsInput struct {
	Variant string `query:"variant" doc:"Key of a variant; all if left out"`
	From    string `query:"from" example:"2026-11-01" doc:"Outcomes of this day (UTC) or later"`
	Until   string `query:"until" example:"2026-12-01" doc:"Outcomes of days before this one"`
}

type statsOutput struct {
	Cache string `header:"Cache-Control"`
	Body  stats.Figures
}

func (a *API) registerStats(api huma.API) {
	if a.Stats == nil {
		return
	}
	huma.Register(api, huma.Operation{
		OperationID: "stats", RejectUnknownQueryParameters: true, Method: http.MethodGet, Path: "/api/stats",
		Summary:     "What was counted of games that are over",
		Description: "Results by day, variant, army and reason; openings, dice and lengths of games with a result. Games that were voided are left out. Days are days of UTC.",
	}, a.stats)
}

func (a *API) stats(ctx context.Context, in *statsInput) (*statsOutput, error) {
	q := stats.Query{Variant: in.Variant}
	if in.Variant != "" {
		if _, err := game.Lookup(in.Variant); err != nil {
			return nil, problemOf(err)
		}
	}
	var err error
	if q.From, err = day("from", in.From); err != nil {
		return nil, err
	}
	if q.Until, err = day("until", in.Until); err != nil {
		return nil, err
	}
	figures, err := a.Stats.Stats(ctx, q)
	if err != nil {
		return nil, problemOf(err)
	}
	return &statsOutput{Cache: "no-cache", Body: figures}, nil
}

// day reads a day, or the day of a moment, as it is in UTC.
func day(name, text string) (string, error) {
	at, err := moment(name, text)
	if err != nil || at == "" {
		return "", err
	}
	return at[:len("2026-11-29")], nil
}
