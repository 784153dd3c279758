package tests

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chancery/domain/cards"
	"chancery/domain/fair"
	"chancery/domain/game"
)

// The seeds of two games of UNO Chess under twinID in which White is dealt the same
// cards and the same card is turned up, while Black's hand and the draw pile differ.
// Found by laying out three million seeds, and of 36 such pairs the one whose players
// have cards in common for longest.
const (
	twinID    = "hidden-cards"
	twinSeedA = 663_327
	twinSeedB = 2_298_044
)

// A twin is one of two games that differ in hidden cards only.
type twin struct {
	*gameServer
	seats  [2]*seat
	chains [2]*fair.ClientChain
	opened [2]int
	live   map[string]*safeBuffer // the bytes of streams that are open from the start, by who reads them
}

// newTwin plays the opening on a server of its own.
func newTwin(t *testing.T, keys string, seedNumber uint32) *twin {
	t.Helper()
	var seed fair.Seed
	binary.BigEndian.PutUint32(seed[:], seedNumber)
	now := time.Date(2026, 11, 29, 20, 0, 0, 0, time.UTC)
	on := ground{keys: keys, now: func() time.Time { return now }, entropy: bytes.NewReader(seed[:])}
	tw := &twin{gameServer: startServerOn(t, on, nil), live: map[string]*safeBuffer{}}
	for i := range tw.chains {
		tw.chains[i] = fair.NewClientChain(twinID, i, fair.Hash{byte(1 + i)}, 64)
		tw.seats[i] = &seat{t: t, url: tw.http.URL + "/api/games/" + twinID}
	}
	ask(t, "POST", tw.http.URL+"/api/games", fmt.Sprintf(`{"variant":"unochess","id":%q,"anchor":%q}`, twinID, tw.chains[0].Anchor().Y),
		"Idempotency-Key", "the-key-of-the-creator").into(t, tw.seats[0])
	tw.opened[1]++
	ask(t, "POST", tw.seats[1].url+"/join", fmt.Sprintf(`{"anchor":%q,"link":%q}`, tw.chains[1].Anchor().Y, tw.chains[1].Link(1).Y),
		"Idempotency-Key", "the-key-of-the-other-player").into(t, tw.seats[1])
	for who, headers := range tw.readers() {
		tw.follow(who, "text/event-stream", headers)
		tw.follow(who+", as lines", "application/x-ndjson", headers)
	}
	tw.act(0, `{"link":true}`)
	return tw
}

// readers are those who must not see Black's cards, with the headers that they send.
func (tw *twin) readers() map[string][]string {
	return map[string][]string{"spectator": nil, "White": tw.bearer(0)}
}

func (tw *twin) bearer(i int) []string {
	return []string{"Authorization", "Bearer " + tw.seats[i].Token}
}

// follow keeps every byte of a stream.
func (tw *twin) follow(who, accept string, headers []string) {
	tw.t.Helper()
	r, err := http.NewRequestWithContext(tw.t.Context(), http.MethodGet, tw.seats[0].url+"/stream", nil)
	if err != nil {
		tw.t.Fatal(err)
	}
	r.Header.Set("Accept", accept)
	if headers != nil {
		r.Header.Set(headers[0], headers[1])
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		tw.t.Fatal(err)
	}
	kept := &safeBuffer{}
	tw.live[who] = kept
	go func() {
		defer resp.Body.Close()
		_, _ = io.Copy(kept, resp.Body) // ends with the server
	}()
}

// see is the game as the seat sees it.
func (tw *twin) see(i int) game.View { return view(tw.t, tw.seats[i].url, tw.bearer(i)...) }

// act does something that must be accepted, and gives the answer.
func (tw *twin) act(i int, do string) answer {
	tw.t.Helper()
	v := tw.see(i)
	body := fmt.Sprintf(`{"do":%s,"expect":%d`, do, v.N)
	if v.Link {
		tw.opened[i]++
		body += fmt.Sprintf(`,"link":%q`, tw.chains[i].Link(tw.opened[i]).Y)
	}
	a := tw.seats[i].do(body + "}")
	if a.status != 200 {
		tw.t.Fatalf("%s: %s", do, a.body)
	}
	return a
}

