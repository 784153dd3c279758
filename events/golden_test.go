package events

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"chancery/domain/cards"
	"chancery/domain/game"

	"github.com/google/go-cmp/cmp"
)

// samples holds one value of every type in its current version, with every field
// filled in: what a golden file does not show is not pinned.
var samples = []game.Fact{
	game.GameCreated{
		Clock: &game.ClockSpec{Base: 180_000, Increment: 2000}, Color: game.PreferRandom,
		Options: game.Options{"array": game.TextValue("RNBQKBNR"), "duet": game.BoolValue(true), "n": game.IntValue(5)},
		Rated:   true, Rules: sampleRules, Start: "4k3/8/8/8/8/8/8/4K2R w K - 0 1", Variant: "nocastle",
		Seats: []game.Sitter{{Bot: "greedy", Delegated: true}, {Player: "0197f6a0"}},
	},
	game.PlayerJoined{Bot: "greedy", Player: "0197f6a0", Seat: game.Second},
	game.LinkOpened{Seat: game.Second},
	game.LinksStopped{Seat: game.Second},
	game.ColorsDrawn{Roll: new(1), White: game.Second},
	game.ArrayDrawn{Array: "RNBQKBNR", FEN: "rnbqkbnr/8/8/8/8/8/8/RNBQKBNR w - - 0 1", Index: 518},
	game.GameStarted{Clock: sampleClocks, FEN: "4k3/8/8/8/8/8/8/4K3 w - - 0 1", White: game.Second},
	game.GamePaused{Clock: sampleClocks, Reason: "downtime"},
	game.GameResumed{Clock: sampleClocks, Reason: "downtime"},
	game.GameEnded{Reason: game.Checkmate, Result: game.WhiteWins, Winner: game.Second},
	game.GameAborted{Reason: game.NoOpponent},
	game.GameVoided{Reason: game.SeedLost},
	game.SeedRevealed{},
	game.MovePlayed{
		Army: game.BlackArmy, Captured: "P", Check: true, Clock: sampleClocks,
		FEN: "4k3/8/8/8/8/8/8/4K3 w - - 0 2", SAN: "dxe3+", UCI: "d4e3",
	},
	game.DrawOffered{Seat: game.Second},
	game.DrawDeclined{Seat: game.Second},
	game.DrawAccepted{Seat: game.Second},
	game.DrawClaimed{Seat: game.Second},
	game.Resigned{Seat: game.Second},
	game.FlagFell{Seat: game.Second},
	game.Forfeited{Seat: game.Second},
	game.CancelAsked{Seat: game.Second},
	game.Cancelled{Seat: game.Second},
	game.DiceRolled{Effect: game.SkipTurn, Faces: []int{4, 1}, Impossible: true, Purpose: "effect"},
	game.PileShuffled{Count: 76},
	game.HandDealt{Count: 7, Seat: game.Second},
	game.CardDrawn{Card: &sampleCard, Count: 1, Seat: game.Second},
	game.CardRevealed{Card: sampleCard, Moves: 2, Places: 1},
	game.CardPlayed{Card: sampleCard, Color: cards.Green, Seat: game.Second},
	game.CardsDiscarded{Cards: []cards.Dealt{sampleCard}, Seat: game.Second},
	game.HandsRevealed{Hands: [2][]cards.Dealt{{sampleCard}, {sampleCard}}, Piles: [][]cards.ID{{3, 1, 2}, {9}}},
	game.UnoCalled{Seat: game.Second},
	game.UnoCaught{Seat: game.Second},
	game.ControlSwapped{White: game.Second},
	game.TurnSkipped{Reason: "card", Seat: game.Second},
	game.SeriesEnded{Reason: "no_move", Seat: game.Second},
	game.Passed{Seat: game.Second},
	game.RescueDeclined{Seat: game.Second},
	game.TurnEnded{Clock: sampleClocks, FEN: "4k3/8/8/8/8/8/8/4K3 b - - 0 1", Idle: 3, Mate: true, Turn: game.BlackArmy},
	game.PieceDropped{
		Army: game.BlackArmy, Check: true, Clock: sampleClocks, FEN: "4k3/8/8/8/8/8/8/4K3 w - - 0 2",
		From: "reserve", Piece: "n", SAN: "N@f3+", Square: "f3",
	},
	game.PawnPromoted{FEN: "4k3/8/8/8/8/8/8/4K2Q b - - 0 1", Square: "h1"},
	game.MoveUndone{FEN: "4k3/8/8/8/8/8/8/4K3 w - - 0 1", Ref: game.Ref{I: 1, N: 12}},
	game.LogKeyAdded{Key: "chess.example/ledger+e9b2c71e+AQ==", Sig: "AAAA"},
	game.SoftwareReleased{Name: "verify/page.mjs", SHA256: strings.Repeat("5a", 32)},
}

var (
	sampleClocks = &game.Clocks{61_500, 59_000}
	sampleCard   = cards.Dealt{ID: 12, Card: cards.Card{Kind: cards.Number, Color: cards.Red, Number: 5}}
	sampleRules  = game.RulesUsed{Deck: strings.Repeat("5a", 32), Version: 1}
)

// TestEveryFactHasAName reads the facts out of the source of package game, so that a
// fact without a name on disk or without a sample is found.
func TestEveryFactHasAName(t *testing.T) {
	sampled := map[string]bool{}
	for _, f := range samples {
		sampled[reflect.TypeOf(f).Name()] = true
		if name, version := TypeOf(f); name == "" || version < 1 {
			t.Errorf("%T has no name", f)
		}
	}
	for _, name := range factsInSource(t) {
		if !sampled[name] {
			t.Errorf("game.%s needs a line in ledgerTypes and a sample", name)
		}
	}
}

