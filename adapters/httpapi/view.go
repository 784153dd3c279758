package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"chancery/domain/game"
	"chancery/events"
)

type viewInput struct {
	Caller
	ID          string `path:"id" maxLength:"64"`
	At          string `query:"at" example:"5" doc:"Number of the record after which to look; the newest if left out"`
	As          string `query:"as" example:"spectator" doc:"0, 1 or spectator; the caller's own seat if left out"`
	IfNoneMatch string `header:"If-None-Match"`
}

type viewOutput struct {
	Status int
	ETag   string `header:"ETag"`
	Cache  string `header:"Cache-Control"`
	Vary   string `header:"Vary"`
	Body   *game.View
}

func (a *API) registerView(api huma.API) {
	huma.Register(api, huma.Operation{
		OperationID: "view", Method: http.MethodGet, Path: "/api/games/{id}",
		Summary:     "Look at a game as one seat may see it, now or at any record",
		Description: "The ETag is the number of the record. With If-None-Match the answer is 304 while nothing has happened.",
	}, a.view)
}

func (a *API) view(ctx context.Context, in *viewInput) (*viewOutput, error) {
	g, err := a.played(ctx, in.ID)
	if err != nil {
		return nil, problemOf(err)
	}
	seat, err := a.lookingAs(ctx, g, in)
	if err != nil {
		return nil, problemOf(err)
	}
	if in.At != "" {
		n, err := strconv.Atoi(in.At)
		if err != nil || n < 0 {
			return nil, newProblem(game.BadCommand, "The parameter at takes the number of a record, from 0.")
		}
		if out, ok := a.pastView(ctx, in, seat, n); ok {
			return out, nil
		}
		if g, err = a.Games.At(ctx, in.ID, n); err != nil {
			return nil, problemOf(err)
		}
	}
	out := viewOf(g.N)
	if matches(in.IfNoneMatch, out.ETag) {
		out.Status = http.StatusNotModified
		return out, nil
	}
	v, err := a.Games.View(g, seat)
	if err != nil {
		return nil, problemOf(err)
	}
	out.Body = &v
	return out, nil
}

// played is a game that has players and a position, as the ledger's own have not.
func (a *API) played(ctx context.Context, id string) (events.Game, error) {
	g, err := a.Games.Game(ctx, id)
	if err == nil && game.LedgerWide(id) {
		err = newProblem(codeNotFound, fmt.Sprintf("Nobody plays %s: in it the ledger speaks of itself. Read its records at /api/games/%[1]s/records, or live at /api/games/%[1]s/stream.", id))
	}
	return g, err
}

func viewOf(n int) *viewOutput {
	return &viewOutput{Status: http.StatusOK, ETag: fmt.Sprintf(`"%d"`, n), Cache: "private, no-cache", Vary: "Authorization, Cookie"}
}

// pastView looks a moment up in the read models, so that who scrolls back takes nothing
// from those who play. Where they do not have it the ledger has.
func (a *API) pastView(ctx context.Context, in *viewInput, seat game.Seat, n int) (*viewOutput, bool) {
	if a.Past == nil || seat != game.Spectator {
		return nil, false
	}
	out := viewOf(n)
	if matches(in.IfNoneMatch, out.ETag) {
		return nil, false
	}
	v, err := a.Past.View(ctx, in.ID, n)
	out.Body = &v
	return out, err == nil
}

// lookingAs is the seat as which the caller may look: his own or the spectator's.
func (a *API) lookingAs(ctx context.Context, g events.Game, in *viewInput) (game.Seat, error) {
	token, err := in.token()
	if err != nil {
		return game.Spectator, err
	}
	own, err := a.seatOf(ctx, g, token)
	if err != nil {
		return game.Spectator, err
	}
	as := map[string]game.Seat{"": own, "spectator": game.Spectator, "0": game.First, "1": game.Second}
	switch seat, known := as[in.As]; {
	case !known:
		return game.Spectator, newProblem(game.BadCommand, "The parameter as takes 0, 1 or spectator.")
	case seat != game.Spectator && seat != own:
		return game.Spectator, newProblem(codeForbidden, "Only the player in that seat sees the game as it does.")
	default:
		return seat, nil
	}
}

// matches says whether one of the tags of an If-None-Match header is the tag.
func matches(header, tag string) bool {
	for one := range strings.SplitSeq(header, ",") {
		if one = strings.TrimSpace(one); one == "*" || strings.TrimPrefix(one, "W/") == tag {
			return true
		}
	}
	return false
}
