package main

import (
	"context"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"chancery/adapters/jetstream"
	"chancery/adapters/sqlstore"
	"chancery/adapters/watermill"
	"chancery/events"
	"chancery/projections"
	"chancery/projections/lobby"
)

// DatabaseFlags say where the read models are.
type DatabaseFlags struct {
	DatabaseURL string `name:"database-url" help:"PostgreSQL database of the read models, instead of SQLite files in the data directory." env:"CHANCERY_DATABASE_URL" placeholder:"URL"`
}

// store opens the place of the read models.
func (f DatabaseFlags) store(data string) (*sqlstore.DB, error) {
	return sqlstore.Open(f.DatabaseURL, filepath.Join(data, "read"))
}

// A readSide keeps the read models of a ledger.
type readSide struct {
	*watermill.Runner
	store  *sqlstore.DB
	models []*sqlstore.Model
	log    events.Log
	logger *slog.Logger
	delay  *prometheus.HistogramVec
}

// openReadSide is the read side with what is kept in SQL, and more.
func openReadSide(log events.Log, store *sqlstore.DB, logger *slog.Logger, more ...projections.Model) *readSide {
	s := &readSide{store: store, log: log, logger: logger, delay: prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "chancery_projection_delay_seconds", Help: "From the making of a record until a read model has it.",
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 5, 60},
	}, []string{"projection"})}
	var models []projections.Model
	for _, p := range readModels(log) {
		m := store.Model(p)
		s.models, models = append(s.models, m), append(models, m)
	}
	s.Runner = watermill.New(watermill.Config{
		Log: log, Models: append(models, more...), Logger: logger,
		Absorbed: func(model string, _ int, last time.Time) {
			s.delay.WithLabelValues(model).Observe(time.Since(last).Seconds())
		},
	})
	return s
}

// lobby is the list of games as it was last kept, so that a server need not read the
// whole ledger at its start. Where there is none, or one of another ledger, it begins at
// the beginning.
func (s *readSide) lobby(ctx context.Context) *lobby.Lobby {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	games, at, err := s.store.LobbyGames(ctx)
	if err == nil {
		err = projections.Known(ctx, s.log, at)
	}
	if err != nil {
		s.logger.Warn("the lobby is read from the whole ledger, for its read model is of no use now", "err", err)
		return lobby.New()
	}
	return lobby.Restore(games, at.Position)
}

// muchBehind is how many records a read model lags that is still being caught up with.
const muchBehind = 10_000

// catchesUp says whether a read model is on its way through a large part of the ledger.
func (s *readSide) catchesUp(ctx context.Context) bool {
	return slices.ContainsFunc(s.Statuses(ctx), func(status projections.Status) bool {
		moves := status.Condition == projections.Running || status.Condition == projections.Renewing
		return moves && status.Lag() > muchBehind
	})
}

// measure adds what an operator watches.
func (s *readSide) measure(to prometheus.Registerer) { to.MustRegister(s.delay, readGauges{s}) }

var (
	positionGauge = prometheus.NewDesc("chancery_projection_position", "Position in the ledger of the newest record absorbed.", []string{"projection"}, nil)
	lagGauge      = prometheus.NewDesc("chancery_projection_lag_records", "Records that a read model is behind the ledger.", []string{"projection"}, nil)
	stateGauge    = prometheus.NewDesc("chancery_projection_condition", "1 for the condition that a projection is in.", []string{"projection", "condition"}, nil)
)

// readGauges are asked for when somebody looks.
type readGauges struct{ *readSide }

// Describe lists the metrics.
func (g readGauges) Describe(out chan<- *prometheus.Desc) {
	out <- positionGauge
	out <- lagGauge
	out <- stateGauge
}

// Collect asks how the projections do.
func (g readGauges) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	for _, s := range g.Statuses(ctx) {
		if s.Condition != projections.Standby { // then the server that writes it knows
			out <- prometheus.MustNewConstMetric(positionGauge, prometheus.GaugeValue, float64(s.Position), s.Name)
			out <- prometheus.MustNewConstMetric(lagGauge, prometheus.GaugeValue, float64(s.Lag()), s.Name)
		}
		for _, c := range projections.Conditions() {
			value := 0.0
			if c == s.Condition {
				value = 1
			}
			out <- prometheus.MustNewConstMetric(stateGauge, prometheus.GaugeValue, value, s.Name, string(c))
		}
	}
}

// findings are what doctor says of the projections.
func (s *readSide) findings(ctx context.Context) []jetstream.Finding {
	var list []jetstream.Finding
	for _, status := range s.Statuses(ctx) {
		f := jetstream.Finding{Name: status.Name, Health: well, Text: strings.TrimPrefix(status.String(), "projection "+status.Name+": ")}
		switch status.Condition {
		case projections.Stopped:
			f.Health, f.Text = unwell, f.Text+"; after the fix it goes on there by itself"
		case projections.Waiting, projections.Starting:
			f.Health = unknown
		default: // well
		}
		list = append(list, f)
	}
	return list
}
