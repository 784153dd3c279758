package httpapi

import (
	"context"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"

	"chancery/domain/game"
)

type recordsInput struct {
	ID    string `path:"id" maxLength:"64"`
	Since string `query:"since" example:"0" doc:"Number of the first record wanted; 0 if left out"`
	To    string `query:"to" example:"9" doc:"Number of the last record wanted; the newest if left out"`
}

func (a *API) registerRecords(api huma.API) {
	huma.Register(api, huma.Operation{
		OperationID: "records", Method: http.MethodGet, Path: "/api/games/{id}/records",
		Summary:   "The exact records of a game, one a line",
		Responses: map[string]*huma.Response{"200": lines("The stored bytes of each record, and a newline.")},
	}, a.records)
}

// lines is the answer of a call that gives records.
func lines(what string) *huma.Response {
	return &huma.Response{Description: what, Content: map[string]*huma.MediaType{ndjson: {}}}
}

const ndjson = "application/x-ndjson"

func (a *API) records(ctx context.Context, in *recordsInput) (*huma.StreamResponse, error) {
	since, err := number("since", in.Since, 0)
	if err != nil {
		return nil, err
	}
	to, err := number("to", in.To, math.MaxInt)
	if err != nil {
		return nil, err
	}
	if _, err := a.Games.Game(ctx, in.ID); err != nil {
		return nil, problemOf(err)
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		r, w := humachi.Unwrap(hc)
		a.writeRecords(w, r, in.ID, since, to)
	}}, nil
}

// number reads a parameter that is the number of a record.
func number(name, text string, absent int) (int, error) {
	if text == "" {
		return absent, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, newProblem(game.BadCommand, "The parameter "+name+" takes the number of a record, from 0.")
	}
	return n, nil
}

// writeRecords sends the records as they come from the ledger. Whoever takes them too
// slowly is cut off, and sees it by the end that is missing.
func (a *API) writeRecords(w http.ResponseWriter, r *http.Request, id string, since, to int) {
	w.Header().Set("Content-Type", ndjson)
	w.Header().Set("Cache-Control", "no-cache")
	rc := http.NewResponseController(w)
	var line []byte
	for s, err := range a.Games.Records(r.Context(), id, since, to) {
		if err != nil {
			a.Logger.Warn("records broke off", "game", id, "err", err)
			panic(http.ErrAbortHandler) // a clean end would look like the whole of it
		}
		line = append(append(line[:0], s.Payload...), '\n')
		_ = rc.SetWriteDeadline(time.Now().Add(a.StreamWriteWithin)) // a writer without deadlines has none to miss
		if _, err := w.Write(line); err != nil {
			return
		}
	}
}
