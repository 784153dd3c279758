package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"chancery/adapters/jetstream"
	"chancery/adapters/sqlstore"
	"chancery/events"
	"chancery/projections"
)

// modelsFound looks at the read models without a server that keeps them.
func (c DoctorCmd) modelsFound(ctx context.Context, l *ledger) []jetstream.Finding {
	if _, err := os.Stat(filepath.Join(c.Data, "read")); err != nil && c.DatabaseURL == "" {
		return []jetstream.Finding{{Name: "read models", Health: well, Text: "none yet; serve makes them"}}
	}
	store, err := c.store(c.Data)
	if errors.Is(err, sqlstore.ErrInUse) { // beside a ledger on NATS servers
		return []jetstream.Finding{{Name: "read models", Health: unknown, Text: "a running server keeps them; its /readyz says how they do"}}
	}
	if err != nil {
		return []jetstream.Finding{{Name: "read models", Health: unwell, Text: err.Error()}}
	}
	defer store.Close()
	last, err := l.Last(ctx) // before the read models are asked, which go on
	if err != nil {
		return []jetstream.Finding{{Name: "read models", Health: unwell, Text: err.Error()}}
	}
	var list []jetstream.Finding
	for _, p := range readModels(l) {
		f := jetstream.Finding{Name: p.Name, Health: well}
		at, err := store.Model(p).Stands(ctx)
		if err == nil {
			err = projections.Known(ctx, l, at)
		}
		f.Text = fmt.Sprintf("stands at position %d", at.Position)
		if err == nil && at.Position < last {
			f, err = behind(ctx, l, at.Position, last, f)
		}
		if err != nil {
			f.Health, f.Text = unwell, err.Error()
		}
		if errors.Is(err, projections.ErrForeign) {
			f.Text += "; compute it anew with chancery rebuild " + p.Name
		}
		list = append(list, f)
	}
	return list
}

// behind says what a read model has still to absorb. Whether somebody is about to, or
// cannot, the server knows.
func behind(ctx context.Context, l *ledger, at, last events.Position, f jetstream.Finding) (jetstream.Finding, error) {
	for next, err := range l.Follow(ctx, at) {
		if err == nil {
			f.Health = unknown
			f.Text += fmt.Sprintf(", %d behind; next is position %d, a record of game %s; if it stays so, the /readyz of the server that keeps it says why", last-at, next.Position, next.Game)
		}
		return f, err
	}
	return f, ctx.Err()
}
