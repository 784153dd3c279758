package ratings

import (
	"chancery/domain/rating"
	"chancery/events"
)

// A Ranked is a line of the table of a pool.
type Ranked struct {
	rating.Standing
	Rank   int // from 1; equal ratings share one
	Player string
}

// A Pool is where a player stands in one pool.
type Pool struct {
	rating.Standing
	Pool string // a variant's key, or [rating.Overall]
}

// A Query picks what games did to a player.
type Query struct {
	Player   string
	Pool     string          // a variant's key, or [rating.Overall]
	Opponent string          // or empty: any
	Before   events.Position // games that ended before the one at this position; 0: the newest
	Limit    int             // at most so many
}

// A Rival is an opponent with a player's record against him.
type Rival struct {
	rating.Total
	Opponent string
}
