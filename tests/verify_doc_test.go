package tests

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"chancery/domain/fair"
	"chancery/events"
	"chancery/events/verify"
)

// TestVerifyDoc computes every hash that docs/verify.md shows, and judges its examples.
func TestVerifyDoc(t *testing.T) {
	known := map[string]bool{}
	for _, name := range []string{"no-eight", "chessuno"} {
		payloads := exampleOf(t, name)
		if r := verify.Game(payloads, verify.Legal); r.At(verify.Legal).Verdict != verify.Holds {
			t.Errorf("%s: %+v; export a game anew, and correct docs/verify.md", name, r.Fault())
		}
		for _, h := range hashesOf(t, name, payloads) {
			known[h] = true
		}
	}
	doc, err := os.ReadFile("../docs/verify.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile(`\b[0-9a-f]{64}\b`).FindAllString(string(doc), -1)
	if len(shown) < 20 {
		t.Errorf("docs/verify.md shows only %d hashes", len(shown))
	}
	for _, h := range shown {
		if !known[h] {
			t.Errorf("docs/verify.md shows %s, which nothing in its examples gives", h)
		}
	}
}

func exampleOf(t *testing.T, name string) [][]byte {
	file, err := os.ReadFile("../docs/examples/" + name + ".ndjson")
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Split(bytes.TrimSuffix(file, []byte{'\n'}), []byte{'\n'})
}

// hashesOf lists what follows from a game: what its records say, their hashes, the seed's
// commitment and tip, what links lead to, the blocks of rolls, leaves and salts.
func hashesOf(t *testing.T, name string, payloads [][]byte) []string {
	list := regexp.MustCompile(`[0-9a-f]{64}`).FindAllString(string(bytes.Join(payloads, nil)), -1)
	give := func(h fair.Hash) { list = append(list, fmt.Sprint(h)) }
	at := fair.State{Game: name}
	for _, payload := range payloads {
		give(fair.RecordHash(payload))
		r, err := events.DecodeRecord(payload)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range r.Events {
			at = at.Evolve(e.Fair)
			partHashes(name, at, e.Fair, give)
		}
	}
	return list
}

func partHashes(name string, at fair.State, p *fair.Part, give func(fair.Hash)) {
	switch {
	case p == nil:
	case p.Link != nil:
		give(fair.NextLink(name, fair.Role(p.Link.Seat), p.Link.Y))
	case p.Roll != nil:
		give(fair.NextLink(name, fair.ServerRole, p.Roll.X))
		for block := range 2 {
			give(fair.F(p.Roll.X[:], "roll", name, p.Roll.K, at.Seat[0].Y, at.Seat[1].Y, block))
		}
	case len(p.Open) > 0:
		o := p.Open[0]
		give(fair.H("leaf", name, o.S, o.I, o.Card, o.Salt))
	case p.Reveal != nil:
		give(fair.Commitment(name, p.Reveal.Seed))
		give(fair.F(p.Reveal.Seed[:], "tip", name))
		give(fair.F(p.Reveal.Seed[:], "salt", name, 0, 0))
	}
}

// TestVerifyDocDice holds what the walk says of the last dice against the record.
func TestVerifyDocDice(t *testing.T) {
	doc, err := os.ReadFile("../docs/verify.md")
	if err != nil {
		t.Fatal(err)
	}
	r, err := events.DecodeRecord(exampleOf(t, "no-eight")[2])
	if err != nil {
		t.Fatal(err)
	}
	var faces []string
	for _, e := range r.Events {
		if e.Fair == nil || e.Fair.Roll == nil {
			continue
		}
		faces = faces[:0]
		for _, n := range e.Fair.Roll.Out {
			faces = append(faces, fmt.Sprint(n+1))
		}
	}
	if want := strings.Join(faces, ", "); !strings.Contains(string(doc), want) {
		t.Errorf("docs/verify.md does not say that the dice show %s", want)
	}
}
