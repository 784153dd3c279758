package events_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"chancery/adapters/memory"
	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
)

// started is a game of chess in which White, the first seat, is to move.
func started(t testing.TB) *table {
	tb := newTable(t, [2]bool{})
	tb.open(game.Create{Variant: "chess"})
	return tb
}

// node is another server at the same ledger, with a cache of its own.
func (tb *table) node() *table {
	other := *tb
	other.dealer = fair.NewDealer(gameID, fair.Seed{1, 2, 3})
	return &other
}

func wantCode(t *testing.T, what string, err error, code game.Code) {
	t.Helper()
	var r *game.Refusal
	if !errors.Is(err, code) || !errors.As(err, &r) {
		t.Errorf("%s: %v, want %s", what, err, code)
	}
}

// TestRepeatedCommand repeats a move after the other side has answered: it is not "not
// your turn", it is the same record as the first time.
func TestRepeatedCommand(t *testing.T) {
	tb := started(t)
	first, err := tb.askAs("a", game.First, game.Move{UCI: "e2e4"}, nil)
	if err != nil || first.Repeated {
		t.Fatal(first.Repeated, err)
	}
	tb.must(game.Second, game.Move{UCI: "e7e5"})
	n := tb.game.N
	for name, node := range map[string]*table{"same node": tb, "node that has seen nothing": {t: t, log: tb.log, game: events.NewGame(gameID), dealer: tb.dealer}} {
		again, err := node.askAs("a", game.First, game.Move{UCI: "e2e4"}, nil)
		if err != nil || !again.Repeated || string(again.Stored.Payload) != string(first.Stored.Payload) || again.Stored.Position != first.Stored.Position {
			t.Errorf("%s: %+v, %v", name, again, err)
		}
		if again.Record.N != first.Record.N || node.game.N != n {
			t.Errorf("%s: answers record %d of a game at %d", name, again.Record.N, node.game.N)
		}
	}
}

// TestRefusedCommandMayBeTriedAgain: the key of a refused command is not used up.
func TestRefusedCommandMayBeTriedAgain(t *testing.T) {
	tb := started(t)
	_, err := tb.askAs("b", game.Second, game.Move{UCI: "e7e5"}, nil)
	wantCode(t, "too early", err, game.NotYourTurn)
	tb.must(game.First, game.Move{UCI: "e2e4"})
	if o, err := tb.askAs("b", game.Second, game.Move{UCI: "e7e5"}, nil); err != nil || o.Repeated {
		t.Error(o.Repeated, err)
	}
}

