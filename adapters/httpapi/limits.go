package httpapi

import (
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-chi/httprate"
)

// limit lets one address make so many of the requests in a period; 0 is no limit.
func (a *API) limit(n int, period time.Duration, counts func(*http.Request) bool) func(http.Handler) http.Handler {
	if n <= 0 {
		return func(next http.Handler) http.Handler { return next }
	}
	limiter := httprate.LimitBy(n, period, func(r *http.Request) (string, error) { return a.address(r), nil }, httprate.WithLimitHandler(
		func(w http.ResponseWriter, r *http.Request) {
			writeProblem(w, r, newProblem(codeRateLimited, fmt.Sprintf("One address may do this %d times in %s; wait as long as Retry-After says.", n, period)))
		}))
	return func(next http.Handler) http.Handler {
		limited := limiter(next)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if counts(r) {
				limited.ServeHTTP(w, r)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// atOnce lets one address have so many of the requests under way at the same time; 0 is
// no limit.
func (a *API) atOnce(n int, counts func(*http.Request) bool) func(http.Handler) http.Handler {
	var mu sync.Mutex
	open := map[string]int{}
	add := func(address string, by int) bool {
		mu.Lock()
		defer mu.Unlock()
		if by > 0 && open[address] >= n {
			return false
		}
		if open[address] += by; open[address] == 0 {
			delete(open, address)
		}
		return true
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if n <= 0 || !counts(r) {
				next.ServeHTTP(w, r)
				return
			}
			from := a.address(r)
			if !add(from, 1) {
				writeProblem(w, r, newProblem(codeRateLimited, fmt.Sprintf("One address may follow %d games at the same time; stop following one of them, then ask again.", n)))
				return
			}
			defer add(from, -1)
			next.ServeHTTP(w, r)
		})
	}
}

// address is where a request comes from: of IPv6 the network, which one customer has. Who
// comes through trusted proxies is where the first of them saw him: each adds to the end
// of X-Forwarded-For, and what stands before that anybody can have written.
func (a *API) address(r *http.Request) string {
	from, ok := ipOf(r.RemoteAddr)
	if !ok {
		return r.RemoteAddr
	}
	chain := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, text := range slices.Backward(chain) {
		before, ok := ipOf(strings.TrimSpace(text))
		if !ok || !a.trusts(from) {
			break
		}
		from = before
	}
	return httprate.CanonicalizeIP(from.String())
}

func (a *API) trusts(ip netip.Addr) bool {
	return slices.ContainsFunc(a.TrustedProxies, func(p netip.Prefix) bool { return p.Contains(ip) })
}

// ipOf reads an address with or without a port, as proxies write both. The zone of a
// link-local one names our own network card, and no network contains it.
func ipOf(text string) (netip.Addr, bool) {
	ip, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	if withPort, e := netip.ParseAddrPort(text); e == nil {
		ip, err = withPort.Addr(), nil
	}
	return ip.Unmap().WithZone(""), err == nil
}

func isCreate(r *http.Request) bool {
	return r.Method == http.MethodPost && r.URL.Path == "/api/games"
}

func isAction(r *http.Request) bool {
	return r.Method == http.MethodPost && strings.HasPrefix(r.URL.Path, "/api/games/")
}

func isPlayers(r *http.Request) bool {
	return r.Method == http.MethodPost && (r.URL.Path == "/api/players" || strings.HasPrefix(r.URL.Path, "/api/players/"))
}

func isStream(r *http.Request) bool {
	return r.Method == http.MethodGet && strings.HasPrefix(r.URL.Path, "/api/games/") && strings.HasSuffix(r.URL.Path, "/stream")
}
