package main

import "context"

// RebuildCmd computes anew from the ledger what stands beside it.
type RebuildCmd struct {
	Projection string `arg:"" enum:"ledger" help:"What to compute anew. ledger: the Merkle tree, its tiles and entries."`
	LedgerFlags
}

// Help is an example.
func (RebuildCmd) Help() string {
	return "Builds beside what is in use, and takes its place only when it is right. Example:\n\n    chancery rebuild ledger"
}

// Run rebuilds.
func (c RebuildCmd) Run(ctx context.Context, env *Env) error { return c.rebuildTree(ctx, env) }
