// Package httpapi is the game server over HTTP: commands in; views, streams and
// records out. It alone knows status codes. A description of all calls, computed from
// this code, is served at /api/openapi.json.
package httpapi

import (
	"context"
	"io/fs"
	"iter"
	"log/slog"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/prometheus/client_golang/prometheus"

	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
	"chancery/projections"
	"chancery/projections/lobby"
)

// Games is what the API needs of the live side of games. The errors of its methods
// are [events.ErrNotFound], [events.ErrBroken], [events.ErrUnavailable],
// [events.ErrConflict] and [*game.Refusal]s.
type Games interface {
	// Create opens a game under an id, for the holder of an idempotency key.
	Create(ctx context.Context, id, key string, c game.Create) (events.Game, events.Outcome, error)
	// Do has a command decided and stored. Expect is the number of the newest record
	// that its sender has seen, or nil.
	Do(ctx context.Context, id, key string, c game.Command, expect *int) (events.Game, events.Outcome, error)
	// Game is a game as it stands.
	Game(ctx context.Context, id string) (events.Game, error)
	// At is a game as it stood after its record n.
	At(ctx context.Context, id string, n int) (events.Game, error)
	// View is what a seat may know of a game.
	View(g events.Game, seat game.Seat) (game.View, error)
	// Mine is every card in the seat's hand, with what proves it to be there.
	Mine(g events.Game, seat game.Seat) ([]fair.Mine, error)
	// Records yields the stored records since..to.
	Records(ctx context.Context, id string, since, to int) iter.Seq2[events.Stored, error]
	// Watch begins to follow a game.
	Watch(ctx context.Context, id string) (Watch, error)
}

// A Watch follows one game for one reader.
type Watch interface {
	// From gives the records n, n+1, … that there are, a channel that is closed when
	// there are more, and whether the last of them ended the game.
	From(n int) (records []events.Stored, more <-chan struct{}, over bool)
	// Reload asks the ledger for records that have not come by themselves.
	Reload(ctx context.Context) error
	// Close ends the watch.
	Close()
}

// Secrets makes what only this server can make.
type Secrets interface {
	// Token proves that its bearer sits in the seat that the record of that cause gave.
	Token(game string, seat game.Seat, cause fair.Hash) string
	// GameID is the id of a game created with the idempotency key.
	GameID(key string) string
}

// A Bot is a program that may be asked for as an opponent.
type Bot struct {
	Name    string `json:"name"`
	Summary string `json:"summary"`
}

// Config is what the API works with.
type Config struct {
	Games   Games
	Lobby   *lobby.Lobby
	Past    Past       // nil: there are no read models, and no calls that need them
	Ratings Ratings    // likewise
	Players Players    // nil: nobody has an account, and no calls that need one
	Stats   Stats      // nil: nobody counts
	Ledger  events.Log // read by those who want all of it; nil: nobody may
	Secrets Secrets
	Bots    []Bot

	// PublicURL is where people find the server; empty where nobody has said it.
	PublicURL string

	Ready func(context.Context) error // nil while the ledger takes records

	// Notices are further lines for whoever asks whether the server is ready; it may be nil.
	Notices func() []string
	// Projections says how the read models are kept up; it may be nil.
	Projections func(context.Context) []projections.Status

	Web     fs.FS                   // built pages by their paths; nil where none were built
	More    map[string]http.Handler // further addresses that are read, by their patterns
	Logger  *slog.Logger
	Version string

	CreatesPerMinute  int            // by one address; 0: no limit
	ActionsPerSecond  int            // likewise, joins included
	PlayersPerMinute  int            // likewise, of registering, logging in and the like
	StreamsAtOnce     int            // likewise, of streams that are open
	TrustedProxies    []netip.Prefix // whose X-Forwarded-For says where a request comes from
	Heartbeat         time.Duration
	StreamWriteWithin time.Duration // a reader that takes nothing for so long is cut off
}

