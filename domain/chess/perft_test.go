package chess

import (
	"encoding/json"
	"os"
	"testing"
)

// Laws of the drop games, as their variants declare them.
var (
	dropLaw1 = Law{Castling: true, FreshCastling: true, EnPassant: true, Drops: true, PawnDrops: RankRange{2, 4}}
	dropLaw2 = Law{Drops: true, PawnDrops: RankRange{2, 4}, DropSparesKing: true}
	dropLaw3 = Law{Drops: true, PawnDrops: RankRange{2, 4}, DropSparesKing: true, DropSparesMen: true}
)

var laws = map[string]Law{
	"chess": Orthodox, "nocastle": NoCastling, "kingcapture": KingCapture,
	"unachess1": dropLaw1, "unachess2": dropLaw2, "unachess3": dropLaw3,
}

type perftCase struct {
	Variant, FEN string
	Depth        int
	Nodes        uint64
}

func perftCases(t testing.TB) []perftCase {
	t.Helper()
	data, err := os.ReadFile("testdata/perft.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []perftCase
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

// perftLimit is the largest count that is counted: all of them with
// CHANCERY_PERFT=all.
func perftLimit() uint64 {
	switch {
	case os.Getenv("CHANCERY_PERFT") == "all":
		return 1 << 62
	case testing.Short():
		return 200_000
	}
	return 20_000_000
}

func TestPerft(t *testing.T) {
	limit := perftLimit()
	for _, c := range perftCases(t) {
		if c.Nodes > limit {
			continue
		}
		p, err := ParsePosition(c.FEN, laws[c.Variant])
		if err != nil {
			t.Errorf("%s %s: %v", c.Variant, c.FEN, err)
			continue
		}
		if n := Perft(&p, c.Depth); n != c.Nodes {
			t.Errorf("%s %s depth %d: %d nodes, want %d", c.Variant, c.FEN, c.Depth, n, c.Nodes)
		}
	}
}

// The three ways to count agree.
func TestPerftAgrees(t *testing.T) {
	for _, g := range grounds {
		p := parse(t, g.fen, g.law)
		want := Perft(&p, 2)
		if n := PerftPlayed(&p, 2); n != want {
			t.Errorf("%s: %d played, %d counted", g.fen, n, want)
		}
		sum := uint64(0)
		for _, c := range PerftDivide(&p, 2) {
			sum += c.Count
		}
		if sum != want {
			t.Errorf("%s: %d divided, %d counted", g.fen, sum, want)
		}
		if Perft(&p, 0) != 1 || PerftDivide(&p, 0) != nil {
			t.Errorf("%s: depth 0 is the position itself", g.fen)
		}
	}
}
