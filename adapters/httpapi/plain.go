package httpapi

import (
	"fmt"
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"chancery/domain/game"
)

// plain adds the addresses that are no calls of the API.
func (a *API) plain(r chi.Router) {
	r.Get("/healthz", func(w http.ResponseWriter, _ *http.Request) { text(w, "ok\n") })
	r.Get("/readyz", a.ready)
	r.Get("/metrics", promhttp.HandlerFor(a.registry, promhttp.HandlerOpts{}).ServeHTTP)
	r.Get("/problems/{code}", explain)
	for pattern, handler := range a.More {
		r.Get(pattern, handler.ServeHTTP)
	}
}

func text(w http.ResponseWriter, s string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	fmt.Fprint(w, s)
}

// ready says whether the server can take commands, and how the public ledger and the read
// models do: a game is played without them.
func (a *API) ready(w http.ResponseWriter, r *http.Request) {
	if err := a.Ready(r.Context()); err != nil {
		writeProblem(w, r, newProblem(codeUnavailable, "The ledger cannot be reached."))
		return
	}
	answer := "ready\n"
	if a.Notices != nil {
		for _, line := range a.Notices() {
			answer += line + "\n"
		}
	}
	if a.Projections != nil {
		for _, s := range a.Projections(r.Context()) {
			answer += s.String() + "\n"
		}
	}
	text(w, answer)
}

// explain is what the type of a problem leads to.
func explain(w http.ResponseWriter, r *http.Request) {
	code := game.Code(chi.URLParam(r, "code"))
	k, known := kinds[code]
	if !known {
		writeProblem(w, r, newProblem(codeNotFound, "There is no problem of this name."))
		return
	}
	text(w, fmt.Sprintf("%s (%d): %s.\n\nThe detail of the problem says what is wrong in the case at hand, and what to do next.\n", code, k.status, k.title))
}
