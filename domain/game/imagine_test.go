package game

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"chancery/domain/fair"
)

// imagined is a pile whose order is known.
type imagined []int

func (o imagined) Order(fair.State, int) []int { return o }

// What is imagined looks like what was seen, at every moment of games of all variants.
func TestImagine(t *testing.T) {
	for _, variant := range Variants() {
		t.Run(variant.Key, func(t *testing.T) {
			for seed := range byte(12) {
				r, chance := rand.New(rand.NewPCG(uint64(seed), 3)), fair.NewDealer("imagined", fair.Seed{seed})
				s := New("imagined")
				do := func(by Seat, a Action) {
					events, err := Decide(s, Command{By: by, Action: a}, chance)
					if err != nil {
						t.Fatalf("%#v: %v", a, err)
					}
					s = Fold(s, events...)
				}
				do(First, Create{Variant: variant.Key, Color: PreferRandom, Options: imaginedOptions(variant, seed)})
				do(Second, Join{})
				for !s.Over() && s.Plies < 120 {
					seat := s.ToAct()
					v := ViewFor(s, seat, chance)
					checkImagined(t, v, seat)
					open := v.Actions()
					do(seat, open[r.IntN(len(open))])
				}
			}
		})
	}
}

func imaginedOptions(v Variant, seed byte) Options {
	switch {
	case seed%2 == 0:
		return nil
	case v.Key == "unochess":
		return Options{"extendedDeck": BoolValue(true)}
	case v.Key == "chessuno":
		return Options{"pile": TextValue("live"), "kingAvoidsAttackedSquares": BoolValue(true)}
	}
	return nil
}

func checkImagined(t *testing.T, v View, seat Seat) {
	t.Helper()
	s, order := Imagine(v, Unseen(v))
	got := ViewFor(s, seat, imagined(order))
	// What happened before, and who sits there, is no part of the imagination.
	got.Log, got.Seats, got.Rated, got.Trust, got.Link, got.Claim = v.Log, v.Seats, v.Rated, v.Trust, v.Link, v.Claim
	if !reflect.DeepEqual(got, v) {
		t.Fatalf("seen and imagined:\n%+v\n%+v\n%+v\n%+v", v, got, v.Table, got.Table)
	}
}
