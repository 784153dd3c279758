package httpapi

import (
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"chancery/projections/audit"
)

// What is answered without the library that describes the other calls is described here.
type described struct {
	route   string // under which it is registered
	path    string // in the description, where that is another
	always  bool   // there, and not only where it is among [Config.More]
	summary string
	kind    string       // content type of the answer
	body    reflect.Type // of an answer in JSON
	query   []parameter
}

// A parameter is a whole number.
type parameter struct {
	name, doc string
	required  bool
}

// ledgerKeys are the public keys of the ledger.
type ledgerKeys struct {
	Origin    string   `json:"origin" doc:"Name of the ledger in its checkpoints"`
	Log       []string `json:"log" doc:"Keys that sign its checkpoints now, the newest first"`
	Witnesses []string `json:"witnesses" doc:"Keys of the witnesses whose signatures the server collects"`
	History   []string `json:"history" doc:"Keys that have ever signed, the newest first"`
}

// ledgerConsistency proves that one size of the ledger continues another.
type ledgerConsistency struct {
	From     int64    `json:"from"`
	To       int64    `json:"to"`
	FromRoot string   `json:"from_root" doc:"Root of the tree of the first records, base64"`
	ToRoot   string   `json:"to_root"`
	Proof    []string `json:"proof" doc:"Hashes of RFC 6962, base64"`
}

const (
	plainText = "text/plain"
	jsonText  = "application/json"
	octets    = "application/octet-stream"
)

var descriptions = []described{
	{route: "/healthz", always: true, summary: "That the server runs", kind: plainText},
	{route: "/readyz", always: true, summary: "Whether the server takes commands, and how its read models and the public ledger do, a line each", kind: plainText},
	{route: "/metrics", always: true, summary: "Metrics for Prometheus", kind: plainText},
	{route: "/problems/{code}", always: true, summary: "What a kind of refusal means", kind: plainText},
	{route: "/ledger/*", path: "/ledger/checkpoint", summary: "The newest signed checkpoint (C2SP tlog-checkpoint)", kind: plainText},
	{route: "/ledger/*", path: "/ledger/checkpoint/witnessed", summary: "The newest checkpoint that a witness has signed", kind: plainText},
	{
		route: "/ledger/*", path: "/ledger/tile/{level}/{tile}", kind: octets,
		summary: "Hashes of the tree, or with the level entries the records, 256 a tile (C2SP tlog-tiles); tile is its number, in groups of three digits where it is long, with .p/W for its first W. Never changes",
	},
	{route: "/ledger/*", path: "/ledger/keys", summary: "The public keys of the ledger and its witnesses", kind: jsonText, body: reflect.TypeFor[ledgerKeys]()},
	{
		route: "/api/games/{id}/proof", summary: "That a record of a game, its newest if none is named, stands in the public ledger (C2SP tlog-proof)", kind: plainText,
		query: []parameter{{name: "n", doc: "Number of the record; the newest if left out"}},
	},
	{
		route: "/api/ledger/consistency", summary: "That one size of the public ledger continues another", kind: jsonText, body: reflect.TypeFor[ledgerConsistency](),
		query: []parameter{
			{name: "from", doc: "How many records the smaller one has", required: true},
			{name: "to", doc: "How many the larger one has; as many as are signed if left out"},
		},
	},
	{route: "/api/audit", summary: "The audit of the whole ledger: what is missing, overdue or refused, and whether chance looks like chance", kind: jsonText, body: reflect.TypeFor[audit.Report]()},
}

// describeOthers adds what the API answers beside the calls that describe themselves.
func (a *API) describeOthers(api huma.API) {
	for _, d := range descriptions {
		if _, more := a.More[d.route]; more || d.always {
			api.OpenAPI().AddOperation(d.operation(api.OpenAPI().Components.Schemas))
		}
	}
}

func (d described) operation(schemas huma.Registry) *huma.Operation {
	op := &huma.Operation{Method: http.MethodGet, Path: d.path, Summary: d.summary}
	if d.path == "" {
		op.Path = d.route
	}
	op.OperationID = strings.Trim(nameOf.Replace(op.Path), "-")
	answer := &huma.MediaType{}
	if d.body != nil {
		answer.Schema = schemas.Schema(d.body, true, "")
	}
	problem := &huma.MediaType{Schema: schemas.Schema(reflect.TypeFor[Problem](), true, "")}
	op.Responses = map[string]*huma.Response{
		"200":     {Description: http.StatusText(http.StatusOK), Content: map[string]*huma.MediaType{d.kind: answer}},
		"default": {Description: "Error", Content: map[string]*huma.MediaType{"application/problem+json": problem}},
	}
	for _, part := range strings.Split(op.Path, "/") {
		if name, is := strings.CutPrefix(part, "{"); is {
			op.Parameters = append(op.Parameters, &huma.Param{Name: strings.TrimSuffix(name, "}"), In: "path", Required: true, Schema: &huma.Schema{Type: huma.TypeString}})
		}
	}
	for _, p := range d.query {
		op.Parameters = append(op.Parameters, &huma.Param{Name: p.name, In: "query", Required: p.required, Description: p.doc, Schema: &huma.Schema{Type: huma.TypeInteger}})
	}
	return op
}

// nameOf makes the name of an operation out of its address.
var nameOf = strings.NewReplacer("/api/", "", "/", "-", "{", "", "}", "")
