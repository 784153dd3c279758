package fair

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"
)

// A dealt is a game dealt honestly, part by part, by the real dealer and the
// real chains of its players.
type dealt struct {
	State
	dealer  *Dealer
	clients [Seats]*ClientChain // nil where the server keeps the chain
	parts   []*Part
	held    [Seats][]int
	discard []int
	deck    int // next card never used
}

// deal opens a game up to its first random event. Tips and seed follow from n.
func deal(n byte, duet bool, delegated ...int) *dealt {
	g := &dealt{State: State{Game: vectorGame}, dealer: newDealer(vectorGame, Seed(filled(n)), 64)}
	anchors := make([]Anchor, Seats)
	for seat := range g.clients {
		if slices.Contains(delegated, seat) {
			anchors[seat] = g.dealer.Anchor(seat)
			continue
		}
		g.clients[seat] = NewClientChain(vectorGame, seat, filled(n+byte(seat)+1), 64)
		anchors[seat] = g.clients[seat].Anchor()
	}
	g.emit(&Part{Commit: g.dealer.Commit(duet), Anchor: anchors[:1]})
	joined := &Part{Anchor: anchors[1:]}
	joined.Link = g.nextLink(1, joined)
	g.emit(joined)
	g.emit(&Part{Link: g.nextLink(0, nil)})
	return g
}

func (g *dealt) emit(p *Part) {
	g.parts = append(g.parts, p)
	g.State = g.Evolve(p)
}

// nextLink is the seat's next link, once part p is absorbed.
func (g *dealt) nextLink(seat int, p *Part) *Link {
	at := g.Evolve(p)
	if c := g.clients[seat]; c != nil {
		return c.Link(at.Seat[seat].Opened + 1)
	}
	return g.dealer.Link(at, seat)
}

// refresh opens the links that a random event in duet needs.
func (g *dealt) refresh() {
	for seat := range g.Seat {
		if g.Duet && !g.Seat[seat].Fresh {
			g.emit(&Part{Link: g.nextLink(seat, nil)})
		}
	}
}

// act opens the link that a turn action of the seat owes, if any, in the same event.
func (g *dealt) act(seat int, p *Part) *Part {
	if g.Owes(seat) {
		p.Link = g.nextLink(seat, nil)
	}
	return p
}

func (g *dealt) roll(seat int, sides ...int) {
	g.refresh()
	p := g.act(seat, &Part{})
	p.Roll = g.dealer.Roll(g.Evolve(p), sides...)
	g.emit(p)
}

func (g *dealt) shuffle(seat int) {
	in := g.discard
	if g.discard = nil; len(in) == 0 {
		for range 9 {
			in, g.deck = append(in, g.deck), g.deck+1
		}
	}
	g.refresh()
	p := g.act(seat, &Part{})
	p.Shuffle = g.dealer.Shuffle(g.Evolve(p), in)
	g.emit(p)
}

// draw takes up to n cards to a seat and commits its new hand.
func (g *dealt) draw(seat, n int) {
	d := g.Draw(n, seat)
	if d == nil {
		return
	}
	order := g.dealer.Order(g.State, d.S)
	for _, i := range d.I {
		g.held[seat] = append(g.held[seat], order[i])
	}
	g.emit(g.act(seat, &Part{Draw: d, Hand: g.dealer.Hand(g.State, seat, g.held[seat])}))
}

// turnUp draws a card for everybody to see.
func (g *dealt) turnUp() {
	d := g.Draw(1, Public)
	if d == nil {
		return
	}
	o := g.dealer.Open(g.State, d.S, d.I[0])
	g.discard = append(g.discard, o.Card)
	g.emit(&Part{Draw: d, Open: []Open{o}})
}

func (g *dealt) play(seat int) {
	if len(g.held[seat]) == 0 {
		return
	}
	card := g.held[seat][0]
	g.held[seat] = g.held[seat][1:]
	g.discard = append(g.discard, card)
	g.emit(g.act(seat, &Part{Play: []Play{g.dealer.Play(g.State, seat, card)}}))
}

// ack lets a seat say that it has seen record n; here every part is a record.
func (g *dealt) ack(seat, n int) { g.emit(&Part{Ack: &Ack{H: recordOf(n), Seat: seat}}) }

func (g *dealt) reveal() { g.emit(&Part{Reveal: g.dealer.Reveal()}) }

// full is a game with every kind of part.
func full() *dealt {
	g := deal(1, false, 1)
	g.roll(0, 20, 20)
	g.shuffle(0)
	g.draw(0, 3)
	g.draw(1, 2)
	g.turnUp()
	g.ack(0, 5)
	g.play(0)
	g.play(1)
	g.roll(1, 6)
	g.play(0)
	g.draw(0, 9)
	g.ack(0, 7)
	g.shuffle(1)
	g.draw(1, 1)
	g.play(1)
	g.draw(0, 1)
	g.roll(0, 2880)
	g.reveal()
	return g
}

// recordOf stands for the hash of record n.
func recordOf(n int) Hash { return H("cause", vectorGame, n) }

func earlier(before int) func(Hash) (int, bool) {
	return func(h Hash) (int, bool) {
		for n := range before {
			if recordOf(n) == h {
				return n, true
			}
		}
		return 0, false
	}
}

// verify checks the parts in order and returns the index of the first that
// fails, and how.
func verify(parts []*Part) (int, error) {
	s := State{Game: vectorGame}
	for n, p := range parts {
		if err := s.Check(p, earlier(n)); err != nil {
			return n, err
		}
		s = s.Evolve(p)
	}
	return len(parts), nil
}

func stepOf(err error) string {
	var v *Violation
	if errors.As(err, &v) {
		return v.Step
	}
	return ""
}

// copied is a deep copy of parts, by way of their JSON.
func copied(t testing.TB, parts []*Part) []*Part {
	t.Helper()
	b, err := json.Marshal(parts)
	if err != nil {
		t.Fatal(err)
	}
	var out []*Part
	if err := json.Unmarshal(b, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestHonestGamesPass(t *testing.T) {
	for _, g := range []*dealt{full(), duetGame(), deal(3, false, 0, 1), deal(4, true, 0)} {
		if n, err := verify(g.parts); err != nil {
			t.Errorf("part %d: %v", n, err)
		}
	}
}

func duetGame() *dealt {
	g := deal(2, true)
	g.roll(0, 10, 10)
	g.roll(1, 10, 10)
	g.shuffle(0)
	g.turnUp()
	g.reveal()
	return g
}
