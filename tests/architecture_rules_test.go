package tests

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"chancery/tests/arch"
)

// Each rule of the table of folders is shown to fail on a small source that
// breaks it, and to hold for one that does not.
func TestArchitectureRules(t *testing.T) {
	const doc = "// Package x does something.\npackage x\n"
	imports := func(p string) string { return doc + "import _ \"" + p + "\"\n" }

	tests := []struct {
		name string
		file string
		src  string
		want []string // rule: text; none when the source is well
	}{
		{"the domain calculates", "domain/game/a.go", imports("crypto/hmac"), nil},
		{"the domain uses the domain", "domain/game/a.go", imports("chancery/domain/chess"), nil},
		{"chess knows no card", "domain/chess/a.go", imports("chancery/domain/cards"), []string{"import: domain/chess may not import chancery/domain/cards"}},
		{"the domain knows no event log", "domain/game/a.go", imports("chancery/events"), []string{"import: domain/game may not import chancery/events"}},
		{"the domain reads no file", "domain/game/a.go", imports("os"), []string{"import: domain/game may not import os"}},
		{"the domain has no context", "domain/game/a.go", imports("context"), []string{"import: domain/game may not import context"}},
		{"the domain logs nothing", "domain/fair/a.go", imports("log/slog"), []string{"import: domain/fair may not import log/slog"}},
		{"the domain opens no connection", "domain/game/a.go", imports("net/http"), []string{"import: domain/game may not import net/http"}},
		{"the domain draws no number", "domain/fair/a.go", imports("math/rand/v2"), []string{"import: domain/fair may not import math/rand/v2"}},
		{"nor a secret one", "domain/fair/a.go", imports("crypto/rand"), []string{"import: domain/fair may not import crypto/rand"}},
		{"the domain has no dependency", "domain/chess/a.go", imports("github.com/google/uuid"), []string{"import: domain/chess may not import github.com/google/uuid"}},
		{"its tests may read files", "domain/chess/a_test.go", imports("os"), nil},
		{"its tests may use the oracle", "domain/chess/a_test.go", imports("github.com/corentings/chess/v2"), nil},
		{"its tests may not use cmd", "domain/chess/a_test.go", imports("chancery/cmd/chancery"), []string{"import: domain/chess may not import chancery/cmd/chancery"}},

		{"the clock arrives in the command", "domain/game/a.go", doc + "import \"time\"\nvar now = time.Now\n", []string{"pure: uses time.Now"}},
		{"under another name too", "events/a.go", doc + "import t \"time\"\nvar d = t.Since(t.Time{})\n", []string{"pure: uses time.Since"}},
		{"the zone of the machine", "domain/game/a.go", doc + "import \"time\"\nvar l = time.Local\n", []string{"pure: uses time.Local"}},
		{"a time is no clock", "domain/game/a.go", doc + "import \"time\"\nvar d = time.Second\n", nil},
		{"tests may look at the clock", "domain/game/a_test.go", doc + "import \"time\"\nvar now = time.Now\n", nil},
		{"no printing", "domain/game/a.go", doc + "import \"fmt\"\nvar p = fmt.Println\n", []string{"pure: uses fmt.Println"}},
		{"no built-in printing", "domain/game/a.go", doc + "func f() { println() }\n", []string{"pure: writes to the terminal with println"}},
		{"no goroutine", "domain/bot/a.go", doc + "func f() { go f() }\n", []string{"pure: starts a goroutine"}},

		{"events have a context", "events/a.go", imports("context"), nil},
		{"events use the domain", "events/a.go", imports("chancery/domain/game"), nil},
		{"events know no broker", "events/a.go", imports("github.com/nats-io/nats.go"), []string{"import: events may not import github.com/nats-io/nats.go"}},
		{"events know no adapter", "events/a.go", imports("chancery/adapters/memory"), []string{"import: events may not import chancery/adapters/memory"}},
		{"their tests use the one in memory", "events/a_test.go", imports("chancery/adapters/memory"), nil},
		{"the suite is one of tests", "events/logtest/a.go", imports("testing"), nil},
		{"projections know no adapter", "projections/lobby/a.go", imports("chancery/adapters/sqlstore"), []string{"import: projections may not import chancery/adapters/sqlstore"}},
		{"projections know no database", "projections/lobby/a.go", imports("github.com/jmoiron/sqlx"), []string{"import: projections may not import github.com/jmoiron/sqlx"}},

		{"an adapter uses its technology", "adapters/jetstream/a.go", imports("github.com/nats-io/nats.go/jetstream"), nil},
		{"and no other", "adapters/httpapi/a.go", imports("github.com/nats-io/nats.go"), []string{"import: adapters/httpapi may not import github.com/nats-io/nats.go"}},
		{"an adapter uses no sibling", "adapters/httpapi/a.go", imports("chancery/adapters/table"), []string{"import: adapters/httpapi may not import chancery/adapters/table"}},
		{"not even in memory", "adapters/table/a.go", imports("chancery/adapters/memory"), []string{"import: adapters/table may not import chancery/adapters/memory"}},
		{"but in tests", "adapters/table/a_test.go", imports("chancery/adapters/memory"), nil},
		{"a new adapter brings its own", "adapters/parquet/a.go", imports("github.com/parquet-go/parquet-go"), nil},
		{"but no sibling", "adapters/parquet/a.go", imports("chancery/adapters/sqlstore"), []string{"import: adapters/parquet may not import chancery/adapters/sqlstore"}},
		{"a folder of its own", "adapters/sqlstore/pg/a.go", imports("chancery/adapters/sqlstore/sql"), nil},
		{"adapters meet in cmd", "cmd/chancery/a.go", imports("chancery/adapters/httpapi"), nil},
		{"nothing imports cmd", "adapters/web/a.go", imports("chancery/cmd/chancery"), []string{"import: adapters/web may not import chancery/cmd/chancery"}},
		{"nothing imports tests", "cmd/chancery/a_test.go", imports("chancery/tests/arch"), []string{"import: cmd/chancery may not import chancery/tests/arch"}},
		{"tests import anything", "tests/a_test.go", imports("chancery/cmd/chancery"), nil},

		{"no dot import", "cmd/chancery/a.go", doc + "import . \"os\"\n", []string{"import: a dot import hides where names come from"}},
		{"every folder is in the table", "engine/a.go", doc, []string{"folder: no rule covers engine; add it to the table of folders"}},
		{"every file parses", "cmd/chancery/a.go", "package", []string{"syntax: "}},

		{"a function is documented", "events/a.go", doc + "func F() {}\n", []string{"doc: F is exported and has no doc comment"}},
		{"a method is too", "events/a.go", doc + "// T is.\ntype T[K any] struct{}\nfunc (t *T[K]) M() {}\n", []string{"doc: M is exported and has no doc comment"}},
		{"one of a hidden type need not", "events/a.go", doc + "type t struct{}\nfunc (t) M() {}\n", nil},
		{"a type in a group", "events/a.go", doc + "// Both.\ntype (\n\tA int\n\tB int // said\n)\n", []string{"doc: A is exported and has no doc comment"}},
		{"a lone constant", "events/a.go", doc + "const C = 1\n", []string{"doc: C is exported and has no doc comment"}},
		{"constants share a comment", "events/a.go", doc + "// Both.\nconst (\n\tC = 1\n\tD = 2\n)\n", nil},
		{"a package is documented", "events/a.go", "package events\n", []string{"doc: the package has no package comment"}},
		{"tests need no comments", "events/a_test.go", "package events\nfunc F() {}\n", nil},
		{"nor does what is generated", "events/a.go", "// Code generated by x. DO NOT EDIT.\n\npackage events\nfunc F() {}\n", nil},

		{"a long file", "events/a.go", doc + strings.Repeat("// more\n", 460), []string{"length: 462 lines, at most 450: split it by noun"}},
		{"a long test is well", "events/a_test.go", doc + strings.Repeat("// more\n", 460), nil},
		{"nothing from outside", "docs/a.md", "see ../" + "shared/rules.md\n", []string{"word: ../" + "shared: outside of the repository"}},
		{"nothing left over", "Makefile", "# TO" + "DO: more\n", []string{"word: TO" + "DO: do it, or write down why not"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tree := fstest.MapFS{tt.file: {Data: []byte(tt.src)}}
			faults, err := arch.Check(tree, architecture)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range faults {
				text := f.Rule + ": " + f.Text
				if f.Rule == "syntax" { // the parser's words are its own
					text = "syntax: "
				}
				got = append(got, text)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}
