package httpapi

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"chancery/domain/game"
	"chancery/events"
	"chancery/projections/history"
)

// Past is what the API needs of the read models. Their errors say
// [projections.ErrUnavailable] while they cannot be read; [events.ErrNotFound] is what
// they have not absorbed.
type Past interface {
	// Games lists games that are over, the newest first, and whether there are more.
	Games(ctx context.Context, q history.Query) (page []history.Game, more bool, err error)
	// View is what a spectator saw of a game after its record n.
	View(ctx context.Context, id string, n int) (game.View, error)
	// Payloads are the exact records since..to of a game, as many as there are.
	Payloads(ctx context.Context, id string, since, to int) ([]string, error)
}

type historyInput struct {
	Player  string `query:"player" doc:"Id of a player in either seat"`
	Bot     string `query:"bot" doc:"Name of a program in either seat"`
	Variant string `query:"variant" doc:"Key of a variant"`
	Result  string `query:"result" example:"1-0" doc:"1-0, 0-1, 1/2-1/2, or * for games that were called off"`
	Reason  string `query:"reason" example:"checkmate" doc:"Why the game ended"`
	Rated   string `query:"rated" doc:"true or false"`
	From    string `query:"from" example:"2026-11-01" doc:"Ended on this day (UTC) or at this moment (RFC 3339), or later"`
	Until   string `query:"until" example:"2026-12-01" doc:"Ended before this day or moment"`
	Voided  string `query:"voided" doc:"true: with games that count for nothing"`
	Cursor  string `query:"cursor" doc:"The next of the page before"`
	Limit   string `query:"limit" example:"50" doc:"From 1 to 200; 50 if left out"`
	options game.Options
}

// Resolve reads the parameters option.NAME, which are as many as variants have options,
// and refuses those that there are not: who misspells one would get every game.
func (in *historyInput) Resolve(ctx huma.Context) []error {
	u := ctx.URL()
	for key, values := range u.Query() {
		name, ok := strings.CutPrefix(key, "option.")
		if !ok {
			if !slices.Contains(historyParameters, key) {
				return []error{newProblem(game.BadCommand, fmt.Sprintf("There is no parameter %.40q; there are %s and option.NAME.", key, strings.Join(historyParameters, ", ")))}
			}
			continue
		}
		if !slices.ContainsFunc(game.Variants(), func(v game.Variant) bool { return hasOption(v, name) }) {
			return []error{newProblem(game.BadCommand, fmt.Sprintf("No variant has an option %.40q; /api/variants lists them.", name))}
		}
		var v game.Value
		if v.UnmarshalJSON([]byte(values[0])) != nil {
			v = game.TextValue(values[0])
		}
		if in.options == nil {
			in.options = game.Options{}
		}
		in.options[name] = v
	}
	return nil
}

var historyParameters = []string{"player", "bot", "variant", "result", "reason", "rated", "from", "until", "voided", "cursor", "limit"}

func hasOption(v game.Variant, name string) bool {
	return slices.ContainsFunc(v.Options, func(o game.Option) bool { return o.Name == name })
}

// History is one page of the games that are over.
type History struct {
	Games []history.Game `json:"games" doc:"The newest first, by their ends"`
	Next  string         `json:"next,omitempty" doc:"Cursor of the next page, if there is one"`
}

type historyOutput struct {
	Cache string `header:"Cache-Control"`
	Body  History
}

func (a *API) registerHistory(api huma.API) {
	if a.Past == nil {
		return
	}
	huma.Register(api, huma.Operation{
		OperationID: "history", Method: http.MethodGet, Path: "/api/history",
		Summary:     "The games that are over",
		Description: "A parameter option.NAME asks for games that were played with that value of an option.",
	}, a.history)
	huma.Register(api, huma.Operation{
		OperationID: "history_pgn", Method: http.MethodGet, Path: "/api/history/pgn",
		Summary:     "The same games as PGN, one after the other",
		Description: "The header Link with rel=\"next\" leads to the next page, if there is one.",
		Responses:   map[string]*huma.Response{"200": {Description: "Games as PGN.", Content: map[string]*huma.MediaType{pgnType: {}}}},
	}, a.historyPGN)
	a.registerEvents(api)
}

func (a *API) history(ctx context.Context, in *historyInput) (*historyOutput, error) {
	q, err := in.query()
	if err != nil {
		return nil, err
	}
	page, more, err := a.Past.Games(ctx, q)
	if err != nil {
		return nil, problemOf(err)
	}
	out := &historyOutput{Cache: "no-cache", Body: History{Games: page}}
	if page == nil {
		out.Body.Games = []history.Game{}
	}
	if more {
		out.Body.Next = cursorOf(page)
	}
	return out, nil
}

func cursorOf(page []history.Game) string {
	return strconv.FormatUint(uint64(page[len(page)-1].Position), 10)
}

func (in *historyInput) query() (q history.Query, err error) {
	q = history.Query{
		Player: in.Player, Bot: in.Bot, Variant: in.Variant, Result: game.Result(in.Result), Reason: game.Reason(in.Reason), Options: in.options,
	}
	if in.Variant != "" {
		if _, err := game.Lookup(in.Variant); err != nil {
			return q, problemOf(err)
		}
	}
	if in.Result != "" && !slices.Contains([]game.Result{game.WhiteWins, game.BlackWins, game.Drawn, game.Ongoing}, q.Result) {
		return q, newProblem(game.BadCommand, "The parameter result takes 1-0, 0-1, 1/2-1/2 or *.")
	}
	var faults []error
	keep := func(err error) { faults = append(faults, err) }
	q.Rated, err = truth("rated", in.Rated)
	keep(err)
	voided, err := truth("voided", in.Voided)
	keep(err)
	q.Voided = voided != nil && *voided
	q.From, err = moment("from", in.From)
	keep(err)
	q.Until, err = moment("until", in.Until)
	keep(err)
	q.Before, err = cursor(in.Cursor)
	keep(err)
	q.Limit, err = limit(in.Limit)
	keep(err)
	for _, err := range faults {
		if err != nil {
			return q, err
		}
	}
	return q, nil
}

// truth reads a parameter that is true, false or left out.
func truth(name, text string) (*bool, error) {
	if text == "" {
		return nil, nil
	}
	b, err := strconv.ParseBool(text)
	if err != nil {
		return nil, newProblem(game.BadCommand, "The parameter "+name+" takes true or false.")
	}
	return &b, nil
}

// moment reads a day or a moment, as times are written in records.
func moment(name, text string) (string, error) {
	if text == "" {
		return "", nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		at, err = time.Parse(time.DateOnly, text)
	}
	if err != nil {
		return "", newProblem(game.BadCommand, "The parameter "+name+" takes a day as 2026-11-29, or a moment as 2026-11-29T20:00:05Z.")
	}
	return at.UTC().Format("2006-01-02T15:04:05.000Z"), nil
}

// cursor reads the place where a page begins; 0 is the newest.
func cursor(text string) (events.Position, error) {
	if text == "" {
		return 0, nil
	}
	position, err := strconv.ParseUint(text, 10, 64)
	if err != nil || position == 0 || position > math.MaxInt64 {
		return 0, newProblem(game.BadCommand, "The parameter cursor takes the next of another page.")
	}
	return events.Position(position), nil
}

// limit reads how long a page may be.
func limit(text string) (int, error) {
	if text == "" {
		return 50, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 200 {
		return 0, newProblem(game.BadCommand, "The parameter limit takes a number from 1 to 200.")
	}
	return n, nil
}
