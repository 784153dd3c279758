package chess

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

var badFENs = []struct{ name, fen, field string }{
	{"nothing", "", "fields"},
	{"board alone", "8/8/8/8/8/8/8/8", "fields"},
	{"seven fields", startFEN + " x", "fields"},
	{"a rank of seven", "rnbqkbn/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "board"},
	{"a rank of nine", "rnbqkbnrr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "board"},
	{"a rank of nine by digits", "rnbqkbnr/pppppppp/54/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "board"},
	{"the digit nine", "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "board"},
	{"seven ranks", "pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "board"},
	{"ten ranks", "8/8/8/8/8/8/8/8/8/8 w - - 0 1", "board"},
	{"an unknown man", "rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "board"},
	{"a promoted man's mark", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ~KBNR w KQkq - 0 1", "board"},
	{"a letter of two bytes", "rnbqkbnr/ppppéppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "board"},
	{"an open reserve", "8/8/8/8/8/8/8/8[KQ w - - 0 1", "reserve"},
	{"men behind the reserve", "8/8/8/8/8/8/8/8[KQ]k w - - 0 1", "reserve"},
	{"a counted reserve", "8/8/8/8/8/8/8/8[2P] w - - 0 1", "reserve"},
	{"an unknown man in reserve", "8/8/8/8/8/8/8/8[KX] w - - 0 1", "reserve"},
	{"a ninth rank and a reserve", "8/8/8/8/8/8/8/8/K[k] w - - 0 1", "board"},
	{"a third color", "8/8/8/8/8/8/8/8 g - - 0 1", "turn"},
	{"unknown castling", "8/8/8/8/8/8/8/8 w KX - 0 1", "castling"},
	{"castling with a dash", "8/8/8/8/8/8/8/8 w K- - 0 1", "castling"},
	{"half a square", "8/8/8/8/8/8/8/8 w - e 0 1", "en passant"},
	{"a square too high", "8/8/8/8/8/8/8/8 w - e9 0 1", "en passant"},
	{"a square too far", "8/8/8/8/8/8/8/8 w - z3 0 1", "en passant"},
	{"a negative clock", "8/8/8/8/8/8/8/8 w - - -1 1", "half-move clock"},
	{"a signed clock", "8/8/8/8/8/8/8/8 w - - +1 1", "half-move clock"},
	{"a huge clock", "8/8/8/8/8/8/8/8 w - - 99999999999999999999 1", "half-move clock"},
	{"words for numbers", "8/8/8/8/8/8/8/8 w - - 0 one", "full-move number"},
	{"a megabyte", strings.Repeat("8", 1<<20), "length"},
}

func TestParseFENRefuses(t *testing.T) {
	for _, c := range badFENs {
		_, err := ParseFEN(c.fen)
		var fault *FENError
		if !errors.As(err, &fault) || fault.Field != c.field {
			t.Errorf("%s: got %v, want a fault of the %s", c.name, err, c.field)
		}
		if err != nil && len(err.Error()) > 200 {
			t.Errorf("%s: the error repeats the input, %d bytes", c.name, len(err.Error()))
		}
	}
}

func TestFENForms(t *testing.T) {
	for _, c := range []struct {
		name, fen string
		law       Law
		want      string
	}{
		{"no counters", "4k3/8/8/8/8/8/8/4K3 w - -", Orthodox, "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
		{"one counter", "4k3/8/8/8/8/8/8/4K3 w - - 7", Orthodox, "4k3/8/8/8/8/8/8/4K3 w - - 7 1"},
		{"wide spaces", " 4k3/8/8/8/8/8/8/4K3  w\t- - 0 1\n", Orthodox, "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
		{"single empties", "4k3/8/8/8/8/8/8/1111K111 w - - 0 1", Orthodox, "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
		{"castling in another order", "r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1", Orthodox, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"},
		{"castling by unmoved men", "r3k2r/8/8/8/8/8/8/R3K2R w EHea - 0 1", Orthodox, "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1"},
		{"marks that make no right", "r3k2r/8/8/8/8/8/8/R3K2R w AHe - 0 1", Orthodox, "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1"},
		{"rights that are dropped", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", NoCastling, "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1"},
		{"en passant nobody can take", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", Orthodox, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"},
		{"en passant that would expose the king", "4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1", Orthodox, "4r2k/8/8/3pP3/8/8/8/4K3 w - - 0 1"},
		{"the same where kings are taken", "4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1", KingCapture, "4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1"},
		{"en passant where there is none", "7k/8/8/3pP3/8/8/8/K7[] w - d6 0 1", dropLaw2, "7k/8/8/3pP3/8/8/8/K7[] w - - 0 1"},
		{"reserve in brackets", "8/8/8/8/8/8/8/8[pPkKqQ] w - - 0 1", dropLaw1, "8/8/8/8/8/8/8/8[KQPkqp] w - - 0 1"},
		{"reserve as a ninth rank", "8/8/8/8/8/8/8/8/KkP w - - 0 1", dropLaw1, "8/8/8/8/8/8/8/8[KPk] w - - 0 1"},
		{"an empty reserve", "8/8/8/8/8/8/8/8[] w - - 0 1", dropLaw1, "8/8/8/8/8/8/8/8[] w - - 0 1"},
		{"an empty reserve with a dash", "8/8/8/8/8/8/8/8[-] w - - 0 1", dropLaw1, "8/8/8/8/8/8/8/8[] w - - 0 1"},
		{"no reserve at all", "8/8/8/8/8/8/8/8 w - - 0 1", dropLaw1, "8/8/8/8/8/8/8/8[] w - - 0 1"},
		{"all marks", "r3k2r/8/8/8/8/8/8/R3K2R[] w HAEhae - 0 1", dropLaw1, "r3k2r/8/8/8/8/8/8/R3K2R[] w KQkq - 0 1"},
		{"a mark for each man alone", "r3k3/8/8/8/8/8/8/4K2R[] w Ea - 0 1", dropLaw1, "r3k3/8/8/8/8/8/8/4K2R[] w Ea - 0 1"},
		{"one right and a lone king", "4k3/8/8/8/8/8/8/4K2R[] w Ke - 0 1", dropLaw1, "4k3/8/8/8/8/8/8/4K2R[] w Ke - 0 1"},
		{"rooks of a moved king", "8/8/8/8/8/8/4K3/R6R[k] w AH - 0 1", dropLaw1, "8/8/8/8/8/8/4K3/R6R[k] w AH - 0 1"},
		{"the largest counters", "4k3/8/8/8/8/8/8/4K3 w - - 65535 65535", Orthodox, "4k3/8/8/8/8/8/8/4K3 w - - 65535 65535"},
	} {
		p := parse(t, c.fen, c.law)
		if got := p.FEN(); got != c.want {
			t.Errorf("%s: %q is written %q, want %q", c.name, c.fen, got, c.want)
		}
	}
}

func TestSetupFaults(t *testing.T) {
	for _, c := range []struct {
		name, fen string
		law       Law
		want      []Fault
	}{
		{"no kings", "8/8/8/8/8/8/8/8 w - - 0 1", Orthodox, []Fault{MissingKing}},
		{"no black king", "8/8/8/8/8/8/8/4K3 w - - 0 1", NoCastling, []Fault{MissingKing}},
		{"no kings where they are taken", "8/8/8/8/8/8/8/8 w - - 0 1", KingCapture, []Fault{MissingKing}},
		{"a king was taken", "8/8/8/8/8/8/8/4K3 b - - 0 1", KingCapture, nil},
		{"no kings with drops", "8/8/8/8/8/8/8/8 w - - 0 1", dropLaw1, nil},
		{"two white kings", "4k3/8/8/8/8/8/8/3KK3 w - - 0 1", Orthodox, []Fault{TooManyKings}},
		{"two black kings where they are taken", "4kk2/8/8/8/8/8/8/4K3 w - - 0 1", KingCapture, []Fault{TooManyKings}},
		{"a king on the board and in reserve", "4k3/8/8/8/8/8/8/4K3[K] w - - 0 1", dropLaw1, []Fault{TooManyKings}},
		{"pawns on the last rank", "P3k3/8/8/8/8/8/8/4K2p w - - 0 1", KingCapture, []Fault{PawnOnEndRank}},
		{"a pawn on the first rank", "4k3/8/8/8/8/8/8/P3K3 w - - 0 1", Orthodox, []Fault{PawnOnEndRank}},
		{"the same where it can come back there", "4k2p/8/8/8/8/8/8/P3K3 w - - 0 1", KingCapture, nil},
		{"the same where it can be dropped", "4k2p/8/8/8/8/8/8/P3K3 w - - 0 1", dropLawEnglish, nil},
		{"a reserve without drops", "4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1", Orthodox, []Fault{ReserveWithoutDrops}},
		{"the waiting king in check", "4k3/8/8/8/8/8/8/4RK2 w - - 0 1", Orthodox, []Fault{OpponentInCheck}},
		{"the same where kings are taken", "4k3/8/8/8/8/8/8/4RK2 w - - 0 1", KingCapture, nil},
		{"a quasi-check", "4k3/8/8/8/8/8/8/4R3[K] w - - 0 1", dropLaw1, nil},
		{"en passant without a pawn", "4k3/8/8/8/8/8/8/4K3 w - e6 0 1", Orthodox, []Fault{ImpossibleEnPassant}},
		{"en passant behind the own pawn", "4k3/8/8/4p3/4P3/8/8/4K3 w - e3 0 1", Orthodox, []Fault{ImpossibleEnPassant}},
		{"en passant on an occupied square", "4k3/8/4n3/3Pp3/8/8/8/4K3 w - e6 0 1", Orthodox, []Fault{ImpossibleEnPassant}},
		{"en passant in the corner", "4k3/8/8/8/8/8/8/4K3 w - a1 0 1", Orthodox, []Fault{ImpossibleEnPassant}},
		{"castling without the rook", "4k3/8/8/8/8/8/8/4K3 w K - 0 1", Orthodox, []Fault{ImpossibleCastling}},
		{"castling without the king", "4k3/8/8/8/8/8/8/3K3R w K - 0 1", Orthodox, []Fault{ImpossibleCastling}},
		{"castling with the enemy's rook", "4k3/8/8/8/8/8/8/3nK2r w K - 0 1", KingCapture, []Fault{ImpossibleCastling}},
		{"an unmoved king elsewhere", "4k3/8/8/8/8/8/8/3K4[] w E - 0 1", dropLaw1, []Fault{ImpossibleCastling}},
		{"move number zero", "4k3/8/8/8/8/8/8/4K3 w - - 0 0", Orthodox, []Fault{ClockOutOfRange}},
		{
			"several at once", "8/8/8/8/8/8/8/P3KK2[Q] w - e6 0 1", Orthodox,
			[]Fault{MissingKing, TooManyKings, PawnOnEndRank, ReserveWithoutDrops, ImpossibleEnPassant},
		},
		{"nine pawns and three queens", "4k3/8/8/8/8/PPP5/PPPPPPPP/QQQ1K3 w - - 0 1", Orthodox, nil},
		{"two bishops of one shade", "4k3/8/8/8/8/8/8/B1B1K3 w - - 0 1", NoCastling, nil},
		{"kings side by side where they are taken", "8/8/8/4k3/4K3/8/8/8 w - - 0 1", KingCapture, nil},
		{"kings side by side", "8/8/8/4k3/4K3/8/8/8 w - - 0 1", Orthodox, []Fault{OpponentInCheck}},
	} {
		_, err := ParsePosition(c.fen, c.law)
		var faults []Fault
		var setupError *SetupError
		if errors.As(err, &setupError) {
			faults = setupError.Faults
		} else if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if !slices.Equal(faults, c.want) {
			t.Errorf("%s: faults %v, want %v", c.name, faults, c.want)
		}
	}
}

func TestSetupRefusesWhatIsNoMan(t *testing.T) {
	s := parseSetup(t, startFEN)
	for name, spoil := range map[string]func(*Setup){
		"a role of seven":     func(s *Setup) { s.Board[E4] = 7 },
		"a black nothing":     func(s *Setup) { s.Board[E4] = blackPiece },
		"a third color":       func(s *Setup) { s.Board[E4] = 17 },
		"a third side":        func(s *Setup) { s.Turn = 2 },
		"nothing in reserve":  func(s *Setup) { s.Pockets[White][NoRole] = 1 },
		"the zero setup":      func(s *Setup) { *s = Setup{} },
		"a square off board":  func(s *Setup) { s.EnPassant = 77 },
		"an unknown mark":     func(s *Setup) { s.Castling = 255 },
		"a negative clock":    func(s *Setup) { s.HalfMoves = -1 },
		"a clock beyond it":   func(s *Setup) { s.FullMoves = MaxClock + 1 },
		"a square before all": func(s *Setup) { s.EnPassant = -2 },
	} {
		spoiled := s
		spoil(&spoiled)
		if _, err := spoiled.Position(Orthodox); !errors.As(err, new(*SetupError)) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func parseSetup(t *testing.T, fen string) Setup {
	t.Helper()
	s, err := ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
