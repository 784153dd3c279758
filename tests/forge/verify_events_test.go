package forge_test

import (
	"encoding/json"
	"regexp"
	"testing"

	"chancery/events/verify"
	"chancery/tests/forge"
)

// TestForeignEvents puts every event of a game in the place of every other one, in the
// newest record of a game that goes on: what a server could claim to have happened now.
// Without the seed what is hidden cannot be judged yet, but nothing else is believed,
// save what may happen at any time.
func TestForeignEvents(t *testing.T) {
	for _, p := range forge.Plans() {
		if p.Records == 0 {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			g, err := forge.Play(p, nil)
			if err != nil {
				t.Fatal(err)
			}
			all := eventsOf(t, g.Payloads)
			for n := range g.Payloads {
				for _, told := range replaced(t, g.Payloads[n], all) {
					game := append(g.Payloads[:n:n], told)
					r := verify.Game(game, verify.Legal)
					if r.OK() && r.At(verify.Legal).Why == everythingSoFar {
						t.Errorf("record %d: %s is believed", n, told)
					}
				}
			}
		})
	}
}

// everythingSoFar is what the verifier says of a game that goes on and hides nothing.
const everythingSoFar = "everything so far was; the game is not over"

// anytime are the events that need no occasion: an offer, and what the server does to the
// clock in favor of who must act.
var anytime = regexp.MustCompile(`"type":"(DrawOffered|GamePaused|GameResumed)"`)

// eventsOf lists the different events of a game that need their occasion.
func eventsOf(t *testing.T, payloads [][]byte) []json.RawMessage {
	var all []json.RawMessage
	seen := map[string]bool{}
	for _, p := range payloads {
		var record struct{ Events []json.RawMessage }
		if err := json.Unmarshal(p, &record); err != nil {
			t.Fatal(err)
		}
		for _, e := range record.Events {
			if !seen[string(e)] && !anytime.Match(e) {
				all = append(all, e)
			}
			seen[string(e)] = true
		}
	}
	return all
}

// replaced are the records that differ from the payload by one event.
func replaced(t *testing.T, payload []byte, all []json.RawMessage) [][]byte {
	var record map[string]json.RawMessage
	var list []json.RawMessage
	if json.Unmarshal(payload, &record) != nil || json.Unmarshal(record["events"], &list) != nil {
		t.Fatal("a record that does not read")
	}
	var out [][]byte
	for i, was := range list {
		for _, e := range all {
			if string(e) == string(was) {
				continue
			}
			list[i] = e
			events, err := json.Marshal(list)
			if err != nil {
				t.Fatal(err)
			}
			record["events"] = events
			out = append(out, written(t, record))
		}
		list[i] = was
	}
	return out
}
