package main

import (
	"runtime"
	"runtime/debug"
	"testing"
)

func TestGarbagePercent(t *testing.T) {
	for _, tt := range []struct {
		live uint64
		want int
	}{{0, 400}, {garbageRoom / 8, 400}, {garbageRoom / 2, 200}, {garbageRoom, 100}, {100 * garbageRoom, 100}} {
		if got := garbagePercent(tt.live); got != tt.want {
			t.Errorf("beside %d bytes: %d %%, want %d", tt.live, got, tt.want)
		}
	}
}

// What may gather follows what is in use, collection after collection, until it need not.
func TestLimitGarbage(t *testing.T) {
	t.Setenv("GOGC", "")
	percent := func() int {
		p := debug.SetGCPercent(leastGarbage)
		debug.SetGCPercent(p)
		return p
	}
	defer debug.SetGCPercent(percent())
	lift := limitGarbage()
	held := make([]byte, 2*garbageRoom)
	for percent() != leastGarbage {
		runtime.GC()
	}
	runtime.KeepAlive(held)
	for percent() == leastGarbage {
		runtime.GC()
	}
	lift()
	runtime.GC()
	if got := percent(); got != gcPercent {
		t.Errorf("%d %% once it is lifted, want %d", got, gcPercent)
	}
}
