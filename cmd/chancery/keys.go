package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"chancery/adapters/keys"
	"chancery/adapters/notes"
	"chancery/domain/fair"
	"chancery/events"
)

// KeysCmd makes, lists and retires keys.
type KeysCmd struct {
	New    KeysNewCmd    `cmd:"" help:"Make the first set of keys."`
	List   KeysListCmd   `cmd:"" help:"Name the keys, and show the public ones."`
	Rotate KeysRotateCmd `cmd:"" help:"Make the successor of a key."`
	Retire KeysRetireCmd `cmd:"" help:"Destroy a seal key that no unfinished game needs."`
}

// KeyFlags say where the keys are.
type KeyFlags struct {
	Keys string `help:"Key directory; keys in the data directory if left out." env:"CHANCERY_KEYS" placeholder:"DIR"`
}

func (f KeyFlags) dir(data string) string {
	if f.Keys != "" {
		return f.Keys
	}
	return filepath.Join(data, "keys")
}

// open opens a set of keys that is there.
func (f KeyFlags) open(data string) (*keys.Ring, error) {
	dir := f.dir(data)
	if !keys.Exists(dir) {
		return nil, fmt.Errorf("there are no keys in %s: say where they are with --keys, or make them with chancery keys new", dir)
	}
	return keys.Open(dir, time.Now(), rand.Reader)
}

// DataFlag says where the data directory is.
type DataFlag struct {
	Data string `help:"Data directory." default:"data" env:"CHANCERY_DATA" placeholder:"DIR"`
}

// KeysNewCmd makes the first set of keys.
type KeysNewCmd struct {
	KeyFlags
	DataFlag
}

// Help is an example.
func (KeysNewCmd) Help() string {
	return "A server makes its keys by itself at its first start; several instances need one set beforehand. Keep a copy apart from the backups. Example:\n\n    chancery keys new --keys /etc/chancery/keys"
}

// Run makes the keys.
func (c KeysNewCmd) Run(env *Env) error {
	dir := c.dir(c.Data)
	if keys.Exists(dir) {
		return fmt.Errorf("there are keys in %s already; make a successor with chancery keys rotate", dir)
	}
	ring, err := keys.Open(dir, time.Now(), rand.Reader)
	if err != nil {
		return err
	}
	env.printf("The keys are in %s; new games are sealed under %s. Keep a copy of the directory apart from the backups.\n", dir, ring.Kid())
	return nil
}

// KeysListCmd names the keys.
type KeysListCmd struct {
	Origin string `help:"Name of the ledger; the one it has if left out." env:"CHANCERY_ORIGIN" placeholder:"NAME"`
	JSON   bool   `help:"For programs."`
	KeyFlags
	DataFlag
}

// Help is an example.
func (KeysListCmd) Help() string {
	return "Nothing secret is shown. Example:\n\n    chancery keys list --origin chess.example/ledger"
}

// A keyList is what keys list prints.
type keyList struct {
	Seal   []string `json:"seal"`   // the newest last
	Log    []string `json:"log"`    // public keys that sign now, the newest first
	Former []string `json:"former"` // public keys that have signed
}

// Run lists them.
func (c KeysListCmd) Run(ctx context.Context, env *Env) error {
	ring, err := c.open(c.Data)
	if err != nil {
		return err
	}
	origin, err := c.origin(ctx)
	if err != nil {
		return err
	}
	list := keyList{Seal: ring.Kids(), Log: []string{}, Former: []string{}}
	signing := ring.LogKeys(origin, time.Now())
	for i, k := range ring.AllLogKeys(origin) {
		if i < len(signing) {
			list.Log = append(list.Log, k.Public())
		} else {
			list.Former = append(list.Former, k.Public())
		}
	}
	if c.JSON {
		return env.printJSON(list)
	}
	for _, kid := range list.Seal {
		env.printf("seal    %s\n", kid)
	}
	for _, key := range list.Log {
		env.printf("log     %s\n", key)
	}
	for _, key := range list.Former {
		env.printf("former  %s\n", key)
	}
	return nil
}

// origin is the ledger's name, without making anything.
func (c KeysListCmd) origin(ctx context.Context) (string, error) {
	dir := filepath.Join(c.Data, "notes")
	if _, err := os.Stat(dir); c.Origin == "" && errors.Is(err, fs.ErrNotExist) {
		return defaultOrigin, nil
	}
	kept, err := notes.Open(dir)
	if err != nil {
		return "", err
	}
	return originOf(ctx, kept, c.Origin)
}

// KeysRotateCmd makes the successor of a key.
type KeysRotateCmd struct {
	Log bool `help:"The key that signs checkpoints, and not the one that seals games. The old one signs beside it for thirty days."`
	KeyFlags
	DataFlag
}

