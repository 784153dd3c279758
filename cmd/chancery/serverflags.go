package main

import (
	"os"
	"path/filepath"

	"chancery/adapters/client"
	who "chancery/domain/player"
)

// ServerFlags say which server a command talks to.
type ServerFlags struct {
	Server string `help:"Address of the server; new and play ask http://localhost:8080 if left out." env:"CHANCERY_SERVER" placeholder:"URL"`
	Token  string `help:"Token of the seat, or of a player for the seats he takes; what is kept from new and join if left out." env:"CHANCERY_TOKEN"`
}

// usualServer is where chancery serve listens.
const usualServer = "http://localhost:8080"

func (f ServerFlags) address() string {
	if f.Server == "" {
		return usualServer
	}
	return f.Server
}

// takingSeats is the token with which a seat is taken: a player's, or none for somebody
// without a name. Another one would seat somebody without a name who thinks he has one.
func (f ServerFlags) takingSeats() (string, error) {
	if f.Token != "" && !who.IsToken(f.Token) {
		return "", usagef("a seat is taken with the token of a player, which begins with player_, or without any: leave --token and CHANCERY_TOKEN out to play without a name")
	}
	return f.Token, nil
}

// keep is the folder in which the seats of this person are kept.
func keep(env *Env) (client.Keep, error) {
	dir := env.Getenv("XDG_CONFIG_HOME")
	if dir == "" {
		var err error
		if dir, err = os.UserConfigDir(); err != nil {
			return client.Keep{}, err
		}
	}
	return client.NewKeep(filepath.Join(dir, "chancery", "seats")), nil
}
