package tlog

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"chancery/adapters/memory"
	"chancery/domain/game"
	"chancery/events"
	"chancery/events/verify"
)

// released are the releases that stand in the log: record, name and hash.
func released(t *testing.T, log events.Log) (list []string, payloads [][]byte) {
	t.Helper()
	for step, err := range events.Steps(t.Context(), log, events.NewGame(SoftwareGame)) {
		if err != nil {
			t.Fatal(err)
		}
		payloads = append(payloads, step.Stored.Payload)
		for _, e := range step.Record.Events {
			f := e.Fact.(game.SoftwareReleased)
			list = append(list, fmt.Sprintf("%d %s %s", e.N, f.Name, f.SHA256))
		}
	}
	return list, payloads
}

// Each program is announced when it is another one than before, and not otherwise.
func TestRelease(t *testing.T) {
	log := memory.New()
	programs := func(a, b string) []game.SoftwareReleased {
		return []game.SoftwareReleased{{Name: "a.mjs", SHA256: a}, {Name: "b.mjs", SHA256: b}}
	}
	for _, step := range []struct {
		programs []game.SoftwareReleased
		want     []string // all that stands there then
	}{
		{nil, nil},
		{programs("1", "2"), []string{"0 a.mjs 1", "0 b.mjs 2"}},
		{programs("1", "2"), []string{"0 a.mjs 1", "0 b.mjs 2"}},
		{programs("1", "3"), []string{"0 a.mjs 1", "0 b.mjs 2", "1 b.mjs 3"}},
		{programs("1", "2"), []string{"0 a.mjs 1", "0 b.mjs 2", "1 b.mjs 3", "2 b.mjs 2"}},
	} {
		if err := Release(t.Context(), log, time.Unix(1_790_000_000, 0), step.programs); err != nil {
			t.Fatal(err)
		}
		list, payloads := released(t, log)
		if fmt.Sprint(list) != fmt.Sprint(step.want) {
			t.Errorf("after %v: %q, want %q", step.programs, list, step.want)
		}
		if r := verify.Game(payloads, verify.Legal); len(payloads) > 0 && r.At(verify.Legal).Verdict != verify.Holds {
			t.Errorf("%+v", r.Levels)
		}
	}
}

// Instances that start at the same moment announce a program once.
func TestReleaseAtOnce(t *testing.T) {
	log := memory.New()
	var instances sync.WaitGroup
	for range 8 {
		instances.Go(func() {
			if err := Release(t.Context(), log, time.Now(), []game.SoftwareReleased{{Name: "a.mjs", SHA256: "1"}}); err != nil {
				t.Error(err)
			}
		})
	}
	instances.Wait()
	if list, _ := released(t, log); len(list) != 1 {
		t.Errorf("%q", list)
	}
}
