// Package rating ranks players by their finished games: Elo in hundredths of a
// point, tiers, and the record of each pair. It is arithmetic only: who the players
// are and which games count is said by the caller, in the order in which the games
// ended, and the same games give the same numbers to the last digit.
package rating

import "math"

// Hundredths is a rating in hundredths of a point, so that stored ratings are whole
// numbers and never drift.
type Hundredths int64

// Start is the rating of a player without games.
const Start Hundredths = 1000_00

// A player's first games move his rating faster than later ones.
const (
	newcomerGames  = 10
	newcomerFactor = 40
	regularFactor  = 24
)

// Points is the rating in points.
func (h Hundredths) Points() float64 { return float64(h) / 100 }

// A Score is what a game brought its player: 1, ½ or 0.
type Score float64

// The scores.
const (
	Loss Score = 0
	Draw Score = 0.5
	Win  Score = 1
)

// Against is what the same game brought the other player.
func (s Score) Against() Score { return 1 - s }

// A Standing is one player in one pool of ratings.
type Standing struct {
	Rating Hundredths
	Games  int
	Total         // of the same games
	Glicko Glicko // beside it, as information
}

// NewStanding is a player without games.
func NewStanding() Standing { return Standing{Rating: Start, Glicko: NewGlicko()} }

// A Total counts games by how they ended.
type Total struct{ Won, Drawn, Lost int }

func (t Total) add(s Score) Total {
	switch s {
	case Win:
		t.Won++
	case Draw:
		t.Drawn++
	default:
		t.Lost++
	}
	return t
}

// factor is the K of Elo's formula: 40 in a player's first ten games in the pool,
// then 24.
func (s Standing) factor() float64 {
	if s.Games < newcomerGames {
		return newcomerFactor
	}
	return regularFactor
}

// Expected is the score that Elo's formula expects of a against b, 0 to 1:
// 1/(1+10^((b−a)/400)).
func Expected(a, b Hundredths) float64 {
	return 1 / (1 + math.Pow(10, float64(b-a)/(400*100)))
}

// After is s after a game with that score against a player who stood at other before
// it. Elo's formula, each by his own K, rounded to hundredths half away from zero. For
// Glicko-2 every game is a rating period of its own.
func (s Standing) After(score Score, other Standing) Standing {
	gain := s.factor() * (float64(score) - Expected(s.Rating, other.Rating)) * 100
	s.Rating = Hundredths(math.Round(float64(s.Rating) + gain))
	s.Games++
	s.Total = s.add(score)
	s.Glicko = s.Glicko.After(Encounter{Opponent: other.Glicko, Score: score})
	return s
}

// A Tier is a band of ratings.
type Tier string

// The tiers, by the overall rating.
const (
	Bronze   Tier = "bronze"
	Silver   Tier = "silver"   // from 950
	Gold     Tier = "gold"     // from 1050
	Platinum Tier = "platinum" // from 1200
	Diamond  Tier = "diamond"  // from 1400
)

// Tier is the band that the rating lies in.
func (h Hundredths) Tier() Tier {
	switch {
	case h >= 1400_00:
		return Diamond
	case h >= 1200_00:
		return Platinum
	case h >= 1050_00:
		return Gold
	case h >= 950_00:
		return Silver
	}
	return Bronze
}
