package tests

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"testing"

	"chancery/adapters/httpapi"
)

// A whole move over HTTP on a ledger in memory: what the HTTP side costs.
func BenchmarkMoveOverHTTP(b *testing.B) {
	s := startServer(b, func(c *httpapi.Config, _ *http.Server) { c.Logger = slog.New(slog.DiscardHandler) })
	var players [2]*seat
	n := 0
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i%16 == 0 {
			b.StopTimer()
			players, n = play(b, s.http.URL, plainChess)
			b.StartTimer()
		}
		p := players[i%2]
		a, err := tryAsk(context.Background(), http.DefaultClient, "POST", p.url+"/actions", fmt.Sprintf(`{"do":{"move":%q},"expect":%d}`, shuttle[i%4], n),
			"Authorization", "Bearer "+p.Token, "Idempotency-Key", p.key())
		if err != nil || a.status != http.StatusOK {
			b.Fatal(a.status, a.body, err)
		}
		n++
	}
}
