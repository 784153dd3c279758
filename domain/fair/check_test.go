package fair

import (
	"slices"
	"strings"
	"testing"
)

// at finds the n-th part (from 0) of the game that is has.
func at(t *testing.T, parts []*Part, n int, is func(*Part) bool) *Part {
	t.Helper()
	for _, p := range parts {
		if is(p) {
			if n == 0 {
				return p
			}
			n--
		}
	}
	t.Fatal("the game has no such part")
	return nil
}

func links(p *Part) bool    { return p.Link != nil }
func rolls(p *Part) bool    { return p.Roll != nil }
func shuffles(p *Part) bool { return p.Shuffle != nil }
func draws(p *Part) bool    { return p.Draw != nil }
func opens(p *Part) bool    { return p.Open != nil }
func plays(p *Part) bool    { return p.Play != nil }
func hands(p *Part) bool    { return p.Hand != nil }
func acks(p *Part) bool     { return p.Ack != nil }
func reveals(p *Part) bool  { return p.Reveal != nil }

// TestCheckNamesWhatFailed lies in one place of an honest game at a time.
func TestCheckNamesWhatFailed(t *testing.T) {
	honest := full().parts
	tests := []struct {
		name, step, detail string
		lie                func(t *testing.T, p []*Part) []*Part
	}{
		{"no commitment", StepCommit, "has none", func(t *testing.T, p []*Part) []*Part { p[0].Commit = nil; return p }},
		{"first event without a part", StepCommit, "has none", func(t *testing.T, p []*Part) []*Part { p[0] = nil; return p }},
		{"two commitments", StepCommit, "second", func(t *testing.T, p []*Part) []*Part { p[1].Commit = p[0].Commit; return p }},
		{"another protocol", StepCommit, "alg", func(t *testing.T, p []*Part) []*Part { p[0].Commit.Alg = "fair/2"; return p }},
		{"three seats", StepCommit, "3 seats", func(t *testing.T, p []*Part) []*Part { p[0].Commit.Seats = 3; return p }},
		{"no chain", StepCommit, "0 links", func(t *testing.T, p []*Part) []*Part { p[0].Commit.Len = 0; return p }},
		{"a chain to exhaust the verifier", StepCommit, "links", func(t *testing.T, p []*Part) []*Part { p[0].Commit.Len = 1 << 40; return p }},

		{"two anchors of a seat", StepAnchor, "second", func(t *testing.T, p []*Part) []*Part { p[1].Anchor[0].Seat = 0; return p }},
		{"anchor of seat 2", StepAnchor, "no seat 2", func(t *testing.T, p []*Part) []*Part { p[1].Anchor[0].Seat = 2; return p }},
		{"mirror anchor", StepLink, "chain of seat 1", func(t *testing.T, p []*Part) []*Part {
			p[1].Anchor[0].Y = p[0].Anchor[0].Y
			p[1].Link.Y = p[2].Link.Y
			return p
		}},

		{"early link", StepLink, "before all anchors", func(t *testing.T, p []*Part) []*Part { p[0].Link = p[2].Link; return p }},
		{"link of seat -1", StepLink, "no seat -1", func(t *testing.T, p []*Part) []*Part { p[2].Link.Seat = -1; return p }},
		{"second link between random events", StepLink, "second", func(t *testing.T, p []*Part) []*Part {
			link := NewClientChain(vectorGame, 0, filled(2), 64).Link(2)
			return slices.Insert(p, 3, &Part{Link: link})
		}},
		{"the same link again", StepLink, "does not fit", func(t *testing.T, p []*Part) []*Part {
			at(t, p[3:], 0, links).Link.Y = p[2].Link.Y
			return p
		}},
		{"a skipped link", StepLink, "does not fit", func(t *testing.T, p []*Part) []*Part {
			at(t, p[3:], 0, links).Link = NewClientChain(vectorGame, 0, filled(2), 64).Link(3)
			return p
		}},

		{"ack of nothing", StepAck, "no earlier record", func(t *testing.T, p []*Part) []*Part { at(t, p, 0, acks).Ack.H[0]++; return p }},
		{"ack of a later record", StepAck, "no earlier record", func(t *testing.T, p []*Part) []*Part { at(t, p, 0, acks).Ack.H = recordOf(30); return p }},
		{"ack goes back", StepAck, "seat 0 has seen record 5", func(t *testing.T, p []*Part) []*Part { at(t, p, 1, acks).Ack.H = recordOf(4); return p }},
		{"ack goes back with the anchor", StepAck, "seat 1 has seen record 1", func(t *testing.T, p []*Part) []*Part {
			p[1].Ack = &Ack{H: recordOf(0), Seat: 1}
			return slices.Insert(p, 1, &Part{Ack: &Ack{H: recordOf(0), Seat: 0}}, &Part{Ack: &Ack{H: recordOf(1), Seat: 1}})
		}},
		{"ack of seat 2", StepAck, "no seat 2", func(t *testing.T, p []*Part) []*Part { at(t, p, 0, acks).Ack.Seat = 2; return p }},

		{"early roll", StepChance, "before every seat", func(t *testing.T, p []*Part) []*Part { return slices.Delete(p, 2, 3) }},
		{"early shuffle", StepChance, "before every seat", func(t *testing.T, p []*Part) []*Part {
			return slices.Insert(p, 2, &Part{Shuffle: at(t, p, 0, shuffles).Shuffle})
		}},

		{"shuffle out of turn", StepShuffle, "s is 1", func(t *testing.T, p []*Part) []*Part { at(t, p, 0, shuffles).Shuffle.S = 1; return p }},
		{"cards in an order", StepShuffle, "ascend", func(t *testing.T, p []*Part) []*Part {
			in := at(t, p, 0, shuffles).Shuffle.In
			in[2], in[3] = in[3], in[2]
			return p
		}},
		{"a card twice", StepShuffle, "ascend", func(t *testing.T, p []*Part) []*Part { at(t, p, 0, shuffles).Shuffle.In[2]--; return p }},
		{"no such card", StepShuffle, "card ids", func(t *testing.T, p []*Part) []*Part { at(t, p, 0, shuffles).Shuffle.In[8] = 1 << 16; return p }},
		{"no cards", StepShuffle, "no cards", func(t *testing.T, p []*Part) []*Part { at(t, p, 0, shuffles).Shuffle.In = nil; return p }},
		{"a leaf short", StepShuffle, "8 leaves", func(t *testing.T, p []*Part) []*Part {
			sh := at(t, p, 0, shuffles).Shuffle
			sh.Leaves = sh.Leaves[:8]
			return p
		}},

		{"deal from the bottom", StepDraw, "next is 0", func(t *testing.T, p []*Part) []*Part { at(t, p, 0, draws).Draw.I[0] = 8; return p }},
		{"deal a second", StepDraw, "next is 1", func(t *testing.T, p []*Part) []*Part { at(t, p, 0, draws).Draw.I[1] = 2; return p }},
		{"draw from no pile", StepDraw, "no pile 1", func(t *testing.T, p []*Part) []*Part { at(t, p, 0, draws).Draw.S = 1; return p }},
		{"draw to seat 2", StepDraw, "no seat 2", func(t *testing.T, p []*Part) []*Part { at(t, p, 0, draws).Draw.To = 2; return p }},
		{"draw nothing", StepDraw, "no cards", func(t *testing.T, p []*Part) []*Part { at(t, p, 0, draws).Draw.I = nil; return p }},
		{"draw beyond the pile", StepDraw, "has 9 left", func(t *testing.T, p []*Part) []*Part { at(t, p, 0, draws).Draw.I = upTo(10); return p }},

		{"open another card", StepOpen, "does not fit the leaf", func(t *testing.T, p []*Part) []*Part { at(t, p, 0, opens).Open[0].Card++; return p }},
		{"open with a wrong salt", StepOpen, "does not fit the leaf", func(t *testing.T, p []*Part) []*Part { at(t, p, 0, opens).Open[0].Salt[3]++; return p }},
		{"open a negative card", StepOpen, "does not fit the leaf", func(t *testing.T, p []*Part) []*Part { at(t, p, 0, opens).Open[0].Card = -1; return p }},
		{"open what is not drawn", StepOpen, "not drawn", func(t *testing.T, p []*Part) []*Part { at(t, p, 0, opens).Open[0].I++; return p }},
		{"open no pile", StepOpen, "no pile 7", func(t *testing.T, p []*Part) []*Part { at(t, p, 0, opens).Open[0].S = 7; return p }},
		{"wrong leaf", StepOpen, "does not fit the leaf", func(t *testing.T, p []*Part) []*Part {
			at(t, p, 0, shuffles).Shuffle.Leaves[at(t, p, 0, opens).Open[0].I][31]++
			return p
		}},

		{"play another card", StepPlay, "no envelope", func(t *testing.T, p []*Part) []*Part { at(t, p, 0, plays).Play[0].Card++; return p }},
		{"play with a wrong salt", StepPlay, "no envelope", func(t *testing.T, p []*Part) []*Part { at(t, p, 0, plays).Play[0].Salt[0]++; return p }},
		{"play of the other seat", StepPlay, "no envelope", func(t *testing.T, p []*Part) []*Part { at(t, p, 0, plays).Play[0].Seat = 1; return p }},
		{"play of seat 2", StepPlay, "no seat 2", func(t *testing.T, p []*Part) []*Part { at(t, p, 0, plays).Play[0].Seat = 2; return p }},
		{"play a card twice", StepPlay, "left the hand before", func(t *testing.T, p []*Part) []*Part {
			play := at(t, p, 0, plays)
			play.Play = append(play.Play, play.Play[0])
			return p
		}},
		{"play without a hand", StepPlay, "has no hand", func(t *testing.T, p []*Part) []*Part {
			return slices.Insert(p, 3, &Part{Play: at(t, p, 0, plays).Play})
		}},

		{"hand out of turn", StepHand, "h is 1", func(t *testing.T, p []*Part) []*Part { at(t, p, 0, hands).Hand.H = 1; return p }},
		{"hand of seat 2", StepHand, "no seat 2", func(t *testing.T, p []*Part) []*Part { at(t, p, 0, hands).Hand.Seat = 2; return p }},

		{"roll out of turn", StepRoll, "k is 2", func(t *testing.T, p []*Part) []*Part { at(t, p, 0, rolls).Roll.K = 2; return p }},
		{"wrong out", StepRoll, "links derive", func(t *testing.T, p []*Part) []*Part { at(t, p, 0, rolls).Roll.Out[1]++; return p }},
		{"wrong sides", StepRoll, "links derive", func(t *testing.T, p []*Part) []*Part { at(t, p, 0, rolls).Roll.Sides[0] = 7; return p }},
		{"wrong x", StepRoll, "server's chain", func(t *testing.T, p []*Part) []*Part { at(t, p, 0, rolls).Roll.X[0]++; return p }},
		{"no dice", StepRoll, "0 dice", func(t *testing.T, p []*Part) []*Part {
			r := at(t, p, 0, rolls).Roll
			r.Out, r.Sides = nil, nil
			return p
		}},
		{"a number too many", StepRoll, "3 numbers of 2 dice", func(t *testing.T, p []*Part) []*Part {
			r := at(t, p, 0, rolls).Roll
			r.Out = append(r.Out, 0)
			return p
		}},
		{"die without sides", StepRoll, "sides", func(t *testing.T, p []*Part) []*Part { at(t, p, 0, rolls).Roll.Sides[0] = 0; return p }},
		{"die with too many sides", StepRoll, "sides", func(t *testing.T, p []*Part) []*Part { at(t, p, 0, rolls).Roll.Sides[0] = MaxSides + 1; return p }},
		{"more rolls than links", StepRoll, "chain of 2 links", func(t *testing.T, p []*Part) []*Part { p[0].Commit.Len = 2; return p }},

		{"another seed", StepReveal, "committed", func(t *testing.T, p []*Part) []*Part { at(t, p, 0, reveals).Reveal.Seed[0]++; return p }},
		{"another chain length", StepReveal, "server's chain", func(t *testing.T, p []*Part) []*Part { p[0].Commit.Len = 65; return p }},
		{"a part after the reveal", StepOver, "after the reveal", func(t *testing.T, p []*Part) []*Part { return append(p, &Part{}) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := verify(tt.lie(t, copied(t, honest)))
			if stepOf(err) != tt.step || !strings.Contains(err.Error(), tt.detail) {
				t.Errorf("got %v, want step %q with %q", err, tt.step, tt.detail)
			}
		})
	}
}

