package main

import (
	"os"
	"path/filepath"

	"chancery/adapters/client"
	who "chancery/domain/player"
)

// ServerFlags say which server a command talks to.
type ServerFlags struct {
	Server string `help:"Address of the server." env:"CHANCERY_SERVER" placeholder:"URL"`
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
// without a name. That of another seat says nothing about who takes this one.
func (f ServerFlags) takingSeats() string {
	if who.IsToken(f.Token) {
		return f.Token
	}
	return ""
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
