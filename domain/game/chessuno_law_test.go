package game

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"chancery/domain/cards"
	"chancery/domain/chess"
	"chancery/domain/fair"
)

// A seriesGame is a game of Chess-Uno between two seats that play anything, each with
// a chain of its own or none.
type seriesGame struct {
	t      testing.TB
	r      *rand.Rand
	s      State
	dealer *fair.Dealer
	chains [2]*fair.Chain // nil: the server keeps it
	events []Event
	asked  []Command // those that were not refused
}

// seriesOptions is options of Chess-Uno by the bits of a number.
func seriesOptions(bits uint16) Options {
	bit := func(i int) bool { return bits>>i&1 != 0 }
	o := Options{
		"maxCardNumber": IntValue(1 + int(bits>>8)%9), "includeZero": BoolValue(bit(0)), "includeJokers": BoolValue(bit(1)),
		"stopComboOnKingThreat": BoolValue(bit(2)), "kingAvoidsAttackedSquares": BoolValue(bit(3)),
		"drawAfterTurnsWithoutMove": IntValue(2 + int(bits>>12)), "pawnRecoveryOverflow": BoolValue(bit(4)),
	}
	if bit(5) {
		o["pile"], o["duet"] = TextValue("live"), BoolValue(bit(6))
	}
	return o
}

func newSeriesGame(t testing.TB, seed uint64, c Create, own uint8) *seriesGame {
	t.Helper()
	g := &seriesGame{t: t, r: rand.New(rand.NewPCG(seed, 2)), s: New("series"), dealer: fair.NewDealer("series", fair.Seed{byte(seed), byte(seed >> 8)})}
	var anchors [2]*fair.Hash
	for i := range g.chains {
		if own>>i&1 != 0 {
			g.chains[i] = fair.NewChain(fair.Role(i), "series", fair.Hash{byte(seed), byte(i + 1)}, 2048)
			anchors[i] = ptr(g.chains[i].Anchor())
		}
	}
	c.Variant, c.Anchor = "chessuno", anchors[0]
	g.ask(First, c)
	g.ask(Second, Join{Anchor: anchors[1]})
	return g
}

// ask makes a command that cannot be refused and checks each event with the protocol.
func (g *seriesGame) ask(by Seat, a Action) {
	g.t.Helper()
	c := Command{By: by, At: g.s.At + 10, Action: a, Link: g.link(by, a)}
	list, err := Decide(g.s, c, g.dealer)
	if err != nil {
		g.t.Fatalf("%#v by %s in phase %s of %s: %v", a, by, g.s.Phase, g.s.FEN, err)
	}
	for _, e := range list {
		if err := g.s.Fair.Check(e.Fair, nil); err != nil {
			g.t.Fatalf("%T: %v", e.Fact, err)
		}
		g.s = Evolve(g.s, e)
	}
	g.events, g.asked = append(g.events, list...), append(g.asked, c)
}

// link is the seat's next link where the view says that one is due, or where joining
// brings the first.
func (g *seriesGame) link(by Seat, a Action) *fair.Hash {
	if by == Spectator || g.chains[by.Wire()] == nil {
		return nil
	}
	_, due := a.(Join)
	if !due && IsTurn(a) {
		due = ViewFor(g.s, by, nil).Link
	}
	if !due {
		return nil
	}
	return ptr(g.chains[by.Wire()].Link(g.s.Fair.Seat[by.Wire()].Opened + 1))
}

// step lets a seat do what is open to it, and tries one thing that may be refused.
func (g *seriesGame) step() {
	g.t.Helper()
	if owing := g.s.Owing(); len(owing) > 0 {
		g.ask(owing[g.r.IntN(len(owing))], OpenLink{})
		return
	}
	if g.s.AwaitsServer() {
		g.ask(Spectator, OpenLink{})
		return
	}
	seat := g.s.ToAct()
	actions := ViewFor(g.s, seat, noSecrets{}).Actions()
	if len(actions) == 0 {
		g.t.Fatalf("nothing is open to %s in phase %s of %s", seat, g.s.Phase, g.s.FEN)
	}
	g.tryAny(seat, actions)
	g.ask(seat, actions[g.r.IntN(len(actions))])
}

