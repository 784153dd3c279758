package tests

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What was frozen with the tag ledger-v1: the golden file and the schema of every event
// version, and the vectors of fair/1. A ledger that is kept for ever is read by them, so
// they are never edited; a change is a new version with files of its own, which the list
// gains and never loses.
const frozen = "testdata/ledger-v1.sum"

func TestFrozenFilesAreAsTheyWere(t *testing.T) {
	list, err := os.Open(frozen)
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	listed := map[string]bool{}
	for lines := bufio.NewScanner(list); lines.Scan(); {
		sum, path, _ := strings.Cut(lines.Text(), "  ")
		listed[path] = true
		file, err := os.ReadFile(filepath.Join("..", path))
		if err != nil {
			t.Errorf("a frozen file is gone: %v", err)
			continue
		}
		if got := sha256.Sum256(file); hex.EncodeToString(got[:]) != sum {
			t.Errorf("%s has changed since ledger-v1; leave it as it was, and make a new version of the event beside it", path)
		}
	}
	for _, pattern := range []string{"events/testdata/golden/*.json", "docs/schemas/*.json", "domain/fair/testdata/fairness-vectors.json"} {
		paths, err := filepath.Glob(filepath.Join("..", pattern))
		if err != nil || len(paths) == 0 {
			t.Fatalf("nothing matches %s (%v)", pattern, err)
		}
		for _, path := range paths {
			path = filepath.ToSlash(strings.TrimPrefix(path, ".."+string(filepath.Separator)))
			if !listed[path] {
				t.Errorf("%s is not frozen yet; add its line to tests/%s: sha256sum %s", path, frozen, path)
			}
		}
	}
}
