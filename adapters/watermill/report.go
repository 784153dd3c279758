package watermill

import (
	"errors"
	"log/slog"
	"sync"
	"time"

	"chancery/events"
	"chancery/projections"
)

// A report is how one projection does, kept for those who ask and told to the log when
// it changes.
type report struct {
	mu     sync.Mutex
	now    projections.Status
	logger *slog.Logger
	tell   func(model string, records int, last time.Time)
}

func newReport(name string, logger *slog.Logger, tell func(string, int, time.Time)) *report {
	return &report{
		now:    projections.Status{Name: name, Condition: projections.Starting},
		logger: logger.With("projection", name), tell: tell,
	}
}

func (r *report) status() projections.Status {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.now
}

func (r *report) position() events.Position { return r.status().Position }

// running begins a session. A projection that stopped at a record has not gone on yet,
// unless it is beyond it.
func (r *report) running(at projections.Checkpoint) {
	r.mu.Lock()
	defer r.mu.Unlock()
	was := r.now.Condition
	if was == projections.Stopped && at.Position < r.now.At {
		r.now.Position = at.Position
		return
	}
	r.now = projections.Status{Name: r.now.Name, Condition: projections.Running, Position: at.Position}
	if was != projections.Running {
		r.logger.Info("the read model is being kept up to date", "position", uint64(at.Position))
	}
}

func (r *report) renewing() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.logger.Info("the read model is of an older version and is computed anew")
	r.now = projections.Status{Name: r.now.Name, Condition: projections.Renewing}
}

// reached notes the position without a word on the condition.
func (r *report) reached(at events.Position) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now.Position = at
}

// absorbed says that a batch went well.
func (r *report) absorbed(w *work) {
	r.mu.Lock()
	if r.now.Condition == projections.Stopped {
		r.logger.Info("the projection goes on", "position", uint64(r.now.At))
	}
	r.now = projections.Status{Name: r.now.Name, Condition: projections.Running, Position: w.at.Position}
	name, tell := r.now.Name, r.tell
	r.mu.Unlock()
	if tell == nil || len(w.batch) == 0 {
		return
	}
	if made, err := time.Parse(time.RFC3339, w.batch[len(w.batch)-1].Time()); err == nil {
		tell(name, len(w.batch), made)
	}
}

// failed says how a session ended, and how long to wait before the next one.
func (r *report) failed(err error, pace Pace, pause time.Duration) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	var poison *projections.PoisonError
	was := r.now
	switch {
	case err == nil || errors.Is(err, projections.ErrFenced):
		r.now.Condition, r.now.Error = projections.Starting, ""
		return pace.First
	case errors.Is(err, projections.ErrHeld):
		r.now = projections.Status{Name: was.Name, Condition: projections.Standby, Position: was.Position}
		return pace.Standby
	case errors.As(err, &poison):
		r.now.Condition, r.now.Game, r.now.At, r.now.Error = projections.Stopped, poison.Game, poison.Position, poison.Err.Error()
		pause = pace.Stopped
	case errors.Is(err, projections.ErrForeign), !projections.Passing(err):
		r.now.Condition, r.now.Error = projections.Stopped, err.Error()
		pause = pace.Stopped
	default:
		r.now.Condition, r.now.Error = projections.Waiting, err.Error()
	}
	if r.now.Condition != was.Condition || r.now.Error != was.Error {
		r.logger.Error("the read model falls behind", "condition", string(r.now.Condition), "position", uint64(r.now.Position), "game", r.now.Game, "err", err)
	}
	return pause
}
