package pgn

import (
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"chancery/domain/chess"
	"chancery/domain/game"
)

// TestReadForeign reads what other programs write: it says less than we do, and more.
func TestReadForeign(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		fen    string // board and turn at the end
		reason game.Reason
		winner game.Seat
	}{
		"bare moves": {
			text: "1.e4 e5 2.Bc4 Nc6 3.Qh5 Nf6 4.Qxf7# 1-0\n",
			fen:  "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b", reason: game.Checkmate, winner: game.First,
		},
		"comments, side lines, signs and lines for others": {
			text: "\ufeff[Event \"x\"]\n[White \"A\"]\n[Black \"A\"]\n% for others\n\n" +
				"{before} 1. e4! $1 {[%eval 0.17] [%csl Gd4] good} (1. d4 {} (1. c4 ; a ) here\n) d5) 1... e5?! ; to the end\n 2. Nf3 *",
			fen: "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b",
		},
		"clocks": {
			text: "[TimeControl \"180+2\"]\n\n1. e4 { [%eval 0.2] [%clk 0:03:00] } 1... c5 { [%clk 0:02:58] } 0-1",
			fen:  "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w", reason: game.Resignation, winner: game.Second,
		},
		"clocks of an unknown control": {
			text: "[TimeControl \"40/7200:3600\"]\n\n1. e4 {[%clk 1:59:00]} 1/2-1/2",
			fen:  "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b", reason: game.Agreement,
		},
		"longer forms and other spellings": {
			text: "[Variant \"Standard\"]\n[FEN \"4k3/4r3/8/8/8/2N1N3/8/R3K2R w KQ - 0 1\"]\n\n1. Nc3d5 Re7-e6 *",
			fen:  "",
		},
		"castling with zeros": {
			text: "[FEN \"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1\"]\n\n1. 0-0-0 Ke7 *",
			fen:  "8/4k3/8/8/8/8/8/2KR3R w",
		},
		"a start array": {
			text: "[Variant \"No Castle\"]\n[FEN \"bbknnqrr/pppppppp/8/8/8/8/PPPPPPPP/BBKNNQRR w - - 0 1\"]\n\n1. e4 *",
			fen:  "bbknnqrr/pppppppp/8/8/4P3/8/PPPP1PPP/BBKNNQRR b",
		},
		"dice that win": {
			text: "[Variant \"Yugioh Chess\"]\n\n{[%first 9,9] [%first 17,4] [%eight 1,2,3,4,5,6,7,8,1,2]} 1. e4 {[%dice 9,0] [%effect win]} 1-0",
			fen:  "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b", reason: game.NineZero, winner: game.First,
		},
		"a mate that dice turn round": {
			text: "[Variant \"Yugioh Chess\"]\n[FEN \"7k/8/5KQ1/8/8/8/8/8 w - - 0 1\"]\n\n{[%first 4,17] [%eight 8,8,8,8,8,8,8,8,8,8]}\n" +
				"1. Qg7# {[%dice 1,1] [%effect none] [%rescue 1,12]} 0-1",
			fen: "7k/6Q1/5K2/8/8/8/8/8 b", reason: game.TwelveOne, winner: game.First,
		},
		"hidden hands": {
			text: "[Variant \"UNO Chess\"]\n\n{[%top R5] [%card R2]} 1. a3 {[%card RR] [%undo a3]} 1. {[%card R+2] [%discard B1,G7]} -- " +
				"{[%card W green]} 1... e5 {[%discard Y3]} 2. -- *",
			fen: "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR b",
		},
		"armies that change hands": {
			text: "[Variant \"Chess-Uno\"]\n\n{[%card YR] [%swap]} 1. e4 {[%card W]} 1... e7xe4 {[%card W+4] [%place P@e2]} 2. d4 {[%card R0]\n" +
				"[%end no_move_granted]} 2... -- {[%card G3]} 3. Bg5 {[%pass] [%card B1]} *",
			fen: "rnbqkbnr/pppp1ppp/8/6B1/3Pp3/8/PPP1PPPP/RN1QKBNR b",
		},
		"Chess-Uno by hand": {
			text: "[Variant \"Chess-Uno\"]\n\n{[%card R2]} 1. e4 d4 {[%card BS] [%end no_move_granted]} 1... -- {[%card R1]} 2. Nf3 {[%card Y1]} *",
			fen:  "rnbqkbnr/pppppppp/8/8/3PP3/5N2/PPP2PPP/RNBQKB1R b",
		},
	} {
		t.Run(name, func(t *testing.T) {
			g, err := NewReader(strings.NewReader(c.text)).Next()
			if c.fen == "" {
				var illegal *Error
				if !errors.As(err, &illegal) || illegal.Word != "Re7-e6" {
					t.Fatalf("a move in no notation of ours gives %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if s := g.State; !strings.HasPrefix(s.FEN, c.fen) || s.Reason != c.reason || s.Winner != c.winner {
				t.Errorf("ends in %s by %q, winner %s", s.FEN, s.Reason, s.Winner)
			}
		})
	}
}

// TestReadBothFormsOfAMove: a pinned man needs no telling apart, and may be told apart;
// where kings may be taken it has to be.
func TestReadBothFormsOfAMove(t *testing.T) {
	const fen = "4k3/4r3/8/8/8/2N1N3/8/4K3 w - - 0 1"
	for _, text := range []string{"1. Nd5 *", "1. Ncd5 *", "1. Nc3d5 *"} {
		g, err := NewReader(strings.NewReader("[FEN \"" + fen + "\"]\n\n" + text)).Next()
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if last := g.Events[len(g.Events)-1].Fact.(game.MovePlayed); last.SAN != "Nd5" || last.UCI != "c3d5" {
			t.Errorf("%s is %s, %s", text, last.SAN, last.UCI)
		}
	}
	uno := "[Variant \"Chess-Uno\"]\n[FEN \"" + fen + "\"]\n\n{[%card R1]} 1. "
	if _, err := NewReader(strings.NewReader(uno + "Nd5 *")).Next(); !errors.Is(err, chess.ErrAmbiguous) {
		t.Errorf("an ambiguous move gives %v", err)
	}
	if g, err := NewReader(strings.NewReader(uno + "Ncd5 {[%card R2]} *")).Next(); err != nil || g.State.Plies != 1 {
		t.Errorf("%d plies, %v", g.State.Plies, err)
	}
}

// TestReadRefuses names the first word that is not played by the rules, and never goes
// on behind it.
func TestReadRefuses(t *testing.T) {
	uno := "[Variant \"UNO Chess\"]\n\n{[%top R5]"
	for name, c := range map[string]struct {
		text string
		line int
		word string
		is   error
	}{
		"an illegal move":             {"1. e4 e5\n2. Ke3 Nc6 3. Ke2 *", 2, "Ke3", game.IllegalMove},
		"a word that is no move":      {"1. e4 banana *", 1, "banana", chess.ErrSyntax},
		"a result that is not theirs": {"1. f3 e5 2. g4 Qh4# 1-0", 1, "1-0", ErrRules},
		"no such variant":             {"[Variant \"Atomic\"]\n\n1. e4 *", 1, "", ErrRules},
		"other rules":                 {"[RulesVersion \"7\"]\n\n1. e4 *", 1, "", ErrRules},
		"an option out of range":      {"[Variant \"Chess-Uno\"]\n[MaxCardNumber \"12\"]\n\n*", 1, "", game.BadOption},
		"an option of no kind":        {"[Variant \"Chess-Uno\"]\n[MaxCardNumber \"x\"]\n\n*", 1, "", ErrSyntax},
		"a position without kings":    {"[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n*", 1, "", game.BadPosition},
		"a move after the end":        {"1. f3 e5 2. g4 Qh4# 3. a3 0-1", 1, "a3", game.GameOver},
		"a null move":                 {"1. e4 -- *", 1, "--", ErrRules},
		"dice of another variant":     {"1. e4 {[%dice 1,2]} *", 1, "[%dice 1,2]", ErrRules},
		"a clock that is none":        {"[TimeControl \"60\"]\n\n1. e4 {[%clk soon]} *", 3, "[%clk soon]", ErrSyntax},
		"faces of no dice":            {"[Variant \"Yugioh Chess\"]\n\n{[%first 17,21]} *", 3, "", ErrSyntax},
		"another effect":              {"[Variant \"Yugioh Chess\"]\n\n{[%first 17,2] [%eight 8,1,1,1,1,1,1,1,1,1]} 1. e4\n{[%dice 9,0] [%effect none]} *", 4, "[%effect none]", ErrRules},
		"an effect left out":          {"[Variant \"Yugioh Chess\"]\n\n{[%first 17,2] [%eight 8,1,1,1,1,1,1,1,1,1]} 1. e4\n{[%dice 8,0]} 1... e5 *", 4, "e5", ErrRules},
		"a card that moves no man":    {uno + " [%card R2]} 1. Nf3 *", 3, "Nf3", game.IllegalMove},
		"a card that does not fit":    {uno + " [%card B2]} 1. a3 *", 3, "[%card B2]", game.CardNotLive},
		"a card thrown away for free": {uno + " [%discard R2]} 1. -- *", 3, "[%discard R2]", game.MustPlay},
		"a call that is not due":      {uno + " [%uno call white]} *", 3, "[%uno call white]", game.NotPending},
		"hands that stay hidden":      {uno + "} 1-0", 3, "1-0", ErrRules},
		"more than four Jokers": {"[Variant \"Chess-Uno\"]\n[Pile \"live\"]\n\n" +
			"{[%card W]} 1. e3 {[%card W]} 1... e6 {[%card W]} 2. a3 {[%card W]} 2... a6\n{[%card W]} 3. h3 *", 5, "[%card W]", ErrRules},
		"an army that is none": {"1. e4 {[%resign red]} 1-0", 1, "[%resign red]", ErrSyntax},
	} {
		t.Run(name, func(t *testing.T) {
			r := NewReader(strings.NewReader(c.text + "\n\n1. d4 *\n"))
			g, err := r.Next()
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("read as %s, error %v", g.State.FEN, err)
			}
			if e.Line != c.line || c.word != "" && e.Word != c.word || !errors.Is(err, c.is) {
				t.Errorf("error %v, not one of line %d, %s that is %v", err, c.line, c.word, c.is)
			}
			if next, err := r.Next(); err != nil || next.State.Plies != 1 {
				t.Errorf("the game behind it gives %d plies, %v", next.State.Plies, err)
			}
		})
	}
}

