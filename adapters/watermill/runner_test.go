package watermill

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"chancery/adapters/memory"
	"chancery/events"
	"chancery/projections"
	"chancery/projections/ledgertest"
)

// quick is a pace for tests.
var quick = Pace{
	Batch: 10, First: time.Millisecond, Longest: 5 * time.Millisecond, Standby: time.Millisecond, Stopped: time.Millisecond,
}

// A shelf is a read model in memory: the positions absorbed, in the order in which they came.
type shelf struct {
	name string

	mu        sync.Mutex
	at        projections.Checkpoint
	rows      []events.Position
	holder    *hand
	elsewhere bool // another process writes it
	applying  int  // calls under way
	tries     []time.Time

	before func(batch []projections.Record) error // asked before a batch is absorbed
	after  func() error                           // and when it has been
}

func (s *shelf) Name() string { return s.name }

// Claim fences off whoever had it.
func (s *shelf) Claim(context.Context) (projections.Writer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.elsewhere {
		return nil, projections.ErrHeld
	}
	s.holder = &hand{s}
	return s.holder, nil
}

// A hand is one claim on a shelf.
type hand struct{ shelf *shelf }

func (h *hand) Checkpoint(context.Context) (projections.Checkpoint, error) {
	h.shelf.mu.Lock()
	defer h.shelf.mu.Unlock()
	if h.shelf.holder != h {
		return projections.Checkpoint{}, projections.ErrFenced
	}
	return h.shelf.at, nil
}

func (h *hand) Apply(_ context.Context, from projections.Checkpoint, batch []projections.Record) error {
	s := h.shelf
	s.mu.Lock()
	s.applying++
	s.tries = append(s.tries, time.Now())
	alone := s.applying == 1
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.applying--
		s.mu.Unlock()
	}()
	if !alone {
		return errors.New("a batch came before the one before was acknowledged")
	}
	if s.before != nil {
		if err := s.before(batch); err != nil {
			return err
		}
	}
	s.mu.Lock()
	if s.holder != h || s.at != from {
		s.mu.Unlock()
		return projections.ErrFenced
	}
	for _, r := range batch {
		s.rows = append(s.rows, r.Position)
	}
	s.at = batch[len(batch)-1].Checkpoint()
	s.mu.Unlock()
	if s.after != nil {
		return s.after()
	}
	return nil
}

func (h *hand) Renew(ctx context.Context) error {
	_, err := h.Checkpoint(ctx)
	return err
}

func (h *hand) Release() {}

// is waits until the shelf has the records 1..n, each once and in order.
func (s *shelf) is(t *testing.T, n events.Position) {
	t.Helper()
	s.until(t, fmt.Sprintf("%s has %d records", s.name, n), func() bool { return events.Position(len(s.rows)) >= n })
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, p := range s.rows {
		if p != events.Position(i+1) {
			t.Fatalf("%s has position %d at place %d: %v", s.name, p, i+1, s.rows)
		}
	}
	if events.Position(len(s.rows)) != n {
		t.Errorf("%s has %d records, want %d", s.name, len(s.rows), n)
	}
}

// until waits for the shelf to be as wanted.
func (s *shelf) until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	eventually(t, what, func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return holds()
	})
}

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for began := time.Now(); time.Since(began) < time.Minute; time.Sleep(time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatalf("it did not happen: %s", what)
}

// run runs projections until the test ends or stop is called.
func run(t *testing.T, log events.Log, models ...projections.Model) (r *Runner, stop func()) {
	t.Helper()
	r = New(Config{Log: log, Models: models, Logger: slog.New(slog.DiscardHandler), Pace: quick})
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		if err := r.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	stop = sync.OnceFunc(func() {
		cancel()
		running.Wait()
	})
	t.Cleanup(stop)
	return r, stop
}

