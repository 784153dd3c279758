package game

import (
	"strings"

	"chancery/domain/chess"
)

// unachess1 is chess from an empty board: a turn drops a man of the reserve or
// moves one, and a drop may do everything that a move may.
var unachess1 = unachess(Variant{
	Key: "unachess1", Name: "Unachess I", Rules: 1,
	Summary: "Chess from an empty board: a turn drops a man or moves one; drops may attack, check and mate.",
	Law: func(Options) chess.Law {
		return chess.Law{Castling: true, FreshCastling: true, EnPassant: true, Drops: true, PawnDrops: dutchPawnRanks}
	},
})

// unachess2 is chess from an empty board, where no dropped man may attack the
// enemy king, without castling and en passant.
var unachess2 = unachess(Variant{
	Key: "unachess2", Name: "Unachess II", Rules: 1,
	Summary: "Chess from an empty board, where a dropped man may not attack the enemy king.",
	Law: func(o Options) chess.Law {
		return pawnRule(o, chess.Law{Drops: true, DropSparesKing: true})
	},
	Options: []Option{englishPawns},
})

// unachess3 is chess from an empty board, where no dropped man may attack any
// enemy man, without castling and en passant.
var unachess3 = unachess(Variant{
	Key: "unachess3", Name: "Unachess III", Rules: 1,
	Summary: "Chess from an empty board, where a dropped man may not attack any enemy man.",
	Law: func(o Options) chess.Law {
		return pawnRule(o, chess.Law{Drops: true, DropSparesKing: true, DropSparesMen: true})
	},
	Options: []Option{englishPawns},
})

// unachess adds what the three games share. Attack, check, mate and stalemate with
// reserves are the board's to know; a drop is one more way to use a turn.
func unachess(v Variant) Variant {
	v.Start = func(Options) string { return allInReserve }
	v.Steps = []Step{drawColors, startGame}
	v.Ends, v.Claims = kingSafeEnds, kingSafeClaims
	v.CannotWin = lacksForce
	v.Act = func(d *decision, a Action) error {
		drop, ok := a.(Drop)
		if !ok {
			return Refuse(BadCommand, "%s knows no such action; drop a man or move one.", d.variant.Name)
		}
		return d.dropReserve(drop)
	}
	v.Look = showReserves
	return v
}

// allInReserve is the empty board and a whole set for each side.
const allInReserve = "8/8/8/8/8/8/8/8[KQRRBBNNPPPPPPPPkqrrbbnnpppppppp] w - - 0 1"

// Where pawns are dropped, as their owner counts ranks. The texts of the second and
// third game differ: the Dutch one leaves pawns as they are in the first game, the
// English one opens the first rank to them and takes the double step away.
var (
	dutchPawnRanks   = chess.RankRange{Lowest: 2, Highest: 4}
	englishPawnRanks = chess.RankRange{Lowest: 1, Highest: 4}
)

var englishPawns = Option{
	Name:    "englishPawns",
	Summary: "Pawns are dropped on the first four ranks and never step two squares",
	Default: BoolValue(false),
}

// pawnRule completes the law by the option.
func pawnRule(o Options, l chess.Law) chess.Law {
	l.PawnDrops = dutchPawnRanks
	if o[englishPawns.Name].Bool() {
		l.PawnDrops, l.NoDoubleStep = englishPawnRanks, true
	}
	return l
}

// showReserves shows everybody the men that are still to be dropped.
func showReserves(v *View, s State, _ Seat, _ Secrets) {
	p, err := s.Position()
	if err != nil {
		return
	}
	v.Reserves = map[Army]string{WhiteArmy: reserve(&p, WhiteArmy), BlackArmy: reserve(&p, BlackArmy)}
}

// reserve is the army's reserve as FEN letters, the king first.
func reserve(p *chess.Position, a Army) string {
	var men strings.Builder
	for role := chess.King; role >= chess.Pawn; role-- {
		for range p.Pocket(a.Color(), role) {
			men.WriteByte(chess.NewPiece(a.Color(), role).Letter())
		}
	}
	return men.String()
}
