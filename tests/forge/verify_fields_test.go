package forge_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"chancery/domain/fair"
	"chancery/events/verify"
	"chancery/tests/forge"
)

// open are the facts that could as well have been otherwise: what the players agreed
// before the game, where the rest of it shows no trace, and what they need not have said.
// What fixes them is that both players have seen the record and keep its hash.
var open = []string{
	"GameCreated.rated", "GameCreated.seats.player", "PlayerJoined.player", "GameCreated.options.", "GamePaused.reason", "GameResumed.reason",
}

// isOpen says whether a change of the field may go unnoticed. A player need not
// acknowledge anything; what he did acknowledge is fixed.
func isOpen(c change) bool {
	return strings.HasSuffix(c.field, ".fair.ack") && c.how == "left out" ||
		slices.ContainsFunc(open, func(field string) bool { return strings.HasPrefix(c.field, field) })
}

// TestEveryFieldCounts changes one field of a game at a time, leaves one out or adds to a
// list, and chains all records behind it anew. Whatever can be read from one record or
// another is refused.
func TestEveryFieldCounts(t *testing.T) {
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
			for n := range g.Payloads {
				for _, c := range changesOf(t, g.Payloads[n]) {
					if !isOpen(c) && verify.Game(rechain(g.Payloads, n, c.payload), verify.Legal).OK() {
						t.Errorf("record %d: %s, %s is believed: %s", n, c.field, c.how, c.payload)
					}
				}
			}
		})
	}
}

// A change is a record with something changed in the data or the chance of an event.
type change struct {
	field, how string
	payload    []byte
}

// changesOf lists the changes of a record, each once.
func changesOf(t *testing.T, payload []byte) []change {
	var record map[string]any
	d := json.NewDecoder(bytes.NewReader(payload))
	d.UseNumber()
	if err := d.Decode(&record); err != nil {
		t.Fatal(err)
	}
	var list []change
	for _, e := range record["events"].([]any) {
		event := e.(map[string]any)
		for _, part := range []string{"data", "fair"} {
			path := event["type"].(string)
			if part == "fair" {
				path += ".fair"
			}
			vary(event, part, path, func(field, how string) {
				list = append(list, change{field, how, written(t, record)})
			})
		}
	}
	return list
}

// vary changes what stands at m[key], one thing after the other, and calls did with each.
func vary(m map[string]any, key, path string, did func(field, how string)) {
	old, ok := m[key]
	if !ok {
		return
	}
	set := func(v any, how string) {
		m[key] = v
		did(path, how)
		m[key] = old
	}
	switch v := old.(type) {
	case map[string]any:
		for _, k := range keysOf(v) {
			vary(v, k, path+"."+k, did)
			was := v[k]
			delete(v, k)
			did(path+"."+k, "left out")
			v[k] = was
		}
	case []any:
		for i := range v {
			at := map[string]any{"": v[i]}
			vary(at, "", path, func(field, how string) {
				v[i] = at[""]
				did(field, how)
			})
			v[i] = at[""]
		}
		if len(v) > 0 {
			set(v[:len(v)-1], "one less")
			set(append(slices.Clone(v), v[len(v)-1]), "one more")
		}
	case json.Number:
		n, _ := v.Int64()
		set(n+1, "one more")
		set(n-1, "one less")
	case string:
		for _, i := range []int{0, len(v) - 1} {
			if i >= 0 && i < len(v) {
				changed := forge.Change([][]byte{[]byte(v)}, 0, i)[0]
				set(string(changed), "another text")
			}
		}
	case bool:
		set(!v, "the contrary")
	}
}

func keysOf(m map[string]any) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// written is the record as canonical JSON.
func written(t *testing.T, record any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(record); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'})
}

// rechain puts another record in the place of record n, and its hash wherever a later
// one names the old one's.
func rechain(payloads [][]byte, n int, record []byte) [][]byte {
	told := slices.Clone(payloads)
	told[n] = record
	renamed := []string{}
	for i := n; i < len(told); i++ {
		if i > n {
			told[i] = []byte(strings.NewReplacer(renamed...).Replace(string(payloads[i])))
		}
		renamed = append(renamed, fmt.Sprint(fair.RecordHash(payloads[i])), fmt.Sprint(fair.RecordHash(told[i])))
	}
	return told
}
