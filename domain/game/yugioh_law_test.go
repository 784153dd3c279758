package game

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"chancery/domain/chess"
	"chancery/domain/fair"
)

// A diceLaws plays one random game with the real dealer and checks, after every
// record, what must hold in all of them.
type diceLaws struct {
	t      testing.TB
	s      State
	dealer *fair.Dealer
	random *rand.Rand
	events []Event
	made   int // queens that came out of no pool
}

func playDice(t testing.TB, seed uint64, most int, options Options) *diceLaws {
	g := &diceLaws{t: t, s: New("dice-law"), dealer: fair.NewDealer("dice-law", fair.Seed{byte(seed), byte(seed >> 8), 3}), random: rand.New(rand.NewPCG(seed, 7))}
	c := Create{Variant: "yugioh", Options: options}
	if seed%3 == 0 {
		c.Clock = &ClockSpec{Base: 3_600_000, Increment: 1_000}
	}
	g.do(First, c)
	g.do(Second, Join{})
	for range most {
		if g.s.Over() {
			break
		}
		g.step()
	}
	return g
}

// step plays any legal action, a capture twice out of three times.
func (g *diceLaws) step() {
	if g.s.AwaitsServer() {
		g.do(Spectator, OpenLink{})
		return
	}
	open := LegalMoves(g.s)
	if len(open) == 0 {
		g.t.Fatalf("nothing to do in phase %s of %s", g.s.Phase, g.s.FEN)
	}
	p, _ := g.s.Position()
	captures := slices.DeleteFunc(slices.Clone(open), func(a string) bool {
		return len(a) < 4 || a[1] == '@' || !p.Occupied().Has(mustSquare(a[2:4]))
	})
	if len(captures) > 0 && g.random.IntN(3) > 0 {
		open = captures
	}
	g.refuseOthers()
	g.do(g.s.ToAct(), ActionOf(open[g.random.IntN(len(open))]))
}

func mustSquare(text string) chess.Square {
	s, err := chess.ParseSquare(text)
	if err != nil {
		panic(err)
	}
	return s
}

// refuseOthers asks for something at random, which is accepted exactly if listed.
func (g *diceLaws) refuseOthers() {
	n := uint16(g.random.Uint32())
	text := []string{randomUCI(n), randomDrop(n), randomUCI(n)[:2]}[g.random.IntN(3)]
	_, err := Decide(g.s, Command{By: g.s.ToAct(), At: g.s.At, Action: ActionOf(text)}, g.dealer)
	if listed := slices.Contains(LegalMoves(g.s), text); listed != (err == nil) {
		g.t.Fatalf("%s in phase %s of %s: listed %v, but %v", text, g.s.Phase, g.s.FEN, listed, err)
	}
	if _, err := Decide(g.s, Command{By: g.s.ToAct().Other(), At: g.s.At, Action: ActionOf(text)}, g.dealer); err == nil {
		g.t.Fatalf("%s was accepted from the seat that need not act", text)
	}
}

func (g *diceLaws) do(by Seat, a Action) {
	events, err := Decide(g.s, Command{By: by, At: g.s.At + 100, Action: a}, g.dealer)
	if err != nil {
		g.t.Fatalf("%#v by %s in %s: %v", a, by, g.s.FEN, err)
	}
	for _, e := range events {
		if e.Fair != nil {
			if err := g.s.Fair.Check(e.Fair, nil); err != nil {
				g.t.Fatalf("%T: %v", e.Fact, err)
			}
		}
		g.s = Evolve(g.s, e)
		if f, ok := e.Fact.(PieceDropped); ok && f.From == fromDice {
			g.made++
		}
	}
	g.events = append(g.events, events...)
	g.check()
}

func (g *diceLaws) check() {
	if g.s.FEN == "" {
		return
	}
	p, err := g.s.Position() // refuses missing kings, and a side in check that is not to move
	if err != nil {
		g.t.Fatal(g.s.FEN, err)
	}
	if men := p.Occupied().Count() + len(g.s.Pools[0]) + len(g.s.Pools[1]); men != 32+g.made {
		g.t.Fatalf("%d men on the board and in the pools %q, want %d: %s", men, g.s.Pools, 32+g.made, g.s.FEN)
	}
	if strings.ContainsAny(g.s.Pools[WhiteArmy], "pnbrqkK") || strings.ContainsAny(g.s.Pools[BlackArmy], "PNBRQKk") {
		g.t.Fatalf("pools %q", g.s.Pools)
	}
	if again := Fold(New("dice-law"), g.events...); !reflect.DeepEqual(again, g.s) {
		g.t.Fatal("replay differs from live")
	}
	g.checkViews()
	g.checkEnd(&p)
}

