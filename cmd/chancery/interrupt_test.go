package main

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
)

// Whoever stops a command reads that it was stopped, and not how we tell each other so.
func TestStopped(t *testing.T) {
	nobody, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody.Close()
	silent, typist := io.Pipe() // nobody types
	t.Cleanup(func() { typist.Close() })
	broker := "nats://" + nobody.Addr().String()
	for _, args := range [][]string{
		{"serve", "--listen", "127.0.0.1:0", "--data", t.TempDir(), "--nats-url", broker},
		{"show", "GAME", "--nats-url", broker},
		{"backup", "--out", t.TempDir() + "/b", "--nats-url", broker},
		{"new", "--variant", "chess", "--server", "http://" + nobody.Addr().String()},
		{"perft", "--variant", "chess", "--depth", "7"},
		{"perft", "--variant", "chess", "--depth", "7", "--divide"},
		{"bench", "perft"},
		{"simulate", "--games", "1000000", "--lazy"},
		{"verify", "-"},
		{"replay", "-"},
	} {
		t.Run(strings.Join(args[:2], " "), func(t *testing.T) {
			t.Parallel()
			ctx, stop := context.WithCancel(t.Context())
			stop()
			var out, told safeBuffer
			if code := run(ctx, args, &Env{In: silent, Out: &out, Err: &told, Getenv: func(string) string { return "" }}); code != exitFailed {
				t.Errorf("exit %d", code)
			}
			if got := told.String(); !strings.HasSuffix(got, "chancery: stopped before it was done\n") || strings.Contains(got, "canceled") {
				t.Errorf("%s%s", out.String(), got)
			}
		})
	}
}

// What cannot be stopped is left alone.
func TestLeaving(t *testing.T) {
	ctx, stop := context.WithCancelCause(t.Context())
	begun, end := make(chan struct{}), make(chan struct{})
	defer close(end)
	go func() {
		<-begun
		stop(io.ErrUnexpectedEOF)
	}()
	n, err := leaving(ctx, func() (int, error) {
		close(begun)
		<-end
		return 7, nil
	})
	if n != 0 || !interrupted(ctx, err) || !interrupted(ctx, context.Cause(ctx)) || interrupted(ctx, io.EOF) || interrupted(t.Context(), context.Canceled) {
		t.Errorf("%d, %v", n, err)
	}
	if n, err := leaving(t.Context(), func() (int, error) { return 7, io.EOF }); n != 7 || !errors.Is(err, io.EOF) {
		t.Errorf("%d, %v", n, err)
	}
}
