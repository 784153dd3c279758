package main

import (
	"path/filepath"
	"time"

	"chancery/adapters/accounts"
	"chancery/adapters/sqlstore"
)

// people opens the accounts of players: beside the read models in a database, and
// otherwise in a file of their own, for they cannot be computed anew.
func (c ServeCmd) people() (*accounts.Accounts, *sqlstore.Players, error) {
	kept, err := sqlstore.OpenPlayers(c.DatabaseURL, filepath.Join(c.Data, "players", "players.db"))
	if err != nil {
		return nil, nil, err
	}
	return accounts.New(kept, time.Now), kept, nil
}
