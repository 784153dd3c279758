package game

import (
	"slices"
	"testing"

	"chancery/domain/fair"
)

var duet = Options{"duet": BoolValue(true)}

// openDuet is a game in duet in which the first seat keeps a chain of its own, and
// the second too if it says so. It waits for the links of the first roll.
func openDuet(t *testing.T, c Create, own bool, rolls ...[]int) *diceTable {
	t.Helper()
	c.Options = duet
	tb := newDiceTable(t, c, rolls...)
	join, command := Join{}, Command{By: Second, At: tb.now}
	if own {
		join.Anchor = ptr(player(Second).Anchor())
		command.Link = ptr(player(Second).Link(1))
	}
	command.Action = join
	events, err := Decide(tb.s, command, tb.dice)
	if err != nil {
		t.Fatal(err)
	}
	tb.s = Fold(tb.s, events...)
	return tb
}

func (tb *diceTable) owing(seats ...Seat) {
	tb.t.Helper()
	if got := tb.s.Owing(); tb.s.Phase != PhaseLink || !slices.Equal(got, seats) {
		tb.t.Fatalf("phase %s, %v owe a link, want %v", tb.s.Phase, got, seats)
	}
}

func (tb *diceTable) link(by Seat, record string) {
	tb.t.Helper()
	if got := types(tb.must(by, OpenLink{})); got != record {
		tb.t.Fatalf("the link of %s gave %s, want %s", by, got, record)
	}
}

func TestDuetWaitsForEveryRoll(t *testing.T) {
	tb := openDuet(t, Create{}, true, []int{7, 7}, firstIsWhite, oneEight, []int{3, 3}, []int{8, 2}, []int{0, 9})
	tb.owing(First)
	tb.link(First, "LinkOpened DiceRolled") // a tie
	tb.owing(First, Second)
	tb.refused(First, Move{UCI: "e2e4"}, NotStarted)
	tb.link(Second, "LinkOpened")
	tb.refused(Second, OpenLink{}, WrongPhase)
	tb.link(First, "LinkOpened DiceRolled ColorsDrawn")
	tb.link(First, "LinkOpened")
	tb.link(Second, "LinkOpened DiceRolled GameStarted")
	tb.waits(PhaseMove, WhiteArmy, orthodoxStart)
	tb.refused(First, OpenLink{}, WrongPhase)

	if got := tb.play("e2e4"); got != "MovePlayed" {
		t.Fatalf("a move without links behind it gave %s", got)
	}
	tb.owing(First, Second)
	tb.refused(Second, Move{UCI: "e7e5"}, WrongPhase)
	tb.refused(First, ClaimDraw{}, WrongPhase)
	tb.refused(First, StopLinks{}, WrongPhase)
	tb.link(Second, "LinkOpened")
	tb.link(First, "LinkOpened DiceRolled TurnEnded")

	tb.play("g8f6")
	tb.link(First, "LinkOpened")
	tb.link(Second, "LinkOpened DiceRolled TurnSkipped TurnEnded")
	tb.waits(PhaseMove, BlackArmy, "rnbqkb1r/pppppppp/5n2/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 1 2")
}

// The mover's link may come with the move: then the other seat alone is waited for.
func TestDuetTakesTheLinkWithTheMove(t *testing.T) {
	tb := openDuet(t, Create{}, true, firstIsWhite, oneEight, []int{3, 3})
	tb.link(First, "LinkOpened DiceRolled ColorsDrawn")
	tb.link(First, "LinkOpened")
	tb.link(Second, "LinkOpened DiceRolled GameStarted")
	c := Command{By: First, At: tb.now, Action: Move{UCI: "e2e4"}, Link: ptr(player(First).Link(3))}
	events, err := Decide(tb.s, c, tb.dice)
	if err != nil || types(events) != "MovePlayed" || events[0].Fair.Link == nil {
		t.Fatalf("%s, %v", types(events), err)
	}
	tb.s = Fold(tb.s, events...)
	tb.owing(Second)
	tb.link(Second, "LinkOpened DiceRolled TurnEnded")
}

