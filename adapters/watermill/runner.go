// Package watermill runs projections: a Watermill router with a handler for every read
// model, fed by a subscriber on the ledger in stream order.
package watermill

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/message/router/middleware"

	"chancery/events"
	"chancery/projections"
)

// A Pace says how patient a [Runner] is.
type Pace struct {
	Batch   int           // records in a transaction at most
	First   time.Duration // pause before the first try again
	Longest time.Duration // pause between tries at most; each is twice the one before
	Standby time.Duration // between looks at a read model that another process writes
	Stopped time.Duration // between tries of a record that cannot be absorbed
}

// DefaultPace is what a server needs.
var DefaultPace = Pace{
	Batch: projections.MaxBatch, First: 50 * time.Millisecond, Longest: 5 * time.Second,
	Standby: time.Second, Stopped: time.Minute,
}

// Config is what a Runner works with.
type Config struct {
	Log    events.Log
	Models []projections.Model
	Logger *slog.Logger
	Pace   Pace // zero: DefaultPace

	// Absorbed, which may be nil, is told of every batch that a read model has
	// absorbed, how many records and when the last of them was made. It must be quick.
	Absorbed func(model string, records int, last time.Time)
}

// A Runner keeps read models up with the ledger.
type Runner struct {
	Config
	reports []*report
}

// New returns a Runner that does nothing before [Runner.Run].
func New(c Config) *Runner {
	if c.Pace == (Pace{}) {
		c.Pace = DefaultPace
	}
	r := &Runner{Config: c}
	for _, m := range c.Models {
		r.reports = append(r.reports, newReport(m.Name(), c.Logger, c.Absorbed))
	}
	return r
}

// tries is how often a batch is tried before the claim is given up and everything is
// looked at anew.
const tries = 4

// Run lasts until ctx ends. What fails is tried again; a projection that cannot absorb
// a record stops, and no other. The error is Watermill's, about its own set-up.
func (r *Runner) Run(ctx context.Context) error {
	quiet := watermill.NewSlogLoggerWithLevelMapping(r.Logger, map[slog.Level]slog.Level{
		slog.LevelInfo: slog.LevelDebug, slog.LevelError: slog.LevelDebug, // the report says it once, and in our words
	})
	router, err := message.NewRouter(message.RouterConfig{CloseTimeout: 10 * time.Second}, quiet)
	if err != nil {
		return fmt.Errorf("setting up the router of the projections: %w", err)
	}
	retry := middleware.Retry{
		MaxRetries: tries - 1, InitialInterval: r.Pace.First, MaxInterval: r.Pace.Longest, Multiplier: 2, Logger: quiet,
		ShouldRetry: func(p middleware.RetryParams) bool { return errors.Is(p.Err, projections.ErrUnavailable) },
	}
	router.AddMiddleware(retry.Middleware)
	for i, m := range r.Models {
		s := &subscriber{model: m, log: r.Log, pace: r.Pace, report: r.reports[i], closing: make(chan struct{})}
		router.AddConsumerHandler(m.Name(), m.Name(), s, absorb(m.Name()))
	}
	if len(r.Models) == 0 {
		<-ctx.Done()
		return nil
	}
	return router.Run(ctx)
}

// absorb handles one batch. Before it is tried again it asks where the read model
// stands: an answer that was lost may have been a yes.
func absorb(name string) message.NoPublishHandlerFunc {
	return func(m *message.Message) (err error) {
		w := m.Context().Value(workKey{}).(*work)
		defer func() { w.err = err }()
		if w.err != nil {
			if err := w.lookAgain(m.Context()); err != nil {
				return err
			}
		}
		if len(w.batch) == 0 {
			return nil
		}
		w.at, err = projections.Absorb(m.Context(), name, guarded{w.writer}, w.at, w.batch)
		return err
	}
}

// lookAgain drops what is absorbed already.
func (w *work) lookAgain(ctx context.Context) error {
	at, err := w.writer.Checkpoint(ctx)
	if err != nil {
		return err
	}
	w.at = at
	for len(w.batch) > 0 && w.batch[0].Position <= at.Position {
		w.batch = w.batch[1:]
	}
	return nil
}

// guarded is a writer that makes an error of a panic, which then stops one projection and
// not the server.
type guarded struct{ projections.Writer }

func (g guarded) Apply(ctx context.Context, from projections.Checkpoint, batch []projections.Record) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the projection failed badly: %v", p)
		}
	}()
	return g.Writer.Apply(ctx, from, batch)
}

// Statuses says how every projection does, in the order of the models.
func (r *Runner) Statuses(ctx context.Context) []projections.Status {
	last, err := r.Log.Last(ctx)
	list := make([]projections.Status, len(r.reports))
	for i, report := range r.reports {
		list[i] = report.status()
		if list[i].Last = list[i].Position; err == nil {
			list[i].Last = last
		}
	}
	return list
}

// Rebuild computes a read model anew beside the one in use, and swaps them. The errors
// are those of [projections.Rebuild], and one for a name that there is not.
func (r *Runner) Rebuild(ctx context.Context, name string, progress func(at, last events.Position)) error {
	for _, m := range r.Models {
		if rebuilder, ok := m.(projections.Rebuilder); ok && m.Name() == name {
			return projections.Rebuild(ctx, r.Log, rebuilder, progress)
		}
	}
	return fmt.Errorf("there is no read model %.40q that can be rebuilt", name)
}