// tryAny asks for anything: it is accepted if and only if the view lists it.
func (g *seriesGame) tryAny(seat Seat, open []Action) {
	g.t.Helper()
	a := []Action{
		Pass{}, Move{UCI: randomUCI(uint16(g.r.Uint32()))}, Drop{UCI: []string{"P", "p", "N"}[g.r.IntN(3)] + "@" + randomUCI(uint16(g.r.Uint32()))[:2]},
	}[g.r.IntN(3)]
	before := g.s
	_, err := Decide(g.s, Command{By: seat, At: g.s.At, Action: a, Link: g.link(seat, a)}, g.dealer)
	listed := slices.Contains(open, a)
	if m, ok := a.(Move); ok && !listed {
		listed = slices.Contains(open, Action(Move{UCI: m.UCI + "q"})) // a queen where no letter is given
	}
	if listed != (err == nil) {
		g.t.Fatalf("%#v in phase %s of %s: listed %v, but %v", a, g.s.Phase, g.s.FEN, listed, err)
	}
	if !reflect.DeepEqual(before, g.s) {
		g.t.Fatalf("%#v changed the state that it was decided on", a)
	}
	if _, err := Decide(g.s, Command{By: seat.Other(), At: g.s.At, Action: open[0]}, g.dealer); err == nil {
		g.t.Fatalf("%#v was accepted from the seat that is not to act", open[0])
	}
}

// check says what must be true after every record.
func (g *seriesGame) check() {
	g.t.Helper()
	s := g.s
	if err := g.allCards(); err != "" {
		g.t.Fatal(err)
	}
	men := len(strings.Trim(boardOf(s.FEN), " ")) - strings.Count(boardOf(s.FEN), "/")
	for _, digit := range "12345678" {
		men -= strings.Count(boardOf(s.FEN), string(digit))
	}
	if n := men + len(s.Pools[0]) + len(s.Pools[1]); n != 32 {
		g.t.Fatalf("%d men on the board of %s and in the pools %v", n, s.FEN, s.Pools)
	}
	switch limit := s.Options["drawAfterTurnsWithoutMove"].Int(); {
	case s.Idle > limit || s.Idle == limit && s.Reason != IdleTurns:
		g.t.Fatalf("%d idle turns, ended %q", s.Idle, s.Reason)
	case (s.Phase == PhasePlace) != (s.Series.Place > 0 && !s.Over()):
		g.t.Fatalf("%d pawns to place in phase %s", s.Series.Place, s.Phase)
	case s.Phase == PhaseMove && s.Series.Left < 1:
		g.t.Fatalf("%d moves left in phase %s", s.Series.Left, s.Phase)
	}
	g.checkEnd()
	g.checkViews()
}

// allCards finds every card of the deck in one place: the pile, the seats' discards
// or in play.
func (g *seriesGame) allCards() (fault string) {
	var ids []int
	add := func(id cards.ID) { ids = append(ids, int(id)) }
	for _, pile := range g.s.Cards.Discards {
		for _, c := range pile {
			add(c.ID)
		}
	}
	if g.s.Cards.InPlay.Card.Kind != cards.FaceDown {
		add(g.s.Cards.InPlay.ID)
	}
	for _, id := range g.s.Cards.Draw.IDs() {
		add(id)
	}
	if n := len(g.s.Fair.Piles); n > 0 {
		ids = append(ids, g.dealer.Order(g.s.Fair, n-1)[g.s.Fair.Piles[n-1].Cursor:]...)
	}
	slices.Sort(ids)
	if want := len(chessUnoDeck(g.s.Options)); g.s.started() && (len(ids) != want || len(slices.Compact(ids)) != want) {
		return "the cards are no more what they were: " + g.s.FEN
	}
	return ""
}

func (g *seriesGame) checkEnd() {
	g.t.Helper()
	s := g.s
	if !s.Over() {
		return
	}
	p, err := s.Position()
	switch {
	case err != nil:
		g.t.Fatal(err)
	case s.Reason == KingExposed && (s.Winner != s.Commander(Army(p.Turn())) || s.Result == Drawn || !exposed(&p, cardMoves(s, &p))):
		g.t.Fatalf("%s won %s in %s", s.Winner, s.Result, s.FEN)
	case s.Reason == IdleTurns && (s.Winner != Spectator || s.Result != Drawn):
		g.t.Fatalf("idle turns gave %s to %s", s.Result, s.Winner)
	case s.Reason != KingExposed && s.Reason != IdleTurns && s.Reason != Resignation:
		g.t.Fatalf("ended by %q", s.Reason)
	case s.Winner != Spectator && (s.Result == WhiteWins) != (s.Army(s.Winner) == WhiteArmy):
		g.t.Fatalf("%s, but %s won with the %s army", s.Result, s.Winner, s.Army(s.Winner))
	}
}

