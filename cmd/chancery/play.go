package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"

	"chancery/adapters/client"
	"chancery/domain/game"
)

// PlayCmd plays a game on a server from the terminal, or from a program over pipes.
type PlayCmd struct {
	Game string `arg:"" name:"game" help:"Game to play."`
	Join bool   `help:"Take the second seat first."`
	Seat string `help:"Which seat to play, where both are kept here: seat1 or seat2." enum:"seat1,seat2," default:""`
	ServerFlags
}

// Help is an example.
func (PlayCmd) Help() string {
	return "Type moves (e2e4 or Nf3), and help for the rest. Your links of chance are released by the rules of the protocol, and everything the server says is checked. Example:\n\n    chancery play GAME --server http://localhost:8080 --join"
}

// Run plays until the game is over or the player quits.
func (c PlayCmd) Run(ctx context.Context, env *Env) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	seats, err := keep(env)
	if err != nil {
		return err
	}
	seat, err := c.sit(ctx, env, seats)
	if err != nil {
		return err
	}
	api, err := client.New(seat.Server, seat.Token)
	if err != nil {
		return usageError(err.Error())
	}
	api.Waiting = env.waits
	defer api.Close()
	p := player{
		env: env, api: api, seat: seat, seats: seats, table: client.NewTable(seat.Game, seat.Pin),
		terminal: env.InTerminal,
	}
	return p.play(ctx)
}

// sit finds the seat: the one that is kept, the one of the token, or a new one.
func (c PlayCmd) sit(ctx context.Context, env *Env, seats client.Keep) (*client.Seat, error) {
	if c.Join {
		return c.join(ctx, env, seats)
	}
	wanted := game.Spectator
	for _, s := range game.Players {
		if s.String() == c.Seat {
			wanted = s
		}
	}
	kept, err := seats.Load(c.Game, wanted)
	switch {
	case err == nil:
		if c.Server != "" {
			kept.Server = c.Server
		}
		if c.Token != "" {
			kept.Token = c.Token
		}
		return kept, nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	case c.Token == "":
		return nil, usagef("no seat of game %s is kept here: take one with --join, or give its token with --token", c.Game)
	}
	return c.withToken(ctx)
}

// withToken is a seat taken elsewhere: the server says which one the token is of.
func (c PlayCmd) withToken(ctx context.Context) (*client.Seat, error) {
	api, err := client.New(c.address(), c.Token)
	if err != nil {
		return nil, usageError(err.Error())
	}
	defer api.Close()
	v, err := api.View(ctx, c.Game, nil, "")
	if err != nil {
		return nil, fmt.Errorf("looking at game %s: %w", c.Game, err)
	}
	for _, s := range game.Players {
		if v.As == fmt.Sprint(s.Wire()) {
			return &client.Seat{Server: c.address(), Game: c.Game, Seat: s, Token: c.Token}, nil
		}
	}
	return nil, fmt.Errorf("the token is of no seat of game %s", c.Game)
}

// join takes the second seat with a chain of its own. The chain is kept before it is
// used: a join whose answer is lost is asked for again with the same key.
func (c PlayCmd) join(ctx context.Context, env *Env, seats client.Keep) (*client.Seat, error) {
	token, err := c.takingSeats()
	if err != nil {
		return nil, err
	}
	api, err := client.New(c.address(), token)
	if err != nil {
		return nil, usageError(err.Error())
	}
	api.Waiting = env.waits
	defer api.Close()
	seat, err := seats.Load(c.Game, game.Second)
	if errors.Is(err, fs.ErrNotExist) {
		seat, err = client.NewSeat(c.address(), c.Game, game.Second), nil
		seat.JoinKey = client.NewKey()
	}
	if err != nil {
		return nil, err
	}
	if err := seats.Save(seat); err != nil {
		return nil, err
	}
	anchor, link := seat.Anchor(), seat.FirstLink()
	answer, err := api.Join(ctx, c.Game, client.Join{Anchor: &anchor, Link: &link}, seat.JoinKey)
	if err != nil {
		return nil, fmt.Errorf("joining game %s: %w", c.Game, err)
	}
	seat.Token = answer.Token
	return seat, seats.Save(seat)
}

// lines sends the lines of standard input, and closes the channel at its end.
func lines(ctx context.Context, env *Env) <-chan string {
	out := make(chan string)
	go func() {
		defer close(out)
		in := bufio.NewScanner(env.In)
		for in.Scan() {
			select {
			case out <- in.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}