// checkViews: only the seat that must act is told what is open; otherwise everybody
// sees the same, for nothing is hidden in this game.
func (g *diceLaws) checkViews() {
	spectator := ViewFor(g.s, Spectator, nil)
	for _, seat := range Players {
		v := ViewFor(g.s, seat, nil)
		if (v.Legal != nil) != (seat == g.s.ToAct()) {
			g.t.Fatalf("%s of phase %s is told %v", seat, g.s.Phase, v.Legal)
		}
		v.As, v.Legal, v.Claim, v.Link = spectator.As, nil, false, false
		if !reflect.DeepEqual(v, spectator) {
			g.t.Fatalf("%s sees %+v, a spectator %+v", seat, v, spectator)
		}
	}
}

// checkEnd: the result follows from the reason, and from what the dice showed.
func (g *diceLaws) checkEnd(p *chess.Position) {
	mover := g.s.Commander(g.s.Turn()).Other()
	shown := g.s.Dice.Faces
	holds := map[Reason]bool{
		"":           g.s.Result == Ongoing && !g.s.Over(),
		NineZero:     g.s.Winner == mover && slices.Equal(shown, []int{9, 0}),
		SkippedCheck: g.s.Winner == mover && p.InCheck() && g.s.Effect == SkipTurn,
		NoEight:      g.s.Winner == g.s.White && !slices.Contains(shown, 8) && g.s.Plies == 0,
		TwelveOne:    g.s.Winner == mover.Other() && slices.Equal(shown, []int{1, 12}) && p.InCheck() && !p.HasMove(),
		Checkmate:    g.s.Winner == mover && !slices.Equal(shown, []int{1, 12}) && len(shown) == 2 && p.InCheck() && !p.HasMove(),
		Stalemate:    g.s.Result == Drawn && !p.InCheck() && !p.HasMove(),
		Repetition:   g.s.Result == Drawn && g.s.Occurrences() == 5,
		FiftyMoves:   g.s.Result == Drawn && p.HalfMoves() >= 150,
	}
	if !holds[g.s.Reason] {
		g.t.Fatalf("%s %s for %s after %v in %s", g.s.Result, g.s.Reason, g.s.Winner, shown, g.s.FEN)
	}
	if won := g.s.Winner != Spectator; won != (g.s.Result == WhiteWins || g.s.Result == BlackWins) || won && g.s.Army(g.s.Winner) != map[Result]Army{WhiteWins: WhiteArmy, BlackWins: BlackArmy}[g.s.Result] {
		g.t.Fatalf("%s, but the winner is %s", g.s.Result, g.s.Winner)
	}
}

func FuzzDiceGames(f *testing.F) {
	for seed := range uint64(24) {
		f.Add(seed, uint8(40+seed*5), seed%4 == 0)
	}
	f.Fuzz(func(t *testing.T, seed uint64, most uint8, duet bool) {
		playDice(t, seed, int(most), Options{"duet": BoolValue(duet)})
	})
}

// TestDiceGamesEnd plays games out and wants every effect to happen in them.
func TestDiceGamesEnd(t *testing.T) {
	reasons, effects := map[Reason]int{}, map[Effect]int{}
	for seed := range uint64(40) {
		g := playDice(t, seed, 2_000, nil)
		reasons[g.s.Reason]++
		for _, e := range g.events {
			if f, ok := e.Fact.(DiceRolled); ok && f.Purpose == forEffect && !f.Impossible {
				effects[f.Effect]++
			}
		}
	}
	if reasons[""] > 0 {
		t.Errorf("%d games did not end", reasons[""])
	}
	for _, row := range diceRows {
		if effects[row.effect] == 0 {
			t.Errorf("%s never happened: %v", row.effect, effects)
		}
	}
	for _, reason := range []Reason{NineZero, NoEight, SkippedCheck} {
		if reasons[reason] == 0 {
			t.Errorf("no game ended by %s: %v", reason, reasons)
		}
	}
	t.Log(fmt.Sprint(reasons, effects))
}

func BenchmarkFoldDice200(b *testing.B) {
	var events []Event
	for seed := uint64(0); ; seed++ {
		g := playDice(b, seed, 300, nil)
		i := slices.IndexFunc(g.events, func(e Event) bool { return e.N == 200 })
		if i >= 0 {
			events = g.events[:i]
			break
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		Fold(New("dice-law"), events...)
	}
	b.ReportMetric(float64(len(events)), "events")
}
