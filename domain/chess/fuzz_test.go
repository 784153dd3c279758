package chess

import (
	"errors"
	"slices"
	"testing"
)

// What is listed is legal, and nothing else: every text that names two squares,
// or a man and a square, is read as a move exactly when it is listed.
func FuzzLegalIsListed(f *testing.F) {
	addWalks(f)
	f.Fuzz(func(t *testing.T, ground uint8, choices []byte) {
		var last Position
		walk(t, ground, choices, func(p *Position) { last = *p })
		listed := ucis(&last)
		if unique := slices.Compact(slices.Clone(listed)); len(unique) != len(listed) {
			t.Fatalf("%s lists a move twice: %v", last.FEN(), listed)
		}
		for _, uci := range allUCIs() {
			before := last
			m, err := last.ParseUCI(uci)
			_, isListed := slices.BinarySearch(listed, uci)
			switch {
			case err != nil && isListed:
				t.Fatalf("%s lists %s, but: %v", last.FEN(), uci, err)
			case err == nil && !isListed && m.Promotion() != Queen && !last.takesKingOnLastRank(m):
				t.Fatalf("%s does not list %s and accepts it", last.FEN(), uci)
			case err != nil && !errors.As(err, new(*IllegalMoveError)):
				t.Fatalf("%s refuses %s without a rule: %v", last.FEN(), uci, err)
			case last != before:
				t.Fatalf("%s was changed by reading %s", before.FEN(), uci)
			}
		}
	})
}

func allUCIs() (texts []string) {
	for to := A1; to <= H8; to++ {
		for from := A1; from <= H8; from++ {
			texts = append(texts, quiet(Pawn, from).toward(to).UCI())
		}
		for role := Pawn; role <= King; role++ {
			texts = append(texts, drop(role).toward(to).UCI())
		}
	}
	for from := A2; from <= H7; from++ {
		for _, to := range []Square{from + 8, from + 7, from - 8, from - 9} {
			texts = append(texts, quiet(Pawn, from).toward(to&63).promoting(Rook).UCI())
		}
	}
	return texts
}

// Counting and listing agree; a played position is the one its FEN describes;
// men are conserved; the side that moved left its king safe.
func FuzzPlay(f *testing.F) {
	addWalks(f)
	f.Fuzz(func(t *testing.T, ground uint8, choices []byte) {
		walk(t, ground, choices, func(p *Position) {
			if n := len(p.Moves(nil)); n != p.countMoves() || (n > 0) != p.HasMove() {
				t.Fatalf("%s: %d moves listed, %d counted", p.FEN(), n, p.countMoves())
			}
			checkAgainstFEN(t, p)
			for _, m := range p.Moves(nil) {
				checkPlay(t, p, m)
			}
		})
	})
}

func checkAgainstFEN(t *testing.T, p *Position) {
	t.Helper()
	again, err := ParsePosition(p.FEN(), p.Law())
	if err != nil {
		t.Fatalf("%s: %v", p.FEN(), err)
	}
	if again.FEN() != p.FEN() || again.Key() != p.Key() || !slices.Equal(ucis(&again), ucis(p)) {
		t.Fatalf("%s is read back as %s", p.FEN(), again.FEN())
	}
	live := *p
	if live.EnPassant() == NoSquare {
		live.target = NoSquare // a right that nobody can use is not written
	}
	if live != again {
		t.Fatalf("%s: the position read back differs", p.FEN())
	}
	setup := p.Setup()
	door, err := setup.Position(p.Law())
	if err != nil || door != *p {
		t.Fatalf("%s does not pass its own door: %v", p.FEN(), err)
	}
}

func checkPlay(t *testing.T, p *Position, m Move) {
	t.Helper()
	after := *p
	after.Play(m)
	taken := 0
	if p.Captured(m) != NoPiece {
		taken = 1
	}
	if men(&after) != men(p)-taken {
		t.Fatalf("%s: %s turns %d men into %d", p.FEN(), m, men(p), men(&after))
	}
	if after.opponentInCheck() {
		t.Fatalf("%s: %s leaves the king attacked", p.FEN(), m)
	}
	if after.Turn() == p.Turn() || after.colors[White]&after.colors[Black] != 0 {
		t.Fatalf("%s: %s leads to %s", p.FEN(), m, after.FEN())
	}
}

