package tables

import (
	"context"
	"iter"
	"reflect"
	"testing"

	"chancery/adapters/memory"
	"chancery/events"
	"chancery/projections"
	"chancery/projections/ledgertest"
)

// Rows that are folded as records go by are those of OfGame, for games that are in memory
// and for others, also where batches come a second time.
func TestGamesAreOfGame(t *testing.T) {
	log := memory.New()
	if err := ledgertest.Play(t.Context(), log, ledgertest.Games{To: 48, AtOnce: 6}); err != nil {
		t.Fatal(err)
	}
	last, _ := log.Last(t.Context())
	for _, c := range []struct {
		keep, again int
		read        bool // some games had to be read from the log
	}{{keep: 100}, {keep: 3, read: true}, {keep: 100, again: 7, read: true}} {
		counted := &counting{Log: log}
		games, over := NewGames(counted, c.keep), 0
		var batch []projections.Record
		for s, err := range log.Follow(t.Context(), 0) {
			if err != nil {
				t.Fatal(err)
			}
			batch = append(batch, projections.NewRecord(s))
			if len(batch) < 10 && s.Position < last {
				continue
			}
			if c.again > 0 {
				absorbed(t, games, batch[:c.again%len(batch)]) // and then it is rolled back
			}
			over += absorbed(t, games, batch)
			if batch = batch[:0]; s.Position == last {
				break
			}
		}
		// Three of 48 are voided when they are over, and are read then.
		if over < 40 || (counted.reads > 3) != c.read {
			t.Errorf("%+v: %d times a game was over, %d were read from the log", c, over, counted.reads)
		}
	}
}

func absorbed(t *testing.T, games *Games, batch []projections.Record) (ends int) {
	t.Helper()
	for _, r := range batch {
		row, turns, over, err := games.Absorb(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if over != r.Ends() {
			t.Fatalf("position %d: over is %t", r.Position, over)
		}
		if !over {
			continue
		}
		ends++
		wantRow, wantTurns, err := OfGame(t.Context(), games.log.(*counting).Log, r.Game, r.Position)
		if err != nil || !reflect.DeepEqual(row, wantRow) || !reflect.DeepEqual(turns, wantTurns) {
			t.Errorf("game %s at position %d: %v\n%+v\nwant\n%+v", r.Game, r.Position, err, row, wantRow)
		}
	}
	return ends
}

// counting counts how often a game is read.
type counting struct {
	*memory.Log
	reads int
}

func (c *counting) Read(ctx context.Context, game string, after events.Revision) iter.Seq2[events.Stored, error] {
	c.reads++
	return c.Log.Read(ctx, game, after)
}