// TestDuetNeedsEveryLink removes each link after the opening in turn.
func TestDuetNeedsEveryLink(t *testing.T) {
	honest := duetGame().parts
	for i, p := range honest[3:] {
		if p.Link == nil {
			continue
		}
		_, err := verify(slices.Delete(copied(t, honest), 3+i, 4+i))
		if step := stepOf(err); step != StepChance {
			t.Errorf("without part %d: %v, want step %q", 3+i, err, StepChance)
		}
	}
}

// TestRevealFindsWhatIsInvisibleLive cheats consistently: every live check
// passes, for the server itself made the leaves and envelopes.
func TestRevealFindsWhatIsInvisibleLive(t *testing.T) {
	tests := []struct {
		name, detail string
		cheat        func(g *dealt)
	}{
		{"a rigged pile", "pile 0", func(g *dealt) {
			g.emit(&Part{Shuffle: &Shuffle{In: upTo(5), Leaves: g.dealer.leaves(0, upTo(5))}})
			g.emit(&Part{Draw: g.Draw(1, Public), Open: []Open{{Salt: g.dealer.salt(0, 0)}}})
		}},
		{"a card from the sleeve", "hand 0 of seat 1", func(g *dealt) {
			g.shuffle(0)
			g.emit(&Part{Draw: g.Draw(1, 1), Hand: g.dealer.Hand(g.State, 1, []int{200})})
			g.emit(&Part{Play: []Play{g.dealer.Play(g.State, 1, 200)}})
		}},
		{"a swapped hand", "hand 1 of seat 1", func(g *dealt) {
			g.shuffle(0)
			g.draw(1, 2)
			g.held[1][0] = g.dealer.Order(g.State, 0)[8]
			g.draw(1, 1)
		}},
		{"a delayed shuffle", "pile 0", func(g *dealt) {
			old := g.State
			g.roll(0, 6)
			g.roll(0, 6) // opens a link in between
			sh := g.dealer.Shuffle(old, upTo(5))
			g.emit(&Part{Shuffle: sh})
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := deal(5, false)
			tt.cheat(g)
			if n, err := verify(g.parts); err != nil {
				t.Fatalf("part %d is refused live: %v", n, err)
			}
			g.reveal()
			n, err := verify(g.parts)
			if n != len(g.parts)-1 || stepOf(err) != StepReveal || !strings.Contains(err.Error(), tt.detail) {
				t.Errorf("part %d: %v, want the reveal to name %q", n, err, tt.detail)
			}
		})
	}
}

