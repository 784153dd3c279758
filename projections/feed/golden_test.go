package feed

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestGoldenAsyncAPI keeps the document as the code is; CHANCERY_UPDATE=1 writes it.
func TestGoldenAsyncAPI(t *testing.T) {
	const path = "../../docs/asyncapi.json"
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(AsyncAPI()); err != nil {
		t.Fatal(err)
	}
	if os.Getenv("CHANCERY_UPDATE") == "1" {
		if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(got), out.String()); diff != "" {
		t.Errorf("docs/asyncapi.json is stale; make golden writes it anew:\n%s", diff)
	}
}

func TestAttributesAreExplained(t *testing.T) {
	list := (Event{}).Attributes()
	for _, a := range list {
		if meanings[a.Name] == "" {
			t.Errorf("nobody knows what %s means", a.Name)
		}
	}
	if len(meanings) != len(list) {
		t.Errorf("%d attributes, %d meanings", len(list), len(meanings))
	}
}