// The usual pace of streams.
const (
	DefaultHeartbeat         = 15 * time.Second
	DefaultStreamWriteWithin = 10 * time.Second
)

// maxBody is how large the body of a request may be, in bytes.
const maxBody = 64 << 10

// An API answers requests.
type API struct {
	Config
	handler  http.Handler
	registry *prometheus.Registry
	metrics  metrics
	closing  chan struct{}
	once     sync.Once
}

// New returns the API, ready to serve.
func New(c Config) *API {
	if c.Heartbeat == 0 {
		c.Heartbeat = DefaultHeartbeat
	}
	if c.StreamWriteWithin == 0 {
		c.StreamWriteWithin = DefaultStreamWriteWithin
	}
	a := &API{Config: c, registry: prometheus.NewRegistry(), closing: make(chan struct{})}
	a.metrics = newMetrics(a.registry)
	a.handler = a.routes()
	return a
}

// ServeHTTP answers one request.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.handler.ServeHTTP(w, r) }

// Registry takes further metrics, which /metrics then shows.
func (a *API) Registry() prometheus.Registerer { return a.registry }

// CloseStreams ends all streams. Their clients come back and go on where they were.
func (a *API) CloseStreams() { a.once.Do(func() { close(a.closing) }) }

func (a *API) routes() http.Handler {
	r := chi.NewMux()
	r.Use(a.observe, a.recover, secured)
	r.Use(a.limit(a.CreatesPerMinute, time.Minute, isCreate), a.limit(a.ActionsPerSecond, time.Second, isAction), a.limit(a.PlayersPerMinute, time.Minute, isPlayers), a.atOnce(a.StreamsAtOnce, isStream))
	r.Use(readable, readBody, middleware.GetHead)
	r.NotFound(nothingHere)
	r.MethodNotAllowed(notAllowed(r))
	describe(a, newHuma(r, a.Version, a.logCause))
	a.plain(r)
	a.pages(r)
	return r
}

// newHuma is the part of the router whose calls are described by their types.
func newHuma(r chi.Router, version string, seen huma.Transformer) huma.API {
	huma.NewError = problemFor
	huma.ValidateStrictCasing = true
	c := huma.DefaultConfig("Chancery", version)
	c.Info.Description = apiDescription
	c.Info.License = &huma.License{Name: "Apache-2.0", Identifier: "Apache-2.0"}
	c.OpenAPIPath = "/api/openapi"
	c.DocsPath, c.SchemasPath, c.CreateHooks = "", "", nil
	c.Transformers = []huma.Transformer{seen}
	c.Formats = map[string]huma.Format{"application/json": huma.DefaultJSONFormat, "json": huma.DefaultJSONFormat}
	c.Components.Schemas = huma.NewMapRegistry("#/components/schemas/", schemaName)
	c.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"seat":   {Type: "http", Scheme: "bearer", Description: "The token that creating or joining a game gave."},
		"player": {Type: "http", Scheme: "bearer", Description: "The token that registering, logging in or being a guest gave. It is good for the seats that the player took with it, too."},
	}
	describeTypes(c.Components.Schemas)
	return humachi.New(r, c)
}

const apiDescription = `A game server for chess variants in which chance plays. Every draw, card, roll and move is an event in one ledger.

A command is a POST with an Idempotency-Key, at least 22 characters of the client's own randomness: an accepted command sent again with its key answers the same and happens once; a refused one may be tried again.

Every refusal is a problem document (RFC 9457) whose type is /problems/<code>.`

// describe registers the calls that are described by their types.
func describe(a *API, api huma.API) {
	a.registerCreate(api)
	a.registerJoin(api)
	a.registerActions(api)
	a.registerView(api)
	a.registerMine(api)
	a.registerRecords(api)
	a.registerStream(api)
	a.registerList(api)
	a.registerVariants(api)
	a.registerPGN(api)
	a.registerHistory(api)
	a.registerStats(api)
	a.registerExport(api)
	a.registerPlayers(api)
	a.registerRatings(api)
	a.describeOthers(api)
}
