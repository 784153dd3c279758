package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"chancery/adapters/jetstream"
	"chancery/adapters/keys"
)

// DoctorCmd looks whether everything is as it should be.
type DoctorCmd struct {
	All  bool   `help:"Check the chain of every game, and not only of the newest."`
	Keys string `help:"Key directory; keys in the data directory if left out." env:"CHANCERY_KEYS" placeholder:"DIR"`
	JSON bool   `help:"For programs."`
	LedgerFlags
	DatabaseFlags
}

// Help is an example.
func (DoctorCmd) Help() string {
	return "Prints a line for each thing that it looked at, and exits with 1 if any is not well. Works while a server runs. Example:\n\n    chancery doctor --all"
}

// How things are, besides what the ledger's own doctor says.
const (
	well    = jetstream.Well
	unwell  = jetstream.Unwell
	unknown = jetstream.Unknown
)

// Run examines and prints.
func (c DoctorCmd) Run(ctx context.Context, env *Env) error {
	list := c.examine(ctx, env)
	sick := false
	for _, f := range list {
		sick = sick || f.Health == unwell
		if c.JSON {
			if err := env.printJSON(f); err != nil {
				return err
			}
			continue
		}
		env.printf("%-5s %-16s %s\n", map[jetstream.Health]string{well: "ok", unwell: "fail", unknown: "warn"}[f.Health], f.Name, f.Text)
	}
	if sick {
		return errFailed
	}
	return nil
}

func (c DoctorCmd) examine(ctx context.Context, env *Env) (list []jetstream.Finding) {
	if c.NATSURL == "" {
		list = append(list, dirFound(c.Data), diskFound(c.Data))
	}
	ledger, err := c.open(ctx)
	if err != nil {
		return append(list, jetstream.Finding{Name: "ledger", Health: unwell, Text: err.Error()})
	}
	defer ledger.Close()
	list = append(list, ledgerFound(ctx, ledger)...)
	if dir := c.keyDir(); dir != "" {
		list = append(list, keysFound(ctx, ledger, c.LedgerFlags, dir))
	}
	if ledger.server == nil || c.DatabaseURL != "" {
		list = append(list, c.modelsFound(ctx, ledger)...)
	}
	list = append(list, treeFound(ctx, ledger, c.LedgerFlags, c.All))
	return append(list, chainsFound(ctx, env, ledger, c.All)...)
}

func (c DoctorCmd) keyDir() string {
	if c.Keys == "" && c.NATSURL == "" {
		return filepath.Join(c.Data, "keys")
	}
	return c.Keys
}

// dirFound looks at who may enter the data directory.
func dirFound(dir string) jetstream.Finding {
	f := jetstream.Finding{Name: "data directory", Health: well, Text: dir}
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		f.Health, f.Text = unwell, err.Error()+"; say where the ledger is with --data"
	case !info.IsDir():
		f.Health, f.Text = unwell, dir+" is no directory; say where the ledger is with --data"
	case info.Mode().Perm()&0o077 != 0:
		f.Health, f.Text = unknown, fmt.Sprintf("%s may be entered by others (mode %#o); run chmod 0700 %s", dir, info.Mode().Perm(), dir)
	}
	return f
}

// leastFree is how much room the disk should have left.
const leastFree = 1 << 30

// diskFound looks at the room on the disk of the data directory.
func diskFound(dir string) jetstream.Finding {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return jetstream.Finding{Name: "disk", Health: unknown, Text: "not seen: " + err.Error()}
	}
	free := s.Bavail * uint64(s.Bsize)
	f := jetstream.Finding{Name: "disk", Health: well, Text: fmt.Sprintf("%.1f GB free", float64(free)/1e9)}
	if free < leastFree {
		f.Health, f.Text = unwell, f.Text+"; the ledger only grows: make room before it is full"
	}
	return f
}

// ledgerFound is what the ledger's own doctor says, asked in the running server where
// one holds it.
func ledgerFound(ctx context.Context, l *ledger) []jetstream.Finding {
	var list []jetstream.Finding
	var err error
	if l.server != nil {
		list = append(list, jetstream.Finding{Name: "server", Health: well, Text: "a running server holds the data directory and answers"})
		var told []jetstream.Finding
		err = l.server.Doctor(ctx, &told)
		list = append(list, told...)
	} else {
		list, err = l.stream.Doctor(ctx)
	}
	if err != nil {
		list = append(list, jetstream.Finding{Name: "ledger", Health: unwell, Text: err.Error()})
	}
	return list
}

// keysFound looks at the keys without making any, and whether they are the ledger's.
func keysFound(ctx context.Context, l *ledger, flags LedgerFlags, dir string) jetstream.Finding {
	f := jetstream.Finding{Name: "keys", Health: well}
	if !keys.Exists(dir) {
		last, err := l.Last(ctx)
		f.Health, f.Text = unknown, "none in "+dir+" yet; serve makes them at its first start"
		if err != nil || last > 0 {
			f.Health, f.Text = unwell, "none in "+dir+": unfinished games cannot go on without them; put back a copy, or say where they are with --keys"
		}
		return f
	}
	ring, err := keys.Look(dir)
	if err != nil {
		f.Health, f.Text = unwell, err.Error()
		return f
	}
	f.Text = fmt.Sprintf("new games are sealed under %s; keep a copy of %s elsewhere, apart from the backups", ring.Kid(), dir)
	kept, err := flags.notesOf(ctx, l)
	var gone []string
	if err == nil {
		gone, err = ring.Compare(ctx, kept)
	}
	if len(gone) > 0 {
		f.Text += fmt.Sprintf("; gone are %s, and games still sealed under them are void", strings.Join(gone, ", "))
	}
	if err != nil {
		f.Health, f.Text = unwell, err.Error()
	}
	return f
}
