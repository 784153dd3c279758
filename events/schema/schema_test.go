package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chancery/adapters/memory"
	"chancery/events"
	"chancery/projections/ledgertest"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// compiled are the schemas of all events as another library understands them.
func compiled(t *testing.T) map[string]*jsonschema.Schema {
	t.Helper()
	all := map[string]*jsonschema.Schema{}
	for _, typ := range events.Types() {
		doc := decoded(t, indented(t, Of(typ, nil)))
		c := jsonschema.NewCompiler()
		if err := c.AddResource("schema.json", doc); err != nil {
			t.Fatal(err)
		}
		s, err := c.Compile("schema.json")
		if err != nil {
			t.Fatalf("%s: %v", Name(typ), err)
		}
		all[Name(typ)] = s
	}
	return all
}

func decoded(t *testing.T, text []byte) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// The golden file of every version is as its schema says, and with anything more or
// less it is not.
func TestGoldenEventsAreAsDescribed(t *testing.T) {
	schemas := compiled(t)
	for _, typ := range events.Types() {
		file, err := os.ReadFile(filepath.Join("../testdata/golden", Name(typ)))
		if err != nil {
			t.Fatal(err)
		}
		var event struct{ Data json.RawMessage }
		if err := json.Unmarshal(file, &event); err != nil {
			t.Fatal(err)
		}
		s := schemas[Name(typ)]
		if err := s.Validate(decoded(t, event.Data)); err != nil {
			t.Errorf("%s: %v", Name(typ), err)
		}
		more := strings.Replace(string(event.Data), "{", `{"_more":1,`, 1)
		if err := s.Validate(decoded(t, []byte(strings.Replace(more, ",}", "}", 1)))); err == nil {
			t.Errorf("%s lets a property pass that is not described", Name(typ))
		}
		if required := Of(typ, nil).Required; len(required) > 0 {
			less := decoded(t, event.Data).(map[string]any)
			delete(less, required[0])
			if err := s.Validate(less); err == nil {
				t.Errorf("%s passes without %s", Name(typ), required[0])
			}
		}
	}
}

// Every event of played games is as described.
func TestPlayedEventsAreAsDescribed(t *testing.T) {
	schemas, log, seen := compiled(t), memory.New(), map[string]bool{}
	if err := ledgertest.Play(t.Context(), log, ledgertest.Games{To: 60}); err != nil {
		t.Fatal(err)
	}
	last, _ := log.Last(t.Context())
	for s, err := range log.Follow(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		list, err := events.RawEvents(s.Payload)
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range list {
			name := fmt.Sprintf("%s.v%d.json", e.Type, e.Version)
			seen[name] = true
			if err := schemas[name].Validate(decoded(t, e.Data)); err != nil {
				t.Errorf("position %d, event %d, %s: %v", s.Position, i, name, err)
			}
		}
		if s.Position == last {
			break
		}
	}
	if len(seen) < 25 {
		t.Errorf("only %d types of events were seen", len(seen))
	}
}
