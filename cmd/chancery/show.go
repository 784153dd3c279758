package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"chancery/adapters/client"
	"chancery/domain/game"
)

// ShowCmd shows a game, from a server or from the ledger.
type ShowCmd struct {
	Game string `arg:"" name:"game" help:"Game to look at."`
	LookFlags
	ServerFlags
	LedgerFlags
}

// Help is an example.
func (ShowCmd) Help() string {
	return "Asks the server if --server is given, and reads the ledger otherwise. Example:\n\n    chancery show GAME --server http://localhost:8080\n    chancery show GAME --at 3 --format fen"
}

// Run shows the game.
func (c ShowCmd) Run(ctx context.Context, env *Env) error {
	if c.Server != "" {
		v, err := c.ask(ctx, env)
		if err != nil {
			return fmt.Errorf("showing game %s: %w", c.Game, err)
		}
		return c.show(env, v)
	}
	ledger, err := c.LedgerFlags.open(ctx)
	if err != nil {
		return err
	}
	defer ledger.Close()
	p, err := replayGame(ctx, ledger, c.Game, c.At)
	if err != nil {
		return err
	}
	return c.show(env, p.view(c.LookFlags))
}

// ask asks the server: anybody for a spectator's view, and with the seat's token for
// what a seat sees.
func (c ShowCmd) ask(ctx context.Context, env *Env) (game.View, error) {
	api, err := client.New(c.Server, c.Token)
	if err != nil {
		return game.View{}, usageError(err.Error())
	}
	defer api.Close()
	v, err := api.View(ctx, c.Game, c.At, "spectator")
	if err != nil || c.As == "spectator" {
		return v, err
	}
	token, err := c.token(env, v)
	if err != nil {
		return game.View{}, err
	}
	return api.As(token).View(ctx, c.Game, c.At, "")
}

// token is that of --token, or of the seat that is kept.
func (c ShowCmd) token(env *Env, v game.View) (string, error) {
	if c.Token != "" {
		return c.Token, nil
	}
	seats, err := keep(env)
	if err != nil {
		return "", err
	}
	seat := namedSeat(v, c.As)
	if seat == game.Spectator {
		return "", usagef("nobody plays %s in this game yet; try --as seat1 or seat2", c.As)
	}
	kept, err := seats.Load(c.Game, seat)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", usagef("to see the game as %s give the token of that seat with --token", c.As)
	case err != nil:
		return "", err
	}
	return kept.Token, nil
}

// namedSeat is the seat that is called so, by its army or by its number.
func namedSeat(v game.View, name string) game.Seat {
	for _, s := range v.Seats {
		if s.Army == name || s.Seat.String() == name {
			return s.Seat
		}
	}
	return game.Spectator
}
