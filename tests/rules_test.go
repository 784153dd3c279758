package tests

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"chancery/domain/game"
	"chancery/domain/pgn"
)

// rulePage is where players read how a variant is played.
func rulePage(key string) string { return filepath.Join("..", "docs", "rules", key+".md") }

func readPage(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestEveryVariantHasARulePage wants a page a variant, under the variant's name, with
// every part that players look for, and an index that has each variant's sentence.
func TestEveryVariantHasARulePage(t *testing.T) {
	index := readPage(t, rulePage("README"))
	for _, v := range game.Variants() {
		page := readPage(t, rulePage(v.Key))
		for _, part := range []string{"# " + v.Name + "\n", "## Set-up\n", "## A turn\n", "## How it ends\n", "## Options\n", "## An example\n"} {
			if !strings.Contains(page, part) {
				t.Errorf("%s has no part %q", rulePage(v.Key), part)
			}
		}
		if row := fmt.Sprintf("| [%s](%s.md) | %s |", v.Name, v.Key, v.Summary); !strings.Contains(index, row) {
			t.Errorf("the index lacks the row %s", row)
		}
	}
}

// TestRulePagesKnowEveryOption compares the table of options with the variant's, names,
// defaults and ranges.
func TestRulePagesKnowEveryOption(t *testing.T) {
	row := regexp.MustCompile("(?m)^\\| `([a-z][A-Za-z]+)` \\| ([^|]+) \\| (.*) \\|$")
	for _, v := range game.Variants() {
		rows := map[string][]string{}
		for _, m := range row.FindAllStringSubmatch(readPage(t, rulePage(v.Key)), -1) {
			rows[m[1]] = m[2:]
		}
		for _, o := range v.Options {
			r, ok := rows[o.Name]
			delete(rows, o.Name)
			if !ok {
				t.Errorf("the page of %s lacks the option %s", v.Name, o.Name)
				continue
			}
			want := string(o.Default)
			if text := o.Default.Text(); text != "" || want == `""` {
				want = text
			}
			if want == "" {
				want = "none"
			}
			if r[0] != want {
				t.Errorf("the page of %s says %s is %s by default, not %s", v.Name, o.Name, r[0], want)
			}
			if o.Max > 0 && len(o.Among) == 0 && !strings.Contains(r[1], fmt.Sprintf("%d to %d", o.Min, o.Max)) {
				t.Errorf("the page of %s does not say that %s goes from %d to %d", v.Name, o.Name, o.Min, o.Max)
			}
			for _, n := range o.Among {
				if !strings.Contains(r[1], fmt.Sprintf("%d: ", n)) {
					t.Errorf("the page of %s does not say what %s of %d means", v.Name, o.Name, n)
				}
			}
		}
		for name := range rows {
			t.Errorf("the page of %s has an option %s that is none", v.Name, name)
		}
	}
}

// exampleMarks enclose the example game of a rule page.
const exampleBegin, exampleEnd = "<!-- example -->\n", "<!-- end of example -->\n"

// TestGoldenExampleGames plays the example game of every rule page again, by the rules
// and from its text alone, and compares what is said about it. Write the examples anew
// with CHANCERY_UPDATE=1, and look at what changed.
func TestGoldenExampleGames(t *testing.T) {
	for _, v := range game.Variants() {
		t.Run(v.Key, func(t *testing.T) {
			file := rulePage(v.Key)
			page := readPage(t, file)
			before, rest, ok1 := strings.Cut(page, exampleBegin)
			old, after, ok2 := strings.Cut(rest, exampleEnd)
			if !ok1 || !ok2 {
				t.Fatalf("%s has no example between %q and %q", file, exampleBegin, exampleEnd)
			}
			g := readExample(t, old)
			if g.State.Variant != v.Key || g.State.Result == game.Ongoing {
				t.Errorf("the example is of %s, result %s", g.State.Variant, g.State.Result)
			}
			example := writeExample(t, g)
			if os.Getenv("CHANCERY_UPDATE") != "" {
				if err := os.WriteFile(file, []byte(before+exampleBegin+example+exampleEnd+after), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if line, got, want := firstDifference([]byte(example), []byte(old)); line > 0 {
				t.Errorf("%s, line %d of the example:\ngot  %.400s\nwant %.400s", file, line, got, want)
			}
		})
	}
}

func readExample(t *testing.T, example string) pgn.Game {
	t.Helper()
	_, text, ok := strings.Cut(example, "```pgn\n")
	text, _, closed := strings.Cut(text, "```\n")
	if !ok || !closed {
		t.Fatal("the example holds no PGN")
	}
	g, err := pgn.NewReader(strings.NewReader(text)).Next()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// writeExample is the example's part of a page: the game, and what every record of it
// says.
func writeExample(t *testing.T, g pgn.Game) string {
	t.Helper()
	var b strings.Builder
	who := map[string]int{g.State.Seats[0].Bot: 1}
	who[g.State.Seats[1].Bot]++
	players := "The programs `" + g.State.Seats[0].Bot + "` and `" + g.State.Seats[1].Bot + "`"
	if len(who) == 1 {
		players = "Two programs `" + g.State.Seats[0].Bot + "`"
	}
	fmt.Fprintf(&b, "## An example\n\n%s played this game.\n\n```pgn\n", players)
	if err := pgn.Write(&b, g.State, g.Events, "?"); err != nil {
		t.Fatal(err)
	}
	text := strings.TrimRight(b.String(), "\n") + "\n```\n\n| | what happened |\n|---|---|\n"
	return text + exampleRows(g)
}

// exampleRows is a row for every record since colors were drawn.
func exampleRows(g pgn.Game) string {
	var rows strings.Builder
	s := game.New(g.State.ID)
	var what string
	var lines []string
	end := func() {
		if len(lines) > 0 {
			fmt.Fprintf(&rows, "| %s | %s |\n", what, strings.Join(lines, "; "))
		}
		what, lines = "", nil
	}
	for _, e := range g.Events {
		if e.N != s.N {
			end()
			what = played(s, e.Fact)
		}
		switch e.Fact.(type) {
		case game.GameCreated, game.PlayerJoined, game.LinkOpened, game.SeedRevealed:
		default:
			lines = append(lines, game.Line(s, e))
		}
		s = game.Evolve(s, e)
	}
	end()
	return rows.String()
}

// played is what a record began with, as the game's text writes it.
func played(s game.State, f game.Fact) string {
	number := s.FEN[strings.LastIndexByte(s.FEN, ' ')+1:]
	if s.FEN == "" {
		return ""
	}
	dots := ". "
	if s.Turn() == game.BlackArmy {
		dots = "… "
	}
	switch f := f.(type) {
	case game.MovePlayed:
		return number + dots + f.SAN
	case game.PieceDropped:
		if f.From != "reserve" { // beside the moves
			return f.Piece + "@" + f.Square
		}
		return number + dots + f.Piece + "@" + f.Square
	case game.PawnPromoted:
		return f.Square + "=Q"
	case game.CardPlayed:
		return number + dots + f.Card.Card.Code()
	case game.CardsDiscarded:
		return number + dots + "(" + f.Cards[0].Card.Code() + ")"
	default:
		return ""
	}
}
