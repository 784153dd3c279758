package tests

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chancery/adapters/memory"
	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
)

// A bid is one command of several that are sent at the same moment.
type bid struct {
	seat int
	do   string // or, for a table that is still open, "join"
	link string // of the seat's own chain, where one is due
}

// A race is a moment of a game in which two players may both act, and what may come of
// it: each outcome says which bids were accepted, and the reason why the game ended.
type race struct {
	name     string
	arrange  func(t *testing.T, server string) (players [2]*seat, n int)
	bids     []bid
	outcomes []string
}

func inGame(body string, moves ...string) func(*testing.T, string) ([2]*seat, int) {
	return func(t *testing.T, server string) ([2]*seat, int) { return play(t, server, body, moves...) }
}

var races = []race{
	{
		"resigning and being mated", inGame(plainChess, "e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6"),
		[]bid{{0, `{"move":"h5f7"}`, ""}, {1, `{"resign":true}`, ""}},
		[]string{"10 checkmate", "01 resignation"},
	},
	{
		"resigning and mating", inGame(plainChess, "e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6"),
		[]bid{{0, `{"move":"h5f7"}`, ""}, {0, `{"resign":true}`, ""}},
		[]string{"10 checkmate", "01 resignation"},
	},
	{
		"both resign", inGame(plainChess, "e2e4"),
		[]bid{{0, `{"resign":true}`, ""}, {1, `{"resign":true}`, ""}},
		[]string{"10 resignation", "01 resignation"},
	},
	{
		"accepting a draw and moving", offered,
		[]bid{{0, `{"move":"d2d4"}`, ""}, {1, `{"draw":"accept"}`, ""}},
		[]string{"11 agreement", "01 agreement"},
	},
	{
		"accepting a draw and lapsing it", offeredOnTurn,
		[]bid{{1, `{"move":"d7d5"}`, ""}, {1, `{"draw":"accept"}`, ""}},
		[]string{"10 ", "01 agreement"},
	},
	{
		"both offer a draw", inGame(plainChess, "e2e4"),
		[]bid{{0, `{"draw":"offer"}`, ""}, {1, `{"draw":"offer"}`, ""}},
		[]string{"11 agreement"},
	},
	{
		"both call it off", inGame(plainChess, "e2e4"),
		[]bid{{0, `{"cancel":true}`, ""}, {1, `{"cancel":true}`, ""}},
		[]string{"11 cancelled"},
	},
	{
		"one move and another", inGame(plainChess),
		[]bid{{0, `{"move":"e2e4"}`, ""}, {0, `{"move":"d2d4"}`, ""}},
		[]string{"10 ", "01 "},
	},
	{
		"calling UNO and being caught", bareKing,
		[]bid{{1, `{"uno":"call"}`, ""}, {0, `{"uno":"catch"}`, ""}},
		[]string{"10 ", "01 uno_caught"},
	},
	{
		"calling and catching UNO and resigning", bareKing,
		[]bid{{1, `{"uno":"call"}`, ""}, {0, `{"uno":"catch"}`, ""}, {0, `{"resign":true}`, ""}},
		[]string{"101 resignation", "010 uno_caught", "001 resignation"},
	},
	{
		"two who join", waiting,
		[]bid{{1, "join", ""}, {1, "join", ""}},
		[]string{"10 ", "01 "},
	},
	{
		"joining and calling off", waiting,
		[]bid{{1, "join", ""}, {0, `{"cancel":true}`, ""}},
		[]string{"01 cancelled", "11 "}, // behind the start it is a proposal
	},
	{
		"both links of a duet", duet,
		[]bid{{0, `{"link":true}`, link(0, 2)}, {1, `{"link":true}`, link(1, 2)}},
		[]string{"10 ", "01 "}, // who comes second has not seen the first one's link, and sends his again
	},
	{
		"a link and a resignation", duet,
		[]bid{{0, `{"link":true}`, link(0, 2)}, {1, `{"resign":true}`, ""}},
		[]string{"11 resignation", "01 resignation"},
	},
	{
		"the first link and leaving", owing,
		[]bid{{0, `{"link":true}`, link(0, 1)}, {1, `{"cancel":true}`, ""}},
		[]string{"11 ", "10 no_eight", "01 cancelled"},
	},
	{
		"a link twice", owing,
		[]bid{{0, `{"link":true}`, link(0, 1)}, {0, `{"link":true}`, link(0, 1)}},
		[]string{"10 ", "01 ", "10 no_eight", "01 no_eight"},
	},
}

