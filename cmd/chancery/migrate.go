package main

import (
	"context"
	"fmt"

	"chancery/adapters/jetstream"
	"chancery/adapters/sqlstore"
)

// MigrateCmd makes the ledger on NATS servers, which the server itself may not, and the
// tables of the read models, which it may.
type MigrateCmd struct {
	NATSURL   string `name:"nats-url" required:"" help:"NATS servers." env:"CHANCERY_NATS_URL" placeholder:"URL"`
	NATSCreds string `name:"nats-creds" help:"File of an administrator's NATS credentials." env:"CHANCERY_NATS_CREDS" placeholder:"FILE"`
	Replicas  int    `help:"Replicas of the ledger." default:"3" env:"CHANCERY_REPLICAS"`
	DatabaseFlags
}

// Help is an example.
func (MigrateCmd) Help() string {
	return "Creates the stream of the ledger if there is none, and checks the one there is; it never changes one. With --database-url it makes the tables of the read models too, where there are none; a server does so by itself. A ledger in a data directory needs no migration. Example:\n\n    chancery migrate --nats-url nats://nats:4222 --nats-creds admin.creds"
}

// Run creates or checks.
func (c MigrateCmd) Run(ctx context.Context, env *Env) error {
	remote := jetstream.Remote{URL: c.NATSURL, Credentials: c.NATSCreds, Replicas: c.Replicas}
	if err := jetstream.Migrate(ctx, remote); err != nil {
		return fmt.Errorf("migrating: %w", err)
	}
	env.printf("the ledger at %s is there and set up as it must be\n", c.NATSURL)
	if c.DatabaseURL == "" {
		return nil
	}
	store, err := c.store("")
	if err != nil {
		return err
	}
	defer store.Close()
	for _, p := range readModels(nil) {
		if _, err := store.Model(p).Stands(ctx); err != nil {
			return fmt.Errorf("migrating: %w", err)
		}
	}
	players, err := sqlstore.OpenPlayers(c.DatabaseURL, "")
	if err != nil {
		return err
	}
	defer players.Close()
	if err := players.Migrate(ctx); err != nil {
		return fmt.Errorf("migrating: %w", err)
	}
	env.printf("the read models and the accounts have their tables\n")
	return nil
}
