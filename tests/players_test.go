package tests

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"chancery/adapters/accounts"
	"chancery/adapters/httpapi"
	"chancery/adapters/sqlstore"
)

// A club is a server whose players are known and ranked.
type club struct {
	*gameServer
	*reading
	dir string
}

// openClub starts one. Change, which may be nil, changes how it is configured.
func openClub(t *testing.T, url string, change func(*httpapi.Config)) *club {
	t.Helper()
	c := &club{dir: t.TempDir()}
	people, err := sqlstore.OpenPlayers(url, filepath.Join(c.dir, "players.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { people.Close() })
	late := &struct{ *sqlstore.DB }{} // the ledger comes first
	c.gameServer = startServer(t, func(config *httpapi.Config, _ *http.Server) {
		config.Ratings, config.Players = late, accounts.New(people, time.Now)
		if change != nil {
			change(config)
		}
	})
	c.reading = read(t, c.log, url, filepath.Join(c.dir, "read"), []sqlstore.Projection{sqlstore.Ratings()})
	late.DB = c.store
	return c
}

// A person is a player with a token.
type person struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Guest bool   `json:"guest"`
	Token string `json:"token"`
}

func (p person) bearer() []string { return []string{"Authorization", "Bearer " + p.Token} }

func (c *club) post(path, body string, p person) answer {
	c.gameServer.t.Helper()
	return ask(c.gameServer.t, "POST", c.http.URL+path, body, p.bearer()...)
}

func (c *club) get(path string, into any) {
	c.gameServer.t.Helper()
	ask(c.gameServer.t, "GET", c.http.URL+path, "").into(c.gameServer.t, into)
}

// register opens an account; the password is the name, three times.
func (c *club) register(name string) person {
	c.gameServer.t.Helper()
	var p person
	ask(c.gameServer.t, "POST", c.http.URL+"/api/players", credentials(name, strings.Repeat(name, 3))).into(c.gameServer.t, &p)
	return p
}

func credentials(name, password string) string {
	return fmt.Sprintf(`{"name":%q,"password":%q}`, name, password)
}

func (c *club) guest() person {
	c.gameServer.t.Helper()
	var p person
	ask(c.gameServer.t, "POST", c.http.URL+"/api/players/guest", `{}`).into(c.gameServer.t, &p)
	return p
}

// resigned plays a game that the second player gives up, with the tokens of both.
func (c *club) resigned(body string, first, second person) *seat {
	t := c.gameServer.t
	t.Helper()
	s := &seat{t: t}
	c.post("/api/games", body, first).into(t, s)
	s.url, s.Token = c.http.URL+"/api/games/"+s.ID, second.Token
	c.post("/api/games/"+s.ID+"/join", `{}`, second).into(t, &struct{}{})
	s.do(`{"do":{"resign":true}}`).into(t, &acted{})
	return s
}

type profile struct {
	person
	Tier    string
	Ratings []struct {
		Pool                    string
		Rating                  float64
		Games, Won, Drawn, Lost int
	}
}

// Seats are taken by players: the ledger holds their ids and never a name, a game of two
// accounts is ranked unless its creator says otherwise, and no other is.
func TestPlayersTakeSeats(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, url string) {
		c := openClub(t, url, func(config *httpapi.Config) { config.PublicURL = "https://chess.example" })
		ada, bob, guest := c.register("Ada"), c.register("bob"), c.guest()

		s := c.resigned(`{"variant":"chess"}`, ada, bob)
		v := view(t, s.url, ada.bearer()...)
		if !v.Rated || v.Seats[0].Player != ada.ID || v.Seats[1].Player != bob.ID || v.As != "0" {
			t.Errorf("the game of two accounts: %+v", v)
		}
		if v := view(t, s.url, guest.bearer()...); v.As != "spectator" {
			t.Errorf("somebody else looks as %s", v.As)
		}
		if records := ask(t, "GET", s.url+"/records", "").body; strings.Contains(strings.ToLower(records), `"ada"`) || !strings.Contains(records, ada.ID) {
			t.Errorf("records with a name, or without an id: %s", records)
		}
		for _, tag := range []string{`"Ada"]`, `"bob"]`, `[Site "https://chess.example"]`} {
			if pgn := ask(t, "GET", s.url+"/pgn", "").body; !strings.Contains(pgn, tag) || strings.Contains(pgn, ada.ID) {
				t.Errorf("PGN without %s, or with an id: %s", tag, pgn)
			}
		}
		for name, s := range map[string]*seat{
			"with a guest":        c.resigned(`{"variant":"chess"}`, ada, guest),
			"of a guest":          c.resigned(`{"variant":"chess"}`, guest, ada),
			"as its creator asks": c.resigned(`{"variant":"chess","rated":false}`, ada, bob),
			"from a position":     c.resigned(`{"variant":"chess","start":"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"}`, ada, bob),
		} {
			if view(t, s.url).Rated {
				t.Errorf("a game %s is rated", name)
			}
		}
		c.until(t, "the games are counted", caughtUp)

		var p profile
		c.get("/api/players/ada", &p)
		if p.ID != ada.ID || p.Name != "Ada" || p.Tier != "silver" || len(p.Ratings) != 2 || p.Ratings[0].Pool != "overall" || p.Ratings[0].Rating != 1020 || p.Ratings[1].Pool != "chess" || p.Ratings[0].Won != 1 || p.Ratings[0].Games != 1 {
			t.Errorf("the page of Ada: %+v", p)
		}
		c.ranks(t, ada, bob)
	})
}