// A delegated seat opens its links in the record that rolls.
func TestDuetWithADelegatedSeat(t *testing.T) {
	tb := openDuet(t, Create{}, false, firstIsWhite, oneEight, []int{1, 1})
	tb.owing(First)
	tb.link(First, "LinkOpened DiceRolled ColorsDrawn")
	tb.owing(First)
	tb.link(First, "LinkOpened LinkOpened DiceRolled GameStarted")
	tb.play("e2e4")
	tb.owing(First)
	tb.link(First, "LinkOpened LinkOpened DiceRolled TurnEnded")
}

// A link that comes with the move leaves nobody to wait for but the server.
func TestDuetTheServersLinkAlone(t *testing.T) {
	tb := openDuet(t, Create{}, false, firstIsWhite, oneEight, []int{1, 1})
	tb.link(First, "LinkOpened DiceRolled ColorsDrawn")
	tb.link(First, "LinkOpened LinkOpened DiceRolled GameStarted")
	c := Command{By: First, At: tb.now, Action: Move{UCI: "e2e4"}, Link: ptr(player(First).Link(3))}
	events, err := Decide(tb.s, c, tb.dice)
	if err != nil || types(events) != "MovePlayed" {
		t.Fatalf("%s, %v", types(events), err)
	}
	tb.s = Fold(tb.s, events...)
	tb.owing()
	tb.link(Spectator, "LinkOpened DiceRolled TurnEnded")
}

func TestDuetBothDelegated(t *testing.T) {
	tb := &diceTable{t: t, s: New("test-game"), dice: &loaded{fair.NewDealer("test-game", fair.Seed{5}), [][]int{firstIsWhite, oneEight, {1, 1}}}}
	tb.must(First, Create{Variant: "yugioh", Options: duet})
	tb.must(Second, Join{})
	tb.owing()
	tb.refused(First, OpenLink{}, WrongPhase)
	tb.link(Spectator, "LinkOpened LinkOpened DiceRolled GameStarted")
	tb.waits(PhaseMove, WhiteArmy, orthodoxStart)
	tb.refused(Spectator, OpenLink{}, WrongPhase)
	if got := tb.play("e2e4"); got != "MovePlayed" {
		t.Fatalf("a move gave %s", got)
	}
	tb.link(Spectator, "LinkOpened LinkOpened DiceRolled TurnEnded")
	tb.waits(PhaseMove, BlackArmy, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -")
}

// While the server owes its record players may leave, and agree, but not move.
func TestDuetLeavingBeforeTheServersRecord(t *testing.T) {
	waiting := func() *diceTable {
		tb := &diceTable{t: t, s: New("test-game"), dice: &loaded{fair.NewDealer("test-game", fair.Seed{5}), [][]int{firstIsWhite, oneEight}}}
		tb.must(First, Create{Variant: "yugioh", Options: duet, Clock: &ClockSpec{Base: minute}})
		tb.must(Second, Join{})
		tb.link(Spectator, "LinkOpened LinkOpened DiceRolled GameStarted")
		tb.play("e2e4")
		return tb
	}
	tests := []struct {
		name string
		do   func(tb *diceTable)
		want Reason
	}{
		{"the mover resigns", func(tb *diceTable) { tb.must(First, Resign{}) }, Resignation},
		{"the other resigns", func(tb *diceTable) { tb.must(Second, Resign{}) }, Resignation},
		{"a draw is agreed", func(tb *diceTable) { tb.must(Second, OfferDraw{}); tb.must(First, AcceptDraw{}) }, Agreement},
		{"both call it off", func(tb *diceTable) { tb.must(Second, Cancel{}); tb.must(First, Cancel{}) }, ByCancel},
		{"the server aborts", func(tb *diceTable) { tb.must(Spectator, Abort{Reason: KeyCompromise}) }, KeyCompromise},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tb := waiting()
			tb.now += 2 * minute // on nobody's clock
			for _, seat := range Players {
				tb.refused(seat, Move{UCI: "e7e5"}, WrongPhase)
				tb.refused(seat, ClaimDraw{}, WrongPhase)
				tb.refused(Spectator, CallFlag{Seat: seat}, NotPending)
				tb.refused(Spectator, CallForfeit{Seat: seat}, NotPending)
			}
			tt.do(tb)
			if tb.s.Reason != tt.want || !tb.s.Fair.Revealed {
				t.Errorf("over by %q, revealed %t", tb.s.Reason, tb.s.Fair.Revealed)
			}
			tb.refused(Spectator, OpenLink{}, GameOver)
		})
	}
}

