package scenario

import (
	"fmt"
	"strings"
	"testing"

	"chancery/domain/fair"
	"chancery/domain/game"
)

var runner = Runner{
	Seed: fair.Seed{7},
	Name: func(f game.Fact) string { return strings.TrimPrefix(fmt.Sprintf("%T", f), "game.") },
}

// one plays the only scenario of a file.
func one(t *testing.T, text string) error {
	t.Helper()
	list, err := Parse([]byte("[" + text + "]"))
	if err != nil {
		t.Fatal(err)
	}
	return runner.Run(list[0])
}

func TestScenariosHold(t *testing.T) {
	for name, text := range map[string]string{
		"a fresh game": `{"name":"x","variant":"chess","steps":[
			{"expect":{"turn":"white","seat":"white","phase":"move","legal_count":20,"includes":["e2e4"],"excludes":["e2e5"],
				"check":false,"attacked":[],"result":"*","winner":"none","reason":"","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq"}},
			{"by":"black","do":{"move":"e7e5"},"error":"not_your_turn"},
			{"by":"seat1","do":{"move":"e2e4"}},
			{"expect":{"events":["MovePlayed"],"idle":0,"pool":{"white":"","black":""}}}]}`,
		"a start in the middle": `{"name":"x","variant":"chess","start":{"fen":"7k/8/8/8/8/8/5Q2/K7 w - - 0 1","history":["a1a2","h8h7"]},"steps":[
			{"expect":{"legal":["` + strings.Join(legalAfterHistory(), `","`) + `"],"check":false}}]}`,
		"history counts for repetition": `{"name":"x","variant":"chess","start":{"history":["g1f3","g8f6","f3g1","f6g8","g1f3","g8f6","f3g1","f6g8"]},"steps":[
			{"by":"white","do":{"draw":"claim"}},{"expect":{"reason":"repetition","events":["DrawClaimed","GameEnded","SeedRevealed"]}}]}`,
		"a scripted lot":        `{"name":"x","variant":"nocastle","chance":{"array":[2879]},"steps":[{"expect":{"fen":"rrqnnkbb/pppppppp/8/8/8/8/PPPPPPPP/RRQNNKBB w - -"}}]}`,
		"an option is refused":  `{"name":"x","variant":"nocastle","options":{"array":"KKKKKKKK"},"refused":true}`,
		"an option of no kind":  `{"name":"x","variant":"nocastle","options":{"array":1.5},"refused":true}`,
		"an option is unknown":  `{"name":"x","variant":"chess","options":{"array":"RNBQKBNR"},"refused":true}`,
		"the game ends at once": `{"name":"x","variant":"chess","steps":[{"by":"black","do":{"resign":true}},{"expect":{"winner":"white","phase":"over"}}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			if err := one(t, text); err != nil {
				t.Error(err)
			}
		})
	}
}

func legalAfterHistory() []string {
	s := game.Evolve(game.New("x"), game.Event{Fact: game.GameCreated{Variant: "chess"}})
	s = game.Evolve(s, game.Event{N: 1, Fact: game.GameStarted{FEN: "8/7k/8/8/8/8/K4Q2/8 w - - 2 2", White: game.First}})
	return game.LegalMoves(s)
}

// Each of these must fail, and say why: a scenario is never passed by looking away.
func TestScenariosFail(t *testing.T) {
	for name, c := range map[string]struct{ text, says string }{
		"unknown key":           {`{"name":"x","variant":"chess","steps":[],"stepz":1}`, `unknown key "stepz"`},
		"key in other case":     {`{"Name":"x","variant":"chess","steps":[]}`, `unknown key "Name"`},
		"key given twice":       {`{"name":"x","name":"y","variant":"chess","steps":[]}`, "twice"},
		"no name":               {`{"variant":"chess","steps":[]}`, "no name"},
		"no steps":              {`{"name":"x","variant":"chess"}`, "no steps"},
		"refused with steps":    {`{"name":"x","variant":"chess","refused":true,"steps":[]}`, "no start"},
		"unknown variant":       {`{"name":"x","variant":"checkers","steps":[]}`, `no variant "checkers"`},
		"not refused":           {`{"name":"x","variant":"chess","refused":true}`, "a game was created"},
		"bad option":            {`{"name":"x","variant":"chess","options":{"a":1},"steps":[]}`, `no option "a"`},
		"bad start":             {`{"name":"x","variant":"chess","start":{"fen":"8/8 w"},"steps":[]}`, "start"},
		"unknown start":         {`{"name":"x","variant":"chess","start":{"fun":"8/8 w"},"steps":[]}`, `"fun"`},
		"cards in chess":        {`{"name":"x","variant":"chess","start":{"cards":{}},"steps":[]}`, `not played with "cards"`},
		"bad history":           {`{"name":"x","variant":"chess","start":{"history":["e2e5"]},"steps":[]}`, "history"},
		"unknown chance":        {`{"name":"x","variant":"chess","chance":{"coin":[1]},"steps":[]}`, `"coin"`},
		"no such face":          {`{"name":"x","variant":"nocastle","chance":{"array":[2880]},"steps":[]}`, "no face 2880"},
		"chance runs out":       {`{"name":"x","variant":"nocastle","chance":{"array":[]},"steps":[]}`, "run out"},
		"neither nor":           {`{"name":"x","variant":"chess","steps":[{"by":"white"}]}`, "step 1: it is neither"},
		"both":                  {`{"name":"x","variant":"chess","steps":[{"by":"white","do":{"resign":true},"expect":{}}]}`, "neither"},
		"unknown step key":      {`{"name":"x","variant":"chess","steps":[{"by":"white","do":{"resign":true},"note":"x"}]}`, `"note"`},
		"unknown seat":          {`{"name":"x","variant":"chess","steps":[{"by":"green","do":{"resign":true}}]}`, `"green"`},
		"unknown action":        {`{"name":"x","variant":"chess","steps":[{"by":"white","do":{"fly":true}}]}`, `"fly"`},
		"unknown check":         {`{"name":"x","variant":"chess","steps":[{"expect":{"mood":"good"}}]}`, `"mood"`},
		"check of a card":       {`{"name":"x","variant":"chess","steps":[{"expect":{"top":"R5"}}]}`, "not played with cards"},
		"null":                  {`{"name":"x","variant":"chess","steps":[{"expect":{"check":null}}]}`, "null"},
		"wrong kind":            {`{"name":"x","variant":"chess","steps":[{"expect":{"legal_count":"20"}}]}`, "legal_count"},
		"an illegal move":       {`{"name":"x","variant":"chess","steps":[{"by":"white","do":{"move":"e2e5"}}]}`, "was refused"},
		"a legal move":          {`{"name":"x","variant":"chess","steps":[{"by":"white","do":{"move":"e2e4"},"error":true}]}`, "was not refused"},
		"another code":          {`{"name":"x","variant":"chess","steps":[{"by":"white","do":{"move":"e2e5"},"error":"game_over"}]}`, "not refused with game_over"},
		"error of another kind": {`{"name":"x","variant":"chess","steps":[{"by":"white","do":{"move":"e2e5"},"error":false}]}`, "true or a code"},
		"wrong count":           {`{"name":"x","variant":"chess","steps":[{"expect":{"legal_count":21}}]}`, "is 20, not 21"},
		"wrong fen":             {`{"name":"x","variant":"chess","steps":[{"expect":{"fen":"8/8/8/8/8/8/8/8 w"}}]}`, "not 8/8"},
		"not among":             {`{"name":"x","variant":"chess","steps":[{"expect":{"includes":["e2e5"]}}]}`, "e2e5 is not among"},
		"among":                 {`{"name":"x","variant":"chess","steps":[{"expect":{"excludes":["e2e4"]}}]}`, "e2e4 is among"},
		"legal differs":         {`{"name":"x","variant":"chess","steps":[{"expect":{"legal":["e2e4"]}}]}`, "not [e2e4]"},
		"events of another time": {`{"name":"x","variant":"chess","steps":[{"by":"white","do":{"move":"e2e4"}},{"expect":{}},
			{"expect":{"events":["MovePlayed"]}}]}`, "step 3: events"},
	} {
		t.Run(name, func(t *testing.T) {
			err := one(t, c.text)
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want an error that says %q", err, c.says)
			}
		})
	}
}

func TestParseRefusesWhatIsNoList(t *testing.T) {
	for _, text := range []string{"", "{}", "[", "[{}] []"} {
		if _, err := Parse([]byte(text)); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

func TestReserveLettersStandInAnyOrder(t *testing.T) {
	if err := sameFEN("8/8/8/8/8/8/8/K6k[PQq] w - - 0 1", "8/8/8/8/8/8/8/K6k[qPQ] w"); err != nil {
		t.Error(err)
	}
	if sameFEN("8/8/8/8/8/8/8/K6k[PQq] w - - 0 1", "8/8/8/8/8/8/8/K6k[qPP] w") == nil {
		t.Error("other reserves are equal")
	}
}