// Help is an example.
func (KeysRotateCmd) Help() string {
	return "Running servers take new keys up within a minute. Rotate the seal key monthly. Example:\n\n    chancery keys rotate\n    chancery keys rotate --log"
}

// Run makes the key.
func (c KeysRotateCmd) Run(ctx context.Context, env *Env) error {
	ring, err := c.open(c.Data)
	if err != nil {
		return err
	}
	where := "Copy it to the directories of all other instances; running servers take it up within a minute."
	if c.Log {
		if err := ring.RotateLog(time.Now()); err != nil {
			return err
		}
		env.printf("Checkpoints are signed with the new key too. The ledger announces it, signed by the old one. %s\n", where)
		return nil
	}
	given, err := c.given(ctx)
	if err != nil {
		return err
	}
	kid, err := ring.RotateSeal(time.Now(), given...)
	if err != nil {
		return err
	}
	env.printf("New games are sealed under %s. %s\n", kid, where)
	return nil
}

// given are the names of the seal keys that the ledger in the data directory has been
// served with, if there is one.
func (c KeysRotateCmd) given(ctx context.Context) ([]string, error) {
	dir := filepath.Join(c.Data, "notes")
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	kept, err := notes.Open(dir)
	if err != nil {
		return nil, err
	}
	return keys.Known(ctx, kept)
}

// KeysRetireCmd destroys a seal key.
type KeysRetireCmd struct {
	Kid         string `arg:"" help:"Name of the key, as chancery keys list shows it."`
	Compromised bool   `help:"Somebody may have read the key: first abort the unfinished games that are sealed under it, and show their seeds. In a data directory only while no server runs."`
	KeyFlags
	LedgerFlags
}

// Help is an example.
func (KeysRetireCmd) Help() string {
	return "Reads the whole ledger, and refuses while an unfinished game is sealed under the key. Remove the copies of the key afterwards. Examples:\n\n    chancery keys retire 2026-10\n    chancery keys retire 2026-10 --compromised"
}

// Run destroys the key if nobody needs it.
func (c KeysRetireCmd) Run(ctx context.Context, env *Env) error {
	ring, err := c.KeyFlags.open(c.Data)
	if err != nil {
		return err
	}
	if err := ring.CanRetire(c.Kid); err != nil {
		return err
	}
	newest, err := ring.Made(ring.Kid())
	if err != nil {
		return err
	}
	if time.Since(newest) < 2*reloadKeys {
		return fmt.Errorf("the newest key, %s, is not two minutes old: a running server may not have taken it up yet; wait, and say this again", ring.Kid())
	}
	open := c.LedgerFlags.open
	if c.Compromised {
		open = c.openAlone
	}
	ledger, err := open(ctx)
	if err != nil {
		return err
	}
	defer ledger.Close()
	need, err := needing(ctx, env, ledger, c.Kid)
	switch {
	case err != nil:
		return fmt.Errorf("looking for games that need the key: %w", err)
	case c.Compromised:
		if err := abortAll(ctx, env, ledger, ring, need); err != nil {
			return err
		}
	case len(need) > 0:
		return fmt.Errorf("%d unfinished games are sealed under %s, the oldest %s: end them first, or wait until they end", len(need), c.Kid, need[0])
	}
	if err := ring.Retire(c.Kid); err != nil {
		return err
	}
	env.printf("The key %s is destroyed. Remove its copies too.\n", c.Kid)
	return nil
}

// needing are the games that are sealed under the key and not revealed, the oldest
// first.
func needing(ctx context.Context, env *Env, log events.Log, kid string) ([]string, error) {
	progress := newProgress(env, "records", 0)
	defer progress.done()
	open := map[string]events.Position{}
	for s, err := range upToNow(ctx, log, 0) {
		if err != nil {
			return nil, err
		}
		progress.at(uint64(s.Position))
		if s.Sealed != "" {
			if of, err := fair.KidOf(s.Sealed); err == nil && of == kid {
				open[s.Game] = s.Position
			}
		}
		if says(s.Payload, "SeedRevealed") || says(s.Payload, "GameVoided") {
			delete(open, s.Game)
		}
	}
	list := make([]string, 0, len(open))
	for id := range open {
		list = append(list, id)
	}
	slices.SortFunc(list, func(a, b string) int { return int(open[a]) - int(open[b]) })
	return list, nil
}

// says reports whether a record has an event of the type. In canonical bytes no text
// holds a bare quotation mark, so the words cannot come from anywhere else.
func says(payload []byte, eventType string) bool {
	return bytes.Contains(payload, []byte(`"type":"`+eventType+`"`))
}
