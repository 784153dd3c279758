package main

import (
	"context"
	"errors"
)

// interrupted says that a command ended with err because ctx did: somebody stopped it.
func interrupted(ctx context.Context, err error) bool {
	return ctx.Err() != nil && (errors.Is(err, context.Canceled) || errors.Is(err, context.Cause(ctx)))
}

// leaving does work that cannot look at ctx, and leaves it alone when ctx ends: it must be
// fit to end with the program, at any moment.
func leaving[T any](ctx context.Context, work func() (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	var none T
	if ctx.Err() != nil {
		return none, ctx.Err()
	}
	done := make(chan answer, 1)
	go func() {
		value, err := work()
		done <- answer{value, err}
	}()
	select {
	case a := <-done:
		return a.value, a.err
	case <-ctx.Done():
		return none, ctx.Err()
	}
}
