package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"chancery/adapters/jetstream"
	"chancery/adapters/sqlstore"
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
	var list []jetstream.Finding
	for _, p := range readModels(l) {
		f := jetstream.Finding{Name: p.Name, Health: well}
		at, err := store.Model(p).Stands(ctx)
		if err == nil {
			err = projections.Known(ctx, l, at)
		}
		if f.Text = fmt.Sprintf("stands at position %d", at.Position); err != nil {
			f.Health, f.Text = unwell, err.Error()
		}
		list = append(list, f)
	}
	return list
}
