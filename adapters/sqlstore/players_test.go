package sqlstore

import (
	"errors"
	"maps"
	"path/filepath"
	"testing"

	"chancery/domain/player"
	"chancery/tests/postgres"
)

// onBothPlayers runs a test on accounts in SQLite and in PostgreSQL, which may be opened
// again.
func onBothPlayers(t *testing.T, test func(t *testing.T, open func() *Players)) {
	for _, name := range []string{"sqlite", "postgres"} {
		t.Run(name, func(t *testing.T) {
			var url string
			if name == "postgres" {
				url = postgres.URL(t)
			}
			path := filepath.Join(t.TempDir(), "players", "players.db")
			test(t, func() *Players {
				p, err := OpenPlayers(url, path)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { p.Close() })
				return p
			})
		})
	}
}

var (
	ada = player.Account{Player: player.Player{ID: "A", Name: "Ada"}, Password: "hash of a", Created: "2026-01-01T00:00:00.000Z"}
	bob = player.Account{Player: player.Player{ID: "B", Name: "bob"}, Password: "hash of b", Created: "2026-01-02T00:00:00.000Z"}
)

func TestPlayers(t *testing.T) {
	onBothPlayers(t, func(t *testing.T, open func() *Players) {
		p, other := open(), open() // as two servers on one database
		if err := errors.Join(p.Add(t.Context(), ada), other.Add(t.Context(), bob)); err != nil {
			t.Fatal(err)
		}
		twice := player.Account{Player: player.Player{ID: "C", Name: "aDa"}}
		if err := other.Add(t.Context(), twice); !errors.Is(err, player.ErrTaken) {
			t.Errorf("the same name in other letters: %v", err)
		}
		if got, err := other.ByName(t.Context(), "ADA"); err != nil || got != ada {
			t.Errorf("by name %+v (%v), want %+v", got, err, ada)
		}
		if got, err := p.ByID(t.Context(), "B"); err != nil || got != bob {
			t.Errorf("by id %+v (%v), want %+v", got, err, bob)
		}
		if _, err := p.ByID(t.Context(), "bob"); !errors.Is(err, player.ErrUnknown) {
			t.Errorf("a name as an id: %v", err)
		}
		names, err := p.Names(t.Context(), []string{"B", "guest-1", "A"})
		if want := map[string]string{"A": "Ada", "B": "bob"}; err != nil || !maps.Equal(names, want) {
			t.Errorf("names %v (%v), want %v", names, err, want)
		}
		if err := p.Erase(t.Context(), "A"); err != nil {
			t.Fatal(err)
		}
		if _, err := other.ByName(t.Context(), "Ada"); !errors.Is(err, player.ErrUnknown) {
			t.Errorf("erased: %v", err)
		}
		if _, err := open().ByName(t.Context(), "bob"); err != nil {
			t.Errorf("after opening again: %v", err)
		}
	})
}

func TestTokens(t *testing.T) {
	const now, later, end = "2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z", "2026-01-03T00:00:00.000Z"
	onBothPlayers(t, func(t *testing.T, open func() *Players) {
		p := open()
		is := func(hash, at string, want player.Player, wrong error) {
			t.Helper()
			if got, err := p.Bearer(t.Context(), hash, at); got != want || !errors.Is(err, wrong) {
				t.Errorf("token %s at %s is of %+v (%v), want %+v (%v)", hash, at, got, err, want, wrong)
			}
		}
		guest := player.Player{ID: player.GuestID("1")}
		if err := errors.Join(p.Add(t.Context(), ada), p.AddToken(t.Context(), "t1", "A", now, later), p.AddToken(t.Context(), "t2", "A", now, end),
			p.AddToken(t.Context(), "t3", guest.ID, now, end)); err != nil {
			t.Fatal(err)
		}
		is("t1", now, ada.Player, nil)
		is("t3", now, guest, nil)
		is("t4", now, player.Player{}, player.ErrToken)
		is("t1", later, player.Player{}, player.ErrToken)
		is("t2", later, ada.Player, nil)
		if err := p.AddToken(t.Context(), "t5", "A", later, end); err != nil { // forgets what has expired
			t.Fatal(err)
		}
		is("t1", now, player.Player{}, player.ErrToken)
		if err := p.RemoveToken(t.Context(), "t2"); err != nil {
			t.Fatal(err)
		}
		is("t2", now, player.Player{}, player.ErrToken)
		if err := errors.Join(p.Erase(t.Context(), "A"), p.Erase(t.Context(), guest.ID)); err != nil {
			t.Fatal(err)
		}
		is("t5", later, player.Player{}, player.ErrToken)
		is("t3", later, player.Player{}, player.ErrToken)
	})
}