func factsInSource(t *testing.T) []string {
	files, err := fs.Glob(os.DirFS("../domain/game"), "*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no source of package game:", err)
	}
	var names []string
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), "../domain/game/"+file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if m, ok := d.(*ast.FuncDecl); ok && m.Recv != nil && m.Name.Name == "fact" {
				names = append(names, m.Recv.List[0].Type.(*ast.Ident).Name)
			}
		}
	}
	if len(names) < 20 {
		t.Fatalf("only %d facts found", len(names))
	}
	return names
}

// TestSamplesAreFull keeps a new field from being left out of the golden files.
func TestSamplesAreFull(t *testing.T) {
	for _, f := range samples {
		v := reflect.ValueOf(f)
		for i := range v.NumField() {
			if v.Field(i).IsZero() {
				t.Errorf("the sample of %T leaves %s empty", f, v.Type().Field(i).Name)
			}
		}
	}
}

// TestGolden holds every version of every type against its file. A file is written
// once, with CHANCERY_UPDATE=1, and never again: a change is a new version.
func TestGolden(t *testing.T) {
	for _, f := range samples {
		name, version := TypeOf(f)
		want, err := ledgerTypes.appendEvent(nil, game.Event{Fact: f}, new(writer))
		if err != nil {
			t.Fatal(err)
		}
		path := goldenPath(name, version)
		if _, err := os.Stat(path); err != nil && os.Getenv("CHANCERY_UPDATE") == "1" {
			if err := os.WriteFile(path, append(want, '\n'), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Errorf("%v; write it with CHANCERY_UPDATE=1", err)
			continue
		}
		if diff := cmp.Diff(string(bytes.TrimSuffix(got, []byte{'\n'})), string(want)); diff != "" {
			t.Errorf("%s is written differently now; make it a new version (-golden +now):\n%s", name, diff)
		}
	}
}

// TestGoldenReads reads the golden file of every version there ever was, and finds no
// file of a type that is not listed.
func TestGoldenReads(t *testing.T) {
	known := map[string]bool{}
	for _, versions := range ledgerTypes.byName {
		for _, e := range versions {
			known[goldenPath(e.name, e.version)] = true
			b, err := os.ReadFile(goldenPath(e.name, e.version))
			if err != nil {
				t.Errorf("%v; write it with CHANCERY_UPDATE=1", err)
				continue
			}
			s := &scanner{b: bytes.TrimSuffix(b, []byte{'\n'})}
			if event := ledgerTypes.event(s); s.err != nil || event.Fact == nil {
				t.Errorf("%s version %d: %v", e.name, e.version, s.err)
			}
		}
	}
	files, _ := filepath.Glob("testdata/golden/*")
	for _, f := range files {
		if !known[f] {
			t.Errorf("%s is of no listed type; types are never taken away", f)
		}
	}
}

func goldenPath(name string, version int) string {
	return filepath.Join("testdata", "golden", fmt.Sprintf("%s.v%d.json", name, version))
}

// What a type that has changed twice looks like.
type (
	resignedV1 struct {
		Who string `json:"who"`
	}
	resignedV2 struct {
		Loser int `json:"loser"`
	}
)

var changedTypes = newTypes(
	older("Resigned", 1, func(o resignedV1) resignedV2 { return resignedV2{Loser: strings.Index("ab", o.Who)} }),
	older("Resigned", 2, func(o resignedV2) game.Resigned { return game.Resigned{Seat: game.SeatFromWire(o.Loser)} }),
	current[game.Resigned]("Resigned", 3),
)

// TestUpcast reads all versions of a type that has changed, each by its own struct.
func TestUpcast(t *testing.T) {
	want := game.Resigned{Seat: game.Second}
	for version, data := range []string{1: `{"who":"b"}`, 2: `{"loser":1}`, 3: `{"seat":1}`} {
		if version == 0 {
			continue
		}
		s := &scanner{b: []byte(data)}
		if f := changedTypes.fact("Resigned", version, s); s.err != nil || f != want {
			t.Errorf("version %d gives %v, %v", version, f, s.err)
		}
		s = &scanner{b: []byte(data)}
		if f := changedTypes.fact("Resigned", version%3+1, s); s.err == nil {
			t.Errorf("version %d read as another: %v", version, f)
		}
	}
	for _, version := range []int{0, 4, -1} {
		s := &scanner{b: []byte(`{"seat":1}`)}
		if changedTypes.fact("Resigned", version, s); s.err == nil {
			t.Errorf("version %d read", version)
		}
	}
	b, err := changedTypes.appendEvent(nil, game.Event{Fact: want}, new(writer))
	if err != nil || string(b) != `{"data":{"seat":1},"type":"Resigned","v":3}` {
		t.Errorf("written as %s, %v", b, err)
	}
}

func TestNewTypesRefusesMistakes(t *testing.T) {
	for why, list := range map[string][]eventType{
		"version missing": {current[game.Resigned]("Resigned", 2)},
		"name twice":      {current[game.Resigned]("Resigned", 1), current[game.Passed]("Resigned", 1)},
		"no step up":      {current[game.Resigned]("Resigned", 1), current[game.Passed]("Resigned", 2)},
		"type twice":      {current[game.Resigned]("Resigned", 1), current[game.Resigned]("Passed", 1)},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: accepted", why)
				}
			}()
			newTypes(list...)
		}()
	}
}
