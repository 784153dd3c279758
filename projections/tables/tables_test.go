package tables

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"chancery/adapters/memory"
	"chancery/domain/game"
	"chancery/events"
	"chancery/projections/ledgertest"

	"github.com/google/go-cmp/cmp"
)

// told folds facts, each a record of its own, of a game of cards or dice that ends by
// resignation.
func told(t *testing.T, variant string, facts ...game.Fact) (Game, []Turn) {
	t.Helper()
	facts = append([]game.Fact{
		game.GameCreated{Variant: variant, Color: game.PreferWhite, Options: game.Options{}, Rules: game.RulesUsed{Version: 1}, Seats: []game.Sitter{{Player: "a"}, {}}},
		game.PlayerJoined{Seat: game.Second, Player: "b"},
		game.GameStarted{FEN: whiteToMove, White: game.First},
	}, facts...)
	facts = append(facts, game.GameEnded{Reason: game.Resignation, Result: game.WhiteWins, Winner: game.First})
	steps := func(yield func(events.Step, error) bool) {
		for n, f := range facts {
			e := game.Event{N: n, At: game.Instant(1000 * n), Fact: f}
			r := events.Record{N: n, At: e.At, Events: []game.Event{e}}
			if !yield(events.Step{Record: r, Stored: events.Stored{Position: events.Position(n + 1)}}, nil) {
				return
			}
		}
	}
	g, turns, err := fold("g", steps, events.Position(len(facts)))
	if err != nil {
		t.Fatal(err)
	}
	return g, turns
}

const (
	whiteToMove = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
	blackToMove = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"
)

func move(army game.Army, uci string) game.Fact {
	fen := blackToMove
	if army == game.BlackArmy {
		fen = whiteToMove
	}
	return game.MovePlayed{Army: army, UCI: uci, SAN: uci, FEN: fen}
}

// brief is what the test says of a turn.
func brief(turns []Turn) (list []string) {
	for _, t := range turns {
		effect := ""
		if t.Effect != nil {
			effect = *t.Effect
		}
		list = append(list, fmt.Sprintf("%d %s %v %s %d %t", t.Seat, t.Army, t.Moves, effect, t.Recovered, t.Skipped))
	}
	return list
}

// What follows from a move belongs to its turn: the dice, what they bring back, the turn
// that they take away.
func TestTurnsOfDice(t *testing.T) {
	dice := func(e game.Effect) game.Fact {
		return game.DiceRolled{Effect: e, Faces: []int{3, 1}, Purpose: "effect"}
	}
	_, turns := told(t, "yugioh",
		move(game.WhiteArmy, "e2e4"), dice(game.NoEffect),
		move(game.BlackArmy, "e7e5"), dice(game.ReturnPawn), game.PieceDropped{Army: game.BlackArmy, Piece: "p", Square: "a7", From: "pool", FEN: whiteToMove},
		move(game.WhiteArmy, "d2d4"), dice(game.SkipTurn), game.TurnSkipped{Seat: game.Second}, game.TurnEnded{FEN: whiteToMove, Turn: game.WhiteArmy},
		move(game.WhiteArmy, "d4d5"), dice(game.GiveBack),
	)
	want := []string{
		"0 white [e2e4] none 0 false", "1 black [e7e5] pawn 1 false", "0 white [d2d4] skip 0 true", "0 white [d4d5] give 0 false",
	}
	if diff := cmp.Diff(want, brief(turns)); diff != "" {
		t.Error(diff)
	}
	if last := turns[2]; last.FirstN != 8 || last.LastN != 11 || last.StartedAt != 7_000_000 || last.EndedAt != 11_000_000 {
		t.Errorf("%+v", last)
	}
}

func TestGameRow(t *testing.T) {
	g, turns := told(t, "yugioh",
		game.DiceRolled{Faces: []int{4, 4}, Purpose: "first"}, game.DiceRolled{Faces: []int{17, 4}, Purpose: "first"},
		move(game.WhiteArmy, "e2e4"), game.DiceRolled{Effect: game.NoEffect, Faces: []int{2, 2}, Purpose: "effect"},
	)
	if g.Opening != "17-4" || *g.FirstMove != "e2e4" || g.DurationMS != 5000 || *g.Player1 != "b" || g.Bot0 != nil || len(g.Rolls()) != 1 || len(turns) != 1 || g.EndedPos != 8 {
		t.Errorf("%+v", g)
	}
}

// In whole games of every variant no move is lost and none is in two turns, turns are
// numbered, and neither records nor times go back.
func TestTurnsOfPlayedGames(t *testing.T) {
	log := memory.New()
	if err := ledgertest.Play(t.Context(), log, ledgertest.Games{To: 48, Moves: 60}); err != nil {
		t.Fatal(err)
	}
	last, _ := log.Last(t.Context())
	for n := range 48 {
		id := ledgertest.ID(n)
		g, turns, err := OfGame(context.Background(), log, id, last)
		if err != nil {
			if n%11 != 10 { // those never find a second player
				t.Error(err)
			}
			continue
		}
		var moves []string
		for i, turn := range turns {
			if turn.Turn != int32(i+1) || turn.LastN < turn.FirstN || turn.EndedAt < turn.StartedAt || i > 0 && turn.FirstN < turns[i-1].LastN {
				t.Errorf("game %s: %+v", id, turn)
			}
			moves = append(moves, turn.Moves...)
		}
		if want := movesOf(t, log, id); !slices.Equal(moves, want) {
			t.Errorf("%s, game %s: moves %v, want %v", g.Variant, id, moves, want)
		}
	}
}

func movesOf(t *testing.T, log events.Log, id string) (list []string) {
	t.Helper()
	for step, err := range events.Steps(t.Context(), log, events.NewGame(id)) {
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range step.Record.Events {
			switch f := e.Fact.(type) {
			case game.MovePlayed:
				list = append(list, f.UCI)
			case game.PieceDropped:
				if f.From == "reserve" {
					list = append(list, fmt.Sprintf("%c@%s", f.Piece[0]&^0x20, f.Square))
				}
			default: // puts no man on the board
			}
		}
	}
	return list
}
