package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"chancery/domain/game"
)

// What a seat held is looked up in the past once the seed is open, and not before.
func TestReplayShowsAHandOnceTheSeedIsRevealed(t *testing.T) {
	t.Parallel()
	dir, file := filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "game.ndjson")
	ok(t, "simulate", "--variant", "unochess", "--games", "1", "--lazy", "--data", dir)
	whole := exported(t, dir, "--lazy")
	look := func(records []byte, at int, as string) game.View {
		t.Helper()
		if err := os.WriteFile(file, records, 0o600); err != nil {
			t.Fatal(err)
		}
		var v game.View
		if err := json.Unmarshal([]byte(ok(t, "replay", file, "--at", strconv.Itoa(at), "--as", as, "--format", "json")), &v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	last := bytes.Count(whole, []byte("\n")) - 1
	for wire, as := range []string{"seat1", "seat2"} {
		v := look(whole, last, as)
		if diff := cmp.Diff(v.Table.Revealed.Hands[wire], v.Table.Hand); diff != "" {
			t.Errorf("%s at the end, against the hand that the game revealed:\n%s", as, diff)
		}
		for at := last / 2; at < last; at++ {
			if v := look(whole, at, as); len(v.Table.Hand) != v.Table.Hands[wire] || v.N != at {
				t.Errorf("%s after record %d of %d sees %v", as, v.N, at, v.Table.Hand)
			}
		}
		if v := look(whole[:lastLine(whole)], last-1, as); v.Table.Hand != nil {
			t.Errorf("%s sees %v in a game whose seed is not revealed", as, v.Table.Hand)
		}
	}
	if v := look(whole, last/2, "spectator"); v.Table.Hand != nil {
		t.Errorf("a spectator sees %v", v.Table.Hand)
	}
}

// A file that is none of records, or not whole, is refused with what to do next.
func TestReplayAndVerifySayWhatAFileLacks(t *testing.T) {
	t.Parallel()
	example := read(t, "../../docs/examples/chessuno.ndjson")
	for _, c := range []struct{ name, text, replay, verify string }{
		{"PGN", "[Event \"Chancery game\"]\n\n1. e4\n{[%clk 0:05:00]} *\n", "PGN", "PGN"},
		{"empty", "", "no records", "no records"},
		{"prose", "# Chancery\n\nA game server\n", "chancery export GAME", "chancery export GAME"},
		{"changed", strings.Replace(string(example), `"seat":1`, `"seat":0`, 1), "export the game again", ""},
		{"gap", string(example[bytes.IndexByte(example, '\n')+1:]), "record 0 of game chessuno", ""},
	} {
		file := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if s := chancery(t, "replay", file); s.code != exitFailed || !strings.Contains(s.err, c.replay) || s.out != "" {
			t.Errorf("replay of %s: exit %d, %q %q", c.name, s.code, s.out, s.err)
		}
		if s := chancery(t, "verify", file); s.code != exitFailed || !strings.Contains(s.err, c.verify) {
			t.Errorf("verify of %s: exit %d, %q %q", c.name, s.code, s.out, s.err)
		}
	}
}

// What the ledger says of itself, in games that nobody plays, has no board and no turn.
func TestTheLedgersOwnGamesHaveNoTurn(t *testing.T) {
	var b strings.Builder
	drawView(&b, game.ViewFor(game.New("_keys"), game.Spectator, nil))
	if strings.Contains(b.String(), "to move") || strings.Contains(b.String(), "seat") || !strings.Contains(b.String(), "_keys") {
		t.Errorf("got %s", b.String())
	}
	for _, format := range []string{"json", "fen"} {
		if err := (LookFlags{Format: format}).show(nil, game.ViewFor(game.New("_keys"), game.Spectator, nil)); err == nil || !strings.Contains(err.Error(), "chancery export _keys") {
			t.Errorf("--format %s: %v", format, err)
		}
	}
	if _, err := (exporter{format: "pgn"}).one(t.Context(), "_keys"); err == nil || !strings.Contains(err.Error(), "--format pgn") {
		t.Errorf("as PGN: %v", err)
	}
	for n, want := range map[int]string{0: "0 moves", 1: "1 move", 2: "2 moves"} {
		if got := count(n, "move"); got != want {
			t.Errorf("%d: got %q", n, got)
		}
	}
}
