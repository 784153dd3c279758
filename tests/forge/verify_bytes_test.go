package forge_test

import (
	"bytes"
	"errors"
	"testing"

	"chancery/domain/fair"
	"chancery/events/verify"
	"chancery/tests/forge"
)

// TestEveryByteCounts changes one byte of a game at a time, at every position of short
// games of every variant. The change is refused at the record it is in, or at the next
// one, which names the hash of what was. Nothing follows the last record, so there the
// moment and the cause, which are the server's own word, are fixed by the ledger alone.
func TestEveryByteCounts(t *testing.T) {
	for _, p := range forge.Plans() {
		if p.Name != p.Variant {
			continue // one game of every variant, and of ten records
		}
		p.Records = 9
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			g, err := forge.Play(p, nil)
			if err != nil {
				t.Fatal(err)
			}
			last := len(g.Payloads) - 1
			for n, payload := range g.Payloads {
				for i := range payload {
					if changed := forge.Change(g.Payloads, n, i); !refusedAt(t, changed, n) && n < last {
						t.Errorf("record %d, byte %d: %s is believed", n, i, changed[n])
					}
				}
			}
			checkUnfixed(t, g)
		})
	}
}

// refusedAt says whether the game is refused, which must be for record n or the next.
func refusedAt(t *testing.T, payloads [][]byte, n int) bool {
	fault := verify.Game(payloads, verify.Legal).Fault()
	if fault != nil && *fault.Record != n && *fault.Record != n+1 {
		t.Errorf("a change in record %d is refused in record %d: %s", n, *fault.Record, fault.Why)
	}
	return fault != nil
}

// checkUnfixed changes every byte of the last record once more: what the levels up to
// legal believe lies within at or cause, and the level recorded refuses it.
func checkUnfixed(t *testing.T, g forge.Game) {
	last := len(g.Payloads) - 1
	payload, proof := g.Payloads[last], provedHead(fair.RecordHash(g.Payloads[last]))
	honest := verify.Game(g.Payloads, verify.Legal)
	if honest.Record(proof); !honest.OK() {
		t.Fatalf("the honest game: %+v", honest.Fault())
	}
	believed := 0
	for i := range payload {
		changed := forge.Change(g.Payloads, last, i)
		r := verify.Game(changed, verify.Legal)
		if !r.OK() {
			continue
		}
		believed++
		if !within(payload, i, `"at":"`, `"`) && !within(payload, i, `"cause":"`, `"`) {
			t.Errorf("last record, byte %d: %s is believed", i, changed[last])
		}
		if r.Record(proof); r.At(verify.Recorded).Verdict != verify.Refused {
			t.Errorf("last record, byte %d: the ledger's proof accepts %s", i, changed[last])
		}
	}
	t.Logf("%d bytes of the last record's %d are fixed by the ledger alone", believed, len(payload))
}

// within says whether byte i of b lies in the text that stands between opening and
// closing.
func within(b []byte, i int, opening, closing string) bool {
	start := bytes.Index(b, []byte(opening)) + len(opening)
	end := start + bytes.Index(b[start:], []byte(closing))
	return start <= i && i < end
}

// A provedHead is a ledger that holds the record of this hash.
type provedHead fair.Hash

// Prove accepts that record and no other.
func (h provedHead) Prove(record fair.Hash) error {
	if record != fair.Hash(h) {
		return errors.New("the proof is of another record")
	}
	return nil
}