// TestReadRefusesWhatIsNoPGN ends the reading where nothing says how to go on.
func TestReadRefusesWhatIsNoPGN(t *testing.T) {
	for name, text := range map[string]string{
		"a comment without an end":   "1. e4 {\n e5 *",
		"a side line without an end": "1. e4 " + strings.Repeat("(", 100_000),
		"a bracket too many":         "1. e4 e5) *",
		"a brace too many":           "1. e4 } e5 *",
		"a tag without quotes":       "[Event x]\n\n*",
		"a tag without an end":       "[Event \"x",
		"a value over two lines":     "[Event \"x\ny\"]\n\n*",
		"a command without an end":   "1. e4 {[%card R5} *",
		"a game without an end":      strings.Repeat("1. e4 e5 ", MaxGame/9+1),
	} {
		t.Run(name, func(t *testing.T) {
			r := NewReader(strings.NewReader(text))
			_, err := r.Next()
			if !errors.Is(err, ErrSyntax) {
				t.Errorf("gives %v", err)
			}
			if _, again := r.Next(); !errors.Is(again, ErrSyntax) {
				t.Errorf("and then %v", again)
			}
		})
	}
}

// TestGamesWithoutMoves counts games that have only a head, with a result or without.
func TestGamesWithoutMoves(t *testing.T) {
	text := "[Event \"1\"]\n[Site \"?\"]\n\n*\n\n[Event \"2\"]\n\n\n[Event \"3\"]\n\n1. e4 e5\n\n[Event \"4\"]\n\n1. d4 1-0\n[Event \"5\"]\n"
	r := NewReader(strings.NewReader(text))
	var names []string
	for {
		g, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, g.Tag("Event"))
	}
	if got := strings.Join(names, ""); got != "12345" {
		t.Errorf("read games %s", got)
	}
}