// listed waits until the list of games, which follows the ledger, has record n.
func (tw *twin) listed(n int) {
	tw.t.Helper()
	for began := time.Now(); !strings.Contains(ask(tw.t, "GET", tw.http.URL+"/api/games", "").body, fmt.Sprintf(`"n":%d,`, n)); time.Sleep(time.Millisecond) {
		if time.Since(began) > time.Minute {
			tw.t.Fatalf("the list of games does not come to record %d", n)
		}
	}
}

// everything is all that a reader can get by asking, by what was asked.
func (tw *twin) everything(headers []string, n int, probes []string) map[string]string {
	tw.t.Helper()
	tw.listed(n)
	all := map[string]string{}
	get := func(method, path, body string, more ...string) {
		a := ask(tw.t, method, tw.http.URL+path, body, append(slices.Clone(headers), more...)...)
		a.header.Del("Date")
		all[method+" "+path+" "+body] = fmt.Sprint(a.status, a.header, a.body)
	}
	g := "/api/games/" + twinID
	for _, path := range []string{
		g, g + "?as=spectator", g + "?as=1", g + "/records", g + "/pgn", "/api/games", "/api/games?phase=live&variant=unochess",
		fmt.Sprintf("%s?at=%d", g, n), fmt.Sprintf("%s/records?since=%d", g, n), fmt.Sprintf("%s?at=%d", g, n+1),
	} {
		get("GET", path, "")
	}
	if headers == nil {
		get("GET", g+"/mine", "")
	}
	for i, do := range probes {
		get("POST", g+"/actions", fmt.Sprintf(`{"do":%s,"expect":%d}`, do, n), "Idempotency-Key", fmt.Sprintf("a-key-for-record-%d-probe-%d", n, i))
	}
	get("POST", g+"/join", "{}", "Idempotency-Key", "the-key-of-a-third-player")
	return all
}

// probesFor are commands that are refused whatever is hidden: a spectator's and those of
// a player off turn all, and on turn the play of any card that he does not hold.
func probesFor(v game.View, onTurn bool, held ...[]cards.Dealt) []string {
	list := []string{`{"uno":"call"}`, `{"uno":"catch"}`, `{"draw":"accept"}`, `{"draw":"claim"}`, `{"link":true}`, `{"promote":"e4"}`}
	if !onTurn {
		list = append(list, `{"pass":true}`, `{"move":"e2e4"}`)
	}
	for _, id := range cards.Short.All().IDs() {
		code := cards.Short.Dealt(id).Card.Code()
		if holds := slices.ContainsFunc(slices.Concat(held...), func(c cards.Dealt) bool { return c.Card.Code() == code }); onTurn && holds || v.Phase == game.PhaseMove && id > 3 {
			continue
		}
		color := ""
		if code == "W" {
			color = `,"color":"red"`
		}
		list = append(list, fmt.Sprintf(`{"play":%q%s}`, code, color), fmt.Sprintf(`{"discard":[%q]}`, code))
	}
	return list
}

var (
	longHex     = regexp.MustCompile(`[0-9a-f]{32,}`)
	private     = regexp.MustCompile(`event: private\ndata: .*\n`)
	ownCards    = regexp.MustCompile(`"hand":\[[^\]]*\]`)
	ownPlayable = regexp.MustCompile(`,"cards":\[[^\]]*\]`)
	ownLength   = regexp.MustCompile(`Content-Length:\[\d+\]`)
)

// masked is the text with hashes and salts made equal, and not their lengths.
func masked(text string) string {
	return longHex.ReplaceAllStringFunc(text, func(h string) string { return strings.Repeat("#", len(h)) })
}

// public is what White is told without White's own cards.
func public(text string) string {
	for _, own := range []*regexp.Regexp{private, ownCards, ownPlayable, ownLength} {
		text = own.ReplaceAllString(text, "(own)")
	}
	return text
}

