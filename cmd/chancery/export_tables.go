package main

import (
	"context"
	"fmt"

	"chancery/adapters/parquet"
	"chancery/events"
)

// tables brings a folder of tables up to date with the ledger.
func (c ExportCmd) tables(ctx context.Context, env *Env) error {
	switch {
	case len(c.Games) > 0 || c.Since > 0 || c.Proof:
		return usagef("tables are of the whole ledger: leave out the games, --since and --proof; a folder that holds some is brought up to date")
	case c.Out == "" || c.Out == "-":
		return usagef("say into which folder: --out DIR")
	}
	ledger, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer ledger.Close()
	progress := newProgress(env, "records", 0)
	m, err := parquet.Export(ctx, ledger, c.Out, func(at, last events.Position) {
		progress.total = uint64(last)
		progress.at(uint64(at))
	})
	progress.done()
	if err != nil {
		return fmt.Errorf("exporting: %w", err)
	}
	if c.JSON {
		return env.printJSON(exportSummary{Written: int(m.Position), Position: m.Position})
	}
	env.warnf("%s holds all %d records\n", c.Out, m.Position)
	return nil
}
