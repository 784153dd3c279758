package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"chancery/adapters/client"
	"chancery/domain/game"
)

// served starts a server on a short path (a socket's is limited) and gives its URL and
// its data directory.
func served(t *testing.T) (url, dir string) {
	t.Helper()
	root, err := os.MkdirTemp("", "served")
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(root, "data")
	server, err := startServer(t.Context(), dir, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		server.stop()
		os.RemoveAll(root)
	})
	return server.url, dir
}

// opened opens a game from the command line of somebody with that configuration.
func opened(t *testing.T, config, url string, args ...string) client.Seated {
	t.Helper()
	s := chanceryFed(t, config, "", append([]string{"new", "--json", "--server", url}, args...)...)
	var seat client.Seated
	if err := json.Unmarshal([]byte(s.out), &seat); err != nil {
		t.Fatalf("exit %d, %s%s", s.code, s.out, s.err)
	}
	return seat
}

func TestTwoPeoplePlayOverPipes(t *testing.T) {
	url, dir := served(t)
	white, black := t.TempDir(), t.TempDir()
	seat := opened(t, white, url, "--variant", "nocastle", "--option", "array=RNBQKBNR", "--clock", "5m+3s")
	var sides [2]said
	var both sync.WaitGroup
	both.Go(func() { sides[0] = chanceryFed(t, white, "help\nf3\nmoves\ng2g4\n", "play", seat.ID) })
	both.Go(func() {
		sides[1] = chanceryFed(t, black, "e7e5\nnonsense\nQh4\n", "play", seat.ID, "--server", url, "--join")
	})
	both.Wait()
	for i, s := range sides {
		if s.code != exitOK || !strings.Contains(s.out, "The game is over: 0-1 (checkmate)") {
			t.Errorf("side %d: exit %d, %s%s", i, s.code, s.out, s.err)
		}
	}
	if !strings.Contains(sides[0].out, "stop links") || !strings.Contains(sides[0].out, "White moved the pawn from f2 to f3.") {
		t.Errorf("white saw %s", sides[0].out)
	}
	if !strings.Contains(sides[1].err, "nonsense") {
		t.Errorf("black was told %s", sides[1].err)
	}
	seats, err := filepath.Glob(filepath.Join(white, "chancery", "seats", "*"))
	if err != nil || len(seats) != 1 {
		t.Fatalf("%v, %v", seats, err)
	}
	if info, err := os.Stat(seats[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the seat's file has mode %v, %v", info.Mode(), err)
	}
	lookWhileServed(t, white, url, dir, seat.ID)
}

// lookWhileServed reads the ledger that a server holds.
func lookWhileServed(t *testing.T, config, url, dir, id string) {
	t.Helper()
	for _, as := range []string{"spectator", "white"} {
		for _, at := range []string{"2", "4", "6"} {
			ledger := ok(t, "replay", id, "--data", dir, "--at", at, "--as", as, "--format", "json")
			asked := chanceryFed(t, config, "", "show", id, "--server", url, "--at", at, "--as", as, "--format", "json")
			if asked.code != exitOK || asked.out != ledger {
				t.Errorf("record %s as %s:\nserver %s%s\nledger %s", at, as, asked.out, asked.err, ledger)
			}
		}
	}
	if out := ok(t, "show", id, "--data", dir, "--format", "fen"); !strings.HasPrefix(out, "rnb1kbnr/pppp1ppp/8/4p3/6Pq/") {
		t.Errorf("got %s", out)
	}
	if s := chancery(t, "doctor", "--data", dir, "--all"); strings.Count(s.out, "fail") != 1 || // a lazy ledger
		!strings.Contains(s.out, "a running server holds") || !strings.Contains(s.out, "fail  durability") {
		t.Errorf("got %s", s.out)
	}
	file := filepath.Join(t.TempDir(), "b")
	ok(t, "backup", "--data", dir, "--out", file)
	// Where there are web pages the ledger speaks of their scripts, too.
	if len(read(t, file)) == 0 || gamesOf(t, exported(t, dir))[id] != 7 {
		t.Error("a backup or an export of a ledger in use lacks something")
	}
	if s := chancery(t, "restore", "--in", file, "--data", dir); s.code != exitFailed || !strings.Contains(s.err, "in use") {
		t.Errorf("restored into a ledger in use: exit %d, %s", s.code, s.err)
	}
}

func TestPlayAgainstABot(t *testing.T) {
	url, _ := served(t)
	me := t.TempDir()
	seat := opened(t, me, url, "--variant", "chess", "--opponent", "random", "--color", "white")
	s := chanceryFed(t, me, "e4\nd4\nc3\nresign\n", "play", seat.ID)
	if s.code != exitOK || !strings.Contains(s.out, "(resignation)") || strings.Count(s.out, "\nBlack ") < 2 {
		t.Errorf("exit %d, %s%s", s.code, s.out, s.err)
	}
}

func TestPlayWithATokenOfASeatWithoutAChain(t *testing.T) {
	url, _ := served(t)
	api, err := client.New(url, "")
	if err != nil {
		t.Fatal(err)
	}
	defer api.Close()
	first, err := api.Create(t.Context(), client.Create{Variant: "chess"}, client.NewKey())
	if err != nil {
		t.Fatal(err)
	}
	second, err := api.Join(t.Context(), first.ID, client.Join{}, client.NewKey())
	if err != nil {
		t.Fatal(err)
	}
	s := chanceryFed(t, t.TempDir(), "e4\nquit\n", "play", first.ID, "--server", url, "--token", first.Token)
	if s.code != exitOK || !strings.Contains(s.out, "White moved the pawn from e2 to e4.") {
		t.Errorf("exit %d, %s%s", s.code, s.out, s.err)
	}
	if s := chanceryFed(t, t.TempDir(), "", "play", first.ID, "--server", url, "--token", "x"+second.Token); s.code != exitFailed {
		t.Errorf("a wrong token: exit %d, %s", s.code, s.err)
	}
	if s := chanceryFed(t, t.TempDir(), "", "play", first.ID, "--server", url, "--join"); s.code != exitFailed || !strings.Contains(s.err, "taken") {
		t.Errorf("a third player: exit %d, %s", s.code, s.err)
	}
}

// The other seat is offered to somebody if and only if it is free.
func TestNewOffersTheFreeSeat(t *testing.T) {
	url, _ := served(t)
	for _, opponent := range []string{"", "random"} {
		s := chanceryFed(t, t.TempDir(), "", "new", "--server", url, "--variant", "chess", "--opponent", opponent)
		if s.code != exitOK || strings.Contains(s.out, "--join") != (opponent == "") {
			t.Errorf("against %q: exit %d, %s%s", opponent, s.code, s.out, s.err)
		}
	}
}

func TestNewIsRefused(t *testing.T) {
	url, _ := served(t)
	for args, says := range map[string]string{
		"--variant checkers":                       "choose one of",
		"--variant chess --option x=1":             "no option",
		"--variant chess --opponent god":           "god",
		"--variant nocastle --option array=QQQQQQ": "array",
	} {
		s := chancery(t, append([]string{"new", "--server", url}, strings.Fields(args)...)...)
		if s.code != exitFailed || !strings.Contains(s.err, says) {
			t.Errorf("new %s: exit %d, %s", args, s.code, s.err)
		}
	}
}

// The player's own view of a game, folded from its records, is the server's.
func TestTheClientFoldsWhatTheServerShows(t *testing.T) {
	url, _ := served(t)
	me := t.TempDir()
	seat := opened(t, me, url, "--variant", "chess", "--opponent", "random")
	chanceryFed(t, me, "e4\nresign\n", "play", seat.ID)
	api, err := client.New(url, seat.Token)
	if err != nil {
		t.Fatal(err)
	}
	defer api.Close()
	table := client.NewTable(seat.ID, nil)
	for payload, err := range api.Stream(t.Context(), seat.ID, -1) {
		if err != nil {
			t.Fatal(err)
		}
		if _, err := table.Absorb(payload); err != nil {
			t.Fatal(err)
		}
		if table.Game.State.Over() {
			break
		}
	}
	v, err := api.View(t.Context(), seat.ID, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	mine, _ := json.Marshal(game.ViewFor(table.Game.State, game.First, nil))
	theirs, _ := json.Marshal(v)
	if !bytes.Equal(mine, theirs) {
		t.Errorf("mine   %s\ntheirs %s", mine, theirs)
	}
}

// Only the server knows a hand, so the terminal asks it; nobody else's is told.
func TestTheOwnHandIsShown(t *testing.T) {
	url, _ := served(t)
	me := t.TempDir()
	seat := opened(t, me, url, "--variant", "unochess", "--opponent", "random")
	s := chanceryFed(t, me, "discard R1 R2\nresign\n", "play", seat.ID)
	if s.code != exitOK || strings.Count(s.out, "your hand: ") != 2 || !strings.Contains(s.out, "7 cards") || s.err == "" {
		t.Errorf("exit %d, %s%s", s.code, s.out, s.err)
	}
}
