package tests

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	natsserver "github.com/nats-io/nats-server/v2/server"

	"chancery/domain/game"
)

// startCluster runs three NATS servers and gives their addresses.
func startCluster(t *testing.T) string {
	t.Helper()
	ports := freePorts(t, 6)
	var routes []*url.URL
	var addresses []string
	for i := range 3 {
		routes = append(routes, &url.URL{Scheme: "nats", Host: fmt.Sprintf("127.0.0.1:%d", ports[i])})
		addresses = append(addresses, fmt.Sprintf("nats://127.0.0.1:%d", ports[3+i]))
	}
	for i := range 3 {
		s, err := natsserver.NewServer(&natsserver.Options{
			ServerName: fmt.Sprint("n", i), Host: "127.0.0.1", Port: ports[3+i], NoSigs: true, NoLog: true,
			JetStream: true, StoreDir: t.TempDir(), SyncAlways: true, Routes: routes,
			Cluster: natsserver.ClusterOpts{Name: "test", Host: "127.0.0.1", Port: ports[i]},
		})
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	}
	return strings.Join(addresses, ",")
}

// freePorts are ports that nobody listens on just now.
func freePorts(t *testing.T, n int) []int {
	t.Helper()
	ports := make([]int, n)
	for i := range ports {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		ports[i] = l.Addr().(*net.TCPAddr).Port
	}
	return ports
}

// Two instances of the server serve the same games on one cluster at once: no move is
// lost or doubled, spectators of both see the same, and one goes on when the other dies.
func TestTwoInstances(t *testing.T) {
	program, cluster, keys := buildBinary(t), startCluster(t), t.TempDir()
	migrate(t, program, cluster)
	instance := func(data string) *process {
		p := newProcess(t, program, "--nats-url", cluster, "--keys", keys, "--data", data)
		p.start()
		return p
	}
	data := t.TempDir()
	a, b := instance(data), instance(t.TempDir())

	var games sync.WaitGroup
	for i := range 8 {
		games.Go(func() {
			if err := playOnBoth(a.url, b.url, fmt.Sprint("both-", i)); err != nil {
				t.Errorf("game %d: %v", i, err)
			}
		})
	}
	games.Wait()

	t.Run("keys of its own are refused", func(t *testing.T) {
		out, err := exec.Command(program, "serve", "--listen", freeAddress(t), "--nats-url", cluster, "--data", t.TempDir()).CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.Contains(string(out), "not the keys of this ledger") {
			t.Errorf("%v: %s", err, out)
		}
	})
	t.Run("files of another are refused, and rebuilt by it", func(t *testing.T) {
		out, err := exec.Command(program, "serve", "--listen", freeAddress(t), "--nats-url", cluster, "--keys", keys, "--data", data).CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.Contains(string(out), "another process keeps its read models there") {
			t.Errorf("%v: %s", err, out)
		}
		out, err = exec.Command(program, "rebuild", "lobby", "--nats-url", cluster, "--data", data).CombinedOutput()
		if err != nil || !strings.Contains(string(out), "lobby is computed anew and in use") {
			t.Errorf("%v: %s", err, out)
		}
	})
	t.Run("one goes on when the other dies", func(t *testing.T) {
		players, n := play(t, a.url, `{"variant":"chess","clock":{"base_ms":3000}}`)
		slow := *players[0]
		a.kill()
		slow.url = b.url + "/api/games/" + slow.ID
		if n = slow.move("e2e4", n); n != 2 {
			t.Errorf("record %d, want 2", n)
		}
		until := time.Now().Add(30 * time.Second)
		for v := view(t, slow.url); v.Reason != game.Timeout; v = view(t, slow.url) {
			if time.Now().After(until) {
				t.Fatalf("the flag did not fall: %+v", v)
			}
			time.Sleep(100 * time.Millisecond)
		}
	})
	for _, p := range []*process{a, b} {
		if trouble := p.trouble(); trouble != "" {
			t.Errorf("trouble: %s", trouble)
		}
	}
}