// offered is a game in which White, on turn, has offered a draw.
func offered(t *testing.T, server string) ([2]*seat, int) {
	players, n := play(t, server, plainChess, "e2e4", "e7e5")
	players[0].do(`{"do":{"draw":"offer"}}`)
	return players, n + 1
}

// offeredOnTurn is one in which White has offered a draw and Black is on turn.
func offeredOnTurn(t *testing.T, server string) ([2]*seat, int) {
	players, n := play(t, server, plainChess, "e2e4")
	players[0].do(`{"do":{"draw":"offer"}}`)
	return players, n + 1
}

// waiting is a table with one player.
func waiting(t *testing.T, server string) ([2]*seat, int) {
	first := create(t, server, plainChess)
	return [2]*seat{first, {t: t, url: first.url, ID: first.ID}}, first.N
}

const chainedID = "races-of-chains"

func chain(i int) *fair.ClientChain {
	return fair.NewClientChain(chainedID, i, fair.Hash{byte(1 + i)}, 8)
}

func link(i, n int) string { return chain(i).Link(n).Y.String() }

// owing is a game with chains of the players' own whose creator has yet to open a link.
func owing(t *testing.T, server string) ([2]*seat, int) { return chained(t, server, `{}`) }

func chained(t *testing.T, server, options string) ([2]*seat, int) {
	first := create(t, server, fmt.Sprintf(`{"variant":"yugioh","options":%s,"id":%q,"anchor":%q}`, options, chainedID, chain(0).Anchor().Y))
	second := &seat{t: t, url: first.url}
	ask(t, "POST", first.url+"/join", fmt.Sprintf(`{"anchor":%q,"link":%q}`, chain(1).Anchor().Y, link(1, 1))).into(t, second)
	return [2]*seat{first, second}, second.N
}

// duet is a game between its first and its second roll, each of which wants both links.
func duet(t *testing.T, server string) ([2]*seat, int) {
	players, n := chained(t, server, `{"duet":true}`)
	var a acted
	players[0].do(fmt.Sprintf(`{"do":{"link":true},"expect":%d,"link":%q}`, n, link(0, 1))).into(t, &a)
	return players, a.N
}

// bareKing is a game of UNO Chess in which Black has nothing but his king, has ended a
// turn without calling UNO and has not been caught yet. Cards are as they fall, so it
// may take several tries.
func bareKing(t *testing.T, server string) (players [2]*seat, n int) {
	for range 200 {
		players, n = play(t, server, `{"variant":"unochess","start":"4k2n/8/8/8/8/8/8/4K2R w - - 0 1"}`)
		for i, wish := range []string{"h1h8", ""} {
			n = turn(t, players[i], wish)
		}
		if v := view(t, players[0].url); v.Table.Uno[1] == game.ForgotUno && v.Act[0] == game.First {
			return players, n
		}
	}
	t.Fatal("no game got to a bare king")
	return players, n
}

// turn plays a turn of UNO Chess with number cards alone, with the move that is wished
// for or any other.
func turn(t *testing.T, s *seat, wish string) int {
	v := view(t, s.url, "Authorization", "Bearer "+s.Token)
	for v.Act[0].Wire() == s.wire(v) && (v.Phase == game.PhaseCard || v.Phase == game.PhaseMove) {
		var do string
		switch i := slices.IndexFunc(v.Cards, func(c string) bool { return c[1:] == "1" || c[1:] == "8" || wish == "" && len(c) == 2 && c[1] < '9' }); {
		case v.Phase == game.PhaseMove && slices.Contains(v.Legal, wish):
			do = fmt.Sprintf(`{"move":%q}`, wish)
		case v.Phase == game.PhaseMove && len(v.Legal) > 0:
			do = fmt.Sprintf(`{"move":%q}`, v.Legal[0])
		case i >= 0:
			do = fmt.Sprintf(`{"play":%q}`, v.Cards[i])
		default:
			return v.N
		}
		var a acted
		s.do(fmt.Sprintf(`{"do":%s,"expect":%d}`, do, v.N)).into(t, &a)
		v = view(t, s.url, "Authorization", "Bearer "+s.Token)
	}
	return v.N
}

// wire is the number of the seat.
func (s *seat) wire(v game.View) int {
	if v.As == "1" {
		return 1
	}
	return 0
}

