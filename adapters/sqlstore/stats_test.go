package sqlstore

import (
	"testing"
	"time"

	"chancery/domain/game"
	"chancery/events"
	"chancery/projections/ledgertest"
	"chancery/projections/stats"

	"github.com/google/go-cmp/cmp"
)

// byHand counts the games of the log as they are when all has been said of them.
func byHand(t *testing.T, log events.Log, games int) (outcomes map[[4]string]int64, rolls map[game.Effect]int64, ended int64) {
	t.Helper()
	outcomes, rolls = map[[4]string]int64{}, map[game.Effect]int64{}
	for n := range games {
		g, err := events.Load(t.Context(), log, ledgertest.ID(n))
		if err != nil {
			t.Fatal(err)
		}
		if !g.State.Over() || g.State.Voided {
			continue
		}
		result, day := g.State.Result, ""
		if result == "" {
			result = game.Ongoing
		}
		for step, err := range events.Steps(t.Context(), log, events.NewGame(ledgertest.ID(n))) {
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range step.Record.Events {
				if dice, ok := e.Fact.(game.DiceRolled); ok && dice.Purpose == "effect" && result != game.Ongoing {
					rolls[dice.Effect]++
				}
			}
			day = time.UnixMilli(int64(step.Record.At)).UTC().Format(time.DateOnly)
		}
		outcomes[[4]string{day, g.State.Variant, string(result), string(g.State.Reason)}]++
		if result != game.Ongoing {
			ended++
		}
	}
	return outcomes, rolls, ended
}

// What is counted is what the games say, and voided games are taken out again.
func TestStats(t *testing.T) {
	const games = 120
	log := ledger(t, games)
	want, rolls, ended := byHand(t, log, games)
	onBoth(t, func(t *testing.T, open func() *DB) {
		db := open()
		absorb(t, db.Model(Stats(log)), log, 50)
		f, err := db.Stats(t.Context(), stats.Query{})
		if err != nil {
			t.Fatal(err)
		}
		got, dice := map[[4]string]int64{}, map[game.Effect]int64{}
		for _, o := range f.Outcomes {
			got[[4]string{o.Day, o.Variant, string(o.Result), string(o.Reason)}] = o.Games
		}
		for _, d := range f.Dice {
			dice[d.Effect] += d.Rolls
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(rolls, dice); diff != "" {
			t.Error(diff)
		}
		var lengths int64
		for _, l := range f.Lengths {
			lengths += l.Games
		}
		if lengths != ended {
			t.Errorf("lengths of %d games, of %d", lengths, ended)
		}
		checkPicks(t, db, f)
	})
}

// checkPicks asks for some of the figures.
func checkPicks(t *testing.T, db *DB, all stats.Figures) {
	t.Helper()
	one, err := db.Stats(t.Context(), stats.Query{Variant: "unochess"})
	if err != nil {
		t.Fatal(err)
	}
	if len(one.Openings) == 0 || len(one.Openings) == len(all.Openings) || len(one.Dice) != 0 || len(one.Outcomes) == 0 {
		t.Errorf("of one variant: %+v", one)
	}
	for _, o := range one.Openings {
		if o.Variant != "unochess" {
			t.Errorf("%+v", o)
		}
	}
	first := all.Outcomes[0].Day
	none, err := db.Stats(t.Context(), stats.Query{Until: first})
	if err != nil || len(none.Outcomes) != 0 {
		t.Errorf("before the first day: %+v, %v", none.Outcomes, err)
	}
	day, err := db.Stats(t.Context(), stats.Query{From: first, Until: first + "~"})
	if err != nil || len(day.Outcomes) == 0 {
		t.Errorf("on the first day: %+v, %v", day.Outcomes, err)
	}
}

func TestExpected(t *testing.T) {
	sum := 0.0
	for _, o := range stats.Expected() {
		sum += o.Probability
	}
	if sum < 1-1e-9 || sum > 1+1e-9 {
		t.Errorf("the odds add up to %v", sum)
	}
}
