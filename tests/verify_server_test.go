package tests

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"chancery/adapters/client"
	"chancery/domain/bot"
	"chancery/domain/game"
	"chancery/events/verify"
)

// TestServedGamesVerify plays games of every way to mix in chance through a server, with
// players that keep chains of their own or do not, and lets the verifier judge them. The
// view of each says who must have followed the protocol.
func TestServedGamesVerify(t *testing.T) {
	const (
		three = "If at least one of you, your opponent and our server"
		two   = "One seat leaves its part of chance to the server"
		alone = "Both seats leave their part of chance to the server"
	)
	server := startServer(t, nil)
	for _, c := range []struct {
		name    string
		variant string
		options game.Options
		own     [2]bool
		bot     bool // sits in the second seat
		trust   string
		alone   bool // dice wait for a link of each seat before they roll
	}{
		{"duet in Yugioh Chess", "yugioh", game.Options{"duet": "true"}, [2]bool{true, true}, false, three, true},
		{"duet, one seat delegated", "yugioh", game.Options{"duet": "true"}, [2]bool{true, false}, false, two, true},
		{"a live pile", "chessuno", game.Options{"pile": `"live"`}, [2]bool{true, true}, false, three, false},
		{"a live pile in duet", "chessuno", game.Options{"pile": `"live"`, "duet": "true"}, [2]bool{true, true}, false, three, true},
		{"hidden hands", "unochess", nil, [2]bool{true, true}, false, three, false},
		{"against a program", "yugioh", game.Options{"duet": "true"}, [2]bool{true, false}, true, two, false},
		{"duet of the server alone", "yugioh", game.Options{"duet": "true"}, [2]bool{}, false, alone, true},
		{"a live pile in duet, one seat delegated", "chessuno", game.Options{"pile": `"live"`, "duet": "true"}, [2]bool{false, true}, false, two, true},
		{"nobody keeps a chain", "nocastle", nil, [2]bool{}, false, alone, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			tb := sit(t, server, c.variant, c.options, c.own, c.bot)
			tb.play(24)
			payloads := tb.payloads()
			r := verify.Game(payloads, verify.Legal)
			if r.At(verify.Legal).Verdict != verify.Holds {
				t.Fatalf("%+v", r.Levels)
			}
			v := view(t, tb.url())
			if !strings.HasPrefix(v.Trust, c.trust) || r.Trust != v.Trust {
				t.Errorf("the view says %q, the report %q", v.Trust, r.Trust)
			}
			if c.alone && !rollsAlone(payloads) {
				t.Error("a die rolled in the record of a move, before the other seat had opened a link")
			}
		})
	}
}

// rollsAlone says that no record holds a move and a roll without a link in between.
func rollsAlone(payloads [][]byte) bool {
	return !slices.ContainsFunc(payloads, func(p []byte) bool {
		return strings.Contains(string(p), `"type":"MovePlayed"`) && strings.Contains(string(p), `"roll":{`) &&
			!strings.Contains(string(p), `"type":"LinkOpened"`)
	})
}

// A served is a game that is played through a server by the rules of the protocol.
type served struct {
	t      *testing.T
	server string
	api    *client.Client
	seats  [2]*client.Seat
	table  *client.Table
	turn   int
}

