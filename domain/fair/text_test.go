package fair

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func TestMIsInjectiveAndStrict(t *testing.T) {
	if string(M("ab", "c")) == string(M("a", "bc")) || string(M()) == string(M("")) {
		t.Error("two lists of fields have the same bytes")
	}
	for name, f := range map[string]func(){
		"a negative number": func() { M(-1) },
		"another type":      func() { M(1.5) },
		"a long field":      func() { M(strings.Repeat("x", 1<<16)) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("M encoded it")
				}
			}()
			f()
		})
	}
	if got := M(strings.Repeat("x", 1<<16-1)); len(got) != 8+2+1<<16-1 {
		t.Errorf("the longest field gave %d bytes", len(got))
	}
}

func TestFixedHashes(t *testing.T) {
	// SHA-256 of a zero byte, which RFC 6962 gives the empty leaf.
	equal(t, "RecordHash", RecordHash(nil), "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d")
	equal(t, "Cause", Cause("g", "k"), H("cause", "g", "k"))
}

func TestValidGameID(t *testing.T) {
	for id, want := range map[string]bool{
		"": false, "a": true, "_": true, "A-z_09": true, "a.b": false, "a b": false, "a*": false, "ä": false, ">": false,
		strings.Repeat("x", 64): true, strings.Repeat("x", 65): false,
	} {
		if got := ValidGameID(id); got != want {
			t.Errorf("ValidGameID(%q) = %v", id, got)
		}
	}
}

func TestTextIsExactlyLowercaseHex(t *testing.T) {
	h := strings.Repeat("0f", 32)
	tests := []struct {
		name, json string
		into       any
		ok         bool
	}{
		{"hash", `"` + h + `"`, new(Hash), true},
		{"uppercase hash", `"` + strings.ToUpper(h) + `"`, new(Hash), false},
		{"short hash", `"` + h[2:] + `"`, new(Hash), false},
		{"long hash", `"` + h + `00"`, new(Hash), false},
		{"no hex", `"` + h[1:] + `g"`, new(Hash), false},
		{"array", `[1]`, new(Hash), false},
		{"salt", `"` + h[:32] + `"`, new(Salt), true},
		{"uppercase salt", `"` + strings.ToUpper(h[:32]) + `"`, new(Salt), false},
		{"long salt", `"` + h + `"`, new(Salt), false},
		{"no leaves", `""`, new(Leaves), true},
		{"two leaves", `"` + h + h + `"`, new(Leaves), true},
		{"a leaf and a half", `"` + h + h[:32] + `"`, new(Leaves), false},
		{"uppercase leaf", `"` + strings.ToUpper(h) + `"`, new(Leaves), false},
		{"reveal", `{"seed":"` + h + `"}`, new(Reveal), true},
		{"uppercase reveal", `{"seed":"` + strings.ToUpper(h) + `"}`, new(Reveal), false},
		{"short reveal", `{"seed":"0f"}`, new(Reveal), false},
	}
	for _, tt := range tests {
		err := json.Unmarshal([]byte(tt.json), tt.into)
		if (err == nil) != tt.ok {
			t.Errorf("%s: %v", tt.name, err)
		}
		if !tt.ok && !errors.Is(err, ErrText) && tt.name != "array" {
			t.Errorf("%s: %v is not ErrText", tt.name, err)
		}
		if !tt.ok {
			continue
		}
		if again, _ := json.Marshal(tt.into); string(again) != tt.json {
			t.Errorf("%s: %s came back as %s", tt.name, tt.json, again)
		}
	}
}

// TestPartsAreCanonical writes every kind of part and compares with the same
// JSON with its keys sorted, which is what encoding/json does to a map.
func TestPartsAreCanonical(t *testing.T) {
	kinds := map[string]bool{}
	for i, p := range append(full().parts, duetGame().parts...) {
		b, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		var m map[string]any
		if err := json.Unmarshal(b, &m); err != nil {
			t.Fatal(err)
		}
		for k := range m {
			kinds[k] = true
		}
		if sorted, _ := json.Marshal(m); string(sorted) != string(b) {
			t.Errorf("part %d is not canonical:\n%s\n%s", i, b, sorted)
		}
		var again Part
		if err := json.Unmarshal(b, &again); err != nil || !reflect.DeepEqual(&again, p) {
			t.Errorf("part %d did not come back: %v\n%s", i, err, b)
		}
	}
	if want := reflect.TypeFor[Part]().NumField(); len(kinds) != want {
		t.Errorf("the games have %d kinds of parts of %d", len(kinds), want)
	}
	const public = `{"draw":{"i":[0],"s":0,"to":-1}}`
	if b, _ := json.Marshal(&Part{Draw: &Draw{I: []int{0}, To: Public}}); string(b) != public {
		t.Errorf("a public draw is %s", b)
	}
}

// TestSecretsAreNeverPrinted prints whatever holds a secret with every verb.
func TestSecretsAreNeverPrinted(t *testing.T) {
	seed := Seed(filled(0xab))
	d := newDealer(vectorGame, seed, 64)
	d.Commit(false)
	d.Anchor(0)
	chain := NewClientChain(vectorGame, 0, filled(0xab), 64)
	for _, v := range []any{seed, &seed, d, *d, chain, *chain, Master(filled(0xab)), Reveal{seed}, []Seed{seed}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%X", "%q", "%d"} {
			text := strings.ToLower(fmt.Sprintf(verb, v))
			for _, secret := range []string{"abab", "171 171", "171, 171", "0xab, 0xab"} {
				if strings.Contains(text, secret) {
					t.Errorf("%s of a %T shows %s", verb, v, text)
				}
			}
		}
	}
	for _, v := range []any{seed, Master(seed), d, chain, map[string]any{"seed": seed}} {
		if b, err := json.Marshal(v); err != nil || strings.Contains(string(b), "abab") || strings.Contains(string(b), "171,171") {
			t.Errorf("JSON of a %T is %s, %v", v, b, err)
		}
	}
	if b, _ := json.Marshal(Reveal{seed}); !strings.Contains(string(b), "abab") {
		t.Errorf("the reveal does not reveal: %s", b)
	}
}

func TestWipe(t *testing.T) {
	d := newDealer(vectorGame, Seed(filled(0xab)), 64)
	d.Commit(false)
	d.Anchor(1)
	server, seat := d.server, d.seats[1]
	server.Link(3)
	d.Wipe()
	if !server.tip.IsZero() || !server.marks[0].IsZero() || !server.stretch[3].IsZero() || !seat.tip.IsZero() {
		t.Error("a secret outlived Wipe")
	}
	if d.seed != (Seed{}) || d.server != nil || d.key != nil {
		t.Error("the dealer can still deal")
	}
}
