// Command write exports a ledger of played games, for other programs to read:
//
//	go run ./tests/analytics/write DIR
//
// It writes the exact records (records.ndjson), the public events (events.ndjson) and the
// tables (in the folder tables). The games are the same every time; some go over the end
// of a month.
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"chancery/adapters/memory"
	"chancery/adapters/parquet"
	"chancery/events"
	"chancery/projections"
	"chancery/projections/feed"
	"chancery/projections/ledgertest"
)

// newMonth is the number of a game that begins in the last minute of a month, UTC.
const newMonth = 13_546

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "say where to write: go run ./tests/analytics/write DIR")
		os.Exit(2)
	}
	if err := write(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(ctx context.Context, dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	log := memory.New()
	for _, games := range []ledgertest.Games{{To: 60}, {From: newMonth - 20, To: newMonth + 20, Moves: 60}} {
		if err := ledgertest.Play(ctx, log, games); err != nil {
			return err
		}
	}
	if _, err := parquet.Export(ctx, log, filepath.Join(dir, "tables"), nil); err != nil {
		return err
	}
	records, err := os.Create(filepath.Join(dir, "records.ndjson"))
	if err != nil {
		return err
	}
	defer records.Close()
	public, err := os.Create(filepath.Join(dir, "events.ndjson"))
	if err != nil {
		return err
	}
	defer public.Close()
	return lines(ctx, log, bufio.NewWriter(records), bufio.NewWriter(public))
}

func lines(ctx context.Context, log events.Log, records, public *bufio.Writer) error {
	last, err := log.Last(ctx)
	if err != nil {
		return err
	}
	begun := projections.NewBeginnings(log)
	for s, err := range log.Follow(ctx, 0) {
		if err != nil {
			return err
		}
		fmt.Fprintf(records, "%s\n", s.Payload)
		r := projections.NewRecord(s)
		b, err := begun.Of(ctx, r)
		if err != nil {
			return err
		}
		list, err := feed.Events(r, b)
		if err != nil {
			return err
		}
		for _, e := range list {
			fmt.Fprintf(public, "%s\n", e.AppendJSON(nil))
		}
		if s.Position == last {
			break
		}
	}
	if err := records.Flush(); err != nil {
		return err
	}
	return public.Flush()
}
