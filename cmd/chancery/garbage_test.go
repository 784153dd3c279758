package main

import (
	"context"
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

// It lasts as long as the audit or a read model has much to read.
func TestCatchUp(t *testing.T) {
	t.Setenv("GOGC", "")
	defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	audited, asked := make(chan struct{}), 0
	close(audited)
	catchUp(t.Context(), audited, func(context.Context) bool {
		asked++
		return asked < 2
	})
	if asked != 2 {
		t.Errorf("the read models were asked %d times, want until they were there", asked)
	}
	if got := debug.SetGCPercent(gcPercent); got != gcPercent {
		t.Errorf("%d %% afterwards, want %d", got, gcPercent)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	catchUp(ctx, nil, nil) // a server that is stopped waits for neither
}