// Nothing that reaches a spectator or the opponent tells a hidden card: all bytes of two
// games that differ in Black's hand and in the draw pile only are equal, those of records
// with hashes and salts masked. White's own hand is the same until it draws; from then on
// it alone is left out.
func TestHiddenCardsLeaveNoTrace(t *testing.T) {
	keys := t.TempDir()
	a, b := newTwin(t, keys, twinSeedA), newTwin(t, keys, twinSeedB)
	if cmp.Equal(a.see(1).Table.Hand, b.see(1).Table.Hand) {
		t.Fatal("nothing that is hidden differs")
	}
	if diff := cmp.Diff(a.see(0).Table.Hand, b.see(0).Table.Hand); diff != "" {
		t.Fatalf("White's hands differ, so these are not the twins:\n%s", diff)
	}
	commands := 0
	for own := strings.Clone; ; commands++ {
		if white := a.see(0); white.N > 3 {
			own = public // White has drawn a card
		}
		compareTwins(t, a, b, own)
		i, do := common(a, b)
		if do == "" || t.Failed() {
			break
		}
		x, y := a.act(i, do), b.act(i, do)
		if i == 1 || commands == 0 { // what is said to Black is for Black alone
			x.body, y.body = eventsIn(t, x), eventsIn(t, y)
		}
		if diff := cmp.Diff(public(masked(x.body)), public(masked(y.body))); diff != "" {
			t.Fatalf("%s is answered with a difference (-A +B):\n%s", do, diff)
		}
	}
	if commands != 8 {
		t.Errorf("%d commands were compared, not the 8 that the twins have in common", commands)
	}
	compareStreams(t, a, b)
}

func eventsIn(t *testing.T, a answer) string {
	var answered acted
	a.into(t, &answered)
	return string(answered.Events)
}

// common is something that the seat which must act can do in both games, with cards of
// its hand that are the same: nothing if there is none.
func common(a, b *twin) (i int, do string) {
	i = a.see(0).Act[0].Wire()
	v, w := a.see(i), b.see(i)
	switch {
	case v.Phase != w.Phase:
	case v.Phase == game.PhaseMove && slices.Equal(v.Legal, w.Legal):
		return i, fmt.Sprintf(`{"move":%q}`, v.Legal[(v.N-2)*7%len(v.Legal)])
	case v.Phase == game.PhaseCard:
		for _, code := range v.Cards {
			like := func(c cards.Dealt) bool { return c.Card.Code() != code }
			mine, its := slices.DeleteFunc(slices.Clone(v.Table.Hand), like), slices.DeleteFunc(slices.Clone(w.Table.Hand), like)
			if mine[0].Card.Kind == cards.Number && len(mine) == 1 && slices.Equal(mine, its) && slices.Contains(w.Cards, code) {
				return i, fmt.Sprintf(`{"play":%q}`, code)
			}
		}
	}
	return i, ""
}

// compareTwins compares all that can be asked for now.
func compareTwins(t *testing.T, a, b *twin, own func(string) string) {
	t.Helper()
	v := a.see(0)
	onTurn := v.Act[0] == game.First
	for who, headers := range a.readers() {
		probes := probesFor(v, onTurn && who == "White", v.Table.Hand, b.see(0).Table.Hand)
		x, y := a.everything(headers, v.N, probes), b.everything(headers, v.N, probes)
		for _, call := range slices.Sorted(maps.Keys(x)) {
			if diff := cmp.Diff(own(masked(x[call])), own(masked(y[call]))); diff != "" {
				t.Errorf("record %d, %s, %s (-A +B):\n%s", v.N, who, call, diff)
			}
		}
	}
	last, err := a.log.Last(t.Context())
	if err != nil || int(last) != v.N+1 {
		t.Fatalf("a probe was stored: position %d behind record %d, %v", last, v.N, err)
	}
}

// compareStreams waits until the streams have told everything and compares their bytes.
func compareStreams(t *testing.T, a, b *twin) {
	t.Helper()
	newest := fmt.Sprintf(`"n":%d,"prev"`, a.see(0).N)
	for who := range a.live {
		for _, tw := range []*twin{a, b} {
			for strings.Count(tw.live[who].String(), newest) == 0 || !strings.HasSuffix(tw.live[who].String(), "\n") {
				time.Sleep(time.Millisecond)
			}
		}
		x, y := a.live[who].String(), b.live[who].String()
		if who != "White" && strings.Contains(x, "private") {
			t.Errorf("%s is told what is private: %s", who, x)
		}
		if diff := cmp.Diff(public(masked(x)), public(masked(y))); diff != "" {
			t.Errorf("the streams of %s differ (-A +B):\n%s", who, diff)
		}
	}
}
