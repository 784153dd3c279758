package httpapi

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"chancery/domain/game"
	"chancery/domain/player"
)

// Players is what the API needs to know people. Besides the errors they name, its
// methods return [projections.ErrUnavailable].
type Players interface {
	// Register opens an account: [player.NameError], [player.ErrTaken], [player.ErrBusy].
	Register(ctx context.Context, name, password string) (player.Session, error)
	// Guest is a new player without an account.
	Guest(ctx context.Context) (player.Session, error)
	// Login gives another token: [player.ErrPassword], [player.ErrGuesses], [player.ErrBusy].
	Login(ctx context.Context, name, password string) (player.Session, error)
	// Logout lets a token be good for nothing.
	Logout(ctx context.Context, token string) error
	// Erase forgets the token's player: [player.ErrToken], and those of Login.
	Erase(ctx context.Context, token, password string) error
	// Bearer is whose token it is: [player.ErrToken].
	Bearer(ctx context.Context, token string) (player.Player, error)
	// Find is the account of an id or a name: [player.ErrUnknown].
	Find(ctx context.Context, idOrName string) (player.Player, error)
	// Names are the names of those of the ids that have one.
	Names(ctx context.Context, ids []string) (map[string]string, error)
}

// A Person is a player, as others may know him.
type Person struct {
	ID    string `json:"id" doc:"As in games and in the ledger"`
	Name  string `json:"name,omitempty" doc:"None of a guest, and of a player who has been erased"`
	Guest bool   `json:"guest,omitempty" doc:"Has no account, so his games are not ranked"`
}

// A Session is a player with his token.
type Session struct {
	Person
	Token string `json:"token" doc:"Proves who its bearer is, for 90 days; keep it secret"`
}

// Credentials are a name and a password.
type Credentials struct {
	Name     string `json:"name" example:"ada" maxLength:"100" doc:"3 to 20 letters a to z, digits, - and _, of which the first is a letter; case does not tell names apart"`
	Password string `json:"password" maxLength:"400" doc:"8 letters at least"`
}

type credentialsInput struct{ Body Credentials }

type bearerInput struct{ Bearer }

type eraseInput struct {
	Bearer
	Body struct {
		Password string `json:"password,omitempty" maxLength:"400" doc:"Of an account; a guest has none"`
	}
}

type emptyInput struct{ Body struct{} }

type logoutInput struct {
	Bearer
	Body struct{}
}

type sessionOutput struct {
	Cache string `header:"Cache-Control"`
	Body  Session
}

type personOutput struct {
	Cache string `header:"Cache-Control"`
	Body  Person
}

type namesInput struct {
	IDs string `query:"ids" example:"A,B" doc:"Ids of players, with commas between them, 100 at most"`
}

// People are players that were asked for.
type People struct {
	Players []Person `json:"players"`
}

type peopleOutput struct {
	Cache string `header:"Cache-Control"`
	Body  People
}

func (a *API) registerPlayers(api huma.API) {
	if a.Players == nil {
		return
	}
	mine := []map[string][]string{{"player": {}}}
	huma.Register(api, huma.Operation{
		OperationID: "register", Method: http.MethodPost, Path: "/api/players", DefaultStatus: http.StatusCreated,
		Summary: "Open an account",
	}, a.register)
	huma.Register(api, huma.Operation{
		OperationID: "guest", Method: http.MethodPost, Path: "/api/players/guest", DefaultStatus: http.StatusCreated,
		Summary: "Be a guest: a player without a name, whose games are not ranked",
	}, a.guest)
	huma.Register(api, huma.Operation{
		OperationID: "login", Method: http.MethodPost, Path: "/api/players/login", Summary: "Get another token for an account",
	}, a.login)
	huma.Register(api, huma.Operation{
		OperationID: "logout", Method: http.MethodPost, Path: "/api/players/logout", DefaultStatus: http.StatusNoContent,
		Summary: "Let a token be good for nothing", Security: mine,
	}, a.logout)
	huma.Register(api, huma.Operation{
		OperationID: "erase", Method: http.MethodPost, Path: "/api/players/erase", DefaultStatus: http.StatusNoContent,
		Summary:     "Forget who a player is",
		Description: "His name, his password and his tokens are erased, for good. His games stay, under an id that says nothing.", Security: mine,
	}, a.erase)
	huma.Register(api, huma.Operation{
		OperationID: "me", Method: http.MethodGet, Path: "/api/players/me", Summary: "Whose token this is", Security: mine,
	}, a.me)
	huma.Register(api, huma.Operation{
		OperationID: "names", RejectUnknownQueryParameters: true, Method: http.MethodGet, Path: "/api/players", Summary: "The names of players",
	}, a.names)
}

func sessionOf(s player.Session, err error) (*sessionOutput, error) {
	if err != nil {
		return nil, problemOf(err)
	}
	return &sessionOutput{Cache: "no-store", Body: Session{Person: personOf(s.Player), Token: s.Token}}, nil
}

func personOf(p player.Player) Person {
	return Person{ID: p.ID, Name: p.Name, Guest: player.IsGuest(p.ID)}
}

func (a *API) register(ctx context.Context, in *credentialsInput) (*sessionOutput, error) {
	return sessionOf(a.Players.Register(ctx, in.Body.Name, in.Body.Password))
}

func (a *API) guest(ctx context.Context, _ *emptyInput) (*sessionOutput, error) {
	return sessionOf(a.Players.Guest(ctx))
}

func (a *API) login(ctx context.Context, in *credentialsInput) (*sessionOutput, error) {
	return sessionOf(a.Players.Login(ctx, in.Body.Name, in.Body.Password))
}

func (a *API) logout(ctx context.Context, in *logoutInput) (*struct{}, error) {
	token, err := in.token()
	if err == nil {
		_, err = a.person(ctx, token)
	}
	if err == nil {
		err = a.Players.Logout(ctx, token)
	}
	if err != nil {
		return nil, problemOf(err)
	}
	return nil, nil
}

func (a *API) erase(ctx context.Context, in *eraseInput) (*struct{}, error) {
	token, err := in.token()
	if err == nil {
		err = a.Players.Erase(ctx, token, in.Body.Password)
	}
	if err != nil {
		return nil, problemOf(err)
	}
	return nil, nil
}

func (a *API) me(ctx context.Context, in *bearerInput) (*personOutput, error) {
	token, err := in.token()
	if err != nil {
		return nil, problemOf(err)
	}
	p, err := a.person(ctx, token)
	if err != nil {
		return nil, problemOf(err)
	}
	return &personOutput{Cache: "no-store", Body: personOf(p)}, nil
}

func (a *API) names(ctx context.Context, in *namesInput) (*peopleOutput, error) {
	ids := strings.Split(in.IDs, ",")
	if in.IDs == "" || len(ids) > 100 {
		return nil, newProblem(game.BadCommand, "The parameter ids takes 1 to 100 ids of players, with commas between them.")
	}
	names, err := a.Players.Names(ctx, ids)
	if err != nil {
		return nil, problemOf(err)
	}
	out := &peopleOutput{Cache: "no-cache"}
	for _, id := range ids {
		out.Body.Players = append(out.Body.Players, personOf(player.Player{ID: id, Name: names[id]}))
	}
	return out, nil
}

// person is whose token it is. A token that is no player's is refused, never taken for
// nobody's: its bearer would play under another name than he thinks.
func (a *API) person(ctx context.Context, token string) (player.Player, error) {
	if a.Players == nil || !player.IsToken(token) {
		return player.Player{}, player.ErrToken
	}
	return a.Players.Bearer(ctx, token)
}