// Two commands at the same moment end in one consistent history, the same for everybody,
// on one server and on two that share a ledger.
func TestRaces(t *testing.T) {
	for _, servers := range []int{1, 2} {
		for _, r := range races {
			t.Run(fmt.Sprintf("%s/on %d", r.name, servers), func(t *testing.T) {
				seen := map[string]int{}
				for range 8 {
					seen[run(t, r, servers)]++
				}
				for outcome := range seen {
					if !slices.Contains(r.outcomes, outcome) {
						t.Errorf("%q, want one of %q", outcome, r.outcomes)
					}
				}
			})
		}
	}
}

// run runs the race once and says what came of it.
func run(t *testing.T, r race, servers int) string {
	t.Helper()
	on := ground{log: memory.New(), keys: t.TempDir(), now: time.Now, entropy: rand.Reader}
	ours := []*gameServer{startServerOn(t, on, nil)}
	if servers == 2 {
		ours = append(ours, startServerOn(t, on, nil))
	}
	players, n := r.arrange(t, ours[0].http.URL)
	game := strings.TrimPrefix(players[0].url, ours[0].http.URL)
	answers := make([]answer, len(r.bids))
	var start, done sync.WaitGroup
	start.Add(1)
	for i, b := range r.bids {
		url, by := ours[i%servers].http.URL+game, players[b.seat]
		key := fmt.Sprintf("a-key-for-bid-number-%d-of-a-race", i)
		done.Go(func() {
			start.Wait()
			var err error
			if b.do == "join" {
				answers[i], err = tryAsk(t.Context(), http.DefaultClient, "POST", url+"/join", "{}", "Idempotency-Key", key)
			} else {
				body := fmt.Sprintf(`{"do":%s,"expect":%d,"link":%q}`, b.do, n, b.link)
				answers[i], err = tryAsk(t.Context(), http.DefaultClient, "POST", url+"/actions", body, "Authorization", "Bearer "+by.Token, "Idempotency-Key", key)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	start.Done()
	done.Wait()
	return outcome(t, ours, game, n, r.bids, answers)
}

// outcome makes sure that the history, the answers and what everybody sees agree.
func outcome(t *testing.T, ours []*gameServer, id string, n int, bids []bid, answers []answer) string {
	t.Helper()
	g, err := events.Load(t.Context(), ours[0].log, strings.TrimPrefix(id, "/api/games/"))
	if err != nil {
		t.Fatal(err)
	}
	var records []string
	want := marshalled(t, game.ViewFor(g.State, game.Spectator, nil))
	for i, s := range ours {
		until := time.Now().Add(30 * time.Second)
		for view(t, s.http.URL+id).N != g.N && time.Now().Before(until) { // the other server's records are on their way
			time.Sleep(time.Millisecond)
		}
		list, err := recordsOf(http.DefaultClient, s.http.URL+id)
		if err != nil || len(list) != g.N+1 || i > 0 && !slices.Equal(records, list) {
			t.Fatalf("server %d shows %d records, of %d: %v", i, len(list), g.N+1, err)
		}
		records = list
		if diff := cmp.Diff(want, ask(t, "GET", s.http.URL+id, "").body); diff != "" {
			t.Errorf("server %d shows another position than the ledger gives (-ledger +server):\n%s", i, diff)
		}
		if out := s.out.String(); strings.Contains(out, "level=ERROR") || strings.Contains(out, "panic") {
			t.Errorf("trouble of ours: %s", linesWith(out, "level=ERROR", "panic"))
		}
	}
	accepted, stored := "", 0
	for i, a := range answers {
		switch {
		case a.status == http.StatusOK:
			accepted, stored = accepted+"1", stored+1
			checkAnswer(t, a, records, n)
		case a.status >= 400 && a.status < 500:
			accepted += "0"
			a.problem(t)
		default:
			t.Errorf("%s: %d %s", bids[i].do, a.status, a.body)
		}
	}
	if g.N-n < stored {
		t.Errorf("%d commands were accepted and %d records stored", stored, g.N-n)
	}
	if ends := strings.Count(strings.Join(records, ""), `"type":"GameEnded"`) + strings.Count(strings.Join(records, ""), `"type":"GameAborted"`); ends > 1 || (ends == 1) != g.State.Over() {
		t.Errorf("the game ended %d times", ends)
	}
	return accepted + " " + string(g.State.Reason)
}

// checkAnswer makes sure that an answer tells of a record that is there.
func checkAnswer(t *testing.T, a answer, records []string, n int) {
	t.Helper()
	var got acted
	a.into(t, &got)
	if got.N <= n || got.N >= len(records) || got.Events != nil && !strings.Contains(records[got.N], string(got.Events)) {
		t.Errorf("the answer is not record %d of the ledger: %s", got.N, a.body)
	}
}

func marshalled(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b) + "\n"
}
