package httpapi

import (
	"context"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"chancery/domain/rating"
	"chancery/projections/ratings"
)

// An Entry is what one game did to a rating.
type Entry struct {
	Game     string   `json:"game"`
	Variant  string   `json:"variant"`
	Ended    string   `json:"ended" doc:"RFC 3339, UTC, milliseconds"`
	Opponent Person   `json:"opponent"`
	Outcome  string   `json:"outcome" enum:"won,drawn,lost"`
	Before   float64  `json:"before" doc:"The rating before the game"`
	After    Standing `json:"after"`
}

// Entries is one page of what games did to a rating.
type Entries struct {
	Entries []Entry `json:"entries" doc:"The newest first"`
	Next    string  `json:"next,omitempty" doc:"Cursor of the next page, if there is one"`
}

type entriesInput struct {
	OfPlayer
	Variant  string `query:"variant" doc:"Key of a variant; the overall rating if left out"`
	Opponent string `query:"opponent" doc:"Id or name of a player: only the games against him"`
	Cursor   string `query:"cursor" doc:"The next of the page before"`
	Limit    string `query:"limit" example:"50" doc:"From 1 to 200; 50 if left out"`
}

type entriesOutput struct {
	Cache string `header:"Cache-Control"`
	Body  Entries
}

// A Record is how a player has done against another.
type Record struct {
	Opponent Person   `json:"opponent"`
	Won      int      `json:"won"`
	Drawn    int      `json:"drawn"`
	Lost     int      `json:"lost"`
	Form     []string `json:"form,omitempty" enum:"won,drawn,lost" doc:"The last five games, the newest first"`
}

type againstInput struct {
	OfPlayer
	Other string `path:"other" maxLength:"64" doc:"Id or name of the other player"`
}

type recordOutput struct {
	Cache string `header:"Cache-Control"`
	Body  Record
}

// Opponents are those whom a player has met.
type Opponents struct {
	Opponents []Record `json:"opponents" doc:"Those he has played most first"`
}

type opponentsInput struct {
	OfPlayer
	Limit string `query:"limit" example:"50" doc:"From 1 to 200; 50 if left out"`
}

type opponentsOutput struct {
	Cache string `header:"Cache-Control"`
	Body  Opponents
}

func (a *API) registerRecord(api huma.API) {
	huma.Register(api, huma.Operation{
		OperationID: "rating_history", RejectUnknownQueryParameters: true, Method: http.MethodGet, Path: "/api/ratings/{player}/history", Summary: "How a rating came about, game by game",
	}, a.entries)
	huma.Register(api, huma.Operation{
		OperationID: "opponents", RejectUnknownQueryParameters: true, Method: http.MethodGet, Path: "/api/ratings/{player}/opponents", Summary: "A player's record against everybody",
	}, a.opponents)
	huma.Register(api, huma.Operation{
		OperationID: "head_to_head", Method: http.MethodGet, Path: "/api/ratings/{player}/against/{other}", Summary: "A player's record against another, with their last games",
	}, a.against)
}

func (a *API) entries(ctx context.Context, in *entriesInput) (*entriesOutput, error) {
	q, err := in.query()
	if err != nil {
		return nil, err
	}
	p, _, err := a.find(ctx, in.Player)
	if err != nil {
		return nil, problemOf(err)
	}
	q.Player = p.ID
	if in.Opponent != "" {
		other, _, err := a.find(ctx, in.Opponent)
		if err != nil {
			return nil, problemOf(err)
		}
		q.Opponent = other.ID
	}
	page, more, err := a.Ratings.Entries(ctx, q)
	if err != nil {
		return nil, problemOf(err)
	}
	out := &entriesOutput{Cache: "no-cache", Body: Entries{Entries: []Entry{}}}
	if more {
		out.Body.Next = strconv.FormatUint(uint64(page[len(page)-1].Game.Position), 10)
	}
	var ids []string
	for _, e := range page {
		ids = append(ids, e.Opponent)
	}
	names := a.namesOf(ctx, ids...)
	for _, e := range page {
		out.Body.Entries = append(out.Body.Entries, Entry{
			Game: e.Game.ID, Variant: e.Game.Variant, Ended: e.Game.Ended, Opponent: names(e.Opponent), Outcome: outcome(e.Score),
			Before: e.Before.Rating.Points(), After: standingOf(e.Pool, e.After),
		})
	}
	return out, nil
}

func (in *entriesInput) query() (q ratings.Query, err error) {
	if q.Pool, err = poolOf(in.Variant); err != nil {
		return q, err
	}
	if q.Before, err = cursor(in.Cursor); err != nil {
		return q, err
	}
	q.Limit, err = limit(in.Limit)
	return q, err
}

// outcome is a score in a word.
func outcome(s rating.Score) string {
	switch s {
	case rating.Win:
		return "won"
	case rating.Draw:
		return "drawn"
	default:
		return "lost"
	}
}

func (a *API) opponents(ctx context.Context, in *opponentsInput) (*opponentsOutput, error) {
	most, err := limit(in.Limit)
	if err != nil {
		return nil, err
	}
	p, _, err := a.find(ctx, in.Player)
	if err != nil {
		return nil, problemOf(err)
	}
	list, err := a.Ratings.Rivals(ctx, p.ID, most)
	if err != nil {
		return nil, problemOf(err)
	}
	var ids []string
	for _, r := range list {
		ids = append(ids, r.Opponent)
	}
	names, out := a.namesOf(ctx, ids...), &opponentsOutput{Cache: "no-cache", Body: Opponents{Opponents: []Record{}}}
	for _, r := range list {
		out.Body.Opponents = append(out.Body.Opponents, Record{Opponent: names(r.Opponent), Won: r.Won, Drawn: r.Drawn, Lost: r.Lost})
	}
	return out, nil
}

func (a *API) against(ctx context.Context, in *againstInput) (*recordOutput, error) {
	p, _, err := a.find(ctx, in.Player)
	if err != nil {
		return nil, problemOf(err)
	}
	other, _, err := a.find(ctx, in.Other)
	if err != nil {
		return nil, problemOf(err)
	}
	pair, err := a.Ratings.HeadToHead(ctx, p.ID, other.ID)
	if err != nil {
		return nil, problemOf(err)
	}
	out := &recordOutput{Cache: "no-cache", Body: Record{
		Opponent: a.namesOf(ctx, other.ID)(other.ID), Won: pair.Won, Drawn: pair.Drawn, Lost: pair.Lost, Form: []string{},
	}}
	for _, s := range pair.Form {
		out.Body.Form = append(out.Body.Form, outcome(s))
	}
	return out, nil
}
