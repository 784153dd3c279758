package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// A said is what a command did.
type said struct {
	code     int
	out, err string
}

// chancery runs the program in this process.
func chancery(t *testing.T, args ...string) said { return chanceryFed(t, t.TempDir(), "", args...) }

// chanceryFed is the same with a configuration folder, and with standard input.
func chanceryFed(t *testing.T, config, in string, args ...string) said {
	t.Helper()
	var out, err bytes.Buffer
	getenv := func(name string) string { return map[string]string{"XDG_CONFIG_HOME": config}[name] }
	code := run(t.Context(), args, &Env{In: strings.NewReader(in), Out: &out, Err: &err, Getenv: getenv})
	return said{code, out.String(), err.String()}
}

// ok is chancery for commands that must succeed: their output.
func ok(t *testing.T, args ...string) string {
	t.Helper()
	s := chancery(t, args...)
	if s.code != exitOK {
		t.Fatalf("chancery %s: exit %d, %s%s", strings.Join(args, " "), s.code, s.out, s.err)
	}
	return s.out
}

func TestEveryCommandHasAnExample(t *testing.T) {
	var cli CLI
	parser, err := kong.New(&cli, flagVars)
	if err != nil {
		t.Fatal(err)
	}
	for _, leaf := range parser.Model.Leaves(true) {
		name := strings.Fields(leaf.Path())
		help := ok(t, append(name[:len(name):len(name)], "--help")...)
		if !strings.Contains(help, "Example") || !strings.Contains(help, "chancery "+name[0]) {
			t.Errorf("chancery %s --help shows no example:\n%s", leaf.Path(), help)
		}
	}
	if help := ok(t); !strings.Contains(help, "Commands:") {
		t.Errorf("chancery alone shows no help: %s", help)
	}
}

// A newcomer finds every command in the README.
func TestReadmeNamesEveryCommand(t *testing.T) {
	var cli CLI
	parser, err := kong.New(&cli, flagVars)
	if err != nil {
		t.Fatal(err)
	}
	readme := string(read(t, "../../README.md"))
	for _, leaf := range parser.Model.Leaves(true) {
		name := strings.Fields(leaf.Path())
		if !strings.Contains(readme, "chancery "+name[0]) && !strings.Contains(readme, "`"+name[0]+"`") {
			t.Errorf("the README does not speak of chancery %s", leaf.Path())
		}
	}
}

func TestWhatIsRefused(t *testing.T) {
	empty := t.TempDir()
	for _, c := range []struct {
		args string
		code int
		says string
	}{
		{"fly", exitUsage, "fly"},
		{"perft", exitUsage, "--variant"},
		{"perft --variant checkers --depth 1", exitUsage, "choose one of chess"},
		{"perft --variant chess --depth -1", exitUsage, "--depth"},
		{"perft --variant chess --depth 1 --fen 8/8", exitUsage, "--fen"},
		{"perft --variant chess --depth 1 --option array=x", exitUsage, "no option"},
		{"perft --variant nocastle --depth 1", exitUsage, "drawn by lot"},
		{"scenario " + empty + "/none.json", exitFailed, "none.json"},
		{"export", exitUsage, "--all"},
		{"export --all GAME", exitUsage, "--all"},
		{"export GAME --since 3", exitUsage, "--all"},
		{"export --all --data " + empty, exitFailed, "no ledger"},
		{"show GAME --data " + empty, exitFailed, "no ledger"},
		{"replay GAME --data " + empty, exitFailed, "no ledger"},
		{"show GAME --format fax", exitUsage, "--format"},
		{"show GAME --server nowhere", exitUsage, "address"},
		{"play GAME", exitUsage, "--join"},
		{"play GAME --server ftp://x --join", exitUsage, "address"},
		{"new --variant chess --clock soon", exitUsage, "5m+3s"},
		{"simulate --variant checkers", exitUsage, "choose one of"},
		{"simulate --variant chess --bot god", exitUsage, "choose one of"},
		{"simulate --variant chess --seed 1 --data " + empty, exitUsage, "--seed"},
		{"simulate --variant chess --games 0", exitUsage, "--games"},
		{"restore --in " + empty + "/none", exitUsage, "none"},
		{"backup --out x --data " + empty, exitFailed, "no ledger"},
		{"doctor --data " + empty + "/none", exitFailed, ""},
		{"bench replay --records 10", exitUsage, "--records"},
		{"show -xUIZ8XPkRePVLTK9mV9eA --data " + empty, exitUsage, "put -- before it"},
		{"show --data " + empty + " -- -xUIZ8XPkRePVLTK9mV9eA", exitFailed, "no ledger"},
		{"migrate", exitUsage, "--nats-url"},
		{"perft --variant checkers --depth 1", exitUsage, "unachess3. Perft also knows"},
		{"new --clock 5m", exitUsage, "Run chancery new --help"},
		{"keys retire", exitUsage, "Run chancery keys retire --help"},
		{"fly", exitUsage, "Run chancery --help"},
		{"new --variant chess --token secret", exitUsage, "player_"},
		{"play GAME --join --token secret", exitUsage, "player_"},
		{"verify ../../docs/examples/no-eight.ndjson --proof x", exitUsage, "--log-key"},
		{"verify ../../docs/examples/no-eight.ndjson --witness x", exitUsage, "--log-key"},
		{"audit " + empty + "/none.ndjson", exitFailed, "chancery verify"},
		{"audit " + os.DevNull, exitFailed, "no records"},
		{"export --all --data " + empty + " --out " + empty + "/none/x", exitFailed, "no ledger"},
	} {
		s := chancery(t, strings.Fields(c.args)...)
		if s.code != c.code || !strings.Contains(s.err, c.says) {
			t.Errorf("chancery %s: exit %d, %q; want exit %d and %q", c.args, s.code, s.err, c.code, c.says)
		}
		if s.code == exitUsage && s.out != "" {
			t.Errorf("chancery %s: writes %q to standard output", c.args, s.out)
		}
	}
}

