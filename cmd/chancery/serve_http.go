package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"

	"chancery/adapters/accounts"
	"chancery/adapters/httpapi"
	"chancery/adapters/jetstream"
	"chancery/adapters/keys"
	"chancery/adapters/table"
	"chancery/adapters/web"
	"chancery/domain/bot"
)

// drain is how long requests may take that have begun when the server stops.
const drain = 10 * time.Second

// serveHTTP serves until ctx ends, and lets requests that have begun end well.
func serveHTTP(ctx context.Context, listener net.Listener, api *httpapi.API) error {
	server := &http.Server{
		Handler: api, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 15 * time.Second, WriteTimeout: 30 * time.Second,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10,
		ErrorLog: slog.NewLogLogger(api.Logger.Handler(), slog.LevelDebug),
	}
	server.RegisterOnShutdown(api.CloseStreams)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
	defer cancel()
	err := server.Shutdown(late)
	if errors.Is(err, context.DeadlineExceeded) {
		err = server.Close()
	}
	return err
}

// api puts the HTTP side in front of the hall.
func (c ServeCmd) api(hall *table.Hall, log *jetstream.Log, ring *keys.Ring, public *publicLedger, read *readSide, people *accounts.Accounts, standing *standingAudit, proxies []netip.Prefix, logger *slog.Logger) *httpapi.API {
	more := public.routes(hall)
	more["/api/audit"] = standing
	config := httpapi.Config{
		Games: games{hall}, Lobby: hall.Lobby, Past: read.store, Stats: read.store, Ledger: log, Projections: read.Statuses, Secrets: ring, Ready: log.Ping, Web: web.Files(), Logger: logger, Version: programVersion(),
		More: more, Notices: func() []string { return notices(hall, public) },
		Ratings: read.store, Players: people, PublicURL: c.PublicURL,
		CreatesPerMinute: c.CreatesPerMinute, ActionsPerSecond: c.ActionsPerSecond, PlayersPerMinute: c.PlayersPerMinute,
		StreamsAtOnce: c.StreamsAtOnce, TrustedProxies: proxies,
	}
	for _, b := range bot.Bots() {
		config.Bots = append(config.Bots, httpapi.Bot{Name: b.Name, Summary: b.Summary})
	}
	api := httpapi.New(config)
	public.measure(api.Registry())
	standing.measure(api.Registry())
	read.measure(api.Registry())
	measureHall(hall, api.Registry())
	return api
}

// games are the hall's, as the HTTP side sees them.
type games struct{ *table.Hall }

// Watch begins to follow a game.
func (g games) Watch(ctx context.Context, id string) (httpapi.Watch, error) {
	w, err := g.Hall.Watch(ctx, id)
	if err != nil {
		return nil, err
	}
	return w, nil
}
