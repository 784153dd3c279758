package httpapi

import (
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"

	"chancery/domain/game"
	"chancery/domain/pgn"
	"chancery/events"
	"chancery/projections/history"
)

const pgnType = "application/vnd.chess-pgn"

func (a *API) registerPGN(api huma.API) {
	huma.Register(api, huma.Operation{
		OperationID: "pgn", Method: http.MethodGet, Path: "/api/games/{id}/pgn",
		Summary:   "A game as PGN, as far as it has been played",
		Responses: map[string]*huma.Response{"200": {Description: "The game as PGN.", Content: map[string]*huma.MediaType{pgnType: {}}}},
	}, a.pgn)
}

type pgnInput struct {
	ID string `path:"id" maxLength:"64"`
}

func (a *API) pgn(ctx context.Context, in *pgnInput) (*huma.StreamResponse, error) {
	if _, err := a.Games.Game(ctx, in.ID); err != nil {
		return nil, problemOf(err)
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		r, w := humachi.Unwrap(hc)
		w.Header().Set("Content-Type", pgnType)
		w.Header().Set("Cache-Control", "no-cache")
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(a.StreamWriteWithin)) // a writer without deadlines has none to miss
		if err := a.writePGN(r.Context(), w, in.ID, nil); err != nil {
			a.Logger.Warn("a game cannot be written as PGN", "game", in.ID, "err", err)
			panic(http.ErrAbortHandler) // a clean end would look like the whole of it
		}
	}}, nil
}

func (a *API) historyPGN(ctx context.Context, in *historyInput) (*huma.StreamResponse, error) {
	q, err := in.query()
	if err != nil {
		return nil, err
	}
	page, more, err := a.Past.Games(ctx, q)
	if err != nil {
		return nil, problemOf(err)
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		r, w := humachi.Unwrap(hc)
		w.Header().Set("Content-Type", pgnType)
		w.Header().Set("Cache-Control", "no-cache")
		if more {
			next := *r.URL
			values := next.Query()
			values.Set("cursor", cursorOf(page))
			next.RawQuery = values.Encode()
			w.Header().Set("Link", fmt.Sprintf("<%s>; rel=\"next\"", next.RequestURI()))
		}
		a.writePGNs(w, r, page)
	}}, nil
}

// writePGNs sends the games one by one, and cuts off whoever takes them too slowly.
func (a *API) writePGNs(w http.ResponseWriter, r *http.Request, page []history.Game) {
	rc := http.NewResponseController(w)
	for _, g := range page {
		_ = rc.SetWriteDeadline(time.Now().Add(a.StreamWriteWithin)) // a writer without deadlines has none to miss
		payloads, err := a.Past.Payloads(r.Context(), g.Game, 0, math.MaxInt32)
		if err == nil {
			err = a.writePGN(r.Context(), w, g.Game, payloads)
		}
		if err != nil {
			a.Logger.Warn("games as PGN broke off", "game", g.Game, "err", err)
			panic(http.ErrAbortHandler) // a clean end would look like the whole of it
		}
	}
}

// writePGN writes one game from its records; those that are not given are read from the
// ledger.
func (a *API) writePGN(ctx context.Context, w io.Writer, id string, payloads []string) error {
	g, history := events.NewGame(id), []game.Event(nil)
	absorb := func(s events.Stored) error {
		next, r, err := g.Absorb(s)
		g, history = next, append(history, r.Events...)
		return err
	}
	for i, p := range payloads {
		if err := absorb(events.Stored{Game: id, Position: events.Position(i + 1), Payload: []byte(p)}); err != nil {
			return err
		}
	}
	for s, err := range a.Games.Records(ctx, id, len(payloads), math.MaxInt) {
		if err == nil {
			err = absorb(s)
		}
		if err != nil {
			return err
		}
	}
	return pgn.Write(w, g.State, history, "?")
}
