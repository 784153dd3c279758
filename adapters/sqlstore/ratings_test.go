package sqlstore

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"chancery/adapters/memory"
	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/domain/player"
	"chancery/domain/rating"
	"chancery/events"
	"chancery/projections"
	"chancery/projections/ratings"
)

// A season is a ledger of games of which only the beginnings and ends are told.
type season struct {
	*memory.Log
	t     testing.TB
	heads map[string]events.Record // the newest of every game
	at    map[string]events.Revision
	clock game.Instant
}

func newSeason(t testing.TB) *season {
	return &season{Log: memory.New(), t: t, heads: map[string]events.Record{}, at: map[string]events.Revision{}}
}

// record appends one to the game.
func (s *season) record(id string, facts ...game.Fact) {
	s.t.Helper()
	s.clock += 1000
	r := events.Record{Game: id, At: s.clock}
	if last, known := s.heads[id]; known {
		payload, err := events.EncodeRecord(last)
		if err != nil {
			s.t.Fatal(err)
		}
		r.N, r.Prev = last.N+1, fair.RecordHash(payload)
	}
	r.Cause = fair.Cause(id, fmt.Sprint(r.N))
	for _, f := range facts {
		r.Events = append(r.Events, game.Event{N: r.N, At: r.At, Fact: f})
	}
	payload, err := events.EncodeRecord(r)
	if err != nil {
		s.t.Fatal(err)
	}
	revision, err := s.Append(s.t.Context(), s.at[id], events.Entry{Game: id, Payload: payload, Cause: r.Cause.String()})
	if err != nil {
		s.t.Fatal(err)
	}
	s.heads[id], s.at[id] = r, revision
}

func (s *season) open(id, variant string, rated bool, first game.Sitter) {
	s.record(id, game.GameCreated{
		Variant: variant, Rated: rated, Color: game.PreferWhite, Options: game.Options{}, Rules: game.RulesUsed{Version: 1}, Seats: []game.Sitter{first, {}},
	})
}

func (s *season) join(id string, second game.Sitter) {
	s.record(id, game.PlayerJoined{Seat: game.Second, Player: second.Player, Bot: second.Bot})
}

// end ends a game; a spectator as winner is a draw. The army that won says nothing.
func (s *season) end(id string, winner game.Seat) {
	result := game.BlackWins
	if winner == game.Spectator {
		result = game.Drawn
	}
	s.record(id, game.GameEnded{Reason: game.Resignation, Result: result, Winner: winner})
}

func (s *season) void(id string) { s.record(id, game.GameVoided{Reason: game.Administrator}) }

// model is the read model of the season, in batches of a size.
func (s *season) model(db *DB, size int) *Model {
	m := db.Model(Ratings())
	absorb(s.t, m, s.Log, size)
	return m
}

type vector struct {
	Name  string
	Games []struct {
		White, Black *string
		Variant      string
		Result       string
		Winner       *string
		Rated        bool
		Voided       bool
	}
	Expect map[string]struct {
		Rating                  float64
		Games, Won, Drawn, Lost int
		Tier                    rating.Tier
		Variants                map[string]struct {
			Rating float64
			Games  int
		}
	}
}

func (v vector) play(s *season) {
	sitter := func(name *string) game.Sitter {
		if name == nil {
			return game.Sitter{Player: player.GuestID("x")}
		}
		return game.Sitter{Player: *name}
	}
	for i, g := range v.Games {
		id := fmt.Sprintf("g%d", i)
		s.open(id, g.Variant, g.Rated, sitter(g.White))
		s.join(id, sitter(g.Black))
		switch {
		case g.Result == "*":
			s.record(id, game.GameAborted{Reason: game.ByServer})
		case g.Winner == nil:
			s.end(id, game.Spectator)
		default:
			s.end(id, map[string]game.Seat{"white": game.First, "black": game.Second}[*g.Winner])
		}
	}
	for i, g := range v.Games {
		if g.Voided {
			s.void(fmt.Sprintf("g%d", i))
		}
	}
}

