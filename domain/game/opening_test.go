package game

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"chancery/domain/fair"
)

func types(events []Event) string {
	var names []string
	for _, e := range events {
		names = append(names, strings.TrimPrefix(fmt.Sprintf("%T", e.Fact), "game."))
	}
	return strings.Join(names, " ")
}

// player keeps a chain of its own, as a client does.
func player(seat Seat) *fair.Chain {
	return fair.NewChain(fair.Role(seat.Wire()), "test-game", fair.Hash{byte(seat), 7}, 64)
}

func TestOpeningRecords(t *testing.T) {
	tests := []struct {
		name             string
		color            ColorPref
		own1, own2       bool
		join, link, last string
	}{
		{"both keep chains", PreferRandom, true, true, "PlayerJoined", "LinkOpened ColorsDrawn ArrayDrawn GameStarted", "ArrayDrawn"},
		{"the second delegates", PreferWhite, true, false, "PlayerJoined", "LinkOpened ColorsDrawn ArrayDrawn GameStarted", "ArrayDrawn"},
		{"the first delegates", PreferBlack, false, true, "PlayerJoined LinkOpened ColorsDrawn ArrayDrawn GameStarted", "", "ArrayDrawn"},
		{"both delegate", PreferWhite, false, false, "PlayerJoined LinkOpened ColorsDrawn ArrayDrawn GameStarted", "", "ArrayDrawn"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tb := &table{t: t, s: New("test-game"), dealer: fair.NewDealer("test-game", fair.Seed{2}), now: 5}
			create, join := Create{Variant: "nocastle", Color: test.color}, Join{}
			var link *fair.Hash
			if test.own1 {
				y := player(First).Anchor()
				create.Anchor = &y
			}
			tb.must(First, create)
			if test.own2 {
				y, y1 := player(Second).Anchor(), player(Second).Link(1)
				join.Anchor, link = &y, &y1
			}
			if got := types(tb.mustLink(Second, join, link)); got != test.join {
				t.Errorf("joining gave %s, want %s", got, test.join)
			}
			if test.link != "" {
				if owing := tb.s.Owing(); len(owing) != 1 || owing[0] != First {
					t.Errorf("owing %v, want the first seat", owing)
				}
				y := player(First).Link(1)
				if got := types(tb.mustLink(First, OpenLink{}, &y)); got != test.link {
					t.Errorf("linking gave %s, want %s", got, test.link)
				}
			}
			if tb.s.Phase != PhaseMove || tb.s.ToAct() != tb.s.White {
				t.Errorf("phase %s, to act %s, white %s", tb.s.Phase, tb.s.ToAct(), tb.s.White)
			}
		})
	}
}

func (tb *table) withLink(by Seat, a Action, link *fair.Hash) ([]Event, error) {
	events, err := Decide(tb.s, Command{By: by, At: tb.now, Action: a, Link: link}, tb.dealer)
	for _, e := range events {
		if e.Fair != nil {
			if err := tb.s.Fair.Check(e.Fair, nil); err != nil {
				tb.t.Fatalf("%T: %v", e.Fact, err)
			}
		}
		tb.s = Evolve(tb.s, e)
	}
	return events, err
}

func (tb *table) mustLink(by Seat, a Action, link *fair.Hash) []Event {
	tb.t.Helper()
	events, err := tb.withLink(by, a, link)
	if err != nil {
		tb.t.Fatalf("%T by %s: %v", a, by, err)
	}
	return events
}

// ownChains is a No Castle game in which both players keep chains; each has opened
// its first link.
func ownChains(t *testing.T) *table {
	t.Helper()
	tb := &table{t: t, s: New("test-game"), dealer: fair.NewDealer("test-game", fair.Seed{3}), now: 5}
	a1, a2, l1, l2 := player(First).Anchor(), player(Second).Anchor(), player(First).Link(1), player(Second).Link(1)
	tb.must(First, Create{Variant: "nocastle", Anchor: &a1})
	tb.mustLink(Second, Join{Anchor: &a2}, &l2)
	tb.mustLink(First, OpenLink{}, &l1)
	return tb
}

func TestLinksAreOwedOncePerRandomEvent(t *testing.T) {
	tb := ownChains(t)
	first, second := player(First).Link(2), player(Second).Link(2)
	move := Move{UCI: LegalMoves(tb.s)[0]}
	for name, link := range map[string]*fair.Hash{"none": nil, "the other seat's": &second, "the last one again": ptr(player(First).Link(1)), "one too many": ptr(player(First).Link(3))} {
		if _, err := tb.withLink(First, move, link); !errors.Is(err, BadLink) {
			t.Errorf("a move with %s link: %v, want bad_link", name, err)
		}
	}
	if _, err := tb.withLink(First, OfferDraw{}, &first); !errors.Is(err, BadLink) {
		t.Errorf("an offer with a link: %v, want bad_link", err)
	}
	tb.mustLink(First, move, &first)
	tb.mustLink(Second, Move{UCI: LegalMoves(tb.s)[0]}, &second)
	third := player(First).Link(3)
	move = Move{UCI: LegalMoves(tb.s)[0]}
	if _, err := tb.withLink(First, move, &third); !errors.Is(err, BadLink) {
		t.Errorf("a link that is not due: %v, want bad_link", err)
	}
	tb.mustLink(First, move, nil)
}

func ptr[T any](v T) *T { return &v }

