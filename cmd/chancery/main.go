// Command chancery is the game server and everything around it, in one binary.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

// gcPercent lets garbage lie a while longer than usual, unless GOGC says otherwise: the
// broker keeps unpacked blocks of the ledger only until the next collection, and games
// that are loaded after another share them.
const gcPercent = 400

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // who does not want to wait says it again
	code := run(ctx, os.Args[1:], osEnv())
	stop()
	os.Exit(code)
}