// ranks compares what is said of two players, of whom the first has won once.
func (c *club) ranks(t *testing.T, ada, bob person) {
	t.Helper()
	var ranking struct {
		Players []struct {
			person
			Rank   int
			Rating float64
			Tier   string
		}
		Next     string
		Position int
	}
	c.get("/api/ratings?limit=1", &ranking)
	if len(ranking.Players) != 1 || ranking.Players[0].Name != "Ada" || ranking.Players[0].Rank != 1 || ranking.Next == "" || ranking.Position == 0 {
		t.Errorf("the first page of the ranking: %+v", ranking)
	}
	c.get("/api/ratings?variant=chess&cursor="+ranking.Next, &ranking)
	if len(ranking.Players) != 1 || ranking.Players[0].ID != bob.ID || ranking.Players[0].Rank != 2 || ranking.Players[0].Rating != 980 {
		t.Errorf("the second page in chess: %+v", ranking)
	}
	var record struct {
		Opponent         person
		Won, Drawn, Lost int
		Form             []string
	}
	c.get("/api/ratings/bob/against/"+ada.ID, &record)
	if record.Opponent.Name != "Ada" || record.Lost != 1 || record.Won+record.Drawn != 0 || len(record.Form) != 1 || record.Form[0] != "lost" {
		t.Errorf("bob against Ada: %+v", record)
	}
	var opponents struct{ Opponents []struct{ Opponent person } }
	c.get("/api/ratings/ada/opponents", &opponents)
	if len(opponents.Opponents) != 1 || opponents.Opponents[0].Opponent.ID != bob.ID {
		t.Errorf("the opponents of Ada: %+v", opponents)
	}
	var history struct {
		Entries []struct {
			Game, Variant, Outcome string
			Before                 float64
			After                  struct{ Rating float64 }
			Opponent               person
		}
	}
	c.get("/api/ratings/"+bob.ID+"/history?opponent=ada", &history)
	if len(history.Entries) != 1 || history.Entries[0].Before != 1000 || history.Entries[0].After.Rating != 980 || history.Entries[0].Opponent.Name != "Ada" {
		t.Errorf("the history of bob: %+v", history)
	}
}

// What is asked of accounts in vain.
func TestAccountsRefuse(t *testing.T) {
	c := openClub(t, "", nil)
	ada, guest := c.register("Ada"), c.guest()
	nobody := person{Token: "player_nobody"}
	game := create(t, c.http.URL, `{"variant":"chess"}`)
	tests := []struct {
		name, path, body string
		as               person
		status           int
		code             string
	}{
		{"a name twice", "/api/players", credentials("aDA", "12345678"), person{}, 409, "name_taken"},
		{"a name that breaks a file", "/api/players", credentials(`a]"\d`, "12345678"), person{}, 400, "bad_name"},
		{"a name from right to left", "/api/players", credentials("ada\u202e", "12345678"), person{}, 400, "bad_name"},
		{"a short password", "/api/players", credentials("carl", "1234567"), person{}, 400, "bad_name"},
		{"a wrong password", "/api/players/login", credentials("Ada", "12345678"), person{}, 403, "forbidden"},
		{"a name that nobody has", "/api/players/login", credentials("nobody1", "12345678"), person{}, 403, "forbidden"},
		{"logging nobody out", "/api/players/logout", `{}`, nobody, 401, "unauthorized"},
		{"erasing nobody", "/api/players/erase", `{}`, nobody, 401, "unauthorized"},
		{"erasing without the password", "/api/players/erase", `{"password":"12345678"}`, ada, 403, "forbidden"},
		{"a game as nobody", "/api/games", `{"variant":"chess"}`, nobody, 401, "unauthorized"},
		{"a game with a seat's token", "/api/games", `{"variant":"chess"}`, person{Token: game.Token}, 401, "unauthorized"},
		{"joining as nobody", "/api/games/" + game.ID + "/join", `{}`, nobody, 401, "unauthorized"},
		{"a rated game of a guest", "/api/games", `{"variant":"chess","rated":true}`, guest, 400, "bad_option"},
		{"a rated game with a program", "/api/games", `{"variant":"chess","rated":true,"opponent":{"bot":"random"}}`, ada, 400, "bad_option"},
		{"acting without a seat", "/api/games/" + game.ID + "/actions", `{"do":{"resign":true}}`, ada, 401, "unauthorized"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ask(t, "POST", c.http.URL+tt.path, tt.body, append(tt.as.bearer(), "Idempotency-Key", strings.Repeat("k", 30))...)
			if tt.as.Token == "" {
				got = ask(t, "POST", c.http.URL+tt.path, tt.body)
			}
			if p := got.problem(t); got.status != tt.status || p.Type != "/problems/"+tt.code {
				t.Errorf("%d %+v, want %d %s", got.status, p, tt.status, tt.code)
			}
		})
	}
	if strings.Contains(c.out.String(), ada.Token) || strings.Contains(c.out.String(), "AdaAdaAda") {
		t.Error("the log has a token or a password in it")
	}
}