func TestCreateTwice(t *testing.T) {
	tb := newTable(t, [2]bool{})
	first, err := tb.askAs("create", game.First, game.Create{Variant: "chess"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	// The repetition comes with another seed, as a server that has forgotten makes it.
	other := &table{t: t, log: tb.log, game: events.NewGame(gameID), now: start + 5, dealer: fair.NewDealer(gameID, fair.Seed{9})}
	again, err := other.askAs("create", game.First, game.Create{Variant: "chess"}, nil)
	if err != nil || !again.Repeated || string(again.Stored.Payload) != string(first.Stored.Payload) {
		t.Errorf("%+v, %v", again, err)
	}
	if other.game.Sealed != sealBox || other.game.N != 0 {
		t.Errorf("the game is at %d with the box %q", other.game.N, other.game.Sealed)
	}
	stranger := &table{t: t, log: tb.log, game: events.NewGame(gameID), now: start, dealer: fair.NewDealer(gameID, fair.Seed{9})}
	_, err = stranger.askAs("other", game.First, game.Create{Variant: "chess"}, nil)
	wantCode(t, "another create", err, game.Exists)
}

// TestNodesBehind lets one node move while another's cache stays behind: the other
// neither refuses what is right by now, nor decides on what is past.
func TestNodesBehind(t *testing.T) {
	a := started(t)
	b := a.node()
	a.must(game.First, game.Move{UCI: "e2e4"})
	if o, err := b.askAs("k1", game.Second, game.Move{UCI: "e7e5"}, nil); err != nil || o.Record.N != a.game.N+1 {
		t.Fatalf("a move that is right by now: %v", err)
	}
	if o, err := a.askAs("k2", game.First, game.OfferDraw{}, nil); err != nil || o.Record.N != b.game.N+1 {
		t.Fatalf("an offer on a past position: %v", err)
	}
	_, err := b.askAs("k3", game.Second, game.Move{UCI: "d7d5"}, nil)
	wantCode(t, "a move out of turn", err, game.NotYourTurn)
	if b.game.N != a.game.N {
		t.Errorf("the refusing node stays at %d, the game is at %d", b.game.N, a.game.N)
	}
}

func TestExpect(t *testing.T) {
	tb := started(t)
	tb.must(game.First, game.Move{UCI: "e2e4"})
	try := func(key string, expect int, by game.Seat, a game.Action) error {
		terms := tb.terms(key)
		terms.Expect = &expect
		g, _, err := events.Transact(t.Context(), tb.log, tb.game, game.Command{By: by, At: tb.now, Action: a}, terms)
		tb.game = g
		return err
	}
	newest := tb.game.N
	for _, expect := range []int{-1, 0, newest - 1, newest + 1} {
		err := try(fmt.Sprint("stale", expect), expect, game.Second, game.Move{UCI: "e7e5"})
		wantCode(t, fmt.Sprint("expecting ", expect), err, game.Stale)
		var stale *events.StaleError
		if !errors.As(err, &stale) || stale.N != newest {
			t.Errorf("expecting %d: %v, want the newest number %d", expect, err, newest)
		}
	}
	if err := try("offer", newest-1, game.First, game.OfferDraw{}); err != nil {
		t.Errorf("an offer that crosses: %v", err)
	}
	if err := try("move", tb.game.N, game.Second, game.Move{UCI: "e7e5"}); err != nil {
		t.Errorf("expecting the newest: %v", err)
	}
	// The repetition is answered before its expectation is looked at.
	if err := try("move", newest, game.Second, game.Move{UCI: "e7e5"}); err != nil {
		t.Errorf("the same command again: %v", err)
	}
}

func TestAck(t *testing.T) {
	tb := started(t)
	old, err := tb.askAs("m1", game.First, game.Move{UCI: "e2e4"}, &tb.game.Head)
	if err != nil {
		t.Fatal(err)
	}
	before := tb.live[0]
	oldest, seen := fair.RecordHash(encode(t, before)), fair.RecordHash(old.Stored.Payload)
	unknown := fair.Hash{1}
	for what, test := range map[string]struct {
		by   game.Seat
		a    game.Action
		ack  *fair.Hash
		code game.Code
	}{
		"a record that is not":            {game.Second, game.Move{UCI: "e7e5"}, &unknown, game.BadCommand},
		"an old record with a move":       {game.Second, game.Move{UCI: "e7e5"}, &oldest, game.Stale},
		"older than the seat's last":      {game.First, game.OfferDraw{}, &oldest, game.Stale},
		"the server acknowledges nothing": {game.Spectator, game.Pause{Reason: "x"}, &seen, game.BadCommand},
	} {
		_, err := tb.askAs(what, test.by, test.a, test.ack)
		wantCode(t, what, err, test.code)
	}
	if _, err := tb.askAs("o", game.Second, game.OfferDraw{}, &oldest); err != nil {
		t.Errorf("an offer of a seat that has seen little: %v", err)
	}
	if _, err := tb.askAs("m2", game.Second, game.Move{UCI: "e7e5"}, &tb.game.Head); err != nil {
		t.Errorf("the newest record: %v", err)
	}
}

// lossy stores, and then says that it does not know: the answer got lost.
type lossy struct {
	events.Log
	lose int
}

func (l *lossy) Append(ctx context.Context, expected events.Revision, e events.Entry) (events.Revision, error) {
	position, err := l.Log.Append(ctx, expected, e)
	if l.lose--; err == nil && l.lose == 0 {
		return 0, events.ErrUnavailable
	}
	return position, err
}

// TestLostAnswer: after an unknown outcome the same command again finds its record.
func TestLostAnswer(t *testing.T) {
	tb := started(t)
	tb.log = &lossy{Log: tb.log, lose: 1}
	n := tb.game.N
	if _, err := tb.askAs("a", game.First, game.Move{UCI: "e2e4"}, nil); !errors.Is(err, events.ErrUnavailable) {
		t.Fatalf("the lost answer: %v", err)
	}
	tb.now += 1000
	o, err := tb.askAs("a", game.First, game.Move{UCI: "e2e4"}, nil)
	if err != nil || !o.Repeated || o.Record.N != n+1 || tb.game.N != n+1 {
		t.Errorf("asked again: record %d of %d, repeated %v, %v", o.Record.N, tb.game.N, o.Repeated, err)
	}
	tb.must(game.Second, game.Move{UCI: "e7e5"})
}

// rival slips a record of its own in before every append.
type rival struct {
	events.Log
	slip func()
	n    int
}

func (r *rival) Append(ctx context.Context, expected events.Revision, e events.Entry) (events.Revision, error) {
	if r.n > 0 {
		r.n--
		r.slip()
	}
	return r.Log.Append(ctx, expected, e)
}

// TestDecidedAgain lets others be faster, a few times and without end.
func TestDecidedAgain(t *testing.T) {
	for times, want := range map[int]error{1: nil, 3: nil, 1000: events.ErrConflict} {
		tb := started(t)
		tb.must(game.First, game.Move{UCI: "e2e4"})
		other := tb.node()
		tb.log = &rival{Log: tb.log, n: times, slip: func() {
			other.keys += 1000
			if other.game.State.Offer == game.Spectator {
				other.must(game.First, game.OfferDraw{})
			} else {
				other.must(game.Second, game.DeclineDraw{})
			}
		}}
		o, err := tb.askAs("move", game.Second, game.Move{UCI: "e7e5"}, nil)
		if !errors.Is(err, want) {
			t.Fatalf("%d rivals: %v", times, err)
		}
		if err == nil && o.Record.N != other.game.N+1 {
			t.Errorf("%d rivals: record %d behind %d", times, o.Record.N, other.game.N)
		}
	}
}

// TestNodesRace lets several nodes play one game at once, each sending some commands
// twice at the same time. Everything acknowledged is there once, and all nodes and a
// fresh one end with the same game.
func TestNodesRace(t *testing.T) {
	first := started(t)
	const nodes, commands = 4, 60
	var wg sync.WaitGroup
	tables := make([]*table, nodes)
	outcomes := make([][]events.Outcome, nodes)
	for i := range tables {
		tables[i] = first.node()
		wg.Go(func() { outcomes[i] = tables[i].race(i, commands) })
	}
	wg.Wait()
	loaded, err := events.Load(t.Context(), first.log, gameID)
	if err != nil {
		t.Fatal(err)
	}
	payloads := map[int]string{}
	for step, err := range events.Steps(t.Context(), first.log, events.NewGame(gameID)) {
		if err != nil {
			t.Fatal(err)
		}
		payloads[step.Record.N] = string(step.Stored.Payload)
	}
	for i, tb := range tables {
		for _, o := range outcomes[i] {
			if payloads[o.Record.N] != string(o.Stored.Payload) {
				t.Errorf("node %d was told record %d is %s, it is %s", i, o.Record.N, o.Stored.Payload, payloads[o.Record.N])
			}
		}
		g, err := events.Refresh(t.Context(), first.log, tb.game)
		if err != nil || g.Head != loaded.Head || g.State.FEN != loaded.State.FEN {
			t.Errorf("node %d ends elsewhere: %v", i, err)
		}
	}
}

// race sends commands under keys that the other nodes use too.
func (tb *table) race(node, commands int) []events.Outcome {
	var done []events.Outcome
	for i := range commands {
		tb.now += game.Instant(node + 1)
		var err error
		if tb.game, err = events.Refresh(tb.t.Context(), tb.log, tb.game); err != nil {
			tb.t.Error(err)
			return done
		}
		legal := game.LegalMoves(tb.game.State)
		if len(legal) == 0 {
			return done
		}
		key := fmt.Sprint("shared/", i)
		o, err := tb.askAs(key, tb.game.State.ToAct(), game.Move{UCI: legal[i%len(legal)]}, nil)
		tb.refused(err)
		if err == nil {
			done = append(done, o)
		}
	}
	return done
}

func TestCancelledContext(t *testing.T) {
	tb := started(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err := events.Transact(ctx, tb.log, tb.game, game.Command{By: game.First, Action: game.Move{UCI: "e2e4"}}, tb.terms("x"))
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// BenchmarkTransact decides, writes and appends moves to a log in memory.
func BenchmarkTransact(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		tb := &table{t: b, log: memory.New(), game: events.NewGame(gameID), now: start, dealer: fair.NewDealer(gameID, fair.Seed{1})}
		tb.open(game.Create{Variant: "chess"})
		b.StartTimer()
		for i := range 50 {
			if _, err := tb.move(i * 7); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/50, "us/command")
}