// TestValuesSurvive writes names of all kinds and reads the same names.
func TestValuesSurvive(t *testing.T) {
	for _, name := range []string{`]`, `a "b" \`, `[%card R5]`, `{;}`, "\u202eevil", "🃏♞", strings.Repeat("x", 200), "Ünï"} {
		s, history := played(t, game.Create{Variant: "chess", Seats: [2]game.Sitter{{Player: name}}}, "e2e4")
		if g := readOne(t, write(t, s, history)); g.Tag("White") != name || g.State.Seats[0].Player != name {
			t.Errorf("%q is read as %q", name, g.Tag("White"))
		}
	}
}

// TestLongGames writes and reads a game of thousands of turns.
func TestLongGames(t *testing.T) {
	b := newTable(t, 3)
	b.do(game.First, game.Create{
		Variant: "unochess", Options: game.Options{"idleTurns": game.IntValue(999)}, Start: "k6q/1p6/8/8/8/8/1P6/K6Q w - - 0 1",
	})
	b.do(game.Second, game.Join{})
	for b.s.Plies < 400 && !b.s.Over() {
		seat := b.s.ToAct()
		b.do(seat, quiet(b, seat))
	}
	text := write(t, b.s, b.history)
	if b.s.Plies < 400 {
		t.Fatalf("only %d plies, ended by %s", b.s.Plies, b.s.Reason)
	}
	sameGame(t, b, readOne(t, text), text)
}

// quiet is an action at random that takes nothing.
func quiet(b *table, seat game.Seat) game.Action {
	open := game.ViewFor(b.s, seat, b.dealer).Actions()
	p, err := b.s.Position()
	if err != nil {
		b.t.Fatal(err)
	}
	for range 200 {
		a := open[b.r.IntN(len(open))]
		m, ok := a.(game.Move)
		if !ok {
			return a
		}
		if move, err := p.ParseUCI(m.UCI); err == nil && p.Captured(move) == chess.NoPiece {
			return a
		}
	}
	return open[0]
}

// FuzzRead reads anything: it never panics, and what it has read it writes and reads
// again as the same game.
func FuzzRead(f *testing.F) {
	for i, v := range game.Variants() {
		b := anyGame(f, v, uint64(i), 30)
		f.Add(write(f, b.s, b.history))
	}
	f.Add("1. e4 {[%clk 0:03:00] x} (1. d4) e5 $1 2. -- 1-0")
	f.Add("[Variant \"UNO Chess\"]\n{[%top R5] [%card R2]} 1. a3 {[%card W green]} 1... e5 *")
	f.Fuzz(func(t *testing.T, text string) {
		g, err := NewReader(strings.NewReader(text)).Next()
		if err != nil {
			return
		}
		again := write(t, g.State, g.Events)
		if twice := readOne(t, again); write(t, twice.State, twice.Events) != again {
			t.Errorf("%q is read as\n%s\nand that as\n%s", text, again, write(t, twice.State, twice.Events))
		}
	})
}

// TestNothingCanBeLeftOut takes out of games each thing that follows from what was
// before it. The first that is missing is found out.
func TestNothingCanBeLeftOut(t *testing.T) {
	follows := regexp.MustCompile(`\[%(undo|swap|effect|end|top|pile|dice|first|eight|rescue) ?[^]]*\]|(?m)(^| )--( |$)`)
	for _, v := range game.Variants() {
		b := anyGame(t, v, 5, 60)
		text := write(t, b.s, b.history)
		for _, found := range follows.FindAllStringIndex(text, -1) {
			without := text[:found[0]] + " " + text[found[1]:]
			_, err := NewReader(strings.NewReader(without)).Next()
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("%s: without %s at %d it gives %v\n%s", v.Name, text[found[0]:found[1]], found[0], err, text)
			}
		}
	}
}