// men counts board and reserves.
func men(p *Position) int {
	return p.company(White).total + p.company(Black).total + p.roles[King].Count() +
		p.Pocket(White, King) + p.Pocket(Black, King)
}

// In a king-safe game the legal moves are the pseudo-legal ones after which
// the own king is not attacked, castling apart.
func FuzzKingSafety(f *testing.F) {
	addWalks(f)
	f.Fuzz(func(t *testing.T, ground uint8, choices []byte) {
		walk(t, ground, choices, func(p *Position) {
			if p.law.KingCapture || p.law.Drops {
				return
			}
			free := *p
			free.law, free.castling = Law{KingCapture: true, EnPassant: true}, 0
			var want []string
			for _, m := range free.Moves(nil) {
				after := *p
				after.Play(m)
				if !after.opponentInCheck() {
					want = append(want, m.UCI())
				}
			}
			slices.Sort(want)
			var got []string
			for _, m := range p.Moves(nil) {
				if !m.IsCastling() {
					got = append(got, m.UCI())
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Fatalf("%s\n got %v\nwant %v", p.FEN(), got, want)
			}
		})
	})
}

// Every move's SAN names that move and no other.
func FuzzSAN(f *testing.F) {
	addWalks(f)
	f.Fuzz(func(t *testing.T, ground uint8, choices []byte) {
		walk(t, ground, choices, func(p *Position) {
			seen := map[string]Move{}
			for _, m := range p.Moves(nil) {
				san := p.SAN(m)
				if other, twice := seen[san]; twice {
					t.Fatalf("%s: %s and %s are both %s", p.FEN(), m, other, san)
				}
				seen[san] = m
				if again, err := p.ParseSAN(san); err != nil || again != m {
					t.Fatalf("%s: %s is %s, read back as %s, %v", p.FEN(), m, san, again, err)
				}
				if again, err := p.ParseUCI(m.UCI()); err != nil || again != m {
					t.Fatalf("%s: %s is read back as %s, %v", p.FEN(), m, again, err)
				}
			}
			for _, m := range p.QueenMoves(nil) {
				if other, twice := seen[p.SAN(m)]; twice {
					t.Fatalf("%s: %s and %s are both %s", p.FEN(), m, other, p.SAN(m))
				}
			}
		})
	})
}

// Reading any text ends in a setup or in a FENError, and what was read is
// written and read back the same; the door names faults and never panics.
func FuzzFEN(f *testing.F) {
	for _, g := range grounds {
		for n := range len(g.fen) {
			f.Add(g.fen[:n])
		}
		f.Add(g.fen)
	}
	for _, c := range badFENs {
		f.Add(c.fen)
	}
	f.Fuzz(func(t *testing.T, fen string) {
		s, err := ParseFEN(fen)
		if err != nil {
			if !errors.As(err, new(*FENError)) {
				t.Fatalf("%q: %v", fen, err)
			}
			return
		}
		again, err := ParseFEN(s.FEN())
		if err != nil || again != s {
			t.Fatalf("%q is read, written as %q and not read back: %v", fen, s.FEN(), err)
		}
		for _, law := range laws {
			p, err := s.Position(law)
			if err != nil {
				if !errors.As(err, new(*SetupError)) {
					t.Fatalf("%q: %v", fen, err)
				}
				continue
			}
			checkAgainstFEN(t, &p)
			for _, m := range p.Moves(nil) {
				checkPlay(t, &p, m)
			}
		}
	})
}

// No text panics the readers of moves.
func FuzzMoveText(f *testing.F) {
	for _, text := range []string{"", "e", "@", "@e4", "P@e9", "e2e4", "e7e8q", "e7e8?", "0000", "O-O", "exd", "=Q", "Q", "N@", "é2e4", "N1xf3+", "x"} {
		f.Add(text)
	}
	ground := grounds[8]
	f.Fuzz(func(t *testing.T, text string) {
		p := parse(t, ground.fen, ground.law)
		for _, read := range []func(string) (Move, error){p.ParseUCI, p.ParseSAN} {
			_, err := read(text)
			if err != nil && !errors.Is(err, ErrSyntax) && !errors.Is(err, ErrAmbiguous) && !errors.As(err, new(*IllegalMoveError)) {
				t.Fatalf("%q: %v", text, err)
			}
		}
	})
}