// A player who is erased leaves no name behind, neither in answers nor in files; his
// games and his ratings stay, under his id.
func TestErase(t *testing.T) {
	c := openClub(t, "", nil)
	ada, bob := c.register("Wilhelmina"), c.register("bob")
	s := c.resigned(`{"variant":"chess"}`, ada, bob)
	c.until(t, "the game is counted", caughtUp)
	if got := c.post("/api/players/erase", `{"password":"WilhelminaWilhelminaWilhelmina"}`, ada); got.status != http.StatusNoContent {
		t.Fatalf("erasing: %d %s", got.status, got.body)
	}
	if got := ask(t, "GET", c.http.URL+"/api/players/me", "", ada.bearer()...); got.status != http.StatusUnauthorized {
		t.Errorf("the token is still good: %d %s", got.status, got.body)
	}
	var p profile
	c.get("/api/players/"+ada.ID, &p)
	if p.Name != "" || p.Ratings[0].Rating != 1020 || view(t, s.url).Seats[0].Player != ada.ID {
		t.Errorf("after erasing: %+v", p)
	}
	if got := ask(t, "GET", c.http.URL+"/api/players/wilhelmina", ""); got.status != http.StatusNotFound {
		t.Errorf("the name is still known: %d %s", got.status, got.body)
	}
	files, err := filepath.Glob(filepath.Join(c.dir, "players.db*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(bytes.ToLower(b), []byte("wilhelmina")) {
			t.Errorf("%s still has the name in it", f)
		}
	}
	if again := c.register("wilhelmina"); again.ID == ada.ID {
		t.Error("somebody else got the same id")
	}
}

// Of many who want the same name or the same seat at once, one gets it, and nobody plays
// himself.
func TestManyAtOnce(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, url string) {
		c := openClub(t, url, nil)
		if n := c.atOnce(20, func(int) answer {
			return ask(t, "POST", c.http.URL+"/api/players", credentials("wanted", "12345678"))
		}); n != 1 {
			t.Errorf("%d accounts of one name", n)
		}
		people := make([]person, 4)
		for i := range people {
			people[i] = c.register(fmt.Sprint("player", i))
		}
		s := &seat{t: t}
		c.post("/api/games", `{"variant":"chess"}`, people[0]).into(t, s)
		if n := c.atOnce(40, func(i int) answer {
			return c.post("/api/games/"+s.ID+"/join", `{}`, people[i%len(people)])
		}); n != 1 {
			t.Errorf("%d players in the second seat", n)
		}
		if v := view(t, c.http.URL+"/api/games/"+s.ID); v.Seats[1].Player == people[0].ID || v.Seats[1].Player == "" {
			t.Errorf("the seats: %+v", v.Seats)
		}
	})
}

// atOnce makes n requests at once and counts those that succeed.
func (c *club) atOnce(n int, request func(i int) answer) int {
	var good atomic.Int32
	var asking sync.WaitGroup
	for i := range n {
		asking.Go(func() {
			if a := request(i); a.status < 300 {
				good.Add(1)
			} else if a.status != http.StatusConflict && a.status != http.StatusServiceUnavailable {
				c.gameServer.t.Errorf("status %d: %s", a.status, a.body)
			}
		})
	}
	asking.Wait()
	return int(good.Load())
}

// One address makes no more players than it may.
func TestPlayersPerMinute(t *testing.T) {
	c := openClub(t, "", func(config *httpapi.Config) { config.PlayersPerMinute = 2 })
	c.guest()
	c.register("ada")
	got := ask(t, "POST", c.http.URL+"/api/players/login", credentials("ada", "adaadaada"))
	if p := got.problem(t); got.status != http.StatusTooManyRequests || p.Type != "/problems/rate_limited" || got.header.Get("Retry-After") == "" {
		t.Errorf("%d %+v", got.status, p)
	}
}
