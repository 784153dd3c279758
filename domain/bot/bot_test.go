package bot

import (
	"testing"

	"chancery/domain/game"
)

func TestBotsPlayWhatIsLegal(t *testing.T) {
	v := game.View{Legal: []string{"e2e4", "N@f3"}, Cards: []string{"R5"}, Can: []string{"pass"}}
	want := []game.Action{game.Move{UCI: "e2e4"}, game.Drop{UCI: "N@f3"}, game.PlayCard{Card: "R5"}, game.Pass{}}
	random, err := Lookup("random")
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range want {
		if a, ok := random.Act(v, uint64(i)); !ok || a != w {
			t.Errorf("random %d: got %v, %v; want %v", i, a, ok, w)
		}
	}
}

func TestBotsWaitForTheirTurn(t *testing.T) {
	for _, b := range Bots() {
		if a, ok := b.Act(game.View{}, 0); ok {
			t.Errorf("%s does %v in a game that does not wait for it", b.Name, a)
		}
	}
}

func TestUnknownBots(t *testing.T) {
	if _, err := Lookup("grandmaster"); err == nil {
		t.Error("there is a grandmaster")
	}
}
