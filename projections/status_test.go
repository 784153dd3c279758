package projections

import "testing"

// A server on standby says nothing of a read model that another one writes: what it knows
// of it is old.
func TestStatusOnStandby(t *testing.T) {
	s := Status{Name: "lobby", Condition: Standby, Position: 5, Last: 900}
	if s.Lag() != 0 || s.String() != "projection lobby: standby, another server keeps it up to date" {
		t.Errorf("%d behind, %s", s.Lag(), s)
	}
	if s.Condition = Running; s.Lag() != 895 {
		t.Errorf("running: %d behind", s.Lag())
	}
}
