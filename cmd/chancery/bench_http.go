package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"chancery/adapters/client"
)

// A benchServer is chancery serve in this process, with a ledger of its own.
type benchServer struct {
	url  string
	stop func()
}

// startServer runs chancery serve on a free port of this machine, without limits.
func startServer(ctx context.Context, dir string, lazy bool) (*benchServer, error) {
	ctx, cancel := context.WithCancel(ctx)
	out, in := io.Pipe()
	var complaints strings.Builder
	env := &Env{In: strings.NewReader(""), Out: in, Err: &complaints, Getenv: func(string) string { return "" }}
	args := []string{
		"serve", "--listen", "127.0.0.1:0", "--data", dir, "--log-level", "error",
		"--creates-per-minute", "0", "--actions-per-second", "0",
	}
	if lazy {
		args = append(args, "--lazy")
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		run(ctx, args, env)
		_ = in.Close() // of a pipe never fails
	}()
	stop := func() {
		cancel()
		<-ended
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	words := strings.Fields(line)
	if err != nil || len(words) == 0 {
		stop()
		return nil, fmt.Errorf("starting the server: %s", complaints.String())
	}
	return &benchServer{url: words[len(words)-1], stop: stop}, nil
}

// writer plays the moves of a game over HTTP, both seats from one connection.
func (s *benchServer) writer(moves []string) func(context.Context, string) (func(context.Context) error, error) {
	return func(ctx context.Context, id string) (func(context.Context) error, error) {
		api, err := client.New(s.url, "")
		if err != nil {
			return nil, err
		}
		first, err := api.Create(ctx, client.Create{Variant: "chess", ID: id}, client.NewKey())
		if err != nil {
			return nil, err
		}
		second, err := api.Join(ctx, id, client.Join{}, client.NewKey())
		if err != nil {
			return nil, err
		}
		seats, n := []*client.Client{api.As(first.Token), api.As(second.Token)}, second.N
		return func(ctx context.Context) error {
			move, seat := moves[n-1], seats[(n-1)%2]
			do := json.RawMessage(`{"move":"` + move + `"}`)
			answer, err := seat.Act(ctx, id, client.Act{Do: do, Expect: &n}, client.NewKey())
			n = answer.N
			return err
		}, nil
	}
}
