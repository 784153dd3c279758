package bot

import (
	"testing"

	"chancery/domain/fair"
	"chancery/domain/game"
)

// BenchmarkAct is the time that an action takes, by bot and variant, at the start.
func BenchmarkAct(b *testing.B) {
	for _, variant := range game.Variants() {
		v := begun(b, variant.Key)
		for _, player := range Bots() {
			b.Run(variant.Key+"/"+player.Name, func(b *testing.B) {
				for i := uint64(0); b.Loop(); i++ {
					player.Act(v, i)
				}
			})
		}
	}
}

// begun is the first view of a game of the variant, for the seat that must act.
func begun(tb testing.TB, variant string) game.View {
	chance := fair.NewDealer("begun", fair.Seed{1})
	s := game.New("begun")
	for by, a := range []game.Action{game.Create{Variant: variant}, game.Join{}} {
		events, err := game.Decide(s, game.Command{By: game.Players[by], Action: a}, chance)
		if err != nil {
			tb.Fatal(err)
		}
		s = game.Fold(s, events...)
	}
	return game.ViewFor(s, s.ToAct(), chance)
}
