package httpapi

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
)

// pages adds the addresses that are for browsers.
func (a *API) pages(r chi.Router) {
	r.Get("/", a.front)
	for _, folder := range []string{"/verify", "/fairness"} {
		r.Get(folder, func(w http.ResponseWriter, r *http.Request) {
			to := *r.URL
			to.Path = folder + "/"
			http.Redirect(w, r, to.RequestURI(), http.StatusPermanentRedirect)
		})
		r.Get(folder+"/*", a.page)
	}
	r.Get("/verify.mjs", a.page)
}

// page serves a built file; of a folder its index.html.
func (a *API) page(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" || strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	if a.Web == nil {
		writeProblem(w, r, newProblem(codeNotFound, "This server was built without its pages; run make web and build it again."))
		return
	}
	file, err := fs.ReadFile(a.Web, name)
	if err != nil {
		writeProblem(w, r, newProblem(codeNotFound, "There is no page at this address."))
		return
	}
	h := w.Header()
	h.Set("Content-Security-Policy", pagePolicy)
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", fmt.Sprintf(`"%x"`, sha256.Sum256(file)))
	http.ServeContent(w, r, path.Base(name), time.Time{}, bytes.NewReader(file))
}

// pagePolicy lets a page run and ask what comes from this server, and nothing else.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// front says to a person what this is.
func (a *API) front(w http.ResponseWriter, _ *http.Request) {
	client := withoutWeb
	if a.Web != nil {
		client = withWeb
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, frontPage, client)
}

const (
	withoutWeb = `<p>This server was built without its web pages: run <code>make web</code>, and build it again. What there is:
<ul>`
	withWeb = `<p>What there is:
<ul>
<li><a href="/verify/">a page that verifies games</a>: that nobody chose the cards and nobody changed the record
<li><a href="/fairness/">the audit of the whole ledger</a>: what is missing, and whether chance looks like chance`
	frontPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Chancery</title>
<style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem}</style>
<h1>Chancery</h1>
<p>A game server for chess variants in which chance plays. Every draw, card, roll and move
is an event in one ledger.
%s
<li><a href="/api/variants">the variants</a> and <a href="/api/games">the games that are open or being played</a>
<li><a href="/api/openapi.json">the description of the API</a>
<li><a href="/readyz">whether the server is ready</a>, and <a href="/metrics">its metrics</a>
</ul>
<p>To play from a terminal: <code>chancery new --variant nocastle</code>, and <code>chancery play --help</code>.
</html>
`
)
