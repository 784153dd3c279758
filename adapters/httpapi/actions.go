package httpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"chancery/domain/game"
	"chancery/events"
)

// An Act is a player's command.
type Act struct {
	Do     Do     `json:"do"`
	Expect *int   `json:"expect,omitempty" example:"5" doc:"Number of the newest record that the client has seen; needed for what a turn consists of, and not looked at for calls, offers, claims and resignations"`
	Link   string `json:"link,omitempty" doc:"Next link of the seat's own chain, where the view says that it is due"`
	Ack    string `json:"ack,omitempty" doc:"Hash of the newest record that the client has seen"`
}

// A Do is an action, an object with one key. See [game.ParseAction].
type Do json.RawMessage

// UnmarshalJSON keeps the text as it is.
func (d *Do) UnmarshalJSON(b []byte) error {
	*d = append(Do(nil), b...)
	return nil
}

// Schema describes an action.
func (Do) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeObject, AdditionalProperties: true, MinProperties: new(1),
		Description: `What to do, an object with one key: {"move":"e2e4"}, {"drop":"N@f3"}, {"draw":"offer"} (or accept, decline, claim), {"resign":true}, {"cancel":true}, {"link":true}, {"stop_links":true}, and where there are cards or dice also {"play":"R5"}, {"play":"W","color":"green"}, {"discard":["R5"]}, {"pass":true}, {"promote":"e4"}, {"uno":"call"}.`,
		Examples:    []any{map[string]any{"move": "e2e4"}},
	}
}

// Acted answers an accepted command.
type Acted struct {
	N      int             `json:"n" doc:"Number of the record that the command led to"`
	Events json.RawMessage `json:"events" doc:"The events of that record"`
	View   game.View       `json:"view" doc:"What the seat may know of the game after them"`
}

type actInput struct {
	Bearer
	ID   string `path:"id" maxLength:"64"`
	Key  string `header:"Idempotency-Key" doc:"22 to 200 characters of the client's own randomness; needed"`
	Body Act
}

type actOutput struct {
	Cache string `header:"Cache-Control"`
	Body  Acted
}

func (a *API) registerActions(api huma.API) {
	huma.Register(api, huma.Operation{
		OperationID: "act", Method: http.MethodPost, Path: "/api/games/{id}/actions",
		Summary: "Move, offer, resign: do something in a game", MaxBodyBytes: 2 * maxBody,
		Security: []map[string][]string{{"seat": {}}},
	}, a.act)
}

func (a *API) act(ctx context.Context, in *actInput) (*actOutput, error) {
	g, c, expect, err := a.commandOf(ctx, in)
	if err != nil {
		return nil, problemOf(err)
	}
	g, out, err := a.Games.Do(ctx, g.State.ID, in.Key, c, expect)
	if err != nil {
		return nil, problemOf(err)
	}
	if out.Repeated {
		if !events.Answers(out.Record, c) {
			return nil, usedKey()
		}
		if g, err = a.Games.At(ctx, in.ID, out.Record.N); err != nil {
			return nil, problemOf(err)
		}
	}
	return a.acted(g, c.By, out)
}

// commandOf reads a command and who sends it.
func (a *API) commandOf(ctx context.Context, in *actInput) (g events.Game, c game.Command, expect *int, err error) {
	token, err := in.token()
	if err != nil {
		return g, c, nil, err
	}
	if g, err = a.played(ctx, in.ID); err != nil {
		return g, c, nil, err
	}
	if c.By, err = a.player(ctx, g, token); err != nil {
		return g, c, nil, err
	}
	if err = checkKey(in.Key); err != nil {
		return g, c, nil, err
	}
	if c.Action, err = game.ParseAction(in.Body.Do); err != nil {
		return g, c, nil, err
	}
	if c.Link, err = hash("link", in.Body.Link); err != nil {
		return g, c, nil, err
	}
	if c.Ack, err = hash("ack", in.Body.Ack); err != nil {
		return g, c, nil, err
	}
	if !game.IsTurn(c.Action) {
		return g, c, nil, nil
	}
	if in.Body.Expect == nil {
		return g, c, nil, newProblem(game.BadCommand, "Send as \"expect\" the number of the newest record that you have seen, which is the n of the view.")
	}
	return g, c, in.Body.Expect, nil
}

func (a *API) acted(g events.Game, by game.Seat, out events.Outcome) (*actOutput, error) {
	list, err := eventsOf(out.Stored)
	if err != nil {
		return nil, problemOf(err)
	}
	v, err := a.Games.View(g, by)
	if err != nil {
		return nil, problemOf(err)
	}
	return &actOutput{Cache: "no-store", Body: Acted{N: out.Record.N, Events: list, View: v}}, nil
}

// eventsOf are the events of a record, as they are stored.
func eventsOf(s events.Stored) (json.RawMessage, error) {
	var record struct {
		Events json.RawMessage `json:"events"`
	}
	if err := json.Unmarshal(s.Payload, &record); err != nil {
		return nil, fmt.Errorf("reading the events of a record of game %s: %w", s.Game, err)
	}
	return record.Events, nil
}