func TestStoppedChainOwesNothing(t *testing.T) {
	tb := ownChains(t)
	tb.must(First, StopLinks{})
	tb.refused(First, StopLinks{}, WrongPhase)
	events := tb.must(First, Move{UCI: LegalMoves(tb.s)[0]})
	if events[0].Fair != nil {
		t.Errorf("a stopped seat opened %+v", events[0].Fair)
	}
	if v := ViewFor(tb.s, Spectator, nil); !v.Seats[0].Stopped || strings.HasPrefix(v.Trust, "If at least one of you") {
		t.Errorf("the view hides that a chain has stopped: %+v", v)
	}
}

func TestCreateRefuses(t *testing.T) {
	tests := []struct {
		name   string
		id     string
		create Create
		code   Code
		say    string
	}{
		{"an unknown variant", "g", Create{Variant: "fischer"}, BadOption, "nocastle"},
		{"an unknown option", "g", Create{Variant: "chess", Options: Options{"array": TextValue("RNBQKBNR")}}, BadOption, "array"},
		{"an option of the wrong kind", "g", Create{Variant: "nocastle", Options: Options{"array": IntValue(3)}}, BadOption, "text"},
		{"bishops of one shade", "g", Create{Variant: "nocastle", Options: Options{"array": TextValue("BNBQKRNR")}}, BadOption, "shades"},
		{"a color of its own", "g", Create{Variant: "chess", Color: "red"}, BadOption, "random"},
		{"a clock without time", "g", Create{Variant: "chess", Clock: &ClockSpec{}}, BadOption, "base_ms"},
		{"a position without kings", "g", Create{Variant: "chess", Start: "8/8/8/8/8/8/8/8 w - - 0 1"}, BadPosition, "king"},
		{"a position that is over", "g", Create{Variant: "chess", Start: "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"}, BadPosition, "stalemate"},
		{"a rated game from a position", "g", Create{Variant: "chess", Rated: true, Start: "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"}, BadOption, "rated"},
		{"an id of the server's own", "_keys", Create{Variant: "chess"}, BadCommand, "id"},
		{"an id with a dot", "a.b", Create{Variant: "chess"}, BadCommand, "id"},
		{"an empty id", "", Create{Variant: "chess"}, BadCommand, "id"},
	}
	for _, test := range tests {
		_, err := Decide(New(test.id), Command{By: First, Action: test.create}, fair.NewDealer(test.id, fair.Seed{}))
		if !errors.Is(err, test.code) || !strings.Contains(err.Error(), test.say) {
			t.Errorf("%s: %v, want %s that names %q", test.name, err, test.code, test.say)
		}
	}
}

func TestJoinRefuses(t *testing.T) {
	tb := newTable(t, Create{Variant: "chess"})
	tb.refused(Second, Join{}, AlreadyJoined)

	tb = &table{t: t, s: New("test-game"), dealer: fair.NewDealer("test-game", fair.Seed{2})}
	tb.refused(Second, Join{}, NotStarted)
	tb.must(First, Create{Variant: "chess", Seats: [2]Sitter{{Player: "p1"}}})
	tb.refused(First, Create{Variant: "chess"}, Exists)
	tb.refused(Second, Join{Player: "p1"}, AlreadyJoined)
	y, wrong := player(Second).Anchor(), player(First).Link(1)
	for name, link := range map[string]*fair.Hash{"no link": nil, "a wrong link": &wrong} {
		if _, err := tb.withLink(Second, Join{Anchor: &y}, link); !errors.Is(err, BadLink) {
			t.Errorf("joining with %s: %v", name, err)
		}
	}
	tb.refused(First, Move{UCI: "e2e4"}, NotStarted)
	tb.refused(First, Resign{}, NotStarted)
	tb.must(Second, Join{Player: "p2"})
}

func TestNobodyLeavesForFreeAfterTheStart(t *testing.T) {
	tb := &table{t: t, s: New("test-game"), dealer: fair.NewDealer("test-game", fair.Seed{2})}
	tb.must(First, Create{Variant: "nocastle"})
	if got := types(tb.must(First, Cancel{})); got != "Cancelled GameAborted SeedRevealed" {
		t.Errorf("cancelling alone gave %s", got)
	}
	tb.ended(Ongoing, Spectator, ByCancel)

	tb = newTable(t, Create{Variant: "nocastle"})
	if got := types(tb.must(First, Cancel{})); got != "CancelAsked" {
		t.Errorf("asking to cancel gave %s", got)
	}
	tb.refused(First, Cancel{}, NotPending)
	tb.must(Second, Cancel{})
	tb.ended(Ongoing, Spectator, ByCancel)
}

func TestServerEndsWhatNobodyPlays(t *testing.T) {
	tb := &table{t: t, s: New("test-game"), dealer: fair.NewDealer("test-game", fair.Seed{2})}
	tb.must(First, Create{Variant: "chess"})
	tb.must(Spectator, Abort{Reason: NoOpponent})
	tb.ended(Ongoing, Spectator, NoOpponent)

	tb = newTable(t, Create{Variant: "chess"})
	tb.refused(Spectator, Abort{Reason: NoOpponent}, NotPending)
	tb.refused(Spectator, CallForfeit{Seat: Second}, NotPending)
	tb.must(Spectator, CallForfeit{Seat: First})
	tb.ended(BlackWins, Second, Forfeit)
	tb.must(Spectator, Void{Reason: Administrator})
	if !tb.s.Voided || tb.s.Reason != Forfeit {
		t.Errorf("voiding rewrote the result: %+v", tb.s)
	}
	tb.refused(Spectator, Void{Reason: Administrator}, NotPending)

	tb = newTable(t, Create{Variant: "chess"})
	if got := types(tb.must(Spectator, Void{Reason: SeedLost})); got != "GameVoided" {
		t.Errorf("a lost seed gave %s", got)
	}
	tb.refused(First, Move{UCI: "e2e4"}, GameOver)
}
