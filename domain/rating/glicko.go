package rating

import "math"

// Glicko is a rating by Glickman's Glicko-2, shown beside Elo for what Elo cannot
// say: how sure the number is.
type Glicko struct {
	Rating     float64 // 1500 for a newcomer
	Deviation  float64 // 350 for a newcomer; two of it on either side hold the truth nineteen times of twenty
	Volatility float64 // 0.06 for a newcomer
}

// NewGlicko is the rating of a newcomer.
func NewGlicko() Glicko { return Glicko{Rating: 1500, Deviation: 350, Volatility: 0.06} }

// An Encounter is one game of a rating period: the opponent's rating before the
// period, and the score.
type Encounter struct {
	Opponent Glicko
	Score    Score
}

// The scale between Glicko and Glicko-2, the system constant τ that bounds how fast
// volatility changes, and how exactly it is solved for.
const (
	glickoScale     = 173.7178
	glickoTau       = 0.5
	glickoTolerance = 1e-6
)

// After is g after a rating period with these games, by the steps of "Example of the
// Glicko-2 system" (Glickman, 2013). Without games only the deviation grows.
func (g Glicko) After(games ...Encounter) Glicko {
	mu, phi := (g.Rating-1500)/glickoScale, g.Deviation/glickoScale
	if len(games) == 0 {
		g.Deviation = min(350, glickoScale*math.Sqrt(phi*phi+g.Volatility*g.Volatility))
		return g
	}
	var information, surprise float64
	for _, e := range games {
		weight, expected := e.against(mu)
		information += weight * weight * expected * (1 - expected)
		surprise += weight * (float64(e.Score) - expected)
	}
	variance := 1 / information
	sigma := newVolatility(g.Volatility, phi, variance, variance*surprise)
	uncertain := phi*phi + sigma*sigma
	phi = 1 / math.Sqrt(1/uncertain+information)
	mu += phi * phi * surprise
	return Glicko{Rating: glickoScale*mu + 1500, Deviation: glickoScale * phi, Volatility: sigma}
}

// against is how much the opponent's deviation lets the game weigh, and the expected
// score.
func (e Encounter) against(mu float64) (weight, expected float64) {
	phi := e.Opponent.Deviation / glickoScale
	weight = 1 / math.Sqrt(1+3*phi*phi/(math.Pi*math.Pi))
	expected = 1 / (1 + math.Exp(-weight*(mu-(e.Opponent.Rating-1500)/glickoScale)))
	return weight, expected
}

// newVolatility solves step 5 of the paper by the Illinois method.
func newVolatility(sigma, phi, variance, delta float64) float64 {
	start := math.Log(sigma * sigma)
	f := func(x float64) float64 {
		e := math.Exp(x)
		d := phi*phi + variance + e
		return e*(delta*delta-phi*phi-variance-e)/(2*d*d) - (x-start)/(glickoTau*glickoTau)
	}
	low, high := start, math.Log(max(delta*delta-phi*phi-variance, math.SmallestNonzeroFloat64))
	if delta*delta <= phi*phi+variance {
		for high = start - glickoTau; f(high) < 0; high -= glickoTau {
		}
	}
	fLow, fHigh := f(low), f(high)
	for math.Abs(high-low) > glickoTolerance {
		mid := low + (low-high)*fLow/(fHigh-fLow)
		fMid := f(mid)
		if fMid*fHigh <= 0 {
			low, fLow = high, fHigh
		} else {
			fLow /= 2
		}
		high, fHigh = mid, fMid
	}
	return math.Exp(low / 2)
}
