package httpapi

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"chancery/domain/game"
	"chancery/domain/player"
	"chancery/domain/rating"
	"chancery/events"
	"chancery/projections/ratings"
)

// Ratings is what the API needs of the read model of ratings. Its errors say
// [projections.ErrUnavailable] while it cannot be read.
type Ratings interface {
	// Ranking lists the players of a pool behind the first skip ones, the best first.
	Ranking(ctx context.Context, pool string, skip, limit int) ([]ratings.Ranked, events.Position, error)
	// Pools says where a player stands.
	Pools(ctx context.Context, player string) ([]ratings.Pool, events.Position, error)
	// Entries lists what games did to a player, and whether there is more.
	Entries(ctx context.Context, q ratings.Query) (page []ratings.Entry, more bool, err error)
	// HeadToHead is the record of a against b.
	HeadToHead(ctx context.Context, a, b string) (rating.Pair, error)
	// Rivals lists a player's opponents, those he has played most first.
	Rivals(ctx context.Context, player string, limit int) ([]ratings.Rival, error)
}

// overall is what the pool of all variants is called.
const overall = "overall"

// A Standing is where a player stands in a pool.
type Standing struct {
	Pool   string  `json:"pool" example:"overall" doc:"overall, or the key of a variant"`
	Rating float64 `json:"rating" example:"1017.71" doc:"Elo, in points with two decimals"`
	Games  int     `json:"games"`
	Won    int     `json:"won"`
	Drawn  int     `json:"drawn"`
	Lost   int     `json:"lost"`
	Glicko Glicko  `json:"glicko" doc:"The rating by Glicko-2, as information"`
}

// A Glicko is a rating by Glicko-2, every game a period of its own.
type Glicko struct {
	Rating    float64 `json:"rating" example:"1662.31"`
	Deviation float64 `json:"deviation" example:"290.32" doc:"Two of it on either side hold the truth nineteen times of twenty"`
}

func standingOf(pool string, s rating.Standing) Standing {
	return Standing{
		Pool: poolName(pool), Rating: s.Rating.Points(), Games: s.Games, Won: s.Won, Drawn: s.Drawn, Lost: s.Lost,
		Glicko: Glicko{Rating: cents(s.Glicko.Rating), Deviation: cents(s.Glicko.Deviation)},
	}
}

func cents(x float64) float64 { return math.Round(x*100) / 100 }

func poolName(pool string) string {
	if pool == rating.Overall {
		return overall
	}
	return pool
}

// poolOf reads a parameter that names a variant, or nothing for all of them.
func poolOf(text string) (string, error) {
	if text == "" || text == overall {
		return rating.Overall, nil
	}
	if _, err := game.Lookup(text); err != nil {
		return "", problemOf(err)
	}
	return text, nil
}

// A Ranked is a line of a ranking.
type Ranked struct {
	Rank int `json:"rank" doc:"From 1; equal ratings share one"`
	Person
	Standing
	Tier rating.Tier `json:"tier,omitempty" enum:"bronze,silver,gold,platinum,diamond" doc:"By the overall rating, and only in its ranking"`
}

// A Ranking is one page of the players of a pool.
type Ranking struct {
	Players  []Ranked        `json:"players" doc:"The best first"`
	Next     string          `json:"next,omitempty" doc:"Cursor of the next page, if there is one"`
	Position events.Position `json:"position" doc:"Of the newest record of the ledger that is counted"`
}

type rankingInput struct {
	Variant string `query:"variant" doc:"Key of a variant; the overall ranking if left out"`
	Cursor  string `query:"cursor" doc:"The next of the page before"`
	Limit   string `query:"limit" example:"50" doc:"From 1 to 200; 50 if left out"`
}

type rankingOutput struct {
	Cache string `header:"Cache-Control"`
	Body  Ranking
}

// A Profile is what everybody may know of a player.
type Profile struct {
	Person
	Tier     rating.Tier     `json:"tier,omitempty" enum:"bronze,silver,gold,platinum,diamond" doc:"By the overall rating; none without a ranked game"`
	Ratings  []Standing      `json:"ratings" doc:"The pools in which the player has a ranked game, the overall one first"`
	Position events.Position `json:"position" doc:"Of the newest record of the ledger that is counted"`
}

