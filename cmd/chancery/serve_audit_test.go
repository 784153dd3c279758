package main

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"chancery/adapters/memory"
	"chancery/projections/audit"
	"chancery/projections/ledgertest"
)

// TestStandingAudit follows a ledger that grows, and answers at any moment.
func TestStandingAudit(t *testing.T) {
	log := memory.New()
	standing := newStandingAudit(log, slog.New(slog.DiscardHandler))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- standing.Run(ctx) }()
	for from := 0; from < 16; from += 8 {
		if err := ledgertest.Play(ctx, log, ledgertest.Games{From: from, To: from + 8, Moves: 6}); err != nil {
			t.Fatal(err)
		}
		r := askUntilRead(t, standing)
		if r.Games.Begun != from+8 || len(r.Faults)+len(r.Refused) > 0 || len(r.Processes) == 0 || r.Tests == nil {
			t.Errorf("after %d games: %+v, faults %v, refused %v", from+8, r.Games, r.Faults, r.Refused)
		}
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// askUntilRead asks until the audit has read all there is.
func askUntilRead(t *testing.T, standing *standingAudit) (r audit.Report) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		answer := httptest.NewRecorder()
		standing.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/api/audit", nil))
		if err := json.Unmarshal(answer.Body.Bytes(), &r); err != nil || answer.Header().Get("Content-Type") != "application/json" {
			t.Fatalf("%s: %v", answer.Body, err)
		}
		if last, err := standing.log.Last(t.Context()); err == nil && r.Position == last && last > 0 {
			return r
		}
	}
	t.Fatalf("the audit stands at %d", r.Position)
	return r
}
