package httpapi

import (
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"unicode/utf8"

	"chancery/domain/game"
)

func TestStrictJSON(t *testing.T) {
	tests := []struct {
		name, body string
		wrong      string // part of the fault; empty: there is none
	}{
		{"an object", `{"a":[1,{"b":null}],"c":"x"}`, ""},
		{"the same key in two objects", `{"a":{"k":1},"b":{"k":1}}`, ""},
		{"a key that is a value too", `{"a":"a","b":"a"}`, ""},
		{"nothing", ``, "no body"},
		{"blanks", " \n", "no body"},
		{"half", `{"a":`, "ends too early"},
		{"half a text", `{"a":"b`, "ends too early"},
		{"no JSON", `a=b`, "not JSON"},
		{"two values", `{}{}`, "follows"},
		{"a key twice", `{"a":1,"a":2}`, "twice"},
		{"a key twice, deep", `{"x":[{"a":1,"a":2}]}`, "twice"},
		{"escaped twice", `{"a":1,"\u0061":2}`, "twice"},
		{"no UTF-8", "{\"a\":\"\xff\"}", "UTF-8"},
		{"a tower", strings.Repeat("[", 20) + strings.Repeat("]", 20), "deeply"},
		{"a fraction", `{"a":{"clock":1.5}}`, `"clock" takes a whole number`},
		{"an exponent", `{"a":1e2}`, `"a" takes a whole number`},
		{"too many digits", `{"a":99999999999999999999}`, `"a" takes a whole number`},
		{"a whole number", `{"a":-9223372036854775808}`, ""},
		{"a comma too many", `{"a":1,}`, "not JSON"},
		{"a number as a key", `{1:1}`, "not JSON"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := strictJSON([]byte(tt.body))
			if tt.wrong == "" && got != "" || !strings.Contains(got, tt.wrong) {
				t.Errorf("%q, want %q", got, tt.wrong)
			}
		})
	}
}

func FuzzStrictJSON(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2,{"b":"c"}]}`, `{"a":1,"a":2}`, `[[[]]]`, `"x`, "\xff", `{}{}`, `{"a":}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		fault := strictJSON(b)
		if again := strictJSON(append([]byte(" "), b...)); (fault == "") != (again == "") {
			t.Errorf("%q: %q, and with a blank before it %q", b, fault, again)
		}
		if fault == "" && !utf8.Valid(b) {
			t.Errorf("%q passed", b)
		}
	})
}

func TestEveryProblemIsExplained(t *testing.T) {
	for code, k := range kinds {
		if k.status < 400 || k.status > 599 || k.title == "" {
			t.Errorf("%s: %+v", code, k)
		}
	}
	if p := newProblem("a_code_of_a_new_rule", "x"); p.Status != 400 || p.Type != "/problems/a_code_of_a_new_rule" {
		t.Errorf("an unlisted code: %+v", p)
	}
}

func TestKeys(t *testing.T) {
	tests := map[string]bool{
		"":                          false,
		"short":                     false,
		strings.Repeat("k", 21):     false,
		strings.Repeat("k", 22):     true,
		strings.Repeat("k", 200):    true,
		strings.Repeat("k", 201):    false,
		strings.Repeat("k k", 10):   false,
		strings.Repeat("é", 22):     false,
		"a1B2-c3D4_e5F6.g7H8~i9+/=": true,
	}
	for key, good := range tests {
		if err := checkKey(key); (err == nil) != good {
			t.Errorf("key %q: %v", key, err)
		}
	}
	made, err := keyOr("")
	if err != nil || checkKey(made) != nil {
		t.Errorf("a made key %q: %v", made, err)
	}
}

func TestETagMatches(t *testing.T) {
	for header, want := range map[string]bool{
		`"5"`: true, `W/"5"`: true, `"4", "5"`: true, `*`: true, `"4"`: false, ``: false, `5`: false,
	} {
		if got := matches(header, `"5"`); got != want {
			t.Errorf("If-None-Match %s: %v", header, got)
		}
	}
}

// What a header says counts only as far as trusted proxies have written it.
func TestAddress(t *testing.T) {
	a := &API{Config: Config{TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8::7/128"), netip.MustParsePrefix("fe80::7/128")}}}
	tests := []struct {
		name, peer string
		forwarded  []string
		want       string
	}{
		{"nobody between", "192.0.2.1:5", nil, "192.0.2.1"},
		{"a stranger who says he is another", "192.0.2.1:5", []string{"198.51.100.9"}, "192.0.2.1"},
		{"through a proxy", "10.0.0.1:5", []string{"198.51.100.9"}, "198.51.100.9"},
		{"through a proxy on an IPv6 socket", "[::ffff:10.0.0.1]:5", []string{"198.51.100.9"}, "198.51.100.9"},
		{"through two proxies", "10.0.0.1:5", []string{"198.51.100.9, 10.0.0.2"}, "198.51.100.9"},
		{"with a forged beginning", "10.0.0.1:5", []string{"203.0.113.1", "203.0.113.2, 198.51.100.9"}, "198.51.100.9"},
		{"with a beginning that is no address", "10.0.0.1:5", []string{"me, 10.0.0.2"}, "10.0.0.2"},
		{"a proxy that adds nothing", "10.0.0.1:5", nil, "10.0.0.1"},
		{"through a proxy that writes ports", "10.0.0.1:5", []string{"[2001:db8:1:2:3::4]:443, 10.0.0.2:80"}, "2001:db8:1:2::"},
		{"through a proxy that writes IPv4 as IPv6", "10.0.0.1:5", []string{"::ffff:198.51.100.9"}, "198.51.100.9"},
		{"through a proxy on the same link", "[fe80::7%eth0]:5", []string{"198.51.100.9"}, "198.51.100.9"},
		{"neighbours on a link", "[fe80::8%eth0]:5", []string{"198.51.100.9"}, "fe80::"},
		{"through a proxy that adds what is no address", "10.0.0.1:5", []string{"198.51.100.9, unknown"}, "10.0.0.1"},
		{"an IPv6 network", "[2001:db8::7]:5", []string{"2001:db8:1:2:3::4"}, "2001:db8:1:2::"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := &http.Request{RemoteAddr: tt.peer, Header: http.Header{"X-Forwarded-For": tt.forwarded}}
			if got := a.address(r); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

// Every code of the game has a status, so that no refusal reaches a client unnamed.
func TestCodesOfTheGame(t *testing.T) {
	for _, code := range []game.Code{
		game.IllegalMove, game.NotYourTurn, game.WrongPhase, game.NotPending, game.GameOver, game.NotStarted,
		game.AlreadyJoined, game.BadCommand, game.BadOption, game.BadPosition, game.BadLink, game.Stale, game.CardNotHeld,
		game.CardNotLive, game.MustPlay, game.WrongCount, game.ColorNeeded, game.Exists,
	} {
		if _, ok := kinds[code]; !ok {
			t.Errorf("%s has no status", code)
		}
	}
}