// The default of a flag stands in the help, also behind a placeholder.
func TestHelpSaysDefaults(t *testing.T) {
	for command, says := range map[string]string{
		"serve":   "; default :8080",
		"show":    "; default data",
		"witness": "; default witness.json",
		"new":     "http://localhost:8080 if left out",
	} {
		if help := strings.Join(strings.Fields(ok(t, command, "--help")), " "); !strings.Contains(help, says) {
			t.Errorf("chancery %s --help does not say %q:\n%s", command, says, help)
		}
	}
}

func TestAFileWithoutAFolder(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none")
	err := writeFile(&Env{}, filepath.Join(none, "x"), 0o600, nil)
	if err == nil || !strings.Contains(err.Error(), "no folder "+none) {
		t.Errorf("got %v", err)
	}
}

func TestPerftCommand(t *testing.T) {
	for _, c := range []struct{ args, last string }{
		{"--variant chess --depth 0", "1"},
		{"--variant chess --depth 4", "197281"},
		{"--variant kingcapture --depth 3 --divide", "8902"},
		{"--variant nocastle --depth 2 --fen nrqbbkrn/pppppppp/8/8/8/8/PPPPPPPP/NRQBBKRN_w_-_-_0_1", "324"},
	} {
		args := []string{"perft"}
		for _, a := range strings.Fields(c.args) {
			args = append(args, strings.ReplaceAll(a, "_", " "))
		}
		lines := strings.Split(strings.TrimSpace(ok(t, args...)), "\n")
		if lines[len(lines)-1] != c.last {
			t.Errorf("perft %s: last line %q, want %q", c.args, lines[len(lines)-1], c.last)
		}
	}
}

func TestScenarioCommand(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.json")
	text := `[{"name":"holds","variant":"chess","steps":[{"expect":{"turn":"white"}}]},
		{"name":"does not","variant":"chess","steps":[{"expect":{"turn":"black","phase":"over"}}]}]`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := chancery(t, "scenario", file)
	lines := strings.Split(strings.TrimSpace(s.out), "\n")
	if s.code != exitFailed || len(lines) != 2 || lines[1] != "1 passed, 1 failed" || !strings.Contains(lines[0], "does not: step 1") {
		t.Errorf("exit %d\n%s", s.code, s.out)
	}
	if s := chancery(t, "scenario", "--json", file); s.code != exitFailed || strings.Count(s.out, `"passed":true`) != 1 {
		t.Errorf("exit %d\n%s", s.code, s.out)
	}
	all, err := filepath.Glob("../../tests/scenarios/*.json")
	if err != nil || len(all) == 0 {
		t.Fatalf("%v, %v", all, err)
	}
	if out := ok(t, append([]string{"scenario"}, all...)...); !strings.HasSuffix(out, " passed, 0 failed\n") {
		t.Errorf("got %s", out)
	}
}

func TestSimulateFollowsItsSeed(t *testing.T) {
	var first, again, other simulation
	for seed, into := range map[string]*simulation{"7": &first, "8": &other} {
		if err := json.Unmarshal([]byte(ok(t, "simulate", "--variant", "all", "--games", "16", "--seed", seed, "--lazy", "--json")), into); err != nil {
			t.Fatal(err)
		}
	}
	out := ok(t, "simulate", "--variant", "all", "--games", "16", "--seed", "7", "--lazy", "--json", "--parallel", "3")
	if err := json.Unmarshal([]byte(out), &again); err != nil {
		t.Fatal(err)
	}
	if first.Games != 16 || first.Records != again.Records || first.Records == other.Records {
		t.Errorf("seed 7: %d records, then %d; seed 8: %d", first.Records, again.Records, other.Records)
	}
}