// play appends games to the log, and says where it ends then.
func play(t *testing.T, log events.Log, from, to int) events.Position {
	t.Helper()
	if err := ledgertest.Play(t.Context(), log, ledgertest.Games{From: from, To: to, Moves: 5}); err != nil {
		t.Fatal(err)
	}
	last, err := log.Last(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return last
}

// Every record comes once and in order, those that are there and those that come later,
// and the next batch when the one before has been acknowledged.
func TestOrder(t *testing.T) {
	log := memory.New()
	last := play(t, log, 0, 8)
	a, b := &shelf{name: "a"}, &shelf{name: "b"}
	r, _ := run(t, log, a, b)
	a.is(t, last)
	last = play(t, log, 8, 16)
	a.is(t, last)
	b.is(t, last)
	eventually(t, "both are reported", func() bool {
		list := r.Statuses(t.Context())
		return list[0].Position == last && list[1].Position == last && list[0].Condition == projections.Running && list[0].Lag() == 0
	})
}

// While a batch is being absorbed no other one comes, however much there is.
func TestNextAfterAck(t *testing.T) {
	log := memory.New()
	last := play(t, log, 0, 8)
	s := &shelf{name: "slow"}
	entered, leave := make(chan int), make(chan struct{})
	s.before = func(batch []projections.Record) error {
		entered <- len(batch)
		<-leave
		return nil
	}
	run(t, log, s)
	for absorbed := 0; absorbed < int(last); {
		n := <-entered
		if n > quick.Batch {
			t.Errorf("a batch of %d records, want %d at most", n, quick.Batch)
		}
		s.mu.Lock()
		if len(s.rows) != absorbed {
			t.Errorf("%d records absorbed when the next batch comes, want %d", len(s.rows), absorbed)
		}
		s.mu.Unlock()
		absorbed += n
		leave <- struct{}{}
	}
	s.is(t, last)
}

// What fails for a reason that may pass is tried again, later and later, until it does
// not; the projection says meanwhile why it waits.
func TestRetry(t *testing.T) {
	log := memory.New()
	last := play(t, log, 0, 3)
	s := &shelf{name: "unlucky"}
	away := fmt.Errorf("nobody there: %w", projections.ErrUnavailable)
	var back atomic.Bool
	s.before = func([]projections.Record) error {
		if back.Load() {
			return nil
		}
		return away
	}
	r, _ := run(t, log, s)
	s.until(t, "it has been tried more often than one claim does", func() bool { return len(s.tries) > 2*tries })
	eventually(t, "it waits", func() bool {
		st := r.Statuses(t.Context())[0]
		return st.Condition == projections.Waiting && st.Error == away.Error()
	})
	s.mu.Lock()
	for i := 2; i < tries; i++ { // within one claim: 1 ms, 2 ms, 4 ms, each give or take a half
		if pause := s.tries[i].Sub(s.tries[i-1]); pause < quick.First/2 {
			t.Errorf("try %d came %v after the one before", i+1, pause)
		}
	}
	s.mu.Unlock()
	back.Store(true)
	s.is(t, last)
	eventually(t, "it runs", func() bool { return r.Statuses(t.Context())[0].Condition == projections.Running })
}

// A batch whose answer was lost may have been absorbed: it is not absorbed again.
func TestAnswerLost(t *testing.T) {
	log := memory.New()
	last := play(t, log, 0, 8)
	s := &shelf{name: "deaf"}
	n := 0
	s.after = func() error {
		if n++; n%2 == 1 {
			return fmt.Errorf("the line broke: %w", projections.ErrUnavailable)
		}
		return nil
	}
	run(t, log, s)
	s.is(t, last)
}

// A record that one projection cannot absorb stops that one, in front of it, and no
// other. It goes on there when it can.
func TestPoisonStopsOne(t *testing.T) {
	log := memory.New()
	last := play(t, log, 0, 8)
	const bad = 17
	well, sick := &shelf{name: "well"}, &shelf{name: "sick"}
	var mended atomic.Bool
	sick.before = func(batch []projections.Record) error {
		if !mended.Load() && slices.ContainsFunc(batch, func(r projections.Record) bool { return r.Position == bad }) {
			panic("no such thing is known")
		}
		return nil
	}
	r, _ := run(t, log, well, sick)
	stopped := func() bool {
		s := r.Statuses(t.Context())[1]
		return s.Condition == projections.Stopped && s.Position == bad-1 && s.At == bad && s.Game != "" && s.Error != ""
	}
	eventually(t, "sick stops", stopped)
	well.is(t, last)
	sick.is(t, bad-1)
	last = play(t, log, 8, 12)
	well.is(t, last)
	if !stopped() {
		t.Errorf("sick is %v", r.Statuses(t.Context())[1])
	}
	mended.Store(true)
	sick.is(t, last)
}

// Another runner goes on where one has stopped, and one that has lost its claim writes
// nothing and claims it again.
func TestResume(t *testing.T) {
	log := memory.New()
	last := play(t, log, 0, 4)
	s := &shelf{name: "s"}
	_, stop := run(t, log, s)
	s.is(t, last)
	stop()
	last = play(t, log, 4, 8)
	run(t, log, s)
	s.is(t, last)
	if _, err := s.Claim(t.Context()); err != nil { // as another process would
		t.Fatal(err)
	}
	last = play(t, log, 8, 12)
	s.is(t, last)
}

// A read model that another process writes is looked at now and then.
func TestStandby(t *testing.T) {
	log := memory.New()
	last := play(t, log, 0, 4)
	s := &shelf{name: "s", elsewhere: true}
	r, _ := run(t, log, s)
	eventually(t, "it stands by", func() bool { return r.Statuses(t.Context())[0].Condition == projections.Standby })
	s.is(t, 0)
	s.mu.Lock()
	s.elsewhere = false
	s.mu.Unlock()
	s.is(t, last)
}

// A read model of another ledger is not written.
func TestAnotherLedger(t *testing.T) {
	log, other := memory.New(), memory.New()
	last := play(t, log, 0, 4)
	s := &shelf{name: "s"}
	_, stop := run(t, log, s)
	s.is(t, last)
	stop()
	play(t, other, 4, 12)
	r, _ := run(t, other, s)
	eventually(t, "it stops", func() bool {
		st := r.Statuses(t.Context())[0]
		return st.Condition == projections.Stopped && st.Error != ""
	})
	s.is(t, last)
}

// The end of the context ends everything, also while a batch is being absorbed: it is
// absorbed or not, and nothing comes behind it.
func TestShutdown(t *testing.T) {
	log := memory.New()
	last := play(t, log, 0, 8)
	s := &shelf{name: "busy"}
	entered, leave := make(chan struct{}), make(chan struct{})
	s.before = func([]projections.Record) error {
		select {
		case entered <- struct{}{}:
			<-leave
		default:
		}
		return nil
	}
	_, stop := run(t, log, s)
	<-entered
	stopped := make(chan struct{})
	go func() {
		stop()
		close(stopped)
	}()
	close(leave)
	<-stopped
	s.mu.Lock()
	n := len(s.rows)
	s.mu.Unlock()
	s.is(t, events.Position(n))
	s.before = nil
	run(t, log, s)
	s.is(t, last)
}

// Without read models there is nothing to do but to wait for the end.
func TestNothingToDo(t *testing.T) {
	_, stop := run(t, memory.New())
	stop()
}
