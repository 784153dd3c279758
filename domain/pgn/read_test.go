package pgn

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"chancery/domain/cards"
	"chancery/domain/game"
)

func write(t testing.TB, s game.State, history []game.Event) string {
	t.Helper()
	var b strings.Builder
	if err := Write(&b, s, history, "http://127.0.0.1"); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func readOne(t testing.TB, text string) Game {
	t.Helper()
	r := NewReader(strings.NewReader(text))
	g, err := r.Next()
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if _, err := r.Next(); !errors.Is(err, io.EOF) {
		t.Fatalf("behind the game: %v", err)
	}
	return g
}

// told is what a text holds of a history: facts without times and proofs, equal cards
// alike.
func told(history []game.Event) (facts []game.Fact) {
	var deck cards.Deck
	for _, e := range history {
		switch f := e.Fact.(type) {
		case game.LinkOpened, game.LinksStopped:
			continue
		case game.GameCreated:
			if v, _ := game.Lookup(f.Variant); v.Deck != nil {
				deck = v.Deck(f.Options)
			}
			f.Seats = slices.Clone(f.Seats)
			f.Seats[0].Delegated, f.Seats[1] = false, game.Sitter{}
			facts = append(facts, f)
		case game.MoveUndone:
			f.Ref = game.Ref{}
			facts = append(facts, f)
		case game.HandsRevealed:
			facts = append(facts, shownCodes(f, deck))
		default:
			facts = append(facts, f)
		}
	}
	return facts
}

// shownCodes names the cards of a revelation by their codes, hands in any order.
func shownCodes(f game.HandsRevealed, deck cards.Deck) game.Fact {
	text := ""
	for _, hand := range f.Hands {
		text += fmt.Sprint(slices.Sorted(slices.Values(strings.Split(codes(hand), ","))))
	}
	for _, pile := range f.Piles {
		for _, id := range pile {
			text += " " + deck[id].Code()
		}
	}
	return game.GamePaused{Reason: text}
}

// ignoringIDs compares events whatever the number of a card.
var ignoringIDs = cmp.Options{
	cmp.Transformer("code", func(c cards.Dealt) string { return c.Card.Code() }),
	cmpopts.EquateEmpty(),
}

// sameGame compares a game with the one that was read from its text.
func sameGame(t testing.TB, b *table, g Game, text string) {
	t.Helper()
	if diff := cmp.Diff(told(b.history), told(g.Events), ignoringIDs); diff != "" {
		t.Fatalf("the facts differ (- played, + read):\n%s\n%s", diff, text)
	}
	type summary struct {
		Phase                 game.Phase
		FEN, Last             string
		Plies, Idle, Count    int
		Pools                 [2]string
		Series                game.Series
		Offer, Cancel, Winner game.Seat
		Left                  game.Clocks
		Result                game.Result
		Reason                game.Reason
		Color                 cards.Color
		Uno                   [2]game.Uno
		InPlay                string
		Players               [2]string
	}
	of := func(s game.State) summary {
		return summary{
			s.Phase, s.FEN, s.Last, s.Plies, s.Idle, s.Occurrences(), s.Pools, s.Series, s.Offer, s.Cancel, s.Winner,
			s.Clock.Left, s.Result, s.Reason, s.Cards.Color, s.Cards.Uno, s.Cards.InPlay.Card.Code(),
			[2]string{s.Seats[0].Player + s.Seats[0].Bot, s.Seats[1].Player + s.Seats[1].Bot},
		}
	}
	left := b.s.Clock.Left
	b.s.Clock.Left = g.State.Clock.Left // what has run since the last event is in no text
	if diff := cmp.Diff(of(b.s), of(g.State)); diff != "" {
		t.Fatalf("the states differ (- played, + read):\n%s\n%s", diff, text)
	}
	b.s.Clock.Left = left
	if again := write(t, g.State, g.Events); again != text {
		t.Fatalf("written again:\n%s\nnot\n%s", again, text)
	}
}

// TestReadWhatWasWritten plays games of every variant at random, writes them, reads
// them, and finds the same game.
func TestReadWhatWasWritten(t *testing.T) {
	games := uint64(25)
	if testing.Short() {
		games = 6
	}
	for _, v := range game.Variants() {
		t.Run(v.Key, func(t *testing.T) {
			for seed := range games {
				b := anyGame(t, v, seed, int(seed*seed/3))
				text := write(t, b.s, b.history)
				sameGame(t, b, readOne(t, text), text)
			}
		})
	}
}

func TestReadSeveralGames(t *testing.T) {
	var all bytes.Buffer
	var want []string
	for i, v := range game.Variants() {
		b := anyGame(t, v, uint64(i), 12*i)
		text := write(t, b.s, b.history)
		want = append(want, text)
		all.WriteString(text)
	}
	r := NewReader(&all)
	for i, text := range want {
		g, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if again := write(t, g.State, g.Events); again != text {
			t.Errorf("game %d is\n%s\nnot\n%s", i, again, text)
		}
	}
	if _, err := r.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("behind the last game: %v", err)
	}
}

// TestStartArraysAreWritten: a game from a drawn array is read from the array it had.
func TestStartArraysAreWritten(t *testing.T) {
	v, err := game.Lookup("nocastle")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for seed := range uint64(200) {
		b := newTable(t, seed)
		b.do(game.First, game.Create{Variant: v.Key})
		b.do(game.Second, game.Join{})
		g := readOne(t, write(t, b.s, b.history))
		if g.State.FEN != b.s.FEN || g.Tag("FEN") != b.s.FEN || g.Tag("SetUp") != "1" || g.State.Array != b.s.Array {
			t.Fatalf("array %s, read as %s", b.s.Array, g.State.Array)
		}
		seen[g.State.Array] = true
	}
	if len(seen) <= 150 {
		t.Errorf("200 games began from %d arrays only", len(seen))
	}
}