func TestCommitmentNeedsAGameID(t *testing.T) {
	err := State{Game: "no good"}.Check(&Part{Commit: full().parts[0].Commit}, nil)
	if stepOf(err) != StepCommit {
		t.Errorf("a game of a bad name: %v", err)
	}
}

func TestDrawTakesWhatIsLeft(t *testing.T) {
	g := deal(8, false)
	if d := g.Draw(1, 0); d != nil {
		t.Errorf("a draw without a pile: %+v", d)
	}
	g.shuffle(0)
	g.draw(0, 7)
	if d := g.Draw(3, 1); !slices.Equal(d.I, []int{7, 8}) || d.To != 1 {
		t.Errorf("three cards of the last two: %+v", d)
	}
	g.draw(1, 3)
	if d := g.Draw(1, 0); d != nil || g.Piles[0].Left() != 0 {
		t.Errorf("a draw from an empty pile: %+v", d)
	}
}

func TestSchedulesOfLinks(t *testing.T) {
	g := deal(6, false, 1)
	owes := func(when string, want ...bool) {
		t.Helper()
		if got := []bool{g.Owes(0), g.Owes(1)}; !slices.Equal(got, want) {
			t.Errorf("%s: seats owe links %v, want %v", when, got, want)
		}
	}
	owes("before the first random event", false, false)
	g.roll(0, 6)
	owes("after a roll", true, true)
	g.emit(g.act(0, &Part{}))
	owes("after seat 0 acted", false, true)
	g.State = g.Stop(1)
	owes("after seat 1 stopped", false, false)
	if err := g.Check(&Part{Link: g.nextLink(1, nil)}, nil); stepOf(err) != StepLink {
		t.Errorf("a link after stopping: %v", err)
	}
	g.roll(0, 6)
	owes("seat 1 has stopped", true, false)
	d := duetGame()
	if d.Owes(0) || d.Owes(1) {
		t.Error("in duet, actions owe no links")
	}
}

