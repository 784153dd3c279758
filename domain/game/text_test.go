package game

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"chancery/domain/cards"
	"chancery/domain/fair"
)

// dealtCard is a card of no deck in particular.
func dealtCard(code string) cards.Dealt {
	c, err := cards.Parse(code)
	if err != nil {
		panic(err)
	}
	return cards.Dealt{Card: c}
}

func TestLine(t *testing.T) {
	white := State{White: First, FEN: orthodoxStart}
	black := State{White: First, FEN: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"}
	with := func(s State, card string, by Seat) State {
		s.Cards.InPlay, s.Cards.By = dealtCard(card), by
		return s
	}
	at := func(fen string) State { return State{White: First, FEN: fen} }
	for _, c := range []struct {
		before State
		fact   Fact
		want   string
	}{
		{State{}, GameCreated{Variant: "unochess"}, "A table of UNO Chess is open"},
		{State{}, PlayerJoined{Bot: "random", Seat: Second}, "The program random took seat 2"},
		{State{}, PlayerJoined{Player: "p-17", Seat: Second}, "A player took seat 2"},
		{State{}, ColorsDrawn{White: Second}, "Seat 2 plays White, seat 1 plays Black"},
		{State{}, ColorsDrawn{White: First, Roll: new(int)}, "Seat 1 plays White, seat 2 plays Black, drawn by lot"},
		{State{}, ArrayDrawn{Array: "BBKNNQRR"}, "The lot drew start array 0: BBKNNQRR"},
		{State{White: Second}, GameStarted{FEN: orthodoxStart}, "The game began: White to move"},

		{white, MovePlayed{Army: WhiteArmy, UCI: "g1f3", SAN: "Nf3"}, "White moved the knight from g1 to f3"},
		{at("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1"), MovePlayed{Army: BlackArmy, UCI: "e8c8", SAN: "O-O-O+", Check: true}, "Black castled on the queen's side, check"},
		{at("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"), MovePlayed{Army: WhiteArmy, UCI: "e1g1", SAN: "O-O"}, "White castled on the king's side"},
		{at("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2"), MovePlayed{Army: WhiteArmy, UCI: "e5d6", SAN: "exd6", Captured: "p"}, "White's pawn on e5 took a pawn in passing on d6"},
		{at("3rk3/4P3/8/8/8/8/8/4K3 w - - 0 2"), MovePlayed{Army: WhiteArmy, UCI: "e7d8n", SAN: "exd8=N", Captured: "r"}, "White's pawn on e7 took the rook on d8 and became a knight"},
		{at("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 2"), MovePlayed{Army: WhiteArmy, UCI: "a1a8", SAN: "Ra8#", Check: true}, "White moved the rook from a1 to a8, mate"},
		{white, PieceDropped{Army: WhiteArmy, From: fromReserve, Piece: "K", Square: "e1"}, "White dropped a king on e1"},
		{black, PieceDropped{Army: BlackArmy, From: fromReserve, Piece: "q", Square: "e2", SAN: "Q@e2#", Check: true}, "Black dropped a queen on e2, mate"},
		{white, PieceDropped{Army: WhiteArmy, From: fromPool, Piece: "P", Square: "d2", Check: true}, "White put a pawn back on d2, check"},
		{black, PieceDropped{Army: WhiteArmy, From: fromPool, Piece: "n", Square: "b8"}, "White gave Black a knight back on b8"},
		{black, PieceDropped{Army: WhiteArmy, From: fromDice, Piece: "Q", Square: "d2"}, "White put a new queen on d2"},
		{black, PawnPromoted{Square: "e4"}, "White's pawn on e4 became a queen"},
		{State{White: First, Last: "e2e4"}, MoveUndone{FEN: orthodoxStart}, "Black took White's last move back, e2 to e4"},

		{State{}, DiceRolled{Purpose: forFirst, Faces: []int{7, 7}}, "Seat 1 rolled 7, seat 2 rolled 7: a tie, so both roll again"},
		{State{}, DiceRolled{Purpose: forFirst, Faces: []int{7, 9}}, "Seat 1 rolled 7, seat 2 rolled 9: seat 2 goes first"},
		{State{White: Second}, DiceRolled{Purpose: forEight, Faces: []int{1, 2, 3, 4, 5, 6, 7, 1, 2, 3}}, "Black rolled 1 2 3 4 5 6 7 1 2 3: no eight, the game is lost"},
		{State{White: Second}, DiceRolled{Purpose: forEight, Faces: []int{8, 8, 3, 4, 5, 6, 7, 1, 2, 3}}, "Black rolled 8 8 3 4 5 6 7 1 2 3: an eight, the game goes on"},
		{black, DiceRolled{Purpose: forEffect, Faces: []int{9, 0}, Effect: WinAtOnce}, "White rolled 9 and Black 0: White wins at once"},
		{black, DiceRolled{Purpose: forEffect, Faces: []int{0, 0}, Effect: NoEffect}, "White rolled 0 and Black 0: nothing happens"},
		{black, DiceRolled{Purpose: forEffect, Faces: []int{8, 2}, Effect: SkipTurn}, "White rolled 8 and Black 2: Black loses the next turn"},
		{black, DiceRolled{Purpose: forEffect, Faces: []int{8, 2}, Effect: SkipTurn, Impossible: true}, "White rolled 8 and Black 2: Black would lose the next turn, but White could not move again, so nothing happens"},
		{white, DiceRolled{Purpose: forEffect, Faces: []int{3, 1}, Effect: ReturnPiece, Impossible: true}, "Black rolled 3 and White 1: Black should bring a captured man back, which is impossible, so nothing happens"},
		{white, DiceRolled{Purpose: forEffect, Faces: []int{3, 4}, Effect: GiveBack}, "Black rolled 3 and White 4: Black must give a captured man back to White"},
		{black, DiceRolled{Purpose: forRescue, Faces: []int{1, 12}}, "White rolled 1 and Black 12: the mate is turned round"},
		{black, DiceRolled{Purpose: forRescue, Faces: []int{12, 1}}, "White rolled 12 and Black 1: the mate stands"},
		{black, TurnSkipped{Seat: Second}, "Black's turn is skipped: the dice took it"},
		{black, TurnEnded{Turn: BlackArmy, Mate: true}, "Black is mated: twelve-sided dice have the last word"},

		{white, PileShuffled{Count: 76}, "The draw pile was shuffled: 76 cards"},
		{white, HandDealt{Count: 7, Seat: First}, "White was dealt seven cards"},
		{white, CardDrawn{Count: 1, Seat: Second}, "Black drew one card"},
		{white, CardDrawn{Count: 1, Card: new(dealtCard("R5"))}, "The first card of the discard pile is Red 5"},
		{white, CardPlayed{Seat: First, Card: dealtCard("R7")}, "White played Red 7: a man on rank 7 or on the g-file moves"},
		{white, CardPlayed{Seat: First, Card: dealtCard("W"), Color: cards.Green}, "White played Wild and named green: any man moves"},
		{black, CardPlayed{Seat: Second, Card: dealtCard("GR")}, "Black played Green Reverse: White's last move is taken back"},
		{black, CardPlayed{Seat: Second, Card: dealtCard("GS")}, "Black played Green Skip: White's next turn is skipped"},
		{black, CardsDiscarded{Seat: Second, Cards: []cards.Dealt{dealtCard("B4")}}, "Black could play no card and threw Blue 4 away: the turn goes by without a move"},
		{with(black, "G+2", Second), CardsDiscarded{Seat: Second, Cards: []cards.Dealt{dealtCard("B4"), dealtCard("W")}}, "Black threw Blue 4, Wild away"},
		{with(white, "RS", First), TurnEnded{Turn: WhiteArmy, FEN: "x", Idle: 2}, "Black's turn is skipped: White to move again, two turns in a row without a move"},
		{white, TurnEnded{Turn: BlackArmy, Idle: 1}, "Black to move, one turn in a row without a move"},
		{white, UnoCaught{Seat: First}, "White caught Black, who has not called UNO"},

		{with(white, "R3", First), CardRevealed{Card: dealtCard("R3"), Moves: 3}, "White drew Red 3: up to three moves"},
		{with(white, "R0", First), CardRevealed{Card: dealtCard("R0")}, "White drew Red 0: no move"},
		{with(white, "BS", First), CardRevealed{Card: dealtCard("BS")}, "White drew Blue Skip: no move"},
		{with(black, "YR", Second), CardRevealed{Card: dealtCard("YR"), Moves: 1}, "Black drew Yellow Reverse: the players change armies, then one move"},
		{with(white, "W", First), CardRevealed{Card: dealtCard("W"), Moves: 1}, "White drew a Joker: one move, by any man as itself or as a queen"},
		{with(white, "G+2", First), CardRevealed{Card: dealtCard("G+2"), Moves: 1, Places: 2}, "White drew Green +2: two pawns come back, then one move"},
		{with(white, "W+4", First), CardRevealed{Card: dealtCard("W+4"), Moves: 1}, "White drew +4: no pawn can come back, one move"},
		{white, CardDrawn{Seat: First}, "No card is left to draw: White has one ordinary move"},
		{white, ControlSwapped{White: Second}, "The players changed armies: seat 2 has White now, seat 1 Black"},
		{with(white, "BS", First), TurnSkipped{Seat: First, Reason: noMoveGranted}, "White's turn goes by: Blue Skip grants no move"},
		{with(white, "R2", First), TurnSkipped{Seat: First, Reason: noMovePossible}, "White's turn goes by: no move is possible"},
		{with(white, "R2", First), SeriesEnded{Seat: First, Reason: kingAttacked}, "White's series is over: it attacks the enemy king"},

		{white, Resigned{Seat: Second}, "Black resigned"},
		{white, DrawOffered{Seat: First}, "White offers a draw"},
		{white, GameEnded{Result: WhiteWins, Reason: Checkmate, Winner: First}, "White won: Black is mated"},
		{white, GameEnded{Result: BlackWins, Reason: KingExposed, Winner: First}, "Black won: White's king could be taken"},
		{white, GameEnded{Result: Drawn, Reason: IdleTurns}, "The game is drawn: too many turns in a row without a move on the board"},
		{white, GameAborted{Reason: NoOpponent}, "The game was called off: nobody took the second seat"},
	} {
		if got := Line(c.before, Event{Fact: c.fact}); got != c.want {
			t.Errorf("%#v:\ngot  %s\nwant %s", c.fact, got, c.want)
		}
	}
}

// TestReasonsHaveWords makes sure that no code of a reason is shown to people.
func TestReasonsHaveWords(t *testing.T) {
	won := []Reason{Checkmate, Resignation, Timeout, Forfeit, KingExposed, KingCaptured, UncalledUno, NineZero, SkippedCheck, NoEight, TwelveOne}
	drawn := []Reason{Stalemate, Repetition, FiftyMoves, DeadPosition, Agreement, Timeout, IdleTurns, Exhausted}
	for _, r := range won {
		if words := wonBecause(r, "Black"); words == string(r) {
			t.Errorf("a win by %s has no words", r)
		}
	}
	for _, r := range drawn {
		if words := drawnBecause(r); words == string(r) {
			t.Errorf("a draw by %s has no words", r)
		}
	}
}

// TestLinesOfRandomGames reads every line of games of every variant aloud: each says
// something, in one line, and the view of every seat has those of the newest record.
func TestLinesOfRandomGames(t *testing.T) {
	for _, v := range Variants() {
		t.Run(v.Key, func(t *testing.T) {
			for seed := range byte(3) {
				readAloud(t, v.Key, seed)
			}
		})
	}
}

func readAloud(t *testing.T, variant string, seed byte) {
	dealer, r := fair.NewDealer("text", fair.Seed{seed}), rand.New(rand.NewPCG(uint64(seed), 3))
	s := New("text")
	do := func(by Seat, a Action) {
		t.Helper()
		list, err := Decide(s, Command{By: by, At: s.At + 10, Action: a}, dealer)
		if err != nil {
			t.Fatalf("%#v by %s: %v", a, by, err)
		}
		var lines []string
		for _, e := range list {
			line := Line(s, e)
			if line == "" || len(line) > 130 || line[0] < 'A' || line[0] > 'Z' || strings.ContainsAny(line, "%?\n") || strings.HasSuffix(line, ": ") {
				t.Errorf("%#v is told as %q", e.Fact, line)
			}
			lines, s = append(lines, line), Evolve(s, e)
		}
		for _, seat := range []Seat{Spectator, First, Second} {
			if got := ViewFor(s, seat, dealer).Log; !slices.Equal(got, lines) {
				t.Errorf("record %d: %s is told %q, not %q", s.N, seat, got, lines)
			}
		}
	}
	do(First, Create{Variant: variant, Color: PreferRandom})
	do(Second, Join{})
	for i := 0; i < 150 && !s.Over(); i++ {
		actions := ViewFor(s, s.ToAct(), dealer).Actions()
		do(s.ToAct(), actions[r.IntN(len(actions))])
	}
	if !s.Over() {
		do(First, Resign{})
	}
}
