package tests

import (
	"os"
	"testing"

	"chancery/tests/arch"
)

// architecture is the table of folders: what each may import. The arrows point
// one way, cmd → adapters → projections → events → domain, and an adapter never
// imports a sibling; adapters meet in cmd.
var architecture = arch.Rules{
	Module: "chancery",
	Folders: []arch.Folder{
		{Path: "domain/*", Pure: true},
		{Path: "domain/game", May: []string{"domain"}, Pure: true},
		{Path: "domain/bot", May: []string{"domain"}, Pure: true},
		{Path: "domain/pgn", May: []string{"domain"}, Pure: true},
		{Path: "domain/scenario", May: []string{"domain"}, Pure: true},

		{Path: "events", May: []string{"domain"}, Pure: true, Std: []string{"context"}},
		{Path: "events/logtest", May: []string{"events", "domain"}},
		{Path: "projections", May: []string{"events", "domain"}},
		{Path: "migrations"},

		{Path: "adapters/*", May: underAdapters, External: []string{"*"}},
		{Path: "adapters/memory", May: underAdapters},
		{Path: "adapters/table", May: underAdapters},
		{Path: "adapters/jetstream", May: underAdapters, External: []string{
			"github.com/nats-io/nats.go", "github.com/nats-io/nats-server",
		}},
		{Path: "adapters/watermill", May: underAdapters, External: []string{"github.com/ThreeDotsLabs/watermill"}},
		{Path: "adapters/parquet", May: underAdapters, External: []string{"github.com/parquet-go/parquet-go"}},
		{Path: "adapters/sqlstore", May: underAdapters, External: []string{
			"github.com/jmoiron/sqlx", "github.com/lib/pq", "modernc.org/sqlite", "github.com/pressly/goose/v3",
		}},
		{Path: "adapters/accounts", May: underAdapters, External: []string{"github.com/alexedwards/argon2id"}},
		{Path: "adapters/httpapi", May: underAdapters, External: []string{
			"github.com/go-chi", "github.com/danielgtaylor/huma", "github.com/prometheus/client_golang",
		}},

		{Path: "cmd/*", May: append([]string{"adapters"}, underAdapters...), External: []string{"*"}},
		{Path: "docs/examples", External: []string{"github.com/nats-io/nats.go"}, Tests: true}, // programs of others, which stand alone
		{Path: "tests", May: []string{"*"}, External: []string{"*"}, Tests: true},
	},
	TestInternal: []string{"adapters/memory", "events/logtest", "projections/ledgertest", "tests/postgres"},
	TestExternal: []string{
		"github.com/google/go-cmp", "pgregory.net/rapid", "go.uber.org/goleak", "github.com/corentings/chess",
		"github.com/santhosh-tekuri/jsonschema",
	},
	MaxLines: 450,
	Words: []arch.Word{
		{Text: "../" + "shared", Why: "outside of the repository", Except: []string{"tests"}},
		{Text: "TO" + "DO", Why: "do it, or write down why not"},
		{Text: "FIX" + "ME", Why: "do it, or write down why not"},
	},
}

// underAdapters is everything that an adapter stands on.
var underAdapters = []string{"projections", "events", "domain", "migrations"}

func TestArchitecture(t *testing.T) {
	faults, err := arch.Check(os.DirFS(".."), architecture)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range faults {
		t.Error(f)
	}
}