// OfPlayer is the part of a call that names a player.
type OfPlayer struct {
	Player string `path:"player" maxLength:"64" doc:"Id or name of a player"`
}

type profileOutput struct {
	Cache string `header:"Cache-Control"`
	Body  Profile
}

func (a *API) registerRatings(api huma.API) {
	if a.Ratings == nil {
		return
	}
	huma.Register(api, huma.Operation{
		OperationID: "ranking", RejectUnknownQueryParameters: true, Method: http.MethodGet, Path: "/api/ratings", Summary: "The ranking of players",
		Description: "Ranked are rated games between two accounts that ended with a result, in the order in which they ended.",
	}, a.ranking)
	huma.Register(api, huma.Operation{
		OperationID: "player", Method: http.MethodGet, Path: "/api/players/{player}", Summary: "A player and his ratings",
	}, a.profile)
	a.registerRecord(api)
}

func (a *API) ranking(ctx context.Context, in *rankingInput) (*rankingOutput, error) {
	pool, err := poolOf(in.Variant)
	if err != nil {
		return nil, err
	}
	skip, err := cursor(in.Cursor)
	if err != nil {
		return nil, err
	}
	most, err := limit(in.Limit)
	if err != nil {
		return nil, err
	}
	page, at, err := a.Ratings.Ranking(ctx, pool, int(skip), most+1)
	if err != nil {
		return nil, problemOf(err)
	}
	out := &rankingOutput{Cache: "no-cache", Body: Ranking{Players: []Ranked{}, Position: at}}
	if len(page) > most {
		page, out.Body.Next = page[:most], strconv.Itoa(int(skip)+most)
	}
	var ids []string
	for _, r := range page {
		ids = append(ids, r.Player)
	}
	names := a.namesOf(ctx, ids...)
	for _, r := range page {
		line := Ranked{Rank: r.Rank, Person: names(r.Player), Standing: standingOf(pool, r.Standing)}
		if pool == rating.Overall {
			line.Tier = r.Rating.Tier()
		}
		out.Body.Players = append(out.Body.Players, line)
	}
	return out, nil
}

func (a *API) profile(ctx context.Context, in *OfPlayer) (*profileOutput, error) {
	p, known, err := a.find(ctx, in.Player)
	if err != nil {
		return nil, problemOf(err)
	}
	pools, at, err := a.Ratings.Pools(ctx, p.ID)
	if err != nil {
		return nil, problemOf(err)
	}
	if !known && len(pools) == 0 {
		return nil, problemOf(player.ErrUnknown)
	}
	out := &profileOutput{Cache: "no-cache", Body: Profile{Person: personOf(p), Ratings: []Standing{}, Position: at}}
	for _, pool := range pools {
		out.Body.Ratings = append(out.Body.Ratings, standingOf(pool.Pool, pool.Standing))
		if pool.Pool == rating.Overall {
			out.Body.Tier = pool.Rating.Tier()
		}
	}
	return out, nil
}

// find is a player by id or name. An id that is nobody's now may have been somebody's.
func (a *API) find(ctx context.Context, idOrName string) (p player.Player, known bool, err error) {
	if a.Players == nil || player.IsGuest(idOrName) {
		return player.Player{ID: idOrName}, false, nil
	}
	p, err = a.Players.Find(ctx, idOrName)
	if errors.Is(err, player.ErrUnknown) {
		return player.Player{ID: idOrName}, false, nil
	}
	return p, err == nil, err
}

// namesOf looks names up. Ratings can be shown without them.
func (a *API) namesOf(ctx context.Context, ids ...string) func(id string) Person {
	var names map[string]string
	if a.Players != nil && len(ids) > 0 {
		var err error
		if names, err = a.Players.Names(ctx, ids); err != nil {
			a.Logger.Warn("the names of players cannot be read", "err", err)
		}
	}
	return func(id string) Person { return personOf(player.Player{ID: id, Name: names[id]}) }
}
