package httpapi

import (
	"cmp"
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
	"chancery/domain/player"
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
	g, err := a.played(ctx, in.ID)
	if err != nil {
		return nil, problemOf(err)
	}
	names := a.namesOf(ctx, accountsOf(g.State.Seats[:])...)
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		r, w := humachi.Unwrap(hc)
		w.Header().Set("Content-Type", pgnType)
		w.Header().Set("Cache-Control", "no-cache")
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(a.StreamWriteWithin)) // a writer without deadlines has none to miss
		if err := a.writePGN(r.Context(), w, in.ID, nil, names); err != nil {
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
	var ids []string
	for _, g := range page {
		ids = append(ids, accountsOf(g.Seats)...)
	}
	names := a.namesOf(r.Context(), ids...)
	for _, g := range page {
		_ = rc.SetWriteDeadline(time.Now().Add(a.StreamWriteWithin)) // a writer without deadlines has none to miss
		payloads, err := a.Past.Payloads(r.Context(), g.Game, 0, math.MaxInt32)
		if err == nil {
			err = a.writePGN(r.Context(), w, g.Game, payloads, names)
		}
		if err != nil {
			a.Logger.Warn("games as PGN broke off", "game", g.Game, "err", err)
			panic(http.ErrAbortHandler) // a clean end would look like the whole of it
		}
	}
}

// accountsOf lists the ids of those who have a name.
func accountsOf(seats []game.Sitter) (ids []string) {
	for _, s := range seats {
		if player.IsAccount(s.Player) {
			ids = append(ids, s.Player)
		}
	}
	return ids
}

// writePGN writes one game from its records; those that are not given are read from the
// ledger. Players stand there by their names, as far as they have any.
func (a *API) writePGN(ctx context.Context, w io.Writer, id string, payloads []string, names func(id string) Person) error {
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
	for i, s := range g.State.Seats {
		g.State.Seats[i].Player = cmp.Or(names(s.Player).Name, s.Player)
	}
	return pgn.Write(w, g.State, history, cmp.Or(a.PublicURL, "?"))
}