func migrate(t *testing.T, program, cluster string) {
	t.Helper()
	var out []byte
	var err error
	for range 30 { // the cluster needs a moment to find itself
		if out, err = exec.Command(program, "migrate", "--nats-url", cluster).CombinedOutput(); err == nil {
			return
		}
		time.Sleep(500 * time.Millisecond)
	}
	t.Fatalf("migrate: %v: %s", err, out)
}

// playOnBoth plays a game whose every command goes to both instances at once: now the
// same command, now two different ones, of which one counts.
func playOnBoth(a, b, id string) error {
	var seats [2]seat
	if err := insist(a+"/api/games", fmt.Sprintf(`{"variant":"chess","id":%q}`, id), "", id+"-create-create-create", &seats[0]); err != nil {
		return err
	}
	if err := insist(b+"/api/games/"+id+"/join", "{}", "", id+"-join-join-join-join", &seats[1]); err != nil {
		return err
	}
	lists := make([][]string, 4)
	var watching sync.WaitGroup
	for i := range lists {
		watching.Go(func() {
			url := []string{a, b}[i%2] + "/api/games/" + id
			lists[i], _ = watchSteadily(url, i < 2)
		})
	}
	n := 1
	for ply := range 24 {
		rival := ply%4 >= 2 // two different moves, and two keys
		if err := bothMove(a, b, id, seats[ply%2].Token, ply, n, rival); err != nil {
			return err
		}
		n++
	}
	var end acted
	if err := insist(b+"/api/games/"+id+"/actions", `{"do":{"resign":true}}`, seats[0].Token, id+"-resign-resign-resign", &end); err != nil {
		return err
	}
	watching.Wait()
	want, err := recordsOf(http.DefaultClient, a+"/api/games/"+id)
	if err != nil || len(want) != n+2 {
		return fmt.Errorf("%d records, want %d, %w", len(want), n+2, err)
	}
	for i, got := range lists {
		if diff := cmp.Diff(want, got); diff != "" {
			return fmt.Errorf("spectator %d (-want +got):\n%s", i, diff)
		}
	}
	return nil
}

func bothMove(a, b, id, token string, ply, n int, rival bool) error {
	legal, err := legalMoves(a+"/api/games/"+id, token, n)
	if err != nil {
		return err
	}
	moves := [2]string{legal[ply%len(legal)], legal[ply%len(legal)]}
	if rival {
		moves[1] = legal[(ply+1)%len(legal)]
	}
	var answers [2]answer
	var errs [2]error
	var both sync.WaitGroup
	for i, url := range []string{a, b} {
		both.Go(func() {
			key := fmt.Sprintf("%s-the-move-of-the-ply-%d", id, ply)
			if rival {
				key += fmt.Sprint("-", i)
			}
			answers[i], errs[i] = tryAsk(context.Background(), http.DefaultClient, "POST", url+"/api/games/"+id+"/actions",
				fmt.Sprintf(`{"do":{"move":%q},"expect":%d}`, moves[i], n), "Authorization", "Bearer "+token, "Idempotency-Key", key)
		})
	}
	both.Wait()
	if err := errors.Join(errs[:]...); err != nil {
		return err
	}
	accepted := 0
	for _, a := range answers {
		switch {
		case a.status == http.StatusOK:
			accepted++
		case !rival || !strings.Contains(a.body, "/problems/stale"):
			return fmt.Errorf("ply %d: %d %s", ply, a.status, a.body)
		}
	}
	if rival && accepted != 1 || !rival && (accepted != 2 || answers[0].body != answers[1].body) {
		return fmt.Errorf("ply %d, rival %v: %d accepted: %s, %s", ply, rival, accepted, answers[0].body, answers[1].body)
	}
	return nil
}

// legalMoves waits until an instance knows record n, and gives the seat's moves.
func legalMoves(url, token string, n int) ([]string, error) {
	for range 500 {
		var v game.View
		if err := insistOnLooking(url, token, &v); err != nil {
			return nil, err
		}
		if v.N == n && len(v.Legal) > 1 {
			return v.Legal, nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	return nil, fmt.Errorf("%s never gets to record %d with a choice of moves", url, n)
}
