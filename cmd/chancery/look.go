package main

import (
	"fmt"

	"chancery/domain/game"
)

// LookFlags are the flags of commands that show a game.
type LookFlags struct {
	At     *int   `help:"Number of the record after which to look; the newest if left out."`
	As     string `help:"Whose eyes: white, black, seat1, seat2 or spectator." enum:"white,black,seat1,seat2,spectator" default:"spectator"`
	Format string `help:"text, json or fen." enum:"text,json,fen" default:"text"`
}

// seat is the seat that --as names in s.
func (f LookFlags) seat(s game.State) game.Seat {
	switch f.As {
	case "white":
		return s.Commander(game.WhiteArmy)
	case "black":
		return s.Commander(game.BlackArmy)
	case "seat1":
		return game.First
	case "seat2":
		return game.Second
	}
	return game.Spectator
}

// show prints a view in the format asked for.
func (f LookFlags) show(env *Env, v game.View) error {
	if game.LedgerWide(v.Game) && f.Format != "text" {
		return unplayed(v.Game, "--format "+f.Format)
	}
	switch f.Format {
	case "json":
		return env.printJSON(v)
	case "fen":
		if v.FEN == "" {
			return fmt.Errorf("there is no position after record %d yet: the game has not started", v.N)
		}
		env.printf("%s\n", v.FEN)
	default:
		drawView(env.Out, v)
	}
	return nil
}

// unplayed says that one of the ledger's own games lacks what is asked for.
func unplayed(id, what string) error {
	return fmt.Errorf("nobody plays %s, in which the ledger speaks of itself, so there is nothing for %s; chancery export %[1]s writes its records", id, what)
}
