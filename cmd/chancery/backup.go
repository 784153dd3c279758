package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"chancery/adapters/backup"
	"chancery/adapters/tlog"
	"chancery/domain/game"
	"chancery/events"
)

// BackupCmd writes the whole ledger into one file.
type BackupCmd struct {
	Out string `required:"" help:"File to write, whole or not at all." placeholder:"FILE"`
	LedgerFlags
}

// Help is an example.
func (BackupCmd) Help() string {
	return "Holds every record with its position and its sealed seed, and what was signed last, checksummed. The keys are not in it, so that a stolen backup shows no hidden card: keep a copy of the key directory elsewhere. Nor are the players' names and passwords, which can be erased: back them up as docs/players.md says. Works while a server runs. Example:\n\n    chancery backup --out ledger.backup\n    cp -a data/keys /elsewhere"
}

// Run writes the backup.
func (c BackupCmd) Run(ctx context.Context, env *Env) error {
	ledger, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer ledger.Close()
	signed, err := c.signed(ctx, ledger) // first, so that it covers no more than what is written
	if err != nil {
		return err
	}
	progress := newProgress(env, "records", 0)
	var n events.Position
	err = writeFile(env, c.Out, 0o600, func(out io.Writer) error {
		n, err = backup.Write(ctx, out, ledger, signed, func(p events.Position) { progress.at(uint64(p)) })
		return err
	})
	progress.done()
	if err != nil {
		return fmt.Errorf("backing up: %w", err)
	}
	env.printf("%d records are in %s. The keys and the players' accounts are not: keep copies of both elsewhere.\n", n, c.Out)
	return nil
}

// signed is the note about what the ledger signed last.
func (c BackupCmd) signed(ctx context.Context, l *ledger) ([]byte, error) {
	kept, err := c.notesOf(ctx, l)
	if err != nil {
		return nil, err
	}
	return tlog.Carry(ctx, kept)
}

// RestoreCmd makes a ledger out of a backup.
type RestoreCmd struct {
	In          string `required:"" help:"Backup to read." placeholder:"FILE" type:"existingfile"`
	LedgerFlags `embed:"" set:"data_note=It is made if it is not there, and must hold no record yet"`
}

// Help is an example.
func (RestoreCmd) Help() string {
	return "Checks the whole file first, and restores into an empty ledger only: every record comes back at its position. A backup that is older than what is known to be signed is refused. Put the keys back before you serve it. Example:\n\n    chancery restore --in ledger.backup --data data\n    cp -a /elsewhere/keys data/"
}

// Run checks the file, then appends its records.
func (c RestoreCmd) Run(ctx context.Context, env *Env) error {
	f, err := os.Open(c.In)
	if err != nil {
		return fmt.Errorf("opening the backup: %w", err)
	}
	defer f.Close()
	head, err := backup.Check(f)
	if err != nil {
		return fmt.Errorf("checking %s: %w", c.In, err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("reading %s again: %w", c.In, err)
	}
	ledger, err := c.openAlone(ctx)
	if err != nil {
		return err
	}
	defer ledger.Close()
	if err := c.putBack(ctx, ledger, head); err != nil {
		return fmt.Errorf("restoring %s: %w", c.In, err)
	}
	progress := newProgress(env, "records", uint64(head.Records))
	defer progress.done()
	if err := restore(ctx, ledger, f, progress); err != nil {
		return fmt.Errorf("restoring %s: %w", c.In, err)
	}
	progress.done()
	env.printf("%d records are restored. Put the keys of the old ledger into the key directory before you serve it: unfinished games need them.\n", head.Records)
	return nil
}

// putBack puts what was signed beside the ledger, before any record: a ledger that is
// restored in part is not signed.
func (c RestoreCmd) putBack(ctx context.Context, l *ledger, head backup.Header) error {
	if err := empty(ctx, l); err != nil {
		return err
	}
	kept, err := c.notesOf(ctx, l)
	if err != nil {
		return err
	}
	return tlog.PutBack(ctx, kept, head.Signed, head.Records)
}

// empty says that records would come on top of others.
func empty(ctx context.Context, log events.Log) error {
	last, err := log.Last(ctx)
	if err == nil && last > 0 {
		err = fmt.Errorf("the ledger holds %d records already: restore into an empty data directory", last)
	}
	return err
}

// restored is what an append to a game needs of what is restored already.
type restored struct {
	revision events.Revision
	rules    string
}

// restore appends the records of a checked backup to an empty log. Memory grows with
// the number of games, as the broker's does.
func restore(ctx context.Context, log events.Log, in io.Reader, progress *progress) error {
	games := map[string]restored{}
	for s, err := range backup.Records(in) {
		if err != nil {
			return err
		}
		r, err := events.DecodeRecord(s.Payload)
		if err != nil {
			return fmt.Errorf("position %d: %w", s.Position, err)
		}
		of := games[s.Game]
		if f, first := r.Events[0].Fact.(game.GameCreated); first {
			of.rules = fmt.Sprintf("%s/%d", f.Variant, f.Rules.Version)
		}
		of.revision, err = log.Append(ctx, of.revision, entryOf(s, r, of.rules))
		if err != nil {
			return fmt.Errorf("position %d: %w", s.Position, err)
		}
		if of.revision != s.Position {
			return fmt.Errorf("position %d came to stand at %d: somebody else appends to the ledger; begin again in an empty one", s.Position, of.revision)
		}
		games[s.Game] = of
		progress.at(uint64(s.Position))
	}
	return nil
}

func entryOf(s events.Stored, r events.Record, rules string) events.Entry {
	e := events.Entry{Game: s.Game, Payload: s.Payload, Cause: r.Cause.String(), Sealed: s.Sealed, Rules: rules}
	for _, event := range r.Events {
		e.Types = append(e.Types, typeName(event.Fact))
	}
	return e
}
