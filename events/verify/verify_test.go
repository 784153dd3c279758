package verify_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"chancery/adapters/memory"
	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
	"chancery/events/verify"
)

// A table plays a game on which nobody keeps a chain of his own.
type table struct {
	t        *testing.T
	log      events.Log
	game     events.Game
	dealer   *fair.Dealer
	now      game.Instant
	payloads [][]byte
}

func newTable(t *testing.T, variant string) *table {
	const id = "verified"
	tb := &table{t: t, log: memory.New(), game: events.NewGame(id), dealer: fair.NewDealer(id, fair.Seed{7})}
	tb.do(game.First, game.Create{Variant: variant, Clock: &game.ClockSpec{Base: 60_000}})
	tb.do(game.Second, game.Join{})
	return tb
}

func (tb *table) do(by game.Seat, a game.Action) {
	tb.t.Helper()
	tb.now += 1000
	c := game.Command{By: by, At: tb.now, Action: a}
	terms := events.Terms{Cause: fair.Cause("verified", fmt.Sprint(tb.game.N)), Chance: tb.dealer}
	g, o, err := events.Transact(tb.t.Context(), tb.log, tb.game, c, terms)
	if err != nil {
		tb.t.Fatal(err)
	}
	tb.game, tb.payloads = g, append(tb.payloads, o.Stored.Payload)
}

// add puts a record behind the others that no rules have decided.
func (tb *table) add(by game.Seat, facts ...game.Event) {
	tb.t.Helper()
	n, head := len(tb.payloads), fair.RecordHash(tb.payloads[len(tb.payloads)-1])
	for i := range facts {
		facts[i].N, facts[i].At = n, tb.now
	}
	payload, err := events.EncodeRecord(events.Record{At: tb.now, By: by, Events: facts, Game: tb.game.State.ID, N: n, Prev: head})
	if err != nil {
		tb.t.Fatal(err)
	}
	tb.payloads = append(tb.payloads, payload)
}

// change tells the newest record otherwise.
func (tb *table) change(lie func(r *events.Record)) {
	tb.t.Helper()
	last := len(tb.payloads) - 1
	r, err := events.DecodeRecord(tb.payloads[last])
	if err != nil {
		tb.t.Fatal(err)
	}
	lie(&r)
	if tb.payloads[last], err = events.EncodeRecord(r); err != nil {
		tb.t.Fatal(err)
	}
}

// cardPlayed is a game of UNO Chess in which White has played a card and has to move.
func cardPlayed(t *testing.T) *table {
	tb := newTable(t, "unochess")
	for _, card := range game.ViewFor(tb.game.State, game.First, tb.dealer).Cards {
		tb.do(game.First, game.PlayCard{Card: card})
		return tb
	}
	t.Fatal("no card can be played; choose another seed")
	return nil
}

// verdicts are those of all judged levels.
func verdicts(r verify.Report) string {
	var words []string
	for _, j := range r.Levels {
		words = append(words, string(j.Verdict))
	}
	return strings.Join(words, ", ")
}

