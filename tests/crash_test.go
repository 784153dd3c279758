package tests

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
)

// The server is killed without warning, again and again, while many games are played.
// Afterwards every action that was acknowledged stands in the ledger once, in order,
// nothing else does, nobody has lost by it, and every game can be played on.
//
// CHANCERY_CRASH_KILLS says how often; 30 times if it is not set.
func TestCrash(t *testing.T) {
	kills := 30
	if testing.Short() {
		kills = 5
	}
	if text := os.Getenv("CHANCERY_CRASH_KILLS"); text != "" {
		var err error
		if kills, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	p := newProcess(t, buildBinary(t), "--data", t.TempDir())
	p.start()
	var stop atomic.Bool
	var playing sync.WaitGroup
	var mu sync.Mutex
	var played []*diary
	for i := range 16 {
		playing.Go(func() {
			for round := 0; !stop.Load(); round++ {
				d, err := playThroughCrashes(p.url, fmt.Sprintf("crash-%d-%d", i, round), &stop)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				played = append(played, d)
				mu.Unlock()
			}
		})
	}
	for range kills {
		time.Sleep(time.Duration(100+rand.IntN(500)) * time.Millisecond)
		p.kill()
		p.start()
	}
	stop.Store(true)
	playing.Wait()
	moves := 0
	for _, d := range played {
		moves += len(d.moves)
		d.check(t, p.url)
	}
	t.Logf("%d kills, %d games, %d acknowledged moves", kills, len(played), moves)
	if moves < 10*kills {
		t.Errorf("only %d moves in all: the test tests nothing", moves)
	}
	if trouble := p.trouble(); trouble != "" {
		t.Errorf("the server had trouble: %s", trouble)
	}
	if err := p.stop(); err != nil {
		t.Errorf("the server did not end well: %v", err)
	}
}

// A diary is what the players of one game have been told.
type diary struct {
	id     string
	tokens [2]string
	moves  map[int]string // UCI by the number of the record that was acknowledged
}

// playThroughCrashes plays a game of random moves, and sends every command with the
// same key until it is answered.
func playThroughCrashes(url, id string, stop *atomic.Bool) (*diary, error) {
	d := &diary{id: id, moves: map[int]string{}}
	var seats [2]seat
	body := fmt.Sprintf(`{"variant":"nocastle","id":%q,"clock":{"base_ms":60000}}`, id)
	if err := insist(url+"/api/games", body, "", id+"-create-create-create", &seats[0]); err != nil {
		return nil, err
	}
	if err := insist(url+"/api/games/"+id+"/join", "{}", "", id+"-join-join-join-join", &seats[1]); err != nil {
		return nil, err
	}
	d.tokens = [2]string{seats[0].Token, seats[1].Token}
	for ply := 0; ply < 120 && !stop.Load(); ply++ {
		over, err := d.move(url, ply)
		if over || err != nil {
			return d, err
		}
	}
	return d, nil
}

// move plays one random legal move. If the game had moved on, by a clock that was given
// back what a crash took, the player looks again.
func (d *diary) move(url string, ply int) (over bool, err error) {
	token := d.tokens[ply%2]
	for try := 0; ; try++ {
		var v game.View
		if err := insistOnLooking(url+"/api/games/"+d.id, token, &v); err != nil {
			return false, err
		}
		if v.Phase == game.PhaseOver {
			return true, nil
		}
		if v.Ply != ply || len(v.Legal) == 0 {
			return false, fmt.Errorf("game %s is stuck: ply %d where %d moves were acknowledged, %d legal moves, phase %s", d.id, v.Ply, ply, len(v.Legal), v.Phase)
		}
		uci := v.Legal[rand.IntN(len(v.Legal))]
		var a acted
		body := fmt.Sprintf(`{"do":{"move":%q},"expect":%d}`, uci, v.N)
		err := insist(url+"/api/games/"+d.id+"/actions", body, token, fmt.Sprintf("%s-move-number-%d-%d", d.id, ply, try), &a)
		if errors.As(err, new(staleError)) && try < 50 {
			continue
		}
		if err == nil {
			d.moves[a.N] = uci
		}
		return false, err
	}
}

type staleError struct{}

func (staleError) Error() string { return "stale" }

// insist sends a command until it is answered.
func insist(url, body, token, key string, into any) error {
	headers := []string{"Idempotency-Key", key}
	if token != "" {
		headers = append(headers, "Authorization", "Bearer "+token)
	}
	a, err := untilAnswered(http.MethodPost, url, body, headers...)
	switch {
	case err != nil:
		return err
	case a.status == http.StatusConflict:
		var p struct{ Type string }
		if json.Unmarshal([]byte(a.body), &p) == nil && p.Type == "/problems/stale" {
			return staleError{}
		}
		return fmt.Errorf("%s: %s", url, a.body)
	case a.status >= 300:
		return fmt.Errorf("%s: %d %s", url, a.status, a.body)
	}
	return json.Unmarshal([]byte(a.body), into)
}

func insistOnLooking(url, token string, into any) error {
	a, err := untilAnswered(http.MethodGet, url, "", "Authorization", "Bearer "+token)
	if err != nil || a.status != http.StatusOK {
		return fmt.Errorf("looking at %s: %d %s, %w", url, a.status, a.body, err)
	}
	return json.Unmarshal([]byte(a.body), into)
}

func untilAnswered(method, url, body string, headers ...string) (a answer, err error) {
	client := &http.Client{Timeout: 5 * time.Second}
	for range 1000 {
		a, err = tryAsk(context.Background(), client, method, url, body, headers...)
		if err == nil && a.status != http.StatusServiceUnavailable {
			return a, nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return a, fmt.Errorf("no answer from %s: %w", url, err)
}

// check compares what the players were told with what stands in the ledger, and plays
// the game to its end.
func (d *diary) check(t *testing.T, url string) {
	t.Helper()
	records, err := recordsOf(http.DefaultClient, url+"/api/games/"+d.id)
	if err != nil {
		t.Fatal(err)
	}
	var head fair.Hash
	stored := map[int]string{}
	over := false
	for n, line := range records {
		r, err := events.DecodeRecord([]byte(line))
		if err != nil || r.N != n || r.Prev != head {
			t.Fatalf("game %s: record %d has number %d and does not follow: %v", d.id, n, r.N, err)
		}
		head = fair.RecordHash([]byte(line))
		for _, e := range r.Events {
			switch f := e.Fact.(type) {
			case game.MovePlayed:
				stored[n] = f.UCI
			case game.GameEnded:
				over = true
				if f.Reason == game.Timeout || f.Reason == game.Forfeit {
					t.Errorf("game %s: lost by %s, which a crash may not cause", d.id, f.Reason)
				}
			case game.GameAborted, game.GameVoided:
				t.Errorf("game %s: %+v", d.id, f)
			default: // neither a move nor an end
			}
		}
	}
	for n, uci := range d.moves {
		if stored[n] != uci {
			t.Errorf("game %s: %s was acknowledged as record %d, where the ledger has %q", d.id, uci, n, stored[n])
		}
	}
	if len(stored) != len(d.moves) {
		t.Errorf("game %s: %d moves in the ledger, %d acknowledged", d.id, len(stored), len(d.moves))
	}
	if !over {
		d.finish(t, url, len(stored))
	}
}

func (d *diary) finish(t *testing.T, url string, ply int) {
	t.Helper()
	over, err := d.move(url, ply)
	if err != nil {
		t.Errorf("game %s does not go on: %v", d.id, err)
		return
	}
	if over {
		return
	}
	var a acted
	err = insist(url+"/api/games/"+d.id+"/actions", `{"do":{"resign":true}}`, d.tokens[0], d.id+"-resign-resign-resign", &a)
	var v game.View
	if looked := insistOnLooking(url+"/api/games/"+d.id, d.tokens[0], &v); looked != nil || v.Phase != game.PhaseOver {
		t.Errorf("game %s does not end: %v, %v", d.id, err, looked)
	}
}
