package game

import (
	"math/rand/v2"
	"slices"
	"testing"

	"chancery/domain/fair"
)

// randomGame plays moves chosen by the bytes of choice, two a ply, until they run
// out or the game ends, and gives every event.
func randomGame(t testing.TB, variant string, choice []byte) (events []Event, final State) {
	dealer := fair.NewDealer("law", fair.Seed{9})
	s := New("law")
	do := func(by Seat, a Action) {
		list, err := Decide(s, Command{By: by, At: s.At + 10, Action: a}, dealer)
		if err != nil {
			t.Fatalf("%#v by %s: %v", a, by, err)
		}
		events, s = append(events, list...), Fold(s, list...)
	}
	do(First, Create{Variant: variant, Color: PreferRandom})
	do(Second, Join{})
	for i := 0; i+1 < len(choice) && !s.Over(); i += 2 {
		legal := LegalMoves(s)
		do(s.ToAct(), ActionOf(legal[(int(choice[i])<<8|int(choice[i+1]))%len(legal)]))
	}
	return events, s
}

// FuzzLaws checks, along random games, that replay equals live, that a refused
// command changes nothing, that exactly the listed moves are accepted, and that
// spectators learn nothing but what both players know.
func FuzzLaws(f *testing.F) {
	for seed := range uint64(8) {
		r := rand.NewChaCha8([32]byte{byte(seed)})
		choice := make([]byte, 40*(seed+1))
		_, _ = r.Read(choice)
		f.Add(choice, uint8(seed), uint16(seed*7919))
	}
	f.Fuzz(func(t *testing.T, choice []byte, pick uint8, wild uint16) {
		variant := []string{"chess", "nocastle", "unachess1", "unachess2", "unachess3"}[pick%5]
		events, live := randomGame(t, variant, choice[:min(len(choice), 600)])
		if again := Fold(New("law"), events...); ViewFor(again, First, nil).FEN != live.FEN || again.Occurrences() != live.Occurrences() || again.Fair.X != live.Fair.X {
			t.Error("replay differs from live")
		}
		if live.Over() {
			return
		}
		anyMove := randomUCI(wild)
		if variant >= "unachess" && wild&1 == 0 {
			anyMove = randomDrop(wild)
		}
		listed := slices.Contains(LegalMoves(live), anyMove)
		_, err := Decide(live, Command{By: live.ToAct(), Action: ActionOf(anyMove)}, fair.NewDealer("law", fair.Seed{9}))
		if listed != (err == nil) {
			t.Errorf("%s in %s: listed %v, but %v", anyMove, live.FEN, listed, err)
		}
		if v := ViewFor(live, live.ToAct().Other(), nil); v.Legal != nil || v.Claim {
			t.Error("a seat that need not act is told what is legal")
		}
	})
}

func randomUCI(n uint16) string {
	square := func(i uint16) string { return string([]byte{'a' + byte(i&7), '1' + byte(i>>3&7)}) }
	return square(n) + square(n>>6) + []string{"", "", "", "q"}[n>>12&3]
}

func randomDrop(n uint16) string {
	men := "KQRBNPkqrbnp"
	return men[int(n>>1)%len(men):][:1] + "@" + randomUCI(n >> 4)[:2]
}

func BenchmarkFold200(b *testing.B) {
	r := rand.NewChaCha8([32]byte{1})
	var events []Event
	for records := 0; records < 200; {
		choice := make([]byte, 396)
		_, _ = r.Read(choice)
		events, _ = randomGame(b, "nocastle", choice)
		records = events[len(events)-1].N + 1
	}
	b.ReportAllocs()
	for b.Loop() {
		Fold(New("law"), events...)
	}
}
