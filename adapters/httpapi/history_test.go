package httpapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"chancery/domain/game"
	"chancery/projections"
	"chancery/projections/history"
)

// past are read models that answer with an error, or with no games.
type past struct{ err error }

func (p past) Games(context.Context, history.Query) ([]history.Game, bool, error) {
	return nil, false, p.err
}
func (p past) View(context.Context, string, int) (game.View, error) { return game.View{}, p.err }
func (p past) Payloads(context.Context, string, int, int) ([]string, error) {
	return nil, p.err
}

func askPast(p past, path string) (*httptest.ResponseRecorder, string) {
	return askPastIn(context.Background(), p, path)
}

func askPastIn(ctx context.Context, p past, path string) (*httptest.ResponseRecorder, string) {
	var log bytes.Buffer
	w := httptest.NewRecorder()
	api := New(Config{Past: p, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	api.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, path, nil))
	return w, log.String()
}

// A parameter that there is not is refused: who misspells a filter would get every game.
func TestUnknownParameters(t *testing.T) {
	tests := []struct{ path, wrong string }{
		{"/api/history?variant=chess&result=1-0&option.moveRule=50&limit=3", ""},
		{"/api/history?varient=chess", `no parameter "varient"`},
		{"/api/history?Variant=chess", `no parameter "Variant"`},
		{"/api/history/pgn?palyer=x", `no parameter "palyer"`},
		{"/api/history?option.movesRule=50", `option "movesRule"`},
		{"/api/history?result=2-0", "1/2-1/2"},
		{"/api/games?palyer=x", "query.palyer: unknown query parameter"},
	}
	for _, tt := range tests {
		w, _ := askPast(past{}, tt.path)
		body := strings.ReplaceAll(w.Body.String(), `\"`, `"`)
		if good := w.Code == 200; good != (tt.wrong == "") || !good && (w.Code != 400 || !strings.Contains(body, tt.wrong)) {
			t.Errorf("%s: %d %s", tt.path, w.Code, body)
		}
	}
}

// Why a list could not be read stands in our log, and not in the answer.
func TestCauseIsLogged(t *testing.T) {
	for status, err := range map[int]error{500: errors.New("the disk is on fire"), 503: fmt.Errorf("the disk is on fire: %w", projections.ErrUnavailable)} {
		w, log := askPast(past{err}, "/api/history")
		if w.Code != status || strings.Contains(w.Body.String(), "fire") || !strings.Contains(log, "the disk is on fire") || !strings.Contains(log, "/api/history") {
			t.Errorf("%d %s; the log says %s", w.Code, w.Body, log)
		}
	}
}

// That a client has left is no fault of ours, whatever came of the request.
func TestWhoLeavesIsNotLogged(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	leave()
	if w, log := askPastIn(ctx, past{fmt.Errorf("%w: %w", projections.ErrUnavailable, ctx.Err())}, "/api/history"); strings.Contains(log, "msg=request") {
		t.Errorf("%d, and the log says %s", w.Code, log)
	}
}