func TestGame(t *testing.T) {
	playing := func(t *testing.T) *table {
		tb := newTable(t, "chess")
		tb.do(game.First, game.Move{UCI: "e2e4"})
		return tb
	}
	for _, c := range []struct {
		name string
		make func(t *testing.T) *table
		want string
		why  string // of the last judgement
	}{
		{"a game that goes on", playing, "holds, not yet, not yet", "everything so far was; the game is not over"},
		{"a game that ended", func(t *testing.T) *table {
			tb := playing(t)
			tb.do(game.Second, game.Resign{})
			return tb
		}, "holds, holds, holds", ""},
		{"a game voided later", func(t *testing.T) *table {
			tb := playing(t)
			tb.do(game.Second, game.Resign{})
			tb.do(game.Spectator, game.Void{Reason: game.Administrator})
			return tb
		}, "holds, holds, holds", ""},
		{"hidden hands", cardPlayed, "holds, not yet, not yet", "record 2 hangs on cards that are hidden until the seed is revealed"},
		{"a lie behind what is hidden", func(t *testing.T) *table {
			tb := cardPlayed(t)
			tb.add(game.First, game.Event{Fact: game.UnoCalled{Seat: game.First}})
			return tb
		}, "holds, not yet, refused", "You owe no call: it is due once, when your king is the last of your men."},
		{"a hidden card without the link that is due", func(t *testing.T) *table {
			tb := cardPlayed(t)
			tb.change(func(r *events.Record) { r.Events[0].Fair.Link = nil })
			return tb
		}, "holds, not yet, refused", "event 0, CardPlayed: a link is due: true, and opened: false"},
		{"a pile shuffled with a hidden card", func(t *testing.T) *table {
			tb := cardPlayed(t)
			tb.change(func(r *events.Record) {
				in := []int{0, 1, 2}
				s := tb.game.State.Fair
				r.Events = append(r.Events, game.Event{At: tb.now, N: r.N, Fact: game.PileShuffled{Count: len(in)}, Fair: &fair.Part{Shuffle: tb.dealer.Shuffle(s, in)}})
			})
			return tb
		}, "holds, not yet, refused", "a pile is shuffled before the last one has run out"},
		{"a roll with a hidden card", func(t *testing.T) *table {
			tb := cardPlayed(t)
			tb.change(func(r *events.Record) {
				r.Events = append(r.Events, game.Event{At: tb.now, N: r.N, Fact: game.TurnSkipped{Seat: game.Second}, Fair: &fair.Part{Roll: tb.dealer.Roll(tb.game.State.Fair, 6)}})
			})
			return tb
		}, "holds, not yet, refused", "event 1, TurnSkipped: nothing is rolled there"},
		{"a move without the link that the server keeps", func(t *testing.T) *table {
			tb := newTable(t, "nocastle")
			tb.do(game.First, game.Move{UCI: "e2e4"})
			tb.change(func(r *events.Record) { r.Events[0].Fair = nil })
			return tb
		}, "holds, not yet, refused", "and it is missing"},
		{"an end without the seed, hands hidden", func(t *testing.T) *table {
			tb := newTable(t, "unochess")
			tb.add(game.First, game.Event{Fact: game.Resigned{Seat: game.First}}, game.Event{Fact: game.GameEnded{Reason: game.Resignation, Result: game.BlackWins, Winner: game.Second}})
			return tb
		}, "holds, not yet, refused", "the game ends here, and the record does not reveal the seed"},
		{"a lost seed", func(t *testing.T) *table {
			tb := playing(t)
			tb.do(game.Spectator, game.Void{Reason: game.SeedLost})
			return tb
		}, "holds, refused, unjudged", "what comes before it does not hold"},
		{"a record that begins with a consequence", func(t *testing.T) *table {
			tb := playing(t)
			tb.add(game.Spectator, game.Event{Fact: game.TurnSkipped{Seat: game.Second}})
			return tb
		}, "holds, not yet, refused", "record 3 of game verified begins with a game.TurnSkipped, which no command asks for"},
		{"a flag called by a player", func(t *testing.T) *table {
			tb := playing(t)
			tb.add(game.First, game.Event{Fact: game.FlagFell{Seat: game.Second}})
			return tb
		}, "holds, not yet, refused", "a game.CallFlag cannot be asked for by seat 0"},
		{"a chain stopped by the server", func(t *testing.T) *table {
			tb := playing(t)
			tb.add(game.Spectator, game.Event{Fact: game.LinksStopped{Seat: game.First}})
			return tb
		}, "holds, not yet, refused", "a game.StopLinks cannot be asked for by the server"},
		{"a forfeit of a seat that owes nothing", func(t *testing.T) *table {
			tb := playing(t)
			tb.add(game.Spectator, game.Event{Fact: game.Forfeited{Seat: game.First}})
			return tb
		}, "holds, not yet, refused", "the rules refuse what was asked: The seat owes nothing."},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := verify.Game(c.make(t).payloads, verify.Legal)
			if got := verdicts(r); got != c.want {
				t.Errorf("%s, want %s: %+v", got, c.want, r.Fault())
			}
			if why := r.At(verify.Legal).Why; !strings.HasSuffix(why, c.why) {
				t.Errorf("why: %s, want %s", why, c.why)
			}
		})
	}
}