func TestReadiness(t *testing.T) {
	tests := []struct {
		name                       string
		s                          State
		anchored, ready, may, done bool
	}{
		{"nothing", State{}, false, false, false, false},
		{"one anchor", deal(7, false).after(1), false, false, false, false},
		{"one link", deal(7, false).after(2), true, false, false, false},
		{"opened", deal(7, false).State, true, true, true, false},
		{"opened in duet", deal(7, true).State, true, true, true, false},
		{"shuffled in duet", func() State { g := deal(7, true); g.shuffle(0); return g.State }(), true, true, false, false},
		{"server's chain ran out", func() State { s := deal(7, false).State; s.Rolls = 64; return s }(), true, true, true, true},
		{"a delegated chain ran out", func() State { s := deal(7, false, 1).State; s.Seat[1].Opened = DefaultLen; return s }(), true, true, true, true},
		{"a player's chain may be longer", func() State { s := deal(7, false).State; s.Seat[1].Opened = DefaultLen; return s }(), true, true, true, false},
	}
	for _, tt := range tests {
		got := []bool{tt.s.Anchored(), tt.s.Ready(), tt.s.MayRoll(), tt.s.Exhausted()}
		if want := []bool{tt.anchored, tt.ready, tt.may, tt.done}; !slices.Equal(got, want) {
			t.Errorf("%s: anchored, ready, may roll, exhausted = %v, want %v", tt.name, got, want)
		}
	}
	if l := newDealer(vectorGame, Seed{}, 4).Link(tests[7].s, 1); l != nil {
		t.Errorf("an exhausted delegated chain opened %v", l)
	}
}

// after is the game's state after its first n parts.
func (g *dealt) after(n int) State {
	s := State{Game: vectorGame}
	for _, p := range g.parts[:n] {
		s = s.Evolve(p)
	}
	return s
}
