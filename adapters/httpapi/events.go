package httpapi

import (
	"context"
	"math"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"chancery/events"
	"chancery/projections/watch"
)

// mostRecords is how many records a page of events covers.
const mostRecords = 500

// Events is a page of a game's events.
type Events struct {
	Events []watch.Event `json:"events" doc:"In order, those of a record together"`
	Next   *int          `json:"next,omitempty" doc:"since of the next page, if the page is full"`
}

type eventsOutput struct {
	Cache string `header:"Cache-Control"`
	Body  Events
}

func (a *API) registerEvents(api huma.API) {
	huma.Register(api, huma.Operation{
		OperationID: "events", Method: http.MethodGet, Path: "/api/games/{id}/events",
		Summary:     "What happened in a game, event by event",
		Description: "Without the proofs of chance, which the exact records hold. The newest moments of a game may be missing: the stream has them.",
	}, a.events)
}

func (a *API) events(ctx context.Context, in *recordsInput) (*eventsOutput, error) {
	since, err := number("since", in.Since, 0)
	if err != nil {
		return nil, err
	}
	to, err := number("to", in.To, math.MaxInt32)
	if err != nil {
		return nil, err
	}
	if _, err := a.Games.Game(ctx, in.ID); err != nil {
		return nil, problemOf(err)
	}
	payloads, err := a.Past.Payloads(ctx, in.ID, since, min(to, since+mostRecords-1))
	if err != nil {
		return nil, problemOf(err)
	}
	out := &eventsOutput{Cache: "no-cache", Body: Events{Events: []watch.Event{}}}
	for _, p := range payloads {
		list, err := watch.Events([]byte(p))
		if err != nil {
			return nil, problemOf(&events.BrokenError{Game: in.ID, Cause: err})
		}
		out.Body.Events = append(out.Body.Events, list...)
	}
	if next := since + mostRecords; len(payloads) == mostRecords && next <= to {
		out.Body.Next = &next
	}
	return out, nil
}