func TestGameUpTo(t *testing.T) {
	tb := newTable(t, "chess")
	for level, want := range map[verify.Level]int{verify.Consistent: 1, verify.Fair: 2, verify.Legal: 3} {
		if r := verify.Game(tb.payloads, level); len(r.Levels) != want || !r.OK() {
			t.Errorf("up to %s: %+v", level, r.Levels)
		}
	}
	for _, payloads := range [][][]byte{nil, {[]byte("{}")}, {nil}, tb.payloads[1:]} {
		if r := verify.Game(payloads, verify.Legal); verdicts(r) != "refused, unjudged, unjudged" || r.Fault().Why == "" {
			t.Errorf("%q: %+v", payloads, r.Levels)
		}
	}
}

// TestLedgersOwnRecords judges records that are about no game.
func TestLedgersOwnRecords(t *testing.T) {
	tb := &table{t: t, game: events.NewGame("_keys"), payloads: [][]byte{}}
	first, err := events.EncodeRecord(events.Record{Events: []game.Event{{Fact: game.LogKeyAdded{Key: "k", Sig: "s"}}}, Game: "_keys"})
	if err != nil {
		t.Fatal(err)
	}
	tb.payloads = append(tb.payloads, first)
	if r := verify.Game(tb.payloads, verify.Legal); verdicts(r) != "holds, unjudged, holds" {
		t.Errorf("a key: %+v", r.Levels)
	}
	tb.add(game.Spectator, game.Event{Fact: game.SoftwareReleased{Name: "a.mjs", SHA256: "00"}}, game.Event{Fact: game.SoftwareReleased{Name: "b.mjs", SHA256: "01"}})
	if r := verify.Game(tb.payloads, verify.Legal); verdicts(r) != "holds, unjudged, holds" {
		t.Errorf("programs: %+v", r.Levels)
	}
	tb.add(game.First, game.Event{Fact: game.Resigned{Seat: game.First}})
	if r := verify.Game(tb.payloads, verify.Legal); verdicts(r) != "holds, unjudged, refused" {
		t.Errorf("a resignation: %+v", r.Levels)
	}
	tb.add(game.Spectator, game.Event{Fact: game.LogKeyAdded{Key: "k", Sig: "s"}, Fair: &fair.Part{Ack: new(fair.Ack)}})
	if r := verify.Game(tb.payloads, verify.Legal); verdicts(r) != "refused, unjudged, unjudged" {
		t.Errorf("chance: %+v", r.Levels)
	}
}

// A ledger proves one record.
type ledger fair.Hash

func (l ledger) Prove(h fair.Hash) error {
	if h != fair.Hash(l) {
		return errors.New("another record")
	}
	return nil
}

func TestRecord(t *testing.T) {
	tb := newTable(t, "chess")
	head := fair.RecordHash(tb.payloads[1])
	for _, c := range []struct {
		payloads [][]byte
		proof    verify.Proof
		want     verify.Verdict
	}{
		{tb.payloads, ledger(head), verify.Holds},
		{tb.payloads, nil, verify.Unjudged},
		{tb.payloads[:1], ledger(head), verify.Refused},
		{tb.payloads[1:], ledger(head), verify.Unjudged},
	} {
		r := verify.Game(c.payloads, verify.Legal)
		r.Record(c.proof)
		if got := r.At(verify.Recorded); got.Verdict != c.want {
			t.Errorf("%d records, %v: %+v", len(c.payloads), c.proof, got)
		}
	}
}

// TestReportJSON pins what programs read.
func TestReportJSON(t *testing.T) {
	tb := newTable(t, "chess")
	r := verify.Game(tb.payloads[:1], verify.Fair)
	r.Record(ledger{})
	got, err := json.Marshal(r)
	want := fmt.Sprintf(`{"game":"verified","variant":"chess","records":1,"head":%q,"levels":[{"level":"consistent","verdict":"holds"},`+
		`{"level":"fair","verdict":"not yet","why":"the seed is revealed when the game ends"},{"level":"recorded","verdict":"refused","record":0,"why":"another record"}]}`, fair.RecordHash(tb.payloads[0]))
	if err != nil || string(got) != want {
		t.Errorf("%s, %v; want\n%s", got, err, want)
	}
}
