package tests

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// Every module that we require ourselves is listed with its licence, and
// nothing is listed that we no longer require.
func TestDependenciesAreListed(t *testing.T) {
	modules := readText(t, "../go.mod") + readText(t, "../tools/go.mod")
	list := readText(t, "../docs/dependencies.md")

	direct := regexp.MustCompile(`(?m)^(?:require )?\t?([a-z0-9.-]+\.[a-z]+/\S+) v\S+$`)
	for _, m := range direct.FindAllStringSubmatch(readText(t, "../go.mod"), -1) {
		if !strings.Contains(list, "`"+m[1]+"`") {
			t.Errorf("docs/dependencies.md does not list %s, its use and its licence", m[1])
		}
	}
	row := regexp.MustCompile("(?m)^\\| `([^`]+)` \\|")
	for _, m := range row.FindAllStringSubmatch(list, -1) {
		if !strings.Contains(modules, m[1]+" v") {
			t.Errorf("docs/dependencies.md lists %s, which go.mod does not require", m[1])
		}
	}
}

// readText reads a file of the repository whole.
func readText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