// The worked cases, through a ledger: whoever is voided at the very end is as if never
// played.
func TestRatingVectors(t *testing.T) {
	data, err := os.ReadFile("../../domain/rating/testdata/ratings-vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []vector }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	for _, v := range file.Cases {
		t.Run(v.Name, func(t *testing.T) {
			s := newSeason(t)
			v.play(s)
			db, err := Open("", t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			s.model(db, 3)
			for name, want := range v.Expect {
				list, _, err := db.Pools(t.Context(), name)
				if err != nil {
					t.Fatal(err)
				}
				got := map[string]rating.Standing{rating.Overall: rating.NewStanding()}
				for _, p := range list {
					got[p.Pool] = p.Standing
				}
				all := got[rating.Overall]
				if all.Rating.Points() != want.Rating || all.Games != want.Games || all.Rating.Tier() != want.Tier || all.Total != (rating.Total{Won: want.Won, Drawn: want.Drawn, Lost: want.Lost}) {
					t.Errorf("%s stands at %+v, want %+v", name, all, want)
				}
				if len(got) != 1+len(want.Variants) {
					t.Errorf("%s has pools %v, want %v", name, got, want.Variants)
				}
				for variant, want := range want.Variants {
					if s := got[variant]; s.Rating.Points() != want.Rating || s.Games != want.Games {
						t.Errorf("%s in %s stands at %+v, want %+v", name, variant, s, want)
					}
				}
			}
		})
	}
}

// simulate plays games of forty accounts, guests and a program, many at a time; some are
// called off, and some voided, at once or long after.
func (s *season) simulate(games int) {
	random := rand.New(rand.NewPCG(7, 7))
	variants := []string{"chess", "nocastle", "unochess", "chessuno", "yugioh", "unachess1"}
	anybody := func() game.Sitter {
		switch n := random.IntN(46); {
		case n < 40:
			return game.Sitter{Player: fmt.Sprintf("p%02d", n)}
		case n < 44:
			return game.Sitter{Player: player.GuestID(fmt.Sprint(n))}
		case n == 44:
			return game.Sitter{}
		}
		return game.Sitter{Bot: "greedy"}
	}
	var playing, over []string
	for i := range games {
		id := fmt.Sprintf("g%05d", i)
		first, second := anybody(), anybody()
		for second.Player != "" && second.Player == first.Player {
			second = anybody()
		}
		s.open(id, variants[random.IntN(len(variants))], random.IntN(5) > 0, first)
		s.join(id, second)
		playing = append(playing, id)
		for len(playing) > 0 && (random.IntN(2) == 0 || i == games-1) {
			k := random.IntN(len(playing))
			id := playing[k]
			playing = slices.Delete(playing, k, k+1)
			if random.IntN(20) == 0 {
				s.record(id, game.GameAborted{Reason: game.ByCancel})
				continue
			}
			s.end(id, [3]game.Seat{game.Spectator, game.First, game.Second}[random.IntN(3)])
			over = append(over, id)
		}
		if len(over) > 0 && random.IntN(200) == 0 {
			k := random.IntN(len(over))
			s.void(over[k])
			over = slices.Delete(over, k, k+1)
		}
	}
}

// Ten thousand games give what a script of twenty lines computes from the same records,
// which shares nothing with this program but the rules.
func TestRatingsAsAScriptComputesThem(t *testing.T) {
	node, err := exec.LookPath("node")
	if errors.Is(err, exec.ErrNotFound) && os.Getenv("CI") == "" {
		t.Skip("no Node.js is installed")
	}
	if err != nil {
		t.Fatal(err)
	}
	s := newSeason(t)
	s.simulate(10_000)
	var records bytes.Buffer
	last, err := s.Last(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for r, err := range s.Follow(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		records.Write(r.Payload)
		records.WriteByte('\n')
		if r.Position == last {
			break
		}
	}
	script := exec.Command(node, "../../docs/examples/ratings.mjs")
	script.Stdin, script.Stderr = &records, os.Stderr
	want, err := script.Output()
	if err != nil {
		t.Fatal(err)
	}
	onBoth(t, func(t *testing.T, open func() *DB) {
		s.t = t
		db := open()
		m := s.model(db, 1000)
		var rows []standingRow
		if err := m.Select(t.Context(), &rows, "SELECT * FROM ratings_standing"); err != nil {
			t.Fatal(err)
		}
		var lines []string
		for _, r := range rows {
			pool := r.Pool
			if pool == rating.Overall {
				pool = "overall"
			}
			lines = append(lines, fmt.Sprintf("%s %s %.2f %d\n", r.Player, pool, r.standing().Rating.Points(), r.Games))
		}
		slices.Sort(lines)
		if got := strings.Join(lines, ""); got != string(want) || len(lines) < 200 {
			t.Errorf("%d standings differ:\n%s\nwant\n%s", len(lines), got, want)
		}
	})
}

// A game that is voided long after its end leaves no trace: everything is as if it had
// never been played, whatever the batches.
func TestVoidedGamesLeaveNoTrace(t *testing.T) {
	s, want := newSeason(t), rating.NewRanking()
	for i := range 1300 { // more than are read at once to be counted again
		id, players := fmt.Sprintf("g%04d", i), [2]string{fmt.Sprint("p", i%7), fmt.Sprint("p", 7+i%5)}
		voided := i == 40 || i == 41 || i == 900
		if voided {
			players[1] = "only here"
		}
		winner, score := game.Spectator, rating.Draw
		switch i % 3 {
		case 1:
			winner, score = game.First, rating.Win
		case 2:
			winner, score = game.Second, rating.Loss
		}
		s.open(id, "chess", true, game.Sitter{Player: players[0]})
		s.join(id, game.Sitter{Player: players[1]})
		s.end(id, winner)
		if !voided {
			want.Count(rating.Game{ID: id, Variant: "chess", Players: players, Score: score})
		}
	}
	for _, id := range []string{"g0041", "g0040", "g0900"} {
		s.void(id)
	}
	onBoth(t, func(t *testing.T, open func() *DB) {
		s.t = t
		db := open()
		m := s.model(db, 10)
		page, _, err := db.Ranking(t.Context(), "chess", 0, 100)
		if err != nil || len(page) != 12 {
			t.Fatalf("%d players: %v", len(page), err)
		}
		for i, r := range page {
			if got := want.Standing(r.Player, "chess"); got != r.Standing {
				t.Errorf("%s stands at %+v, want %+v", r.Player, r.Standing, got)
			}
			if i > 0 && (r.Rating > page[i-1].Rating || (r.Rank == page[i-1].Rank) != (r.Rating == page[i-1].Rating)) {
				t.Errorf("%+v comes behind %+v", r, page[i-1])
			}
		}
		comparePairs(t, db, want)
		before := sum(t, m)
		if err := projections.Rebuild(t.Context(), s.Log, m, nil); err != nil {
			t.Fatal(err)
		}
		if after := sum(t, m); after != before {
			t.Errorf("rebuilt: %+v, want %+v", after, before)
		}
	})
}

func comparePairs(t *testing.T, db *DB, want *rating.Ranking) {
	t.Helper()
	for _, pair := range [][2]string{{"p0", "p7"}, {"p7", "p0"}, {"p3", "p11"}, {"p0", "only here"}} {
		got, err := db.HeadToHead(t.Context(), pair[0], pair[1])
		if w := want.HeadToHead(pair[0], pair[1]); err != nil || got.Total != w.Total || !slices.Equal(got.Form, w.Form) {
			t.Errorf("%v: %+v (%v), want %+v", pair, got, err, w)
		}
	}
	rivals, err := db.Rivals(t.Context(), "p0", 10)
	if err != nil || len(rivals) != 5 {
		t.Fatalf("rivals of p0: %+v (%v)", rivals, err)
	}
	for _, r := range rivals {
		if w := want.HeadToHead("p0", r.Opponent); r.Total != w.Total {
			t.Errorf("against %s %+v, want %+v", r.Opponent, r.Total, w.Total)
		}
	}
	compareEntries(t, db, want)
}

// Page by page, each entry begins where the one before it ended.
func compareEntries(t *testing.T, db *DB, want *rating.Ranking) {
	t.Helper()
	q := ratings.Query{Player: "p0", Pool: rating.Overall, Limit: 7}
	next, n := want.Standing("p0", rating.Overall).Rating, 0
	for more := true; more; {
		var page []ratings.Entry
		var err error
		if page, more, err = db.Entries(t.Context(), q); err != nil {
			t.Fatal(err)
		}
		for _, e := range page {
			if e.After.Rating != next || e.Opponent == "only here" {
				t.Fatalf("%+v does not lead to %v", e, next)
			}
			next, q.Before, n = e.Before.Rating, e.Game.Position, n+1
		}
	}
	if games := want.Standing("p0", rating.Overall).Games; next != rating.Start || n != games {
		t.Errorf("%d entries back to %v, want %d", n, next, games)
	}
}
