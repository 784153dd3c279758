package sqlstore

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"chancery/domain/game"
	"chancery/events"
	"chancery/projections/history"
	"chancery/projections/ledgertest"
)

func equal(t *testing.T, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error("(-want +got)", diff)
	}
}

// Every filter gives the games that it should, the newest first, in pages of any size.
func TestHistory(t *testing.T) {
	log := ledger(t, 120)
	yes, no := true, false
	queries := map[string]struct {
		q     history.Query
		picks func(history.Game) bool
	}{
		"all":     {history.Query{Voided: true}, func(history.Game) bool { return true }},
		"usual":   {history.Query{}, func(g history.Game) bool { return !g.Voided }},
		"player":  {history.Query{Player: "p3"}, func(g history.Game) bool { return g.Seats[0].Player == "p3" || g.Seats[1].Player == "p3" }},
		"variant": {history.Query{Variant: "unochess"}, func(g history.Game) bool { return g.Variant == "unochess" }},
		"rated":   {history.Query{Rated: &yes}, func(g history.Game) bool { return g.Rated }},
		"casual":  {history.Query{Rated: &no}, func(g history.Game) bool { return !g.Rated }},
		"result":  {history.Query{Result: game.WhiteWins}, func(g history.Game) bool { return g.Result == game.WhiteWins }},
		"aborted": {history.Query{Result: game.Ongoing}, func(g history.Game) bool { return g.Result == game.Ongoing }},
		"reason":  {history.Query{Reason: game.Resignation}, func(g history.Game) bool { return g.Reason == game.Resignation }},
		"from":    {history.Query{From: "2026-09-21T15:00:00.000Z"}, func(g history.Game) bool { return g.Ended >= "2026-09-21T15:00:00.000Z" }},
		"until":   {history.Query{Until: "2026-09-21T15:00:00.000Z"}, func(g history.Game) bool { return g.Ended < "2026-09-21T15:00:00.000Z" }},
		"option":  {history.Query{Options: game.Options{"duet": "false"}}, func(g history.Game) bool { return g.Options["duet"] == "false" }},
		"two": {history.Query{Player: "p1", Variant: "chess"}, func(g history.Game) bool {
			return g.Variant == "chess" && (g.Seats[0].Player == "p1" || g.Seats[1].Player == "p1")
		}},
		"injection": {history.Query{Player: "' OR true --"}, func(history.Game) bool { return false }},
	}
	onBoth(t, func(t *testing.T, open func() *DB) {
		db := open()
		absorb(t, db.Model(History(log)), log, 100)
		all, _, err := db.Games(t.Context(), history.Query{Voided: true})
		if err != nil || len(all) < 90 {
			t.Fatalf("%d games, %v", len(all), err)
		}
		for name, tt := range queries {
			var want []string
			for _, g := range all {
				if (tt.q.Voided || !g.Voided) && tt.picks(g) {
					want = append(want, g.Game)
				}
			}
			if len(want) == 0 && name != "injection" && name != "option" {
				t.Errorf("%s: no game is so", name)
			}
			for _, limit := range []int{0, 1, 7, 200} {
				if got := pages(t, db, tt.q, limit); !cmp.Equal(got, want) {
					t.Errorf("%s in pages of %d: %v", name, limit, cmp.Diff(want, got))
				}
			}
		}
	})
}

// pages lists the games of all pages.
func pages(t *testing.T, db *DB, q history.Query, limit int) (ids []string) {
	t.Helper()
	for q.Limit = limit; ; {
		page, more, err := db.Games(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range page {
			ids = append(ids, g.Game)
		}
		if !more {
			return ids
		}
		q.Before = page[len(page)-1].Position
	}
}

// What is remembered of a game is what the game itself says.
func TestHistoryIsTrue(t *testing.T) {
	log := ledger(t, 60)
	onBoth(t, func(t *testing.T, open func() *DB) {
		db := open()
		absorb(t, db.Model(History(log)), log, 33)
		list, _, err := db.Games(t.Context(), history.Query{Voided: true})
		if err != nil {
			t.Fatal(err)
		}
		over := map[string]history.Game{}
		for _, g := range list {
			over[g.Game] = g
		}
		for n := range 60 {
			g, err := events.Load(t.Context(), log, ledgertest.ID(n))
			if err != nil {
				t.Fatal(err)
			}
			h, listed := over[ledgertest.ID(n)]
			s := g.State
			if listed != s.Over() {
				t.Errorf("game %d: over %v, listed %v", n, s.Over(), listed)
			}
			if !listed {
				continue
			}
			got := fmt.Sprint(h.Variant, h.Rated, h.Result, h.Reason, h.Winner, h.Voided, h.Plies, h.FEN, h.White, h.Seats[0].Player, h.Seats[1].Player)
			want := fmt.Sprint(s.Variant, s.Ranked(), s.Result, s.Reason, s.Winner, s.Voided, s.Plies, s.FEN, s.White, s.Seats[0].Player, s.Seats[1].Player)
			if got != want {
				t.Errorf("game %d: %s, want %s", n, got, want)
			}
		}
	})
}

// The view of any moment is the one that the ledger gives, and of the newest too.
func TestViews(t *testing.T) {
	log := ledger(t, 16)
	onBoth(t, func(t *testing.T, open func() *DB) {
		db := open()
		absorb(t, db.Model(Watch(log)), log, 10)
		for n := range 16 {
			id := ledgertest.ID(n)
			for step, err := range events.Steps(t.Context(), log, events.NewGame(id)) {
				if err != nil {
					t.Fatal(err)
				}
				got, err := db.View(t.Context(), id, step.Game.N)
				if err != nil {
					t.Fatal(err)
				}
				equal(t, got, game.ViewFor(step.Game.State, game.Spectator, nil))
			}
			g, err := events.Load(t.Context(), log, id)
			if err != nil {
				t.Fatal(err)
			}
			newest, err := db.View(t.Context(), id, -1)
			if err != nil {
				t.Fatal(err)
			}
			if toJSON(newest) != toJSON(game.ViewFor(g.State, game.Spectator, nil)) {
				t.Errorf("game %s now: %s", id, toJSON(newest))
			}
			if _, err := db.View(t.Context(), id, g.N+1); !errors.Is(err, events.ErrNotFound) {
				t.Errorf("a moment to come: %v", err)
			}
		}
		if _, err := db.View(t.Context(), "nowhere", -1); !errors.Is(err, events.ErrNotFound) {
			t.Errorf("a game that is not: %v", err)
		}
	})
}

func TestOpenRefuses(t *testing.T) {
	for _, url := range []string{"mysql://x", "host=localhost", "postgres://%zz"} {
		if db, err := Open(url, t.TempDir()); err == nil {
			db.Close()
			t.Errorf("Open(%q) took it", url)
		}
	}
}
