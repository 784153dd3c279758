package tlog

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chancery/domain/game"
	"chancery/events"
)

// SoftwareGame is the game in which the ledger says which programs it hands out.
const SoftwareGame = "_software"

// Release writes into the log which programs are handed out, in one record, as far as
// what was last said under their names is something else. Instances that do so at the
// same time write it once.
func Release(ctx context.Context, log events.Log, now time.Time, programs []game.SoftwareReleased) error {
	for {
		g, newest, err := Released(ctx, log)
		if err != nil {
			return fmt.Errorf("reading which programs were released: %w", err)
		}
		var due []game.SoftwareReleased
		key := fmt.Sprintf("release/%d", g.N+1)
		for _, p := range programs {
			if newest[p.Name] != p.SHA256 {
				due = append(due, p)
				key += "/" + p.Name + "=" + p.SHA256
			}
		}
		if len(due) == 0 {
			return nil
		}
		if err := say(ctx, log, g, now, key, due...); err != nil && !errors.Is(err, events.ErrConflict) {
			return fmt.Errorf("recording which programs are released: %w", err)
		}
	}
}

// Released reads the newest SHA-256 of each program that the log has announced, by name.
func Released(ctx context.Context, log events.Log) (g events.Game, newest map[string]string, err error) {
	g, newest = events.NewGame(SoftwareGame), map[string]string{}
	for step, err := range events.Steps(ctx, log, g) {
		if err != nil {
			return g, newest, err
		}
		g = step.Game
		for _, e := range step.Record.Events {
			if f, ok := e.Fact.(game.SoftwareReleased); ok {
				newest[f.Name] = f.SHA256
			}
		}
	}
	return g, newest, nil
}
