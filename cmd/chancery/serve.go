package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"chancery/adapters/httpapi"
	"chancery/adapters/jetstream"
	"chancery/adapters/keys"
	"chancery/adapters/notes"
	"chancery/adapters/table"
	"chancery/domain/bot"
)

// ServeCmd is the server.
type ServeCmd struct {
	Listen     string `help:"Where to serve HTTP." default:":8080" env:"CHANCERY_LISTEN" placeholder:"ADDR"`
	PublicURL  string `name:"public-url" help:"Where people find the server, such as https://chess.example: the Site of games as PGN." env:"CHANCERY_PUBLIC_URL" placeholder:"URL"`
	Data       string `help:"Data directory, made if it is not there: the ledger, the keys, the socket." default:"data" env:"CHANCERY_DATA" placeholder:"DIR"`
	NATSURL    string `name:"nats-url" help:"NATS servers that hold the ledger, instead of the data directory." env:"CHANCERY_NATS_URL" placeholder:"URL"`
	NATSCreds  string `name:"nats-creds" help:"File of NATS credentials." env:"CHANCERY_NATS_CREDS" placeholder:"FILE"`
	NATSListen string `name:"nats-listen" help:"Let NATS clients read along at this address." env:"CHANCERY_NATS_LISTEN" placeholder:"ADDR"`
	Replicas   int    `help:"Replicas of a ledger on NATS servers." default:"3" env:"CHANCERY_REPLICAS"`
	Keys       string `help:"Key directory, the same for all instances; keys in the data directory if left out." env:"CHANCERY_KEYS" placeholder:"DIR"`
	Lazy       bool   `help:"The ledger is throwaway: acknowledged before it is on disk." env:"CHANCERY_LAZY"`

	Origin  string   `help:"Name of the ledger in its signed checkpoints, such as chess.example/ledger, for good." env:"CHANCERY_ORIGIN" placeholder:"NAME"`
	Witness []string `help:"A witness that signs the checkpoints: its address, a plus sign and its public key; several by repeating the flag." env:"CHANCERY_WITNESSES" placeholder:"URL+KEY"`

	DatabaseFlags

	Demo bool `help:"Keep programs playing every variant, so that there is something to watch: some fifty games an hour." env:"CHANCERY_DEMO"`

	OpenFor          time.Duration `help:"How long a game waits for its second player." default:"24h" env:"CHANCERY_OPEN_FOR"`
	CreatesPerMinute int           `help:"Games that one address may open in a minute; 0 is no limit." default:"60" env:"CHANCERY_CREATES_PER_MINUTE"`
	ActionsPerSecond int           `help:"Commands that one address may send in a second; 0 is no limit." default:"50" env:"CHANCERY_ACTIONS_PER_SECOND"`
	PlayersPerMinute int           `help:"How often one address may register, log in or be a new guest in a minute; 0 is no limit." default:"60" env:"CHANCERY_PLAYERS_PER_MINUTE"`
	StreamsAtOnce    int           `help:"How many games one address may follow at the same time; 0 is no limit." default:"100" env:"CHANCERY_STREAMS_AT_ONCE"`
	TrustedProxy     []string      `help:"Proxy in front of the server, an address or a network such as 10.0.0.0/8; several by repeating the flag. Who comes through it is counted as the address that it adds to X-Forwarded-For. Without it all who come through a proxy count as one." env:"CHANCERY_TRUSTED_PROXIES" placeholder:"ADDR"`
	LogLevel         slog.Level    `help:"debug, info, warn or error." default:"info" env:"CHANCERY_LOG_LEVEL"`
}

// Help is an example.
func (ServeCmd) Help() string {
	return "Without flags everything is kept in ./data. Examples:\n\n    chancery serve --listen :8080 --data /var/lib/chancery\n    chancery serve --nats-url nats://a:4222,nats://b:4222,nats://c:4222 --keys /etc/chancery/keys"
}

// Run serves until ctx ends.
func (c ServeCmd) Run(ctx context.Context, env *Env) error {
	if err := c.checkPublicURL(); err != nil {
		return err
	}
	proxies, err := c.proxies()
	if err != nil {
		return err
	}
	logger := c.logger(env)
	log, err := c.open(ctx, logger)
	if err != nil {
		return err
	}
	defer log.Close()
	ring, kept, err := c.keys(ctx, log, logger)
	if err != nil {
		return err
	}
	public, err := c.publicLedger(ctx, log, ring, kept, logger)
	if err != nil {
		return err
	}
	defer public.Close()
	store, err := c.store(c.Data)
	if err != nil {
		return err
	}
	defer store.Close()
	people, players, err := c.people()
	if err != nil {
		return err
	}
	defer players.Close()
	read := openReadSide(log, store, logger, log.Feed())
	hall, err := table.Open(ctx, table.Config{
		Log: log, Seals: ring, Notes: kept, Bots: bot.Bots(), Patience: c.patience(), Lobby: read.lobby(ctx),
		Logger: logger, Now: time.Now, Entropy: rand.Reader, Alone: c.NATSURL == "",
	})
	if err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", c.Listen)
	if err != nil {
		return fmt.Errorf("listening on %s: %w; choose another address with --listen", c.Listen, err)
	}
	public.release(ctx)
	standing := newStandingAudit(log, logger)
	api := c.api(hall, log, ring, public, read, people, standing, proxies, logger)
	env.printf("Chancery is ready at %s\n", urlOf(listener.Addr()))
	return c.run(ctx, hall, api, listener, log, public, read, standing)
}

