package fair

import (
	"errors"
	"strings"
	"testing"
)

func TestSealAndUnseal(t *testing.T) {
	master, seed := Master(filled(7)), vectorSeed()
	c := Commitment(vectorGame, seed)
	nonce := [12]byte{1, 2, 3}
	header := Seal(master, "2026-11", vectorGame, c, seed, nonce)
	if got, err := Unseal(master, header, vectorGame, c); err != nil || got != seed {
		t.Fatalf("the seed did not come back: %v", err)
	}
	if kid, err := KidOf(header); err != nil || kid != "2026-11" {
		t.Errorf("KidOf(%q) = %q, %v", header, kid, err)
	}
	if len(header) != len("2026-11.")+80 || strings.ContainsAny(header, "=+/") {
		t.Errorf("header is %q", header)
	}
	// A box that was made for the wrong seed opens, but must be refused.
	lie := Seal(master, "2026-11", vectorGame, c, Seed(filled(9)), nonce)
	boxed := strings.TrimPrefix(header, "2026-11.")
	tests := []struct {
		name, header, game string
		master             Master
		c                  Hash
	}{
		{"another master key", header, vectorGame, Master(filled(8)), c},
		{"another game", header, "test-game-2", master, c},
		{"another commitment", header, vectorGame, master, filled(1)},
		{"another key id", "2026-12." + boxed, vectorGame, master, c},
		{"a changed box", flipped(header, len(header)-1), vectorGame, master, c},
		{"a changed nonce", flipped(header, 8), vectorGame, master, c},
		{"a short box", header[:len(header)-4], vectorGame, master, c},
		{"padding", header + "====", vectorGame, master, c},
		{"no key id", boxed, vectorGame, master, c},
		{"an empty key id", "." + boxed, vectorGame, master, c},
		{"nothing", "", vectorGame, master, c},
		{"another seed", lie, vectorGame, master, c},
	}
	for _, tt := range tests {
		if got, err := Unseal(tt.master, tt.header, tt.game, tt.c); !errors.Is(err, ErrSeal) || got != (Seed{}) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if _, err := KidOf(boxed); !errors.Is(err, ErrSeal) {
		t.Errorf("KidOf without a key id: %v", err)
	}
}

// flipped changes the character at i.
func flipped(s string, i int) string {
	c := byte('A')
	if s[i] == c {
		c = 'B'
	}
	return s[:i] + string(c) + s[i+1:]
}
