package forge_test

import (
	"fmt"
	"testing"

	"chancery/events/verify"
	"chancery/tests/forge"
)

// BenchmarkVerify judges games of some 200 records up to each level.
func BenchmarkVerify(b *testing.B) {
	for _, p := range []forge.Plan{
		{Name: "bench-chess", Variant: "chess", Own: [2]bool{true, true}, Clock: true, Seed: 1, Records: 200},
		{Name: "yugioh-whole", Variant: "yugioh", Own: [2]bool{true, true}, Seed: 27},
		{Name: "yugioh-kept", Variant: "yugioh", Seed: 31}, // the server keeps both chains
		{Name: "bench-unochess", Variant: "unochess", Own: [2]bool{true, true}, Clock: true, Seed: 14, Records: 200},
		{Name: "bench-chessuno", Variant: "chessuno", Own: [2]bool{true, true}, Seed: 4, Records: 200},
	} {
		g, err := forge.Play(p, nil)
		if err != nil {
			b.Fatal(err)
		}
		for _, level := range []verify.Level{verify.Consistent, verify.Fair, verify.Legal} {
			b.Run(fmt.Sprintf("%s/%d/%s", p.Variant, len(g.Payloads), level), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if r := verify.Game(g.Payloads, level); !r.OK() {
						b.Fatal(r.Fault())
					}
				}
			})
		}
	}
}
