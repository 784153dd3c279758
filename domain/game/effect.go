package game

import "chancery/domain/chess"

// An Effect is what the two ten-sided dice at the end of a turn do.
type Effect string

// The effects, from the strongest to the weakest.
const (
	NoEffect    Effect = "none"  // nothing
	WinAtOnce   Effect = "win"   // the mover has won
	MakeQueen   Effect = "queen" // a pawn of the mover becomes a queen where it stands
	SkipTurn    Effect = "skip"  // the opponent loses the next turn
	ReturnPiece Effect = "piece" // a captured piece of the mover comes back
	ReturnPawn  Effect = "pawn"  // a captured pawn of the mover comes back
	GiveBack    Effect = "give"  // a captured piece of the opponent goes back
)

// A diceRow is one line of the table of effects, read from the top: the first that
// hits is the only one that happens. With m, the mover's face, and t, the opponent's,
// whole-number ratios need no rounding.
type diceRow struct {
	effect Effect
	hit    func(m, t int) bool
	// choices is what the mover has to choose among; nil where there is no choice.
	choices func(*State, *chess.Position) []choice
}

var diceRows = []diceRow{
	{NoEffect, func(m, t int) bool { return m == t }, nil}, // 0 against 0 too, though 0 is five times 0
	{WinAtOnce, func(m, t int) bool { return m == 9 && t == 0 }, nil},
	{MakeQueen, func(m, t int) bool { return m >= 5*t }, queenChoices},
	{SkipTurn, func(m, t int) bool { return m >= 4*t }, nil},
	{ReturnPiece, func(m, t int) bool { return m >= 3*t }, pieceChoices},
	{ReturnPawn, func(m, t int) bool { return m > t }, pawnChoices},
	{GiveBack, func(m, t int) bool { return m < t }, giftChoices},
}

func rowOf(m, t int) diceRow {
	for _, row := range diceRows {
		if row.hit(m, t) {
			return row
		}
	}
	return diceRow{effect: NoEffect} // unreachable: faces are equal, higher or lower
}

// EffectOf is what the mover's face and the opponent's do, whether or not it can be
// carried out on the board.
func EffectOf(mover, opponent int) Effect { return rowOf(mover, opponent).effect }

func rowFor(effect Effect) diceRow {
	for _, row := range diceRows {
		if row.effect == effect {
			return row
		}
	}
	return diceRow{effect: effect}
}

// impossible says that the effect cannot be carried out on p, the board after the
// move. Then nothing happens; no weaker effect takes its place.
func (row diceRow) impossible(s *State, p *chess.Position) bool {
	switch {
	case row.choices != nil:
		return len(row.choices(s, p)) == 0
	case row.effect == SkipTurn:
		return !p.InCheck() && !movesAgain(p)
	}
	return false
}

// movesAgain says whether the mover of p would have a move if the opponent, who is
// not in check, had to skip the turn.
func movesAgain(p *chess.Position) bool {
	skipped := *p
	skipped.Pass()
	return skipped.HasMove()
}

// A choice is one way to carry an effect out: a man to be put on a square, or a
// pawn to become a queen where it stands.
type choice struct {
	placing
	from string // where the man comes from; empty: a pawn on the board is promoted
}

func (c choice) action() Action {
	if c.from == "" {
		return Promote{Square: c.to.String()}
	}
	return Drop{UCI: c.String()}
}

// written is the choice as a view lists it: e4 for a promotion, N@f3 for a man.
func (c choice) written() string {
	if c.from == "" {
		return c.to.String()
	}
	return c.String()
}

// queenChoices are the mover's pawns, wherever they stand; without one, a queen that
// was in no pool may come onto any free square of the own second row.
func queenChoices(_ *State, p *chess.Position) (list []choice) {
	us := p.Turn().Other()
	queen := chess.NewPiece(us, chess.Queen)
	for pawns := p.Pieces(us, chess.Pawn); pawns != 0; pawns &= pawns - 1 {
		list = append(list, choice{placing{queen, pawns.First()}, ""})
	}
	if list == nil {
		for _, s := range freeHomes(p, us, chess.Pawn) {
			list = append(list, choice{placing{queen, s}, fromDice})
		}
	}
	return list
}

// pieceChoices are all captured men of the mover, pawns too.
func pieceChoices(s *State, p *chess.Position) []choice {
	return poolChoices(s, p, p.Turn().Other())
}

func pawnChoices(s *State, p *chess.Position) (list []choice) {
	for _, c := range pieceChoices(s, p) {
		if c.piece.Role() == chess.Pawn {
			list = append(list, c)
		}
	}
	return list
}

// giftChoices are the captured men of the opponent that may be given back.
func giftChoices(s *State, p *chess.Position) (list []choice) {
	for _, c := range poolChoices(s, p, p.Turn()) {
		if mayGive(p, c) {
			list = append(list, c)
		}
	}
	return list
}

// mayGive is the ruling that nobody gives a man back who would check the giver's
// own king. No king can be taken here, so nothing else would stop the next move
// from doing it; and exposing the own king is against the rules of chess.
func mayGive(p *chess.Position, c choice) bool {
	after := *p
	after.Put(c.to, c.piece)
	return !after.IsAttacked(after.King(p.Turn().Other()), p.Turn())
}

// poolChoices are the captured men of an army, each kind once, on the free squares
// where men of its kind start the game. Bishops may share a shade.
func poolChoices(s *State, p *chess.Position, army chess.Color) (list []choice) {
	for role := chess.Pawn; role < chess.King; role++ {
		piece := chess.NewPiece(army, role)
		if !pooled(s.Pools[army], piece) {
			continue
		}
		for _, to := range freeHomes(p, army, role) {
			list = append(list, choice{placing{piece, to}, fromPool})
		}
	}
	return list
}

// homeFiles are the files of the first rank on which men of a role start. Pawns
// start on all of the second.
var homeFiles = map[chess.Role][]int{
	chess.Pawn: {0, 1, 2, 3, 4, 5, 6, 7}, chess.Knight: {1, 6}, chess.Bishop: {2, 5}, chess.Rook: {0, 7}, chess.Queen: {3},
}

// freeHomes are the vacant squares on which men of the role start the game.
func freeHomes(p *chess.Position, army chess.Color, role chess.Role) (free []chess.Square) {
	rank := 0
	if role == chess.Pawn {
		rank = 1
	}
	if army == chess.Black {
		rank = 7 - rank
	}
	for _, file := range homeFiles[role] {
		if s := chess.SquareAt(file, rank); p.At(s) == chess.NoPiece {
			free = append(free, s)
		}
	}
	return free
}

// EffectOdds is how many of the hundred throws of the two dice have each effect.
func EffectOdds() map[Effect]int {
	odds := map[Effect]int{}
	for m := range 10 {
		for t := range 10 {
			odds[rowOf(m, t).effect]++
		}
	}
	return odds
}
