// Command prove puts the honest games of package forge into a ledger and writes what
// proves that they are in it, for verifiers in other languages:
//
//	go run ./tests/forge/prove DIR
//
// DIR/GAME.tlog-proof is the proof of a game's last record (C2SP tlog-proof), and
// DIR/keys.json has the keys of the log and of the witness that signed.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"chancery/tests/forge"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "say where to write: go run ./tests/forge/prove DIR")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var games []forge.Game
	for _, p := range forge.Plans() {
		g, err := forge.Play(p, nil)
		if err != nil {
			return err
		}
		games = append(games, g)
	}
	l := newLedger(games)
	for _, g := range games {
		proof, err := l.proof(g)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, g.Name+".tlog-proof"), []byte(proof), 0o600); err != nil {
			return err
		}
	}
	keys, err := json.Marshal(map[string]string{"log": l.logKey, "witness": l.witnessKey})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "keys.json"), append(keys, '\n'), 0o600)
}