func sit(t *testing.T, server *gameServer, variant string, options game.Options, own [2]bool, against bool) *served {
	t.Helper()
	api, err := client.New(server.http.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(api.Close)
	id := "G" + client.NewKey()[:21]
	tb := &served{t: t, server: server.http.URL, api: api, table: client.NewTable(id, nil)}
	for i := range tb.seats {
		tb.seats[i] = client.NewSeat(server.http.URL, id, game.Players[i])
		if !own[i] {
			tb.seats[i].Delegate()
		}
	}
	create := client.Create{Variant: variant, Options: options, ID: id}
	if own[0] {
		create.Anchor = new(tb.seats[0].Anchor())
	}
	if against {
		create.Opponent = &client.Opponent{Bot: "random"}
	}
	first, err := api.Create(t.Context(), create, client.NewKey())
	if err != nil {
		t.Fatal(err)
	}
	tb.seats[0].Token = first.Token
	if against {
		return tb
	}
	var join client.Join
	if own[1] {
		join = client.Join{Anchor: new(tb.seats[1].Anchor()), Link: new(tb.seats[1].FirstLink())}
	}
	second, err := api.Join(t.Context(), id, join, client.NewKey())
	if err != nil {
		t.Fatal(err)
	}
	tb.seats[1].Token = second.Token
	return tb
}

func (tb *served) url() string { return tb.server + "/api/games/" + tb.table.Game.State.ID }

func (tb *served) payloads() [][]byte {
	tb.t.Helper()
	lines, err := recordsOf(http.DefaultClient, tb.url())
	if err != nil {
		tb.t.Fatal(err)
	}
	payloads := make([][]byte, len(lines))
	for i, l := range lines {
		payloads[i] = []byte(l)
	}
	return payloads
}

// play plays some turns and resigns.
func (tb *served) play(turns int) {
	tb.t.Helper()
	for payload, err := range tb.api.Stream(tb.t.Context(), tb.table.Game.State.ID, -1) {
		if err == nil {
			_, err = tb.table.Absorb(payload)
		}
		if err != nil {
			tb.t.Fatal(err)
		}
		if tb.table.Game.State.Over() {
			return
		}
		tb.answer(turns)
	}
}

// answer does what one of the two seats has to do now, if any.
func (tb *served) answer(turns int) {
	tb.t.Helper()
	s := tb.table.Game.State
	if owing := s.Owing(); len(owing) > 0 {
		tb.send(owing[0], game.OpenLink{}, `{"link":true}`)
		return
	}
	by := s.ToAct()
	if by == game.Spectator || tb.seats[by.Wire()].Token == "" {
		return
	}
	if tb.turn++; tb.turn > turns {
		tb.send(by, game.Resign{}, `{"resign":true}`)
		return
	}
	v, err := tb.api.As(tb.seats[by.Wire()].Token).View(tb.t.Context(), s.ID, nil, "")
	if err != nil {
		tb.t.Fatal(err)
	}
	player, _ := bot.Lookup("random")
	a, ok := player.Act(v, uint64(tb.turn)*7919)
	if !ok {
		return
	}
	tb.send(by, a, doing(tb.t, a))
}

func (tb *served) send(by game.Seat, a game.Action, do string) {
	tb.t.Helper()
	seat := tb.seats[by.Wire()]
	link, err := seat.Link(tb.table.Game.State, a)
	if err != nil {
		tb.t.Fatal(err)
	}
	n, head := tb.table.Game.N, tb.table.Game.Head
	ask := client.Act{Do: json.RawMessage(do), Expect: &n, Link: link, Ack: &head}
	if _, err := tb.api.As(seat.Token).Act(tb.t.Context(), seat.Game, ask, client.NewKey()); err != nil {
		tb.t.Fatalf("%s of %s after record %d: %v", do, by, n, err)
	}
}

// doing is an action of a program as a client writes it.
func doing(t *testing.T, a game.Action) string {
	t.Helper()
	var do map[string]any
	switch a := a.(type) {
	case game.Move:
		do = map[string]any{"move": a.UCI}
	case game.Drop:
		do = map[string]any{"drop": a.UCI}
	case game.Promote:
		do = map[string]any{"promote": a.Square}
	case game.PlayCard:
		do = map[string]any{"play": a.Card}
		if a.Color != "" {
			do["color"] = a.Color
		}
	case game.Discard:
		do = map[string]any{"discard": a.Cards}
	case game.Pass:
		do = map[string]any{"pass": true}
	case game.CallUno:
		do = map[string]any{"uno": "call"}
	case game.CatchUno:
		do = map[string]any{"uno": "catch"}
	case game.Create, game.Join, game.OpenLink, game.StopLinks, game.Resign, game.OfferDraw, game.AcceptDraw, game.DeclineDraw,
		game.ClaimDraw, game.Cancel, game.CallFlag, game.CallForfeit, game.Pause, game.Resume, game.Abort, game.Void:
		t.Fatalf("a program does %T", a)
	}
	b, err := json.Marshal(do)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
