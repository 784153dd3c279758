package main

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"chancery/adapters/statistics"
	"chancery/events"
	"chancery/events/verify"
	"chancery/projections"
	"chancery/projections/audit"
)

// auditAgain is how long a standing audit waits after the ledger failed it, and
// auditFresh how old an answer may be.
const (
	auditAgain = 5 * time.Second
	auditFresh = 2 * time.Second
)

// A standingAudit audits the ledger while it is served: all of it from the first record
// on, and every game when it ends. It takes half of one processor at most.
type standingAudit struct {
	log    events.Log
	logger *slog.Logger

	caughtUp  chan struct{} // closed when it has read what was there at the start
	announced sync.Once

	mu      sync.Mutex
	auditor *audit.Auditor
	answer  []byte // the newest report, and when it was made
	made    time.Time
	report  audit.Report
}

func newStandingAudit(log events.Log, logger *slog.Logger) *standingAudit {
	return &standingAudit{log: log, logger: logger, caughtUp: make(chan struct{}), auditor: audit.New(log, verify.Legal)}
}

// Run lasts until ctx ends. After an error of the ledger the audit begins anew: half a
// record counted is worse than all of them read again.
func (s *standingAudit) Run(ctx context.Context) error {
	for {
		err := s.follow(ctx)
		if ctx.Err() != nil {
			return nil
		}
		s.logger.Warn("the audit of the ledger begins anew", "err", err)
		s.mu.Lock()
		s.auditor = audit.New(s.log, verify.Legal)
		s.mu.Unlock()
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(auditAgain):
		}
	}
}

// follow audits the ledger, and says when it has read what is there now.
func (s *standingAudit) follow(ctx context.Context) error {
	last, err := s.log.Last(ctx)
	if err != nil {
		return err
	}
	caughtUp := func() { s.announced.Do(func() { close(s.caughtUp) }) }
	if last == 0 {
		caughtUp()
	}
	for r, err := range s.log.Follow(ctx, 0) {
		if err != nil {
			return err
		}
		start := time.Now()
		s.mu.Lock()
		err = s.auditor.Absorb(ctx, projections.NewRecord(r))
		s.mu.Unlock()
		if err != nil {
			return err
		}
		if r.Position >= last {
			caughtUp()
		}
		if took := time.Since(start); took > time.Millisecond {
			time.Sleep(took) // a game was judged; players come first
		}
	}
	return ctx.Err()
}

// now is the report of this moment, or of one not long ago, and its JSON.
func (s *standingAudit) now(ctx context.Context) (audit.Report, []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Since(s.made) < auditFresh {
		return s.report, s.answer
	}
	s.report = s.auditor.Report(time.Now())
	ctx, cancel := context.WithTimeout(ctx, auditFresh) // others wait for the lock
	defer cancel()
	if last, err := s.log.Last(ctx); err == nil {
		s.report.Last = last
	}
	statistics.Judge(&s.report)
	s.made = time.Now()
	s.answer, _ = json.Marshal(s.report) // numbers, texts and lists of them
	return s.report, s.answer
}

// ServeHTTP answers with the report.
func (s *standingAudit) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, body := s.now(r.Context())
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-cache")
	h.Set("Access-Control-Allow-Origin", "*") // it is public
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	_, _ = w.Write(body) // who does not wait for it does not need it
}

// measure adds what an operator watches.
func (s *standingAudit) measure(to prometheus.Registerer) {
	gauge := func(name, help string, value func(audit.Report) float64) {
		to.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "chancery_audit_" + name, Help: help}, func() float64 {
			r, _ := s.now(context.Background())
			return value(r)
		}))
	}
	gauge("records", "Records that the standing audit has read.", func(r audit.Report) float64 { return float64(r.Records) })
	gauge("faults", "Records missing, twice or out of their chain, and games that a verifier refuses.",
		func(r audit.Report) float64 { return float64(len(r.Faults) + len(r.Refused)) })
	gauge("overdue", "Games that have ended and do not show their seed.", func(r audit.Report) float64 { return float64(len(r.Overdue)) })
	gauge("alarm", "1: what the seeds derive does not look like chance.", func(r audit.Report) float64 {
		if r.Alarm {
			return 1
		}
		return 0
	})
}
