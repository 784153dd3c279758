package tests

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"strings"
	"testing"
)

// Every module that we require ourselves is listed with its licence, and
// nothing is listed that we no longer require; likewise every package of npm.
func TestDependenciesAreListed(t *testing.T) {
	modules := readText(t, "../go.mod") + readText(t, "../tools/go.mod")
	list := readText(t, "../docs/dependencies.md")

	for name, version := range npmPackages(t) {
		modules += name + " v" + version + "\n"
		if !strings.Contains(list, "`"+name+"`") {
			t.Errorf("docs/dependencies.md does not list %s, its use and its licence", name)
		}
		if !regexp.MustCompile(`^\d+\.\d+\.\d+(-r\.\d+)?$`).MatchString(version) {
			t.Errorf("a package.json requires %s %s: name one version", name, version)
		}
	}

	direct := regexp.MustCompile(`(?m)^(?:require )?\t?([a-z0-9.-]+\.[a-z]+/\S+) v\S+$`)
	for _, m := range direct.FindAllStringSubmatch(readText(t, "../go.mod"), -1) {
		if !strings.Contains(list, "`"+m[1]+"`") {
			t.Errorf("docs/dependencies.md does not list %s, its use and its licence", m[1])
		}
	}
	row := regexp.MustCompile("(?m)^\\| `([^`]+)` \\|")
	for _, m := range row.FindAllStringSubmatch(list, -1) {
		if !strings.Contains(modules, m[1]+" v") {
			t.Errorf("docs/dependencies.md lists %s, which neither go.mod nor package.json requires", m[1])
		}
	}
}

// npmPackages are the packages of npm that we require ourselves, and their versions.
func npmPackages(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, file := range []string{"../adapters/web/package.json", "analytics/package.json"} {
		var required struct{ Dependencies, DevDependencies map[string]string }
		if err := json.Unmarshal([]byte(readText(t, file)), &required); err != nil {
			t.Fatal(err)
		}
		maps.Copy(all, required.Dependencies)
		maps.Copy(all, required.DevDependencies)
	}
	return all
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
