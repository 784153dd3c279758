package rating

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

type vectors struct {
	Cases []struct {
		Name  string
		Games []struct {
			White, Black    *string
			Variant, Reason string
			Result          string
			Winner          *string
			Rated, Voided   bool
		}
		Expect map[string]struct {
			Rating                  float64
			Games, Won, Drawn, Lost int
			Tier                    Tier
			Variants                map[string]struct {
				Rating float64
				Games  int
			}
		}
	}
}

func TestVectors(t *testing.T) {
	data, err := os.ReadFile("testdata/ratings-vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var v vectors
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	if len(v.Cases) < 15 {
		t.Fatalf("only %d cases", len(v.Cases))
	}
	for _, c := range v.Cases {
		r := NewRanking()
		for _, g := range c.Games {
			if !g.Rated || g.Voided || g.Result == "*" || g.White == nil || g.Black == nil {
				continue
			}
			score := Draw
			if g.Winner != nil {
				score = map[string]Score{"white": Win, "black": Loss}[*g.Winner]
			}
			r.Count(Game{Variant: g.Variant, Players: [2]string{*g.White, *g.Black}, Score: score})
		}
		for player, want := range c.Expect {
			got := r.Standing(player, Overall)
			if got.Rating.Points() != want.Rating || got.Games != want.Games || got.Rating.Tier() != want.Tier || got.Total != (Total{want.Won, want.Drawn, want.Lost}) {
				t.Errorf("%s: %s has %.2f %s after %d games %+v, want %+v", c.Name, player, got.Rating.Points(), got.Rating.Tier(), got.Games, got.Total, want)
			}
			for variant, want := range want.Variants {
				if got := r.Standing(player, variant); got.Rating.Points() != want.Rating || got.Games != want.Games {
					t.Errorf("%s: %s in %s has %.2f after %d games, want %+v", c.Name, player, variant, got.Rating.Points(), got.Games, want)
				}
			}
		}
	}
}

func TestTierBounds(t *testing.T) {
	for rating, want := range map[Hundredths]Tier{
		949_99: Bronze, 950_00: Silver, 1049_99: Silver, 1050_00: Gold, 1199_99: Gold, 1200_00: Platinum, 1399_99: Platinum, 1400_00: Diamond,
	} {
		if got := rating.Tier(); got != want {
			t.Errorf("%v is %s, want %s", rating.Points(), got, want)
		}
	}
}

func TestHeadToHead(t *testing.T) {
	r := NewRanking()
	for _, s := range []Score{Win, Win, Draw, Loss, Win, Draw} {
		r.Count(Game{Variant: "chess", Players: [2]string{"a", "b"}, Score: s})
	}
	r.Count(Game{Variant: "yugioh", Players: [2]string{"b", "a"}, Score: Win})
	got := r.HeadToHead("a", "b")
	want := []Score{Loss, Draw, Win, Loss, Draw}
	if got.Total != (Total{3, 2, 2}) || len(got.Form) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i := range want {
		if got.Form[i] != want[i] {
			t.Errorf("form %v, want %v", got.Form, want)
		}
	}
	if back := r.HeadToHead("b", "a"); back.Total != (Total{2, 2, 3}) {
		t.Errorf("the other side: %+v", back.Total)
	}
}

// The worked example of Glickman's paper: 1464.06, 151.52, 0.05999.
func TestGlickoExample(t *testing.T) {
	g := Glicko{Rating: 1500, Deviation: 200, Volatility: 0.06}.After(
		Encounter{Glicko{Rating: 1400, Deviation: 30}, Win},
		Encounter{Glicko{Rating: 1550, Deviation: 100}, Loss},
		Encounter{Glicko{Rating: 1700, Deviation: 300}, Loss},
	)
	if math.Abs(g.Rating-1464.06) > 0.01 || math.Abs(g.Deviation-151.52) > 0.01 || math.Abs(g.Volatility-0.05999) > 0.00001 {
		t.Errorf("%+v", g)
	}
	if idle := g.After(); idle.Rating != g.Rating || idle.Deviation <= g.Deviation {
		t.Errorf("after a period without games %+v", idle)
	}
	if far := NewGlicko().After(Encounter{Glicko{Rating: 2800, Deviation: 30}, Win}); far.Volatility < 0.06 || math.IsNaN(far.Rating) {
		t.Errorf("after a great surprise %+v", far)
	}
}
