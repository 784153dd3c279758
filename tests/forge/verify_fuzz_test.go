package forge_test

import (
	"bytes"
	"testing"

	"chancery/events/verify"
	"chancery/tests/forge"
)

// FuzzVerify puts any bytes in the place of a record of a short game, chained to what is
// before and behind. The verifier never fails, and believes nothing that does not read
// as a record of this game.
func FuzzVerify(f *testing.F) {
	var games []forge.Game
	for _, p := range forge.Plans() {
		if p.Name != p.Variant {
			continue
		}
		g, err := forge.Play(p, nil)
		if err != nil {
			f.Fatal(err)
		}
		for n := range g.Payloads {
			f.Add(byte(len(games)), byte(n), g.Payloads[n])
		}
		games = append(games, g)
	}
	f.Fuzz(func(t *testing.T, which, at byte, record []byte) {
		g := games[int(which)%len(games)]
		n := int(at) % len(g.Payloads)
		r := verify.Game(rechain(g.Payloads, n, record), verify.Legal)
		if len(r.Levels) != 3 {
			t.Fatalf("%d levels were judged", len(r.Levels))
		}
		if r.OK() && !bytes.Contains(record, []byte(`,"game":"`+g.Name+`","n":`)) {
			t.Errorf("%s is believed as record %d of %s", record, n, g.Name)
		}
	})
}
