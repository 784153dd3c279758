package main

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

const (
	// garbageRoom is how many bytes of garbage may lie while a whole ledger is read in
	// order, which needs no block twice. Where more is in use Go's own measure holds: as
	// much garbage as there is in use.
	garbageRoom  = 128 << 20
	leastGarbage = 100
)

// garbagePercent is how much garbage may lie in garbageRoom, in percent of the bytes in use.
func garbagePercent(live uint64) int {
	return int(min(max(garbageRoom*100/max(live, 1), leastGarbage), gcPercent))
}

// limitGarbage keeps garbage within garbageRoom until lift is called, which may be called
// again. Where the environment has GOGC that holds.
func limitGarbage() (lift func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	var mu sync.Mutex
	lifted := false
	var fit func(struct{})
	fit = func(struct{}) { // anew after each collection, which the next cleanup tells of
		mu.Lock()
		defer mu.Unlock()
		if lifted {
			return
		}
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		debug.SetGCPercent(garbagePercent(live[0].Value.Uint64()))
		runtime.AddCleanup(new([64]byte), fit, struct{}{})
	}
	fit(struct{}{})
	return sync.OnceFunc(func() {
		mu.Lock()
		defer mu.Unlock()
		lifted = true
		debug.SetGCPercent(gcPercent)
	})
}

// catchUp limits the garbage of a server that reads the ledger from its beginning, which
// the audit does at every start and read models do when they are new, until both have
// read what there was.
func catchUp(ctx context.Context, audited <-chan struct{}, behind func(context.Context) bool) {
	defer limitGarbage()()
	select {
	case <-ctx.Done():
	case <-audited:
	}
	again := time.NewTicker(time.Second)
	defer again.Stop()
	for ctx.Err() == nil && behind(ctx) {
		select {
		case <-ctx.Done():
		case <-again.C:
		}
	}
}
