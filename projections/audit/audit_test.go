package audit_test

import (
	"bytes"
	"context"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"chancery/adapters/memory"
	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
	"chancery/events/verify"
	"chancery/projections"
	"chancery/projections/audit"
	"chancery/projections/ledgertest"
)

// later is long after every game of these tests.
var later = time.UnixMilli(int64(ledgertest.Start)).AddDate(1, 0, 0)

// ledger plays games and gives the records of all of them.
func ledger(t testing.TB, games ledgertest.Games) (*memory.Log, []events.Stored) {
	t.Helper()
	log := memory.New()
	if err := ledgertest.Play(t.Context(), log, games); err != nil {
		t.Fatal(err)
	}
	last, err := log.Last(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var all []events.Stored
	for s, err := range log.Follow(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
		if s.Position == last {
			break
		}
	}
	return log, all
}

// audited is what an auditor finds in the records.
func audited(t *testing.T, log events.Log, records []events.Stored) audit.Report {
	t.Helper()
	a := audit.New(log, verify.Legal)
	for _, s := range records {
		if err := a.Absorb(t.Context(), projections.NewRecord(s)); err != nil {
			t.Fatal(err)
		}
	}
	return a.Report(later)
}

// TestHonestLedger counts what is there, and finds nothing wrong.
func TestHonestLedger(t *testing.T) {
	log, records := ledger(t, ledgertest.Games{To: 72, Moves: 12})
	r := audited(t, log, records)
	if !r.OK() || r.Warning {
		t.Errorf("faults %v, overdue %v, refused %v, alarm %v, warning %v", r.Faults, r.Overdue, r.Refused, r.Alarm, r.Warning)
	}
	if r.Records != len(records) || r.Games.Begun != 72 || r.Games.Revealed != r.Games.Ended || r.Games.Open != 72-r.Games.Ended {
		t.Errorf("%d records, games %+v", r.Records, r.Games)
	}
	if r.Games.Aborted["server"] == 0 || r.Games.Voided == 0 {
		t.Errorf("no game was aborted or voided: %+v", r.Games)
	}
	for _, name := range []string{"d10", "effects", "start arrays"} {
		if p := process(r, "rolls", name); p.N == 0 {
			t.Errorf("%s: nothing was seen", name)
		}
	}
	shuffles, hands := process(r, "shuffles of unochess", "inversions").N, process(r, "first hands", "White's").N
	if shuffles == 0 || hands != shuffles || process(r, "first hands", "Black's").N != shuffles {
		t.Errorf("%d shuffles, %d hands of White", shuffles, hands)
	}
}

func process(r audit.Report, of, name string) audit.Wealth {
	i := slices.IndexFunc(r.Processes, func(w audit.Wealth) bool { return w.Of == of && w.Name == name })
	if i < 0 {
		return audit.Wealth{}
	}
	return r.Processes[i]
}

// TestTheLedgersOwnGames may announce, and nothing else.
func TestTheLedgersOwnGames(t *testing.T) {
	log, records := ledger(t, ledgertest.Games{To: 1, Moves: 1})
	if r := audited(t, log, records[:len(ledgertest.Own)]); !r.OK() || r.Games.Begun != 0 || r.Games.Open != 0 {
		t.Errorf("%+v, refused %v", r.Games, r.Refused)
	}
	foreign, err := events.EncodeRecord(events.Record{
		N: 1, Game: "_keys", Prev: fair.RecordHash(records[1].Payload), Events: []game.Event{{N: 1, Fact: game.Resigned{Seat: game.First}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	told := append(records[:2:2], events.Stored{Game: "_keys", Payload: foreign, Position: 3})
	if r := audited(t, log, told); len(r.Refused) != 1 || r.Refused[0].Game != "_keys" || r.Refused[0].Level != verify.Legal {
		t.Errorf("a resignation from the keys: %+v", r.Refused)
	}
}

// readings counts how often games are read again.
type readings struct {
	events.Log
	n int
}

func (r *readings) Read(ctx context.Context, id string, after events.Revision) iter.Seq2[events.Stored, error] {
	r.n++
	return r.Log.Read(ctx, id, after)
}

// TestRefusedOnce: however much is written behind the end of a game, it is read again and
// refused once.
func TestRefusedOnce(t *testing.T) {
	log, records := ledger(t, ledgertest.Games{From: 1, To: 2, Moves: 1})
	again := &readings{Log: log}
	a := audit.New(again, verify.Legal)
	prev := events.Stored{}
	for _, s := range records {
		if err := a.Absorb(t.Context(), projections.NewRecord(s)); err != nil {
			t.Fatal(err)
		}
		prev = s
	}
	n := len(records)
	for i := range 5 {
		payload, err := events.EncodeRecord(events.Record{
			N: n + i, Game: prev.Game, Prev: fair.RecordHash(prev.Payload), Events: []game.Event{{N: n + i, Fact: game.Resigned{Seat: game.First}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		at, err := log.Append(t.Context(), events.Revision(prev.Position), events.Entry{Game: prev.Game, Payload: payload, Cause: fair.Hash{byte(i)}.String()})
		if err != nil {
			t.Fatal(err)
		}
		prev = events.Stored{Game: prev.Game, Payload: payload, Position: events.Position(at)}
		if err := a.Absorb(t.Context(), projections.NewRecord(prev)); err != nil {
			t.Fatal(err)
		}
	}
	if r := a.Report(later); len(r.Refused) != 1 || again.n != 1 || len(r.Faults) > 0 {
		t.Errorf("refused %v, read %d times, faults %v", r.Refused, again.n, r.Faults)
	}
}

// TestEveryRollIsCounted: what is found in the bytes is what decoding finds.
func TestEveryRollIsCounted(t *testing.T) {
	log, records := ledger(t, ledgertest.Games{To: 24, Moves: 20, Variants: []string{"yugioh", "nocastle"}})
	want := map[int]int{}
	for _, s := range records {
		rec, err := projections.NewRecord(s).Read()
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range rec.Events {
			if e.Fair == nil || e.Fair.Roll == nil {
				continue
			}
			for _, sides := range e.Fair.Roll.Sides {
				want[sides]++
			}
		}
	}
	r := audited(t, log, records)
	for sides, name := range map[int]string{2: "lots for colors", 8: "d8", 10: "d10", 20: "d20", 2880: "start arrays"} {
		if got := process(r, "rolls", name).N; got != want[sides] || got == 0 {
			t.Errorf("%s: %d dice, want %d", name, got, want[sides])
		}
	}
}

// TestIncompleteLedger takes records away, adds and changes some.
func TestIncompleteLedger(t *testing.T) {
	log, honest := ledger(t, ledgertest.Games{To: 8, Moves: 8})
	middle := slices.IndexFunc(honest, func(s events.Stored) bool { return strings.Contains(string(s.Payload), `"n":4,"prev"`) })
	id := honest[middle].Game
	changed := func(change func([]events.Stored) []events.Stored) []events.Stored {
		return change(slices.Clone(honest))
	}
	renumbered := func(records []events.Stored) []events.Stored {
		for i := range records {
			records[i].Position = events.Position(i + 1)
		}
		return records
	}
	for _, c := range []struct {
		name    string
		records []events.Stored
		want    string
	}{
		{"a hole in the ledger", changed(func(r []events.Stored) []events.Stored { return slices.Delete(r, middle, middle+1) }), "are missing"},
		{"a record taken out without a trace", renumbered(changed(func(r []events.Stored) []events.Stored { return slices.Delete(r, middle, middle+1) })), "record 5 of the game follows record 3"},
		{"a record twice", renumbered(changed(func(r []events.Stored) []events.Stored { return slices.Insert(r, middle, r[middle]) })), "record 4 of the game is there twice"},
		{"a second beginning", renumbered(changed(func(r []events.Stored) []events.Stored { return append(r, r[0]) })), "record 0 of the game is there twice"},
		{"a byte changed", changed(func(r []events.Stored) []events.Stored {
			r[middle].Payload = bytes.Replace(r[middle].Payload, []byte(`"at":"2`), []byte(`"at":"1`), 1)
			return r
		}), "does not name the hash of the one before it"},
		{"a record of another game", changed(func(r []events.Stored) []events.Stored {
			r[middle].Payload = bytes.Replace(r[middle].Payload, []byte(id), []byte("game-999999"), 1)
			return r
		}), "says that it is of game game-999999"},
		{"no record", changed(func(r []events.Stored) []events.Stored { r[middle].Payload = []byte(`{}`); return r }), "cannot be read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := audited(t, log, c.records)
			if r.OK() || !slices.ContainsFunc(r.Faults, func(f audit.Fault) bool { return strings.Contains(f.Why, c.want) }) {
				t.Errorf("faults %+v, want one that says: %s", r.Faults, c.want)
			}
		})
	}
}

// TestOverdue: an end without a reveal is overdue after a minute, and no sooner.
func TestOverdue(t *testing.T) {
	log, records := ledger(t, ledgertest.Games{To: 1, Moves: 4, Variants: []string{"chess"}})
	last := len(records) - 1
	rec, err := projections.NewRecord(records[last]).Read()
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := rec.Events[len(rec.Events)-1].Fact.(game.SeedRevealed); !ok {
		t.Fatalf("the last event is a %T", rec.Events[len(rec.Events)-1].Fact)
	}
	rec.Events = rec.Events[:len(rec.Events)-1]
	if records[last].Payload, err = events.EncodeRecord(rec); err != nil {
		t.Fatal(err)
	}
	a := audit.New(log, verify.Legal)
	for _, s := range records {
		if err := a.Absorb(t.Context(), projections.NewRecord(s)); err != nil {
			t.Fatal(err)
		}
	}
	end := time.UnixMilli(int64(rec.At))
	if r := a.Report(end.Add(59 * time.Second)); !r.OK() {
		t.Errorf("after 59 s: %+v", r.Overdue)
	}
	if r := a.Report(end.Add(61 * time.Second)); r.OK() || len(r.Overdue) != 1 || r.Overdue[0].Reason != string(game.Resignation) {
		t.Errorf("after 61 s: %+v", r.Overdue)
	}
	if r := a.Report(end.Add(-time.Hour)); r.OK() {
		t.Error("an end that claims to lie in the future is not overdue")
	}
}

// A lowBits dealer shuffles with 16 bits modulo n, which no statistics can see.
type lowBits struct {
	*fair.Dealer
	game string
	seed fair.Seed
}

func (d lowBits) order(in []int, s int) []int {
	order := slices.Sorted(slices.Values(in))
	for i := len(order) - 1; i > 0; i-- {
		word := fair.F(d.seed[:], "low bits", s, i)
		j := (int(word[0])<<8 | int(word[1])) % (i + 1)
		order[i], order[j] = order[j], order[i]
	}
	return order
}

func (d lowBits) salt(s, i int) fair.Salt { return fair.Salt(salted(d.seed, d.game, s, i)) }

func salted(seed fair.Seed, game string, s, i int) []byte {
	sum := fair.F(seed[:], "salt", game, s, i)
	return sum[:16]
}

// Shuffle binds the order of its own.
func (d lowBits) Shuffle(at fair.State, in []int) *fair.Shuffle {
	s := len(at.Piles)
	sh := &fair.Shuffle{In: slices.Sorted(slices.Values(in)), S: s}
	for i, card := range d.order(in, s) {
		sh.Leaves = append(sh.Leaves, fair.H("leaf", d.game, s, i, card, d.salt(s, i)))
	}
	return sh
}

// Order is the order of its own.
func (d lowBits) Order(at fair.State, s int) []int { return d.order(at.Piles[s].In, s) }

// Open opens it.
func (d lowBits) Open(at fair.State, s, i int) fair.Open {
	return fair.Open{Card: d.Order(at, s)[i], I: i, S: s, Salt: d.salt(s, i)}
}

// TestWhatStatisticsCannotSee: deriving the order again finds it in the first game.
func TestWhatStatisticsCannotSee(t *testing.T) {
	const id = "low-bits"
	seed := fair.Seed{4, 2}
	log, g := memory.New(), events.NewGame(id)
	chance := lowBits{fair.NewDealer(id, seed), id, seed}
	at := ledgertest.Start
	for i, c := range []game.Command{
		{By: game.First, Action: game.Create{Variant: "chessuno"}}, {By: game.Second, Action: game.Join{}}, {By: game.First, Action: game.Resign{}},
	} {
		at += 1000
		c.At = at
		next, _, err := events.Transact(t.Context(), log, g, c, events.Terms{Cause: fair.Cause(id, string(rune('a'+i))), Chance: chance})
		if err != nil {
			t.Fatal(err)
		}
		g = next
	}
	var records []events.Stored
	for s, err := range log.Read(t.Context(), id, 0) {
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, s)
	}
	r := audited(t, log, records)
	if r.OK() || len(r.Refused) != 1 || r.Refused[0].Level != verify.Fair || !strings.Contains(r.Refused[0].Why, "pile 0") || r.Alarm {
		t.Errorf("%+v, alarm %v", r.Refused, r.Alarm)
	}
}

// TestWeeks: a report is made at each Monday that the ledger passes, of accounts too.
func TestWeeks(t *testing.T) {
	log, records := ledger(t, ledgertest.Games{To: 24, Moves: 6})
	moved := slices.Clone(records)
	for i := range moved {
		day := 1 + 20*i/len(moved) // over three weeks of 2027, of which Monday the 4th, 11th and 18th of January end one each
		at := time.Date(2027, 1, day, 12, 0, 0, 0, time.UTC).Format("2006-01-02T15:04:05.000Z")
		moved[i].Payload = append([]byte(`{"at":"`+at), moved[i].Payload[len(`{"at":"`)+len(at):]...)
	}
	a := audit.New(log, verify.Consistent)
	for _, s := range moved {
		if err := a.Absorb(t.Context(), projections.NewRecord(s)); err != nil {
			t.Fatal(err)
		}
	}
	var ends []string
	for _, w := range a.Report(later).Weeks {
		ends = append(ends, w.Ends)
		if len(w.LogE) == 0 || len(w.Discoveries) != 0 {
			t.Errorf("week %s: %d processes, %v", w.Ends, len(w.LogE), w.Discoveries)
		}
	}
	if want := []string{"2027-01-04T00:00:00Z", "2027-01-11T00:00:00Z", "2027-01-18T00:00:00Z"}; !slices.Equal(ends, want) {
		t.Errorf("weeks end at %v, want %v", ends, want)
	}
}
