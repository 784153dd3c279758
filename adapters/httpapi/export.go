package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"

	"chancery/domain/game"
	"chancery/events"
	"chancery/projections"
	"chancery/projections/feed"
)

// mostExported is how many records one answer covers.
const mostExported = 1000

type exportInput struct {
	After string `query:"after" example:"0" doc:"Position in the ledger behind which to begin; 0 if left out"`
	Limit string `query:"limit" example:"1000" doc:"Records to cover, from 1 to 1000; 1000 if left out"`
}

const exportDescription = "In the order of the ledger. The header Link with rel=\"next\" leads to what comes behind, also where there is nothing yet: an empty answer, and the same address to ask again later. Chancery-Position is the position reached."

func (a *API) registerExport(api huma.API) {
	if a.Ledger == nil {
		return
	}
	public := publicEvents(a.Ledger) // which remembers games from one page to the next
	huma.Register(api, huma.Operation{
		OperationID: "export_events", RejectUnknownQueryParameters: true, Method: http.MethodGet, Path: "/api/events",
		Summary: "The public events of all games, one CloudEvent a line", Description: exportDescription,
		Responses: map[string]*huma.Response{"200": lines("Public events in the JSON format of CloudEvents.")},
	}, func(ctx context.Context, in *exportInput) (*huma.StreamResponse, error) {
		return a.export(ctx, in, "/api/events", public)
	})
	huma.Register(api, huma.Operation{
		OperationID: "export_records", RejectUnknownQueryParameters: true, Method: http.MethodGet, Path: "/api/records",
		Summary: "The exact records of all games, one a line", Description: exportDescription,
		Responses: map[string]*huma.Response{"200": lines("The stored bytes of each record, and a newline.")},
	}, func(ctx context.Context, in *exportInput) (*huma.StreamResponse, error) {
		return a.export(ctx, in, "/api/records", exactRecord)
	})
}

// An appender appends the lines of a record.
type appender func(ctx context.Context, b []byte, s events.Stored) ([]byte, error)

func exactRecord(_ context.Context, b []byte, s events.Stored) ([]byte, error) {
	return append(append(b, s.Payload...), '\n'), nil
}

func publicEvents(log events.Log) appender {
	begun := projections.NewBeginnings(log)
	return func(ctx context.Context, b []byte, s events.Stored) ([]byte, error) {
		r := projections.NewRecord(s)
		beginning, err := begun.Of(ctx, r)
		if err != nil {
			return nil, err
		}
		list, err := feed.Events(r, beginning)
		if err != nil {
			return nil, err
		}
		for _, e := range list {
			b = append(e.AppendJSON(b), '\n')
		}
		return b, nil
	}
}

// export answers with a page, made before it is sent: a page is whole or an error.
func (a *API) export(ctx context.Context, in *exportInput, path string, line appender) (*huma.StreamResponse, error) {
	after, err := position("after", in.After)
	if err != nil {
		return nil, err
	}
	most, err := pageOf(in.Limit)
	if err != nil {
		return nil, err
	}
	page, reached, err := a.gather(ctx, after, most, line)
	if err != nil {
		return nil, problemOf(err)
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		_, w := humachi.Unwrap(hc)
		h := w.Header()
		h.Set("Content-Type", ndjson)
		h.Set("Cache-Control", "no-cache")
		h.Set("Link", fmt.Sprintf(`<%s?after=%d&limit=%d>; rel="next"`, path, reached, most))
		h.Set("Chancery-Position", strconv.FormatUint(uint64(reached), 10))
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(a.StreamWriteWithin))
		_, _ = w.Write(page) // whoever has gone does not miss it
	}}, nil
}

// gather reads up to so many records behind a position.
func (a *API) gather(ctx context.Context, after events.Position, most int, line appender) (page []byte, reached events.Position, err error) {
	last, err := a.Ledger.Last(ctx)
	if err == nil && last < after {
		err = newProblem(game.BadCommand, fmt.Sprintf("The ledger ends at position %d: you have followed another one, or this one has lost records. Compare, and begin again at after=0.", last))
	}
	if err != nil || last == after {
		return nil, after, err
	}
	to := min(last, after+events.Position(most))
	for s, err := range a.Ledger.Follow(ctx, after) {
		if err != nil {
			return nil, after, err
		}
		if page, err = line(ctx, page, s); err != nil {
			return nil, after, err
		}
		if s.Position >= to || len(page) >= enough {
			return page, s.Position, nil
		}
	}
	return nil, after, ctx.Err()
}

// enough is when a page is full before it has all records that were asked for.
const enough = 4 << 20

// position reads a parameter that is a position of the ledger.
func position(name, text string) (events.Position, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		return 0, newProblem(game.BadCommand, "The parameter "+name+" takes a position of the ledger, from 0.")
	}
	return events.Position(n), nil
}

// pageOf reads how many records a page covers.
func pageOf(text string) (int, error) {
	if text == "" {
		return mostExported, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > mostExported {
		return 0, newProblem(game.BadCommand, "The parameter limit takes a number from 1 to 1000.")
	}
	return n, nil
}
