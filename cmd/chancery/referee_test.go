package main

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	crand "crypto/rand"

	"chancery/adapters/keys"
	"chancery/adapters/memory"
	"chancery/domain/bot"
	"chancery/domain/cards"
	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
)

// refereed is a whole game of greedy players, with its log.
func refereed(t *testing.T, variant string) (arena, match, events.Game) {
	t.Helper()
	ring, err := keys.Open(filepath.Join(t.TempDir(), "keys"), time.Now(), crand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	greedy, err := bot.Lookup("greedy")
	if err != nil {
		t.Fatal(err)
	}
	a := arena{log: memory.New(), ring: ring}
	m := match{
		id: "refereed", variant: variant, players: [2]bot.Bot{greedy, greedy}, seed: fair.Seed{7},
		random: rand.New(rand.NewPCG(5, 5)), looks: map[int]look{},
	}
	g, err := a.play(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	return a, m, g
}

func TestRefereeAcceptsGames(t *testing.T) {
	for _, v := range game.Variants() {
		t.Run(v.Key, func(t *testing.T) {
			a, m, g := refereed(t, v.Key)
			if err := a.replays(t.Context(), m, g); err != nil {
				t.Fatal(err)
			}
			m.looks[g.State.N] = look{}
			if err := a.replays(t.Context(), m, g); err == nil || !strings.Contains(err.Error(), "sees something else") {
				t.Errorf("a seat that saw something else: %v", err)
			}
		})
	}
}

// The end of a game fits its reason, and fits no longer if anything in it is changed.
func TestRefereeDoubtsEnds(t *testing.T) {
	for _, v := range game.Variants() {
		_, _, g := refereed(t, v.Key)
		if !isConsistent(g.State) {
			t.Errorf("%s: %s by %s for %s is not consistent", v.Key, g.State.Result, g.State.Reason, g.State.Winner)
		}
		for what, change := range map[string]func(*game.State){
			"another winner": func(s *game.State) { s.Winner = s.Winner%2 + 1 },
			"another result": func(s *game.State) { s.Result = game.Ongoing },
			"another reason": func(s *game.State) { s.Reason = game.DeadPosition },
			"no such reason": func(s *game.State) { s.Reason = "boredom" },
		} {
			s := g.State
			if change(&s); isConsistent(s) {
				t.Errorf("%s: %s by %s for %s is consistent with %s", v.Key, s.Result, s.Reason, s.Winner, what)
			}
		}
	}
}

func TestRefereeCountsCards(t *testing.T) {
	for _, variant := range []string{"unochess", "chessuno"} {
		a, m, g := refereed(t, variant)
		at := g.N / 2
		s := events.NewGame(m.id).State
		for step, err := range events.Steps(t.Context(), a.log, events.NewGame(m.id)) {
			if err != nil {
				t.Fatal(err)
			}
			if s = step.Game.State; s.N == at {
				break
			}
		}
		judge := newReferee(fair.NewDealer(m.id, m.seed))
		if err := judge.record(s); err != nil {
			t.Errorf("%s: %v", variant, err)
		}
		for what, change := range map[string]func(pile *[]cards.Dealt){
			"lost":  func(pile *[]cards.Dealt) { *pile = (*pile)[:len(*pile)-1] },
			"twice": func(pile *[]cards.Dealt) { *pile = append((*pile)[:len(*pile):len(*pile)], (*pile)[0]) },
		} {
			wrong := s
			pile := &wrong.Cards.Discards[0]
			if len(*pile) == 0 {
				pile = &wrong.Cards.Discards[1]
			}
			if change(pile); judge.record(wrong) == nil {
				t.Errorf("%s: nobody misses a card that is %s", variant, what)
			}
		}
	}
}

func TestRefereeCountsMen(t *testing.T) {
	start := game.State{Phase: game.PhaseMove, FEN: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}
	_, _, g := refereed(t, "chess")
	s := g.State
	s.Phase, s.FEN, s.Pools = game.PhaseMove, start.FEN, [2]string{}
	for _, c := range []struct {
		fen  string
		fact game.Fact
		ok   bool
	}{
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 1 1", game.MovePlayed{}, true},
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 b KQkq - 1 1", game.MovePlayed{}, false},
		{"rnbqkbnr/ppppppp1/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 1 1", game.MovePlayed{Captured: "p"}, true},
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[P] b KQkq - 1 1", game.MovePlayed{}, false},
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1[R] b KQkq - 1 1", game.TurnEnded{}, false},
		{"rnbqkbnr/pppppppp/8/8/8/Q7/PPPPPPPP/RNBQKBNR b KQkq - 1 1", game.PieceDropped{From: "dice"}, true},
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 1 1", game.MoveUndone{FEN: "8/8/8/8/8/8/8/8 w - - 0 1"}, false},
	} {
		next := s
		next.FEN = c.fen
		if err := newReferee(nil).event(s, next, c.fact); (err == nil) != c.ok {
			t.Errorf("%T to %s: %v", c.fact, c.fen, err)
		}
	}
}

func TestLineups(t *testing.T) {
	for names, want := range map[string]int{"greedy": 1, "greedy,random": 2, "search, greedy,random": 6, "": mixed} {
		l, err := newLineup(names)
		if err != nil || len(l) != want {
			t.Errorf("%q: %d pairs, %v; want %d", names, len(l), err, want)
		}
		if first, again := l.in(0), l.in(len(l)); first[0].Name != again[0].Name || first[1].Name != again[1].Name {
			t.Errorf("%q: begins with %s, begins again with %s", names, first[0].Name, again[0].Name)
		}
	}
	if _, err := newLineup("greedy,grandmaster"); err == nil {
		t.Error("there is a grandmaster")
	}
}
