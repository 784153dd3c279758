package game

import "chancery/domain/chess"

// orthodox is chess by the laws of FIDE, without cards, dice or lots.
var orthodox = Variant{
	Key: "chess", Name: "Chess", Rules: 1,
	Summary:   "Orthodox chess by the laws of FIDE.",
	Start:     func(Options) string { return orthodoxStart },
	Law:       func(Options) chess.Law { return chess.Orthodox },
	Steps:     []Step{drawColors, startGame},
	Ends:      kingSafeEnds,
	Claims:    kingSafeClaims,
	CannotWin: lacksForce,
}

const orthodoxStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
