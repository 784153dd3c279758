package main

import (
	"context"
	"fmt"
	"time"

	"chancery/adapters/table"
	"chancery/domain/game"
	"chancery/events"
	"chancery/projections/lobby"
)

const (
	demoEvery  = 10 * time.Minute // a variant's demo games begin at least so far apart
	demoGlance = 2 * time.Second  // so often it is looked after
)

// demoPlayers sit down in turns.
var demoPlayers = [2]string{"greedy", "search"}

// A demo keeps programs playing every variant, one game of each at a time, so that
// there is something to watch. The ledger never shrinks: a variant's next game waits
// for the last one to end, and for its time.
type demo struct {
	hall  *table.Hall
	begun map[string]time.Time // when the newest game of each variant was opened
	games int                  // opened so far
}

// runDemo keeps a demo going until ctx ends. A game that cannot be opened is tried again.
// The error is the ledger's.
func runDemo(ctx context.Context, hall *table.Hall, log events.Log) error {
	end, err := log.Last(ctx)
	if err != nil {
		return fmt.Errorf("looking for demo games: %w", err)
	}
	d := demo{hall: hall, begun: map[string]time.Time{}}
	tick := time.NewTicker(demoGlance)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case now := <-tick.C:
			if hall.Lobby.At() >= end { // before, games may be going on that are not listed yet
				d.keepAllUp(ctx, now)
			}
		}
	}
}

func (d *demo) keepAllUp(ctx context.Context, now time.Time) {
	for _, v := range game.Variants() {
		if err := d.keepUp(ctx, v.Key, now); err != nil {
			d.hall.Logger.Warn("a demo game cannot be opened; it is tried again", "variant", v.Key, "err", err)
		}
	}
}

// keepUp opens a game of the variant if none is going on and it is time.
func (d *demo) keepUp(ctx context.Context, variant string, now time.Time) error {
	if begun, known := d.begun[variant]; known && now.Sub(begun) < demoEvery || d.going(variant) {
		return nil
	}
	players := [2]game.Sitter{{Bot: demoPlayers[d.games%2]}, {Bot: demoPlayers[(d.games+1)%2]}}
	id := newGameID()
	if _, _, err := d.hall.Create(ctx, id, id, game.Create{Variant: variant, Color: game.PreferRandom, Seats: players}); err != nil {
		return fmt.Errorf("opening game %s: %w", id, err)
	}
	d.begun[variant] = now
	d.games++
	return nil
}

// going says whether programs play the variant right now.
func (d *demo) going(variant string) bool {
	games, _ := d.hall.Lobby.List(lobby.Query{Variant: variant})
	for _, g := range games {
		if len(g.Seats) == 2 && g.Seats[0].Bot != "" && g.Seats[1].Bot != "" {
			return true
		}
	}
	return false
}
