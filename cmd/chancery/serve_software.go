package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"path"

	"chancery/adapters/tlog"
	"chancery/domain/game"
)

// release writes into the ledger which scripts this server hands out with its pages,
// where the ledger does not say so already. A server without pages hands out none. The
// pages are served even where this fails; it is tried again whenever the keys are read.
func (p *publicLedger) release(ctx context.Context) {
	if p.released {
		return
	}
	scripts, err := scriptsOf(p.pages)
	if err == nil {
		err = tlog.Release(ctx, p.Log, p.Now(), scripts)
	}
	if err != nil && ctx.Err() == nil {
		p.logger.Error("the ledger does not say yet which scripts are served", "err", err)
	}
	p.released = err == nil
}

// scriptsOf lists the scripts among the pages' files, by name, and what they hash to.
func scriptsOf(pages fs.FS) ([]game.SoftwareReleased, error) {
	var list []game.SoftwareReleased
	if pages == nil {
		return nil, nil
	}
	err := fs.WalkDir(pages, ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".mjs" {
			return err
		}
		script, err := fs.ReadFile(pages, name)
		sum := sha256.Sum256(script)
		list = append(list, game.SoftwareReleased{Name: name, SHA256: hex.EncodeToString(sum[:])})
		return err
	})
	return list, err
}
