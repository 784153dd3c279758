package main

import (
	"context"
	"fmt"
	"time"

	"chancery/adapters/keys"
	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
)

// abortAll ends games whose seeds others may know, unrated, and shows the seeds. It says
// of each that its seed was opened.
func abortAll(ctx context.Context, env *Env, log events.Log, ring *keys.Ring, ids []string) error {
	for _, id := range ids {
		if err := abortCompromised(ctx, log, ring, id); err != nil {
			return fmt.Errorf("aborting game %s, whose key is compromised: %w", id, err)
		}
		env.warnf("game %s: its seed was opened and is shown, the game is aborted\n", id)
	}
	return nil
}

func abortCompromised(ctx context.Context, log events.Log, ring *keys.Ring, id string) error {
	g, err := events.Load(ctx, log, id)
	if err != nil || g.State.Over() {
		return err
	}
	seed, err := ring.Unseal(g.Sealed, id, g.State.Fair.C)
	if err != nil {
		return err
	}
	dealer := fair.NewDealer(id, seed)
	defer dealer.Wipe()
	abort := game.Command{At: max(game.Instant(time.Now().UnixMilli()), g.State.At), Action: game.Abort{Reason: game.KeyCompromise}}
	_, _, err = events.Transact(ctx, log, g, abort, events.Terms{Cause: fair.Cause(id, "compromised"), Chance: dealer})
	return err
}
