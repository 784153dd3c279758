package player

import (
	"strings"
	"testing"
)

func TestCheckName(t *testing.T) {
	for name, good := range map[string]bool{
		"ada": true, "Ada-Lovelace_1815": true, strings.Repeat("a", 20): true,
		"": false, "ab": false, strings.Repeat("a", 21): false, "1ada": false, "-ada": false, "ada lovelace": false,
		`ad]a`: false, `ad"a`: false, `ad\a`: false, "ad\na": false, "ada\u202e": false, "аda": false, "ada♟": false, strings.Repeat("a", 200): false,
		"admin": false, "ADMIN": false, "Guest-12": false, "guest": false, "guestbook": true,
	} {
		if err := CheckName(name); (err == nil) != good {
			t.Errorf("name %q: %v", name, err)
		}
	}
}

func TestCheckPassword(t *testing.T) {
	for password, good := range map[string]bool{
		"short": false, "12345678": true, "żółć ♟ ok": true, "żółćżół": false, strings.Repeat("x", 200): true, strings.Repeat("x", 201): false, "12345678\xff": false,
	} {
		if err := CheckPassword(password); (err == nil) != good {
			t.Errorf("password %q: %v", password, err)
		}
	}
}

// An id says by itself whether its games count.
func TestKindsOfIDs(t *testing.T) {
	for id, account := range map[string]bool{"": false, GuestID("X7"): false, "p1": true} {
		if IsAccount(id) != account || IsGuest(id) == account && id != "" {
			t.Errorf("id %q: account %v, guest %v", id, IsAccount(id), IsGuest(id))
		}
	}
}

// A name that passes stands in a PGN tag as it is, and no two that pass are told apart by case.
func FuzzCheckName(f *testing.F) {
	for _, seed := range []string{"ada", "Guest-1", "a]b", "ab", "Ada_1815"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		ok := CheckName(name) == nil
		if ok != (CheckName(strings.ToUpper(name)) == nil) && strings.EqualFold(strings.ToUpper(name), name) {
			t.Errorf("%q: %v, in capitals otherwise", name, ok)
		}
		if ok && (strings.ContainsAny(name, "[]\"\\ \n") || len(name) > maxName) {
			t.Errorf("%q passed", name)
		}
	})
}
