package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"chancery/domain/game"
	"chancery/domain/player"
	"chancery/events"
	"chancery/projections"
)

// Codes of problems that no rule of a game gives.
const (
	codeUnauthorized game.Code = "unauthorized"
	codeForbidden    game.Code = "forbidden"
	codeNotFound     game.Code = "not_found"
	codeTooLarge     game.Code = "too_large"
	codeRateLimited  game.Code = "rate_limited"
	codeUnavailable  game.Code = "unavailable"
	codeInternal     game.Code = "internal"
	codeNameTaken    game.Code = "name_taken"
	codeBadName      game.Code = "bad_name"
)

// A kind is what all problems of a code have in common.
type kind struct {
	status int
	title  string
}

// kinds lists every code there is. A command that makes no sense is 400, one that comes
// at the wrong moment 409, and one that a rule of the game forbids 422.
var kinds = map[game.Code]kind{
	game.BadCommand:    {http.StatusBadRequest, "The request makes no sense"},
	game.BadOption:     {http.StatusBadRequest, "An option or its value does not exist"},
	game.BadLink:       {http.StatusBadRequest, "The link of the seat's chain is missing, wrong or not due"},
	game.BadPosition:   {http.StatusUnprocessableEntity, "The position cannot be played"},
	game.IllegalMove:   {http.StatusUnprocessableEntity, "The move is illegal"},
	game.CardNotHeld:   {http.StatusUnprocessableEntity, "The card is not in the hand"},
	game.CardNotLive:   {http.StatusUnprocessableEntity, "The card cannot be played now"},
	game.MustPlay:      {http.StatusUnprocessableEntity, "A card can be played, so none may be thrown away"},
	game.WrongCount:    {http.StatusUnprocessableEntity, "Too few or too many cards"},
	game.ColorNeeded:   {http.StatusUnprocessableEntity, "The card needs a color"},
	game.NotYourTurn:   {http.StatusConflict, "It is not your turn"},
	game.WrongPhase:    {http.StatusConflict, "The game waits for something else"},
	game.NotPending:    {http.StatusConflict, "There is nothing to answer"},
	game.GameOver:      {http.StatusConflict, "The game is over"},
	game.NotStarted:    {http.StatusConflict, "The game has not started"},
	game.AlreadyJoined: {http.StatusConflict, "The seat is taken"},
	game.Exists:        {http.StatusConflict, "The game exists already"},
	game.Stale:         {http.StatusConflict, "The game has moved on"},
	codeUnauthorized:   {http.StatusUnauthorized, "A token is needed"},
	codeForbidden:      {http.StatusForbidden, "The token is not good for this"},
	codeNameTaken:      {http.StatusConflict, "The name is taken"},
	codeBadName:        {http.StatusBadRequest, "The name or the password will not do"},
	codeNotFound:       {http.StatusNotFound, "Not found"},
	codeTooLarge:       {http.StatusRequestEntityTooLarge, "The request is too large"},
	codeRateLimited:    {http.StatusTooManyRequests, "Too many requests"},
	codeUnavailable:    {http.StatusServiceUnavailable, "The server cannot do this now"},
	codeInternal:       {http.StatusInternalServerError, "The server failed"},
}

// A Problem is the body of every refusal (RFC 9457).
type Problem struct {
	Type   string `json:"type" example:"/problems/stale" doc:"/problems/ and the code, which programs go by"`
	Title  string `json:"title" example:"The game has moved on" doc:"What all problems of this code have in common"`
	Status int    `json:"status" example:"409"`
	Detail string `json:"detail,omitempty" doc:"What is wrong here, and what to do next"`
	N      *int   `json:"n,omitempty" doc:"With stale: number of the newest record"`

	cause error // for our log alone, where the fault is ours
}

// Error is the sentence for people.
func (p *Problem) Error() string { return p.Detail }

// GetStatus is the HTTP status.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType replaces that of an ordinary answer.
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// GetHeaders says when to come back, or how to say who one is.
func (p *Problem) GetHeaders() http.Header {
	h := http.Header{}
	switch p.Status {
	case http.StatusUnauthorized:
		h.Set("WWW-Authenticate", "Bearer")
	case http.StatusServiceUnavailable:
		h.Set("Retry-After", "1")
	}
	return h
}

// newProblem is a problem of a known code.
func newProblem(code game.Code, detail string) *Problem {
	k, known := kinds[code]
	if !known {
		k = kind{http.StatusBadRequest, "The command was refused"}
	}
	return &Problem{Type: "/problems/" + string(code), Title: k.title, Status: k.status, Detail: detail}
}

