package parquet

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chancery/adapters/memory"
	"chancery/events"
	"chancery/projections"
	"chancery/projections/ledgertest"
	"chancery/projections/tables"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
)

// testBlock makes many blocks of a few games.
const testBlock = 256

// play appends games.
func play(t testing.TB, log events.Log, from, to int) {
	t.Helper()
	if err := ledgertest.Play(t.Context(), log, ledgertest.Games{From: from, To: to}); err != nil {
		t.Fatal(err)
	}
}

// sums are the hashes of all files of a folder, by their names in it.
func sums(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		all[name] = fmt.Sprintf("%x", sha256.Sum256(b))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func exported(t *testing.T, log events.Log, dir string) {
	t.Helper()
	m, err := export(t.Context(), log, dir, testBlock, nil)
	if err != nil {
		t.Fatal(err)
	}
	if last, _ := log.Last(t.Context()); m.Position != last {
		t.Fatalf("exported up to %d of %d", m.Position, last)
	}
}

// newMonth is the number of a game that is opened in the last minutes of a month, UTC.
const newMonth = 13_546

// The folder is a function of the ledger: not of the time zone, nor of when exports ran.
// Games go over the end of a month, and each stays where it began.
func TestFolderIsAFunctionOfTheLedger(t *testing.T) {
	log := memory.New()
	grown := t.TempDir()
	for to := newMonth - 25; to <= newMonth+25; to += 5 {
		play(t, log, to-5, to)
		exported(t, log, grown)
	}
	want := sums(t, grown)
	months := map[string]int{}
	for name := range want {
		if _, rest, ok := strings.Cut(name, "month="); ok {
			months[rest[:7]]++
		}
	}
	if months["2026-09"] < 20 || months["2026-10"] < 20 || len(months) != 3 {
		t.Errorf("files by month: %v", months)
	}
	checkMonths(t, grown)
	for _, zone := range []string{"America/Los_Angeles", "Asia/Kolkata", "UTC"} {
		loc, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		before := time.Local
		time.Local = loc
		dir := t.TempDir()
		exported(t, log, dir)
		time.Local = before
		if diff := cmp.Diff(want, sums(t, dir)); diff != "" {
			t.Errorf("in %s the files differ from those that grew:\n%s", zone, diff)
		}
	}
	if len(want) < 50 {
		t.Errorf("only %d files", len(want))
	}
}

// checkMonths looks for rows that are not in the month in which their game was opened.
func checkMonths(t *testing.T, dir string) {
	t.Helper()
	for _, month := range []string{"2026-09", "2026-10"} {
		files, _ := filepath.Glob(filepath.Join(dir, "games", "*", "month="+month, "*"))
		for _, name := range files {
			some, err := parquet.ReadFile[tables.Game](name)
			if err != nil {
				t.Fatal(err)
			}
			for _, g := range some {
				if got := time.UnixMicro(g.CreatedAt).UTC().Format("2006-01"); got != month {
					t.Errorf("game %s of %s is in %s", g.Game, got, month)
				}
			}
		}
	}
}

// An export that is stopped again and again, at any record, ends with the same files.
func TestInterrupted(t *testing.T) {
	log := memory.New()
	play(t, log, 0, 40)
	dir, whole := t.TempDir(), t.TempDir()
	exported(t, log, whole)
	random := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		ctx, cancel := context.WithCancel(t.Context())
		left := random.IntN(600)
		_, err := export(ctx, log, dir, testBlock, func(_, _ events.Position) {
			if left--; left < 0 {
				cancel()
			}
		})
		cancel()
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		for name := range sums(t, dir) {
			if strings.HasSuffix(name, temporary) {
				t.Errorf("%s is left over", name)
			}
		}
	}
	exported(t, log, dir)
	if diff := cmp.Diff(sums(t, whole), sums(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// A game that is voided changes its row, wherever that is.
func TestVoidedLater(t *testing.T) {
	log := memory.New()
	play(t, log, 0, 12) // the last of them is aborted
	dir := t.TempDir()
	exported(t, log, dir)
	play(t, log, 12, 26) // games 12 and 25 are voided
	exported(t, log, dir)
	voided := map[string]bool{}
	for _, g := range rows[tables.Game](t, dir, "games") {
		voided[g.Game] = g.Voided
	}
	if len(voided) < 20 || !voided[ledgertest.ID(12)] || !voided[ledgertest.ID(25)] || voided[ledgertest.ID(11)] {
		t.Errorf("voided: %v", voided)
	}
}

// rows are those of a table, of all files in the order of their names.
func rows[T any](t *testing.T, dir, table string) []T {
	t.Helper()
	var all []T
	err := filepath.WalkDir(filepath.Join(dir, table), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		some, err := parquet.ReadFile[T](path)
		all = append(all, some...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Nothing is lost and nothing is there twice.
func TestRows(t *testing.T) {
	log := memory.New()
	play(t, log, 0, 40)
	dir := t.TempDir()
	exported(t, log, dir)
	seen, records := map[string]bool{}, map[int64]bool{}
	for _, e := range rows[tables.Event](t, dir, "events") {
		id := fmt.Sprintf("%s/%d/%d", e.Game, e.N, e.I)
		if seen[id] {
			t.Errorf("%s is there twice", id)
		}
		seen[id], records[e.Position] = true, true
	}
	if last, _ := log.Last(t.Context()); len(records) != int(last) {
		t.Errorf("events of %d records of %d", len(records), last)
	}
	turns := map[string]int32{}
	for _, turn := range rows[tables.Turn](t, dir, "turns") {
		if turns[turn.Game]++; turns[turn.Game] != turn.Turn {
			t.Errorf("game %s: turn %d is number %d", turn.Game, turn.Turn, turns[turn.Game])
		}
	}
	games := map[string]bool{}
	for _, g := range rows[tables.Game](t, dir, "games") {
		if games[g.Game] {
			t.Errorf("game %s is there twice", g.Game)
		}
		if games[g.Game] = true; turns[g.Game] != g.Turns {
			t.Errorf("game %s has %d turns and %d rows", g.Game, g.Turns, turns[g.Game])
		}
	}
	if len(games) < 30 {
		t.Errorf("only %d games", len(games))
	}
}

func TestRefused(t *testing.T) {
	log, other, dir := memory.New(), memory.New(), t.TempDir()
	play(t, log, 0, 3)
	play(t, other, 3, 9)
	exported(t, log, dir)
	if _, err := export(t.Context(), other, dir, testBlock, nil); !errors.Is(err, projections.ErrForeign) {
		t.Errorf("another ledger: %v", err)
	}
	if _, err := export(t.Context(), log, dir, 2*testBlock, nil); !errors.Is(err, ErrSchema) {
		t.Errorf("another version: %v", err)
	}
}

// Every column is explained.
func TestDictionary(t *testing.T) {
	for _, c := range Dictionary() {
		if c.Doc == "" || c.Doc == "-" {
			t.Errorf("%s.%s is not explained", c.Table, c.Name)
		}
	}
}

// BenchmarkExport measures records a second, and by -benchmem what is allocated.
func BenchmarkExport(b *testing.B) {
	log := memory.New()
	play(b, log, 0, 200)
	last, _ := log.Last(b.Context())
	for b.Loop() {
		if _, err := Export(b.Context(), log, b.TempDir(), nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(last)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
}

// TestGoldenDictionary keeps the columns in docs/analytics.md as they are;
// CHANCERY_UPDATE=1 writes them.
func TestGoldenDictionary(t *testing.T) {
	const path, begin, end = "../../docs/analytics.md", "<!-- dictionary -->\n", "<!-- /dictionary -->\n"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begin)
	have, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("%s has no place for the columns", path)
	}
	want := dictionaryText()
	if os.Getenv("CHANCERY_UPDATE") == "1" {
		if err := os.WriteFile(path, []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(have, want); diff != "" {
		t.Errorf("the columns in %s are stale; make golden writes them anew:\n%s", path, diff)
	}
}

// dictionaryText is the data dictionary as tables for people.
func dictionaryText() string {
	var b strings.Builder
	last := ""
	for _, c := range Dictionary() {
		if c.Name == "variant" || c.Name == "month" {
			continue // parts of the path, of all tables
		}
		if c.Table != last {
			last = c.Table
			fmt.Fprintf(&b, "\n#### %s\n\n| column | type | |\n|---|---|---|\n", c.Table)
		}
		kind := c.Type
		if c.Null {
			kind += ", or null"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", c.Name, kind, c.Doc)
	}
	b.WriteString("\nEvery table has `variant` and `month` as well, from the path.\n\n")
	return b.String()
}

// Two exports at once would write the same files: the second is refused.
func TestExportAlone(t *testing.T) {
	dir := t.TempDir()
	release, err := alone(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Export(t.Context(), memory.New(), dir, nil); !errors.Is(err, ErrBusy) {
		t.Errorf("while another one runs: %v", err)
	}
	release()
	if _, err := Export(t.Context(), memory.New(), dir, nil); err != nil {
		t.Error(err)
	}
}
