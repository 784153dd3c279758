package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"strings"
	"time"

	"chancery/adapters/client"
	"chancery/domain/game"
)

// NewCmd opens a game on a server.
type NewCmd struct {
	Variant  string            `required:"" help:"Variant to play."`
	Option   map[string]string `help:"Options of the variant, k=v."`
	Color    string            `help:"The army you want: white, black or random." enum:"white,black,random" default:"white"`
	Clock    string            `help:"Time a side and what it gets for a move, such as 5m+3s; no clock if left out."`
	Start    string            `help:"FEN of an agreed start position." placeholder:"FEN"`
	Opponent string            `help:"A bot of the server to play against."`
	Delegate bool              `help:"Leave your part of chance to the server, as a client without a chain of its own does."`
	JSON     bool              `help:"For programs."`
	ServerFlags
}

// Help is an example.
func (NewCmd) Help() string {
	return "Keeps your seat and its chain of links in your configuration folder. Example:\n\n    chancery new --variant nocastle --clock 5m+3s --server http://localhost:8080"
}

// Run opens the game.
func (c NewCmd) Run(ctx context.Context, env *Env) error {
	clock, err := parseClock(c.Clock)
	if err != nil {
		return err
	}
	seats, err := keep(env)
	if err != nil {
		return err
	}
	token, err := c.takingSeats()
	if err != nil {
		return err
	}
	api, err := client.New(c.address(), token)
	if err != nil {
		return usageError(err.Error())
	}
	api.Waiting = env.waits
	defer api.Close()
	seat := client.NewSeat(c.address(), newGameID(), game.First)
	ask := client.Create{
		Variant: c.Variant, Options: parseOptions(c.Option), Color: game.ColorPref(c.Color), Clock: clock, Start: c.Start, ID: seat.Game,
	}
	if c.Opponent != "" {
		ask.Opponent = &client.Opponent{Bot: c.Opponent}
	}
	if c.Delegate {
		seat.Delegate()
	} else {
		anchor := seat.Anchor()
		ask.Anchor = &anchor
	}
	answer, err := api.Create(ctx, ask, client.NewKey())
	if err != nil {
		return fmt.Errorf("creating the game: %w", err)
	}
	seat.Token = answer.Token
	if err := seats.Save(seat); err != nil {
		return err
	}
	return c.report(env, answer)
}

func (c NewCmd) report(env *Env, answer client.Seated) error {
	if c.JSON {
		return env.printJSON(answer)
	}
	env.printf("Game %s is open. Your seat's token, which is kept for you:\n\n    %s\n\n", answer.ID, answer.Token)
	env.printf("Play it here:                       chancery play %s --server %s\n", answer.ID, c.address())
	if c.Opponent == "" {
		env.printf("Somebody else takes the other seat: chancery play %s --server %s --join\n", answer.ID, c.address())
	}
	return nil
}

// newGameID is 22 characters of 128 random bits. Ids that begin with an underscore are
// the server's own, and one that begins with a hyphen would look like a flag.
func newGameID() string {
	for {
		var b [16]byte
		_, _ = rand.Read(b[:]) // never fails
		if id := base64.RawURLEncoding.EncodeToString(b[:]); id[0] != '_' && id[0] != '-' {
			return id
		}
	}
}

// parseClock reads base and increment, such as 5m+3s, 90s or 1h30m+0s.
func parseClock(s string) (*game.ClockSpec, error) {
	if s == "" {
		return nil, nil
	}
	base, increment, _ := strings.Cut(s, "+")
	if increment == "" {
		increment = "0s"
	}
	b, err := time.ParseDuration(base)
	if err != nil {
		return nil, usagef("--clock is like 5m+3s, not %q", s)
	}
	i, err := time.ParseDuration(increment)
	if err != nil {
		return nil, usagef("--clock is like 5m+3s, not %q", s)
	}
	return &game.ClockSpec{Base: b.Milliseconds(), Increment: i.Milliseconds()}, nil
}