// run lasts until ctx ends or a part fails; then all parts end, the hall last, for
// requests that have begun are answered.
func (c ServeCmd) run(ctx context.Context, hall *table.Hall, api *httpapi.API, listener net.Listener, log *jetstream.Log, public *publicLedger, read *readSide, standing *standingAudit) error {
	back, stop := context.WithCancel(context.WithoutCancel(ctx))
	parts, ctx := errgroup.WithContext(ctx)
	parts.Go(func() error { hall.Run(back); return nil })
	parts.Go(func() error { public.Run(back); return nil })
	parts.Go(func() error { return read.Run(back) })
	parts.Go(func() error { return standing.Run(back) })
	parts.Go(func() error { catchUp(back, standing.caughtUp, read.catchesUp); return nil })
	parts.Go(func() error {
		defer stop()
		return serveHTTP(ctx, listener, api)
	})
	if c.Demo {
		parts.Go(func() error { return runDemo(ctx, hall, log) })
	}
	if c.NATSURL == "" || c.DatabaseURL == "" { // this process alone has the ledger, or its read models
		parts.Go(func() error { return serveSocket(ctx, c.Data, log, hall, read, public, standing) })
	}
	return parts.Wait()
}

func (c ServeCmd) open(ctx context.Context, logger *slog.Logger) (*jetstream.Log, error) {
	if c.NATSURL == "" {
		return jetstream.OpenEmbedded(ctx, jetstream.Embedded{Dir: c.Data, Lazy: c.Lazy, Listen: c.NATSListen, Logger: logger})
	}
	if c.NATSListen != "" {
		return nil, usagef("--nats-listen opens the ledger in the data directory; with --nats-url NATS clients go to those servers")
	}
	return jetstream.OpenRemote(ctx, jetstream.Remote{
		URL: c.NATSURL, Credentials: c.NATSCreds, Replicas: c.Replicas, Lazy: c.Lazy, Wait: 30 * time.Second, Logger: logger,
	})
}

// A notebook is where the notes beside a ledger stand.
type notebook interface {
	keys.Notes
	table.Notes
}

// keys opens the keys and makes sure that they are the ledger's.
func (c ServeCmd) keys(ctx context.Context, log *jetstream.Log, logger *slog.Logger) (*keys.Ring, notebook, error) {
	dir := c.Keys
	if dir == "" {
		dir = filepath.Join(c.Data, "keys")
	}
	ring, err := keys.Open(dir, time.Now(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	kept, err := c.notes(ctx, log)
	if err != nil {
		return nil, nil, err
	}
	retired, err := ring.Check(ctx, kept)
	if err != nil {
		return nil, nil, err
	}
	for _, kid := range retired {
		logger.Warn("a seal key is gone: games that are still sealed under it will be void", "kid", kid)
	}
	return ring, kept, nil
}

// notes are files where this process alone has the ledger, and at the broker where
// others serve it too.
func (c ServeCmd) notes(ctx context.Context, log *jetstream.Log) (notebook, error) {
	if c.NATSURL != "" {
		return log.Notes(ctx)
	}
	return notes.Open(filepath.Join(c.Data, "notes"))
}

func (c ServeCmd) patience() table.Patience {
	p := table.DefaultPatience
	p.Opponent = c.OpenFor
	return p
}

// logger writes lines for people on a terminal, and JSON everywhere else.
func (c ServeCmd) logger(env *Env) *slog.Logger {
	options := &slog.HandlerOptions{Level: c.LogLevel}
	if env.Terminal {
		return slog.New(slog.NewTextHandler(env.Err, options))
	}
	return slog.New(slog.NewJSONHandler(env.Err, options))
}

func (c ServeCmd) checkPublicURL() error {
	u, err := url.Parse(c.PublicURL)
	if c.PublicURL != "" && (err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "") {
		return usagef("--public-url takes an address as https://chess.example")
	}
	return nil
}

// proxies are the networks of the trusted ones.
func (c ServeCmd) proxies() (list []netip.Prefix, err error) {
	for _, text := range c.TrustedProxy {
		p, err := netip.ParsePrefix(text)
		if ip, alone := netip.ParseAddr(text); alone == nil {
			ip = ip.Unmap()
			p, err = ip.Prefix(ip.BitLen())
		}
		if err != nil {
			return nil, usagef("--trusted-proxy %q: give an address such as 10.0.0.7, or a network such as 10.0.0.0/8", text)
		}
		list = append(list, p.Masked())
	}
	return list, nil
}

// urlOf is where a person on this machine finds the server.
func urlOf(addr net.Addr) string {
	host, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		return addr.String()
	}
	if ip := net.ParseIP(host); ip == nil || ip.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port)
}
