package schema

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chancery/events"

	"github.com/google/go-cmp/cmp"
)

const folder = "../../docs/schemas"

// TestGoldenSchemas keeps docs/schemas as the types are; CHANCERY_UPDATE=1 writes it.
// The schema of a version that has been in use must not change but for its words.
func TestGoldenSchemas(t *testing.T) {
	docs, known := readDocs(t), map[string]bool{}
	for _, typ := range events.Types() {
		path := filepath.Join(folder, Name(typ))
		known[path] = true
		want := indented(t, Of(typ, docs))
		if os.Getenv("CHANCERY_UPDATE") == "1" {
			if err := os.WriteFile(path, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Errorf("%v; write it with make golden", err)
			continue
		}
		if diff := cmp.Diff(string(got), string(want)); diff != "" {
			t.Errorf("%s is stale; make golden writes it anew:\n%s", path, diff)
		}
	}
	files, _ := filepath.Glob(filepath.Join(folder, "*.json"))
	for _, f := range files {
		if !known[f] {
			t.Errorf("%s describes no event", f)
		}
	}
}

func indented(t *testing.T, v any) []byte {
	t.Helper()
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// readDocs takes what the source says of types and fields.
func readDocs(t *testing.T) Docs {
	t.Helper()
	docs := Docs{}
	files, err := filepath.Glob("../../domain/game/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no source of package game:", err)
	}
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if decl, ok := n.(*ast.GenDecl); ok && decl.Tok == token.TYPE {
				for _, spec := range decl.Specs {
					docs.add(f.Name.Name, decl, spec.(*ast.TypeSpec))
				}
			}
			return true
		})
	}
	return docs
}

// add notes what is said of a type; where it is declared alone, that stands before the
// declaration.
func (d Docs) add(pkg string, decl *ast.GenDecl, spec *ast.TypeSpec) {
	name := pkg + "." + spec.Name.Name
	if d[name] = oneLine(spec.Doc); !decl.Lparen.IsValid() {
		d[name] = oneLine(decl.Doc)
	}
	fields, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range fields.Fields.List {
		for _, id := range f.Names {
			d[name+"."+id.Name] = oneLine(f.Comment)
		}
	}
}

func oneLine(c *ast.CommentGroup) string { return strings.Join(strings.Fields(c.Text()), " ") }
