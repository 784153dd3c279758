package fair

import "testing"

// TestChainsByWalking asks for links in many orders and compares with a walk
// from the tip, for lengths around the stretches that a Chain keeps.
func TestChainsByWalking(t *testing.T) {
	for _, n := range []int{1, 2, 63, 64, 65, 128, 200} {
		want := make([]Hash, n+1)
		want[n] = filled(3)
		for i := n; i > 0; i-- {
			want[i-1] = H("link", vectorGame, Role(1), want[i])
		}
		up, across := NewChain(Role(1), vectorGame, filled(3), n), NewChain(Role(1), vectorGame, filled(3), n)
		if up.Len() != n || up.Anchor() != want[0] {
			t.Fatalf("a chain of %d links begins wrongly", n)
		}
		for i := range want {
			j := i * 37 % (n + 1)
			if up.Link(i) != want[i] || across.Link(j) != want[j] || NextLink(vectorGame, Role(1), up.Link(i)) == want[i] {
				t.Errorf("link %d or %d of %d is wrong", i, j, n)
			}
		}
	}
}

// TestDelegatedChain derives a delegated seat's chain as the protocol says it.
func TestDelegatedChain(t *testing.T) {
	seed := vectorSeed()
	tip := F(seed[:], "seat", vectorGame, "1")
	want := NewChain("1", vectorGame, tip, 4096)
	d := NewDealer(vectorGame, seed)
	if a := d.Anchor(1); !a.Delegated || a.Seat != 1 || a.Y != want.Anchor() {
		t.Errorf("anchor is %+v", a)
	}
	var at State
	for _, opened := range []int{0, 1, 4095} {
		at.Seat[1].Opened = opened
		if l := d.Link(at, 1); l.Seat != 1 || l.Y != want.Link(opened+1) {
			t.Errorf("link after %d is %+v", opened, l)
		}
	}
	if c := d.Commit(true); c.Len != 4096 || !c.Duet || c.Alg != "fair/1" || c.Seats != 2 {
		t.Errorf("commitment is %+v", c)
	}
}
