package tests

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	oracle "github.com/corentings/chess/v2"

	"chancery/domain/chess"
)

// oracleStarts are where the random games against the other program begin:
// the usual array, and arrangements rich in castling, promotion and en passant.
var oracleStarts = []string{
	"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
	"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
	"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
	"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
	"4k3/1p1p1p2/8/2P1P1P1/2p1p1p1/8/1P1P1P2/4K3 w - - 0 1",
}

// TestOrthodoxAgainstAnotherProgram plays random games and compares, at every
// ply, the legal moves, their notation, the position text and the outcome with
// those of an independent chess program.
func TestOrthodoxAgainstAnotherProgram(t *testing.T) {
	games, plies := 300, 160
	if testing.Short() {
		games = 30
	}
	random := rand.New(rand.NewPCG(2026, 11))
	for game := range games {
		fen := oracleStarts[game%len(oracleStarts)]
		ours, err := chess.ParsePosition(fen, chess.Orthodox)
		if err != nil {
			t.Fatal(err)
		}
		theirs := new(oracle.Position)
		if err := theirs.UnmarshalText([]byte(fen)); err != nil {
			t.Fatal(err)
		}
		for range plies {
			compareWithOracle(t, &ours, theirs)
			moves := ours.Moves(nil)
			if t.Failed() || len(moves) == 0 {
				break
			}
			move := moves[random.IntN(len(moves))]
			their, err := oracle.UCINotation{}.Decode(theirs, move.UCI())
			if err != nil {
				t.Fatalf("%s: %v", ours.FEN(), err)
			}
			if got, want := ours.SAN(move), (oracle.AlgebraicNotation{}).Encode(theirs, their); got != want {
				t.Errorf("%s: %s is %s, the other program says %s", ours.FEN(), move, got, want)
			}
			ours.Play(move)
			theirs = theirs.Update(their)
		}
	}
}

func compareWithOracle(t *testing.T, ours *chess.Position, theirs *oracle.Position) {
	t.Helper()
	var got, want []string
	for _, m := range ours.Moves(nil) {
		got = append(got, m.UCI())
	}
	for _, m := range theirs.ValidMoves() {
		want = append(want, m.String())
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%s:\nmoves %v\nthe other program's %v", ours.FEN(), got, want)
	}
	if got, want := withoutTarget(ours.FEN()), withoutTarget(theirs.String()); got != want {
		t.Errorf("position %s, the other program's %s", got, want)
	}
	if target := ours.EnPassant(); target != chess.NoSquare && target.String() != theirs.EnPassantSquare().String() {
		t.Errorf("%s: the other program's en passant square is %s", ours.FEN(), theirs.EnPassantSquare())
	}
	outcome := oracle.NoMethod
	switch {
	case !ours.HasMove() && ours.InCheck():
		outcome = oracle.Checkmate
	case !ours.HasMove():
		outcome = oracle.Stalemate
	}
	if theirs.Status() != outcome {
		t.Errorf("%s: ends by %v, the other program says %v", ours.FEN(), outcome, theirs.Status())
	}
}

// withoutTarget leaves out the en passant field, which the other program writes
// after every double step.
func withoutTarget(fen string) string {
	fields := strings.Fields(fen)
	return strings.Join(slices.Delete(fields, 3, 4), " ")
}