// checkViews: nobody needs a secret, and all see the same but what the seat that must
// act may do.
func (g *seriesGame) checkViews() {
	g.t.Helper()
	plain := func(seat Seat) View {
		v := ViewFor(g.s, seat, noSecrets{})
		if seat != g.s.ToAct() && (v.Legal != nil || v.Can != nil) {
			g.t.Fatalf("%s is told what is open", v.As)
		}
		v.As, v.Legal, v.Can, v.Link, v.Claim = "", nil, nil, false, false
		return v
	}
	for _, seat := range Players {
		if !reflect.DeepEqual(plain(seat), plain(Spectator)) {
			g.t.Fatalf("%s sees other things than a spectator", seat)
		}
	}
}

// checkReplay folds the events anew, one by one and at once, and decides the commands
// anew.
func (g *seriesGame) checkReplay() {
	g.t.Helper()
	if again := Fold(New("series"), g.events...); !reflect.DeepEqual(again, g.s) {
		g.t.Fatalf("replay gives %+v, live is %+v", again, g.s)
	}
	s, at := New("series"), 0
	for _, c := range g.asked {
		list, err := Decide(s, c, g.dealer)
		if err != nil || !reflect.DeepEqual(list, g.events[at:at+len(list)]) {
			g.t.Fatalf("%#v decided again gives %s, %v", c.Action, types(list), err)
		}
		s, at = Fold(s, list...), at+len(list)
	}
}

// playSeries plays at most n steps of a game and checks each.
func playSeries(t testing.TB, seed uint64, bits uint16, own uint8, n int) *seriesGame {
	t.Helper()
	g := newSeriesGame(t, seed, Create{Options: seriesOptions(bits), Color: PreferRandom}, own)
	for i := 0; i < n && !g.s.Over(); i++ {
		g.step()
		g.check()
	}
	if !g.s.Over() {
		g.ask(First, Resign{})
		g.check()
	}
	return g
}

// FuzzChessUno plays games with every option, of seats with and without chains, and
// checks what must hold in each.
func FuzzChessUno(f *testing.F) {
	for seed := range uint64(24) {
		f.Add(seed, uint16(seed*2741), uint8(seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64, bits uint16, own uint8) {
		playSeries(t, seed, bits, own, 300).checkReplay()
	})
}

// A long game outlasts its pile several times: the discards of both seats come back.
func TestLongGameOfChessUno(t *testing.T) {
	for _, pile := range []string{"sealed", "live"} {
		t.Run(pile, func(t *testing.T) {
			refills := 0
			for seed := range uint64(12) {
				o := Options{"pile": TextValue(pile), "maxCardNumber": IntValue(1), "includeJokers": BoolValue(false)}
				g := newSeriesGame(t, seed, Create{Options: o}, 3)
				for i := 0; i < 300 && !g.s.Over(); i++ {
					before := cardsLeft(g.s)
					g.shuffleAbout()
					if cardsLeft(g.s) > before {
						refills++
					}
					g.check()
				}
			}
			if refills < 5 {
				t.Errorf("the pile was filled %d times only", refills)
			}
		})
	}
}

// shuffleAbout makes a move that attacks no king, where there is one, so that the game
// goes on.
func (g *seriesGame) shuffleAbout() {
	if len(g.s.Owing()) > 0 || g.s.Phase != PhaseMove {
		g.step()
		return
	}
	for _, uci := range LegalMoves(g.s) {
		p, err := g.s.Position()
		if err != nil {
			g.t.Fatal(err)
		}
		m, err := p.ParseUCI(uci)
		if err != nil {
			continue
		}
		if p.Captured(m) != chess.NoPiece || m.Role() == chess.Pawn || m.Role() == chess.King {
			continue
		}
		if p.Play(m); p.AttackedKings() == 0 {
			g.ask(g.s.ToAct(), Move{UCI: uci})
			return
		}
	}
	g.step()
}

func BenchmarkFoldChessUno(b *testing.B) {
	var g *seriesGame
	for seed := uint64(0); g == nil || g.s.N < 200; seed++ {
		g = newSeriesGame(b, seed, Create{Options: Options{"pile": TextValue("live")}}, 0)
		for i := 0; i < 200 && !g.s.Over(); i++ {
			g.shuffleAbout()
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		Fold(New("series"), g.events...)
	}
	b.ReportMetric(float64(g.s.N+1), "records")
}
