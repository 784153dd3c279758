package chess

import (
	"slices"
	"testing"
)

// Faults that other move generators have had, and the neighbours of each.
func TestMoves(t *testing.T) {
	for _, c := range []struct {
		name     string
		fen      string
		law      Law
		count    int // of all moves, when not 0
		includes []string
		excludes []string
	}{
		{
			name: "a pinned pawn captures en passant along its pin",
			fen:  "7k/2b5/8/3pP3/5K2/8/8/8 w - d6 0 1", law: NoCastling, count: 7, includes: []string{"e5d6"},
		},
		{
			name: "a pinned pawn does not leave its file by en passant",
			fen:  "4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1", law: NoCastling, count: 6, excludes: []string{"e5d6"},
		},
		{
			name: "where kings are taken no pawn is pinned",
			fen:  "4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1", law: KingCapture, includes: []string{"e5d6"},
		},
		{
			name: "en passant that opens the rank of both pawns",
			fen:  "8/8/8/K1pP3r/8/8/8/7k w - c6 0 1", law: Orthodox, excludes: []string{"d5c6"},
		},
		{
			name: "en passant removes the pawn that gives check",
			fen:  "8/8/8/5k2/3pP3/8/8/4K3 b - e3 0 1", law: NoCastling, includes: []string{"d4e3", "f5e4"},
		},
		{
			name: "only pawns capture en passant",
			fen:  "8/8/8/8/4P1k1/3b4/8/4K3 b - e3 0 1", law: NoCastling, includes: []string{"d3e4", "d3e2"},
		},
		{
			name: "en passant blocks a line",
			fen:  "2r4k/8/8/1Pp5/8/8/8/2K5 w - c6 0 1", law: NoCastling, includes: []string{"b5c6"},
		},
		{
			name: "a pawn beside an empty corner does not capture there",
			fen:  "4k3/1P6/8/8/8/8/1p6/4K3 b - - 0 1", law: Orthodox, includes: []string{"b2b1q"}, excludes: []string{"b2a1q", "b2a1", "b2c1q"},
		},
		{
			name: "nor does White's",
			fen:  "4k3/1P6/8/8/8/8/1p6/4K3 w - - 0 1", law: Orthodox, includes: []string{"b7b8q"}, excludes: []string{"b7a8q", "b7a8"},
		},
		{
			name: "a double step cures no check that crosses its first square",
			fen:  "4k3/2p5/8/1B6/8/8/8/4K3 b - - 0 1", law: Orthodox, includes: []string{"c7c6"}, excludes: []string{"c7c5"},
		},
		{
			name: "no double step over a man",
			fen:  "4k3/2p5/2N5/8/8/8/8/4K3 b - - 0 1", law: Orthodox, excludes: []string{"c7c5", "c7c6"},
		},
		{
			name: "no double step onto a man",
			fen:  "4k3/2p5/8/2N5/8/8/8/4K3 b - - 0 1", law: Orthodox, includes: []string{"c7c6"}, excludes: []string{"c7c5"},
		},
		{
			name: "a double check is answered by the king alone",
			fen:  "4k3/6b1/5N2/8/8/8/8/4R1K1 b - - 0 1", law: Orthodox, count: 3, includes: []string{"e8d8", "e8f7", "e8f8"},
		},
		{
			name: "and by no drop",
			fen:  "4k3/6b1/5N2/8/8/8/8/4R1K1[qrbnp] b - - 0 1", law: dropLaw1, count: 3,
		},
		{
			name: "where kings are taken a double check binds nobody",
			fen:  "4k3/6b1/5N2/8/8/8/8/4R1K1 b - - 0 1", law: KingCapture, includes: []string{"g7f6", "g7h6"},
		},
		{
			name: "castling may not start in check",
			fen:  "4rk2/8/8/8/8/8/8/R3K2R w KQ - 0 1", law: Orthodox, excludes: []string{"e1g1", "e1c1"},
		},
		{
			name: "castling may not pass an attacked square",
			fen:  "3r1k2/8/8/8/8/8/8/R3K2R w KQ - 0 1", law: Orthodox, includes: []string{"e1g1"}, excludes: []string{"e1c1"},
		},
		{
			name: "castling may not end in check",
			fen:  "5kr1/8/8/8/8/8/8/R3K2R w KQ - 0 1", law: Orthodox, includes: []string{"e1c1"}, excludes: []string{"e1g1"},
		},
		{
			name: "an attack on the rook's way alone is no hindrance",
			fen:  "1r3k2/8/8/8/8/8/8/R3K2R w KQ - 0 1", law: Orthodox, includes: []string{"e1c1"},
		},
		{
			name: "castling out of, through and into attack where kings are taken",
			fen:  "2rrrk2/8/8/8/8/8/8/R3K2R w KQ - 0 1", law: KingCapture, includes: []string{"e1g1", "e1c1"},
		},
		{
			name: "a man between king and rook hinders, beside the king's way too",
			fen:  "4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1", law: KingCapture, excludes: []string{"e1g1", "e1c1"},
		},
		{
			name: "where the law knows no castling nobody castles",
			fen:  "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", law: NoCastling, excludes: []string{"e1g1", "e1c1"},
		},
		{
			name: "without the right nobody castles",
			fen:  "4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", law: Orthodox, includes: []string{"e1c1"}, excludes: []string{"e1g1"},
		},
		{
			name: "kings that touch may take each other",
			fen:  "8/8/8/4k3/4K3/8/8/8 w - - 0 1", law: KingCapture, count: 8, includes: []string{"e4e5", "e4d5"},
		},
		{
			name: "a king may step anywhere where kings are taken",
			fen:  "4r2k/8/8/8/8/8/8/3K4 w - - 0 1", law: KingCapture, includes: []string{"d1e1", "d1e2"},
		},
		{
			name: "and nowhere near an attack where they are not",
			fen:  "4r2k/8/8/8/8/8/8/3K4 w - - 0 1", law: Orthodox, count: 3, excludes: []string{"d1e1", "d1e2"},
		},
		{
			name: "a king does not take a defended man",
			fen:  "7k/8/8/8/8/8/3r4/3rK3 w - - 0 1", law: Orthodox, excludes: []string{"e1d1", "e1d2", "e1f1"},
		},
		{
			name: "a king does not hide behind itself",
			fen:  "4r2k/8/8/8/4K3/8/8/8 w - - 0 1", law: Orthodox, excludes: []string{"e4e3"}, includes: []string{"e4d3"},
		},
		{
			name: "a pawn promotes to four roles",
			fen:  "8/P7/7k/8/8/8/8/K7 w - - 0 1", law: Orthodox, includes: []string{"a7a8q", "a7a8r", "a7a8b", "a7a8n"}, excludes: []string{"a7a8"},
		},
		{
			name: "a pawn that takes the king on the last rank names no promotion",
			fen:  "k1r5/1P6/8/8/8/8/8/4K3 w - - 0 1", law: KingCapture, includes: []string{"b7a8", "b7b8q", "b7c8n"}, excludes: []string{"b7a8q", "b7a8n"},
		},
		{
			name: "nobody moves once a king is gone",
			fen:  "8/8/8/8/8/8/PPPP4/4K3 b - - 0 1", law: KingCapture, excludes: []string{"e1e2"},
		},
		{
			name: "neither side",
			fen:  "8/8/8/8/8/8/PPPP4/4K3 w - - 0 1", law: KingCapture, excludes: []string{"e1f1"},
		},
		{
			name: "pawns drop on their second to fourth rank",
			fen:  "8/8/8/8/8/8/8/8[P] w - - 0 1", law: dropLaw1, count: 24, includes: []string{"P@a2", "P@h4"}, excludes: []string{"P@a1", "P@a5"},
		},
		{
			name: "black pawns on the seventh to the fifth",
			fen:  "8/8/8/8/8/8/8/8[p] b - - 0 1", law: dropLaw1, count: 24, includes: []string{"P@a7", "P@h5"}, excludes: []string{"P@a8", "P@a4"},
		},
		{
			name: "and on the first where the law says so",
			fen:  "8/8/8/8/8/8/8/8[P] w - - 0 1", law: dropLawEnglish, count: 32, includes: []string{"P@a1"},
		},
		{
			name: "a pawn steps twice from its second rank only",
			fen:  "8/8/8/8/P7/1P6/2P5/8[Kk] w - - 0 1", law: dropLaw1, includes: []string{"c2c4", "a4a5", "b3b4"}, excludes: []string{"a4a6", "b3b5"},
		},
		{
			name: "and never where the law says so",
			fen:  "8/8/8/8/8/8/2P5/3P4[Kk] w - - 0 1", law: dropLawEnglish, includes: []string{"c2c3", "d1d2"}, excludes: []string{"c2c4", "d1d3"},
		},
		{
			name: "a side without its king captures nothing",
			fen:  "4k3/3p4/8/8/8/8/8/3Q4[K] w - - 0 1", law: dropLaw1, includes: []string{"d1d6", "K@a1"}, excludes: []string{"d1d7"},
		},
		{
			name: "not en passant either",
			fen:  "4k3/8/8/3pP3/8/8/8/8[K] w - d6 0 1", law: dropLaw1, includes: []string{"e5e6"}, excludes: []string{"e5d6"},
		},
		{
			name: "a king drops into a quasi-attack",
			fen:  "8/8/8/8/8/8/8/4Q3[Kk] b - - 0 1", law: dropLaw1, includes: []string{"K@e8", "K@e2"},
		},
		{
			name: "and not into a real one",
			fen:  "8/8/8/8/8/8/8/K3Q3[k] b - - 0 1", law: dropLaw1, excludes: []string{"K@e8", "K@e2", "K@b2"}, includes: []string{"K@g8"},
		},
		{
			name: "a quasi-pin binds nobody",
			fen:  "4k3/8/4n3/8/8/8/8/4Q3[K] b - - 0 1", law: dropLaw1, includes: []string{"e6g5"},
		},
		{
			name: "a check is answered by a drop between",
			fen:  "4k3/8/8/8/8/8/5PPP/r5K1[N] w - - 0 1", law: dropLaw1, count: 5, includes: []string{"N@b1", "N@f1"},
		},
		{
			name: "a drop may not attack the king",
			fen:  "4k3/8/8/8/8/8/8/4K3[BRNP] w - - 0 1", law: dropLaw2, includes: []string{"B@a1", "R@d1"}, excludes: []string{"B@a4", "R@a8", "N@c7", "R@e4"},
		},
		{
			name: "but through another man it may aim at it",
			fen:  "4k3/3p4/8/8/8/8/8/4K3[BR] w - - 0 1", law: dropLaw2, includes: []string{"B@a4", "B@c6"}, excludes: []string{"B@h5"},
		},
		{
			name: "nor mate, without the own king on the board",
			fen:  "4k3/8/8/8/8/8/8/8[KQ] w - - 0 1", law: dropLaw2, excludes: []string{"Q@e1", "K@e7"}, includes: []string{"Q@d1", "K@e6"},
		},
		{
			name: "nor attack any man",
			fen:  "4k3/8/8/3p4/8/8/8/4K3[RP] w - - 0 1", law: dropLaw3, excludes: []string{"R@d1", "R@h5", "P@c4", "P@e4"}, includes: []string{"R@c4", "P@d4", "P@c3"},
		},
		{
			name: "a king drop makes older attacks real, which is no attack of its own",
			fen:  "4k3/8/8/8/8/8/8/4Q3[K] w - - 0 1", law: dropLaw3, includes: []string{"K@a1"},
		},
	} {
		p := parse(t, c.fen, c.law)
		got := ucis(&p)
		if c.count != 0 && len(got) != c.count {
			t.Errorf("%s: %d moves, want %d: %v", c.name, len(got), c.count, got)
		}
		for _, uci := range c.includes {
			if !slices.Contains(got, uci) {
				t.Errorf("%s: %s is missing from %v", c.name, uci, got)
			}
		}
		for _, uci := range c.excludes {
			if slices.Contains(got, uci) {
				t.Errorf("%s: %s is listed", c.name, uci)
			}
		}
	}
}