// problemOf tells a client about an error. What it says of errors that are not the
// client's is written here: errors of the inside stay inside.
func problemOf(err error) *Problem {
	var problem *Problem
	var refusal *game.Refusal
	var stale *events.StaleError
	var name player.NameError
	switch {
	case errors.As(err, &problem):
		return problem
	case errors.As(err, &stale):
		p := newProblem(game.Stale, stale.Error())
		p.N = &stale.N
		return p
	case errors.As(err, &refusal):
		return newProblem(refusal.Code, refusal.Detail)
	case errors.As(err, &name):
		return newProblem(codeBadName, string(name))
	case errors.Is(err, events.ErrNotFound):
		return newProblem(codeNotFound, "There is no such game, or it has no such record yet.")
	case errors.Is(err, events.ErrBroken):
		return newProblem(codeUnavailable, "The history of this game is damaged, so it is frozen until an operator has restored it. Nothing you did caused this.")
	case errors.Is(err, projections.ErrUnavailable):
		return newProblem(codeUnavailable, "The lists cannot be read now; games go on. Ask again in a moment.").because(err)
	case errors.Is(err, events.ErrUnavailable), errors.Is(err, events.ErrConflict),
		errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return newProblem(codeUnavailable, "The ledger cannot take this now. Whether it was stored is not known: send the same request again, with the same Idempotency-Key.").because(err)
	}
	for known, p := range playerProblems {
		if errors.Is(err, known) {
			return newProblem(p.code, p.detail)
		}
	}
	return newProblem(codeInternal, "Something is wrong with the server; its log says what. Send the same request again later.").because(err)
}

// because notes what went wrong inside, for our log.
func (p *Problem) because(err error) *Problem {
	p.cause = err
	return p
}

// logCause is told of every answer, and writes down why we failed to give one.
func (a *API) logCause(c huma.Context, _ string, answer any) (any, error) {
	if p, ok := answer.(*Problem); ok && p.cause != nil && c.Context().Err() == nil { // nobody waits for it otherwise
		level := slog.LevelWarn
		if p.Status == http.StatusInternalServerError {
			level = slog.LevelError
		}
		a.Logger.Log(c.Context(), level, "a request failed", "route", c.Operation().Path, "err", p.cause)
	}
	return answer, nil
}

// playerProblems are the problems with accounts.
var playerProblems = map[error]struct {
	code   game.Code
	detail string
}{
	player.ErrUnknown:  {codeNotFound, "There is no player of this name or id."},
	player.ErrTaken:    {codeNameTaken, "Somebody has this name already; choose another one, or log in if it is yours."},
	player.ErrPassword: {codeForbidden, "Name and password do not belong together; try again."},
	player.ErrToken:    {codeUnauthorized, "This is no player's token, or it has expired: log in, or be a guest, and send what that gives as Authorization: Bearer <token>."},
	player.ErrBusy:     {codeUnavailable, "Too many people log in just now; try again in a moment."},
	player.ErrGuesses:  {codeRateLimited, "Too many wrong passwords were given for this name; try again in some minutes. Who has a token goes on with it."},
}

// problemFor puts the faults that are found by comparing a request with its
// description into our words.
func problemFor(status int, message string, errs ...error) huma.StatusError {
	var faults []string
	for _, err := range errs {
		var p *Problem
		if errors.As(err, &p) {
			return p
		}
		if err != nil {
			faults = append(faults, fault(err))
		}
	}
	if len(faults) > 0 {
		message = strings.Join(faults, "; ")
	}
	p := newProblem(codeOf(status), message)
	if status != http.StatusUnprocessableEntity {
		p.Status = status
	}
	return p
}

// fault is one fault of a request: where, and what.
func fault(err error) string {
	var d huma.ErrorDetailer
	if !errors.As(err, &d) {
		return err.Error()
	}
	detail := d.ErrorDetail()
	if detail.Location == "" {
		return detail.Message
	}
	return detail.Location + ": " + detail.Message
}

// codeOf is the code of a fault that is known by its status alone.
func codeOf(status int) game.Code {
	switch status {
	case http.StatusNotFound:
		return codeNotFound
	case http.StatusRequestEntityTooLarge:
		return codeTooLarge
	case http.StatusInternalServerError:
		return codeInternal
	}
	return game.BadCommand
}

// Refuse answers a request with the problem of a code, for handlers that are no calls of
// the API.
func Refuse(w http.ResponseWriter, r *http.Request, code, detail string) {
	writeProblem(w, r, newProblem(game.Code(code), detail))
}

// writeProblem answers with a problem outside of a described call.
func writeProblem(w http.ResponseWriter, r *http.Request, p *Problem) {
	maps.Copy(w.Header(), p.GetHeaders())
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.Status)
	if r.Method != http.MethodHead {
		_ = json.NewEncoder(w).Encode(p) // who has hung up needs no answer
	}
}