// A chain that the server keeps ends the game with the last of its links.
func TestDuetOfExhaustedChains(t *testing.T) {
	tb := &diceTable{t: t, s: New("test-game"), dice: &loaded{fair.NewDealer("test-game", fair.Seed{5}), [][]int{firstIsWhite, oneEight}}}
	tb.must(First, Create{Variant: "yugioh", Options: duet})
	tb.must(Second, Join{})
	tb.link(Spectator, "LinkOpened LinkOpened DiceRolled GameStarted")
	tb.s.Fair.Seat[1].Opened = fair.DefaultLen - 1
	tb.play("e2e4")
	tb.link(Spectator, "LinkOpened LinkOpened GameEnded SeedRevealed")
	tb.ended(Drawn, Spectator, Exhausted)
}

// Mate waits for two more links before the last dice fall.
func TestDuetRescue(t *testing.T) {
	tb := openDuet(t, Create{Start: "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"}, true, firstIsWhite, oneEight, []int{0, 9}, []int{1, 12})
	tb.link(First, "LinkOpened DiceRolled ColorsDrawn")
	tb.link(First, "LinkOpened")
	tb.link(Second, "LinkOpened DiceRolled GameStarted")
	tb.play("a1a8")
	tb.link(First, "LinkOpened")
	tb.link(Second, "LinkOpened DiceRolled TurnEnded")
	tb.owing(First, Second)
	if tb.s.Due != "rescue" || tb.s.Over() {
		t.Fatalf("due is %q, phase %s", tb.s.Due, tb.s.Phase)
	}
	tb.link(Second, "LinkOpened")
	tb.link(First, "LinkOpened DiceRolled GameEnded SeedRevealed")
	tb.ended(BlackWins, Second, TwelveOne)
}

func TestDuetClockOfWhoOwes(t *testing.T) {
	tb := openDuet(t, Create{Clock: &ClockSpec{Base: minute}}, true, firstIsWhite, oneEight)
	tb.now += minute
	tb.link(First, "LinkOpened DiceRolled ColorsDrawn")
	tb.link(First, "LinkOpened")
	tb.now += minute // before the start no clock runs
	tb.link(Second, "LinkOpened DiceRolled GameStarted")
	tb.now += 1_000
	tb.play("e2e4")
	tb.link(First, "LinkOpened")
	if tb.s.Clock.Running != Second || tb.s.Clock.Left != (Clocks{59_000, minute}) {
		t.Fatalf("%s runs, %v", tb.s.Clock.Running, tb.s.Clock.Left)
	}
	tb.now += minute
	tb.must(Spectator, CallFlag{Seat: Second})
	tb.ended(WhiteWins, First, Timeout)
}

// Between the rolls of the opening nobody leaves for free who has seen one.
func TestDuetLeavingTheOpening(t *testing.T) {
	waiting := openDuet(t, Create{}, true, firstIsWhite, oneEight)
	waiting.refused(First, Resign{}, NotStarted)
	cancelling := *waiting
	cancelling.must(Second, Cancel{})
	if cancelling.s.Reason != ByCancel {
		t.Errorf("cancelled: %s", cancelling.s.Reason)
	}
	waiting.link(First, "LinkOpened DiceRolled ColorsDrawn")
	resigning := *waiting
	resigning.must(First, Resign{})
	resigning.ended(BlackWins, Second, Resignation)
	asking := *waiting
	asking.must(First, Cancel{})
	if asking.s.Over() {
		t.Error("called off by one seat after a roll")
	}
	waiting.must(Spectator, CallForfeit{Seat: Second})
	waiting.ended(WhiteWins, First, Forfeit)
}

func TestDuetLeavingBeforeARoll(t *testing.T) {
	tb := openDuet(t, Create{}, true, firstIsWhite, oneEight)
	tb.link(First, "LinkOpened DiceRolled ColorsDrawn")
	tb.link(First, "LinkOpened")
	tb.link(Second, "LinkOpened DiceRolled GameStarted")
	tb.must(Second, OfferDraw{})
	tb.play("e2e4")
	tb.must(Second, OfferDraw{}) // the move let the first one lapse
	tb.link(First, "LinkOpened") // a link lets nothing lapse
	tb.must(First, AcceptDraw{})
	tb.ended(Drawn, Spectator, Agreement)
}
