package stats

import "chancery/domain/game"

// A Query picks figures. The zero Query is all of them.
type Query struct {
	Variant string // key
	From    string // ended on this day or later: 2026-11-29. Outcomes alone are kept by day
	Until   string // ended before this day
}

// Figures are what was counted, in order.
type Figures struct {
	Outcomes []Outcome `json:"outcomes" doc:"By day, variant, result and reason"`
	Openings []Opening `json:"openings" doc:"Of games with a result, whatever the day"`
	Dice     []Dice    `json:"dice" doc:"Likewise"`
	Expected []Odds    `json:"expected" doc:"What the dice do by their nature"`
	Lengths  []Length  `json:"lengths" doc:"Of games with a result, whatever the day"`
}

// Odds say how often an effect comes up with fair dice.
type Odds struct {
	Effect      game.Effect `json:"effect"`
	Probability float64     `json:"probability"`
}

// Expected lists the odds of all effects of the dice at the end of a turn: two dice with
// ten faces each.
func Expected() []Odds {
	var list []Odds
	odds := game.EffectOdds()
	for _, e := range []game.Effect{game.NoEffect, game.WinAtOnce, game.MakeQueen, game.SkipTurn, game.ReturnPiece, game.ReturnPawn, game.GiveBack} {
		list = append(list, Odds{Effect: e, Probability: float64(odds[e]) / 100})
	}
	return list
}
