package pgn

import (
	"strings"
	"testing"

	"chancery/domain/fair"
	"chancery/domain/game"
)

// played is a game of these moves, and its events.
func played(t *testing.T, create game.Create, moves ...string) (game.State, []game.Event) {
	t.Helper()
	s, dealer := game.New("test-game"), fair.NewDealer("test-game", fair.Seed{3})
	var history []game.Event
	act := func(by game.Seat, a game.Action) {
		t.Helper()
		list, err := game.Decide(s, game.Command{By: by, At: 1_795_977_600_000, Action: a}, dealer)
		if err != nil {
			t.Fatal(err)
		}
		s, history = game.Fold(s, list...), append(history, list...)
	}
	act(game.First, create)
	act(game.Second, game.Join{Bot: "random"})
	for _, m := range moves {
		act(s.ToAct(), game.Move{UCI: m})
	}
	return s, history
}

func TestWrite(t *testing.T) {
	for name, c := range map[string]struct {
		create game.Create
		moves  []string
		want   string
	}{
		"a mate": {
			create: game.Create{Variant: "chess", Clock: &game.ClockSpec{Base: 300_000, Increment: 3000}},
			moves:  []string{"f2f3", "e7e5", "g2g4", "d8h4"},
			want: `[Event "Chancery game"]
[Site "http://127.0.0.1"]
[Date "2026.11.29"]
[Round "-"]
[White "?"]
[Black "random"]
[Result "0-1"]
[GameId "test-game"]
[Variant "Chess"]
[RulesVersion "1"]
[Rated "false"]
[TimeControl "300+3"]
[ColorChoice "white"]
[WhiteType "human"]
[BlackType "program"]
[WhiteSeat "1"]
[SetUp "1"]
[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]
[Termination "checkmate"]

1. f3 {[%clk 0:05:03]} 1... e5 {[%clk 0:05:03]} 2. g4 {[%clk 0:05:06]} 2...
Qh4# {[%clk 0:05:06]} 0-1

`,
		},
		"from a position with Black to move": {
			create: game.Create{
				Variant: "chess", Start: "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 7",
				Seats: [2]game.Sitter{{Player: `"x\`}},
			},
			moves: []string{"d7d5", "e5d6"},
			want: `[Event "Chancery game"]
[Site "http://127.0.0.1"]
[Date "2026.11.29"]
[Round "-"]
[White "\"x\\"]
[Black "random"]
[Result "*"]
[GameId "test-game"]
[Variant "Chess"]
[RulesVersion "1"]
[Rated "false"]
[TimeControl "-"]
[ColorChoice "white"]
[WhiteType "human"]
[BlackType "program"]
[WhiteSeat "1"]
[SetUp "1"]
[FEN "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 7"]
[Start "agreed"]

7... d5 8. exd6 *

`,
		},
		"a start array": {
			create: game.Create{Variant: "nocastle", Options: game.Options{"array": game.TextValue("BBKNNQRR")}},
			want: `[Event "Chancery game"]
[Site "http://127.0.0.1"]
[Date "2026.11.29"]
[Round "-"]
[White "?"]
[Black "random"]
[Result "*"]
[GameId "test-game"]
[Variant "No Castle"]
[RulesVersion "1"]
[Rated "false"]
[TimeControl "-"]
[ColorChoice "white"]
[WhiteType "human"]
[BlackType "program"]
[WhiteSeat "1"]
[Array "BBKNNQRR"]
[SetUp "1"]
[FEN "bbknnqrr/pppppppp/8/8/8/8/PPPPPPPP/BBKNNQRR w - - 0 1"]

*

`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, history := played(t, c.create, c.moves...)
			var b strings.Builder
			if err := Write(&b, s, history, "http://127.0.0.1"); err != nil {
				t.Fatal(err)
			}
			if b.String() != c.want {
				t.Errorf("got\n%s\nwant\n%s", b.String(), c.want)
			}
		})
	}
}

func TestLinesAreShort(t *testing.T) {
	moves := strings.Fields(strings.Repeat("g1f3 g8f6 f3g1 f6g8 ", 4))
	s, history := played(t, game.Create{Variant: "chess"}, moves...)
	var b strings.Builder
	if err := Write(&b, s, history, "?"); err != nil {
		t.Fatal(err)
	}
	if s.Reason != game.Repetition {
		t.Fatalf("the game ended with %s", s.Reason)
	}
	for line := range strings.Lines(b.String()) {
		if len(strings.TrimSuffix(line, "\n")) > width {
			t.Errorf("too long: %s", line)
		}
	}
}

func TestValuesCannotEndTheirLine(t *testing.T) {
	if got := escape("a\nb\x7f\"]"); got != `a b \"]` {
		t.Errorf("got %q", got)
	}
}
