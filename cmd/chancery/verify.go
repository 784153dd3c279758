package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"chancery/adapters/tlog"
	"chancery/domain/game"
	"chancery/events"
	"chancery/events/verify"
)

// VerifyCmd judges games by their records: the whole audit of each.
type VerifyCmd struct {
	Source string `arg:"" name:"game|file" help:"Game, or a file of exported records (NDJSON; - is standard input)."`
	Game   string `help:"Which game of the file; all of them if left out."`
	JSON   bool   `help:"One report a line, for programs."`

	Proof   string   `help:"File with the ledger's proof of the game's last record, as export --proof writes it; needs --log-key. A game of the ledger needs no file." placeholder:"FILE"`
	LogKey  []string `help:"Public key of the ledger that you trust; several where it has changed." placeholder:"KEY"`
	Witness []string `help:"Public key of a witness whose signature you ask for." placeholder:"KEY"`
	Quorum  int      `help:"How many of the witnesses must have signed; all of them if left out." default:"-1"`
	LedgerFlags
}

// Help is an example.
func (VerifyCmd) Help() string {
	return "Says which levels hold: consistent (nothing contradicts what was promised before), fair (the revealed seed derives it all), legal (the rules lead from every command to its events), recorded (the public ledger holds it). Exit code 1 if anything is refused. Example:\n\n    chancery export GAME --out game.ndjson\n    chancery verify game.ndjson\n    chancery verify GAME --json\n    chancery verify game.ndjson --proof game.tlog-proof --log-key KEY --witness KEY"
}

// Run judges every game and says what was found.
func (c VerifyCmd) Run(ctx context.Context, env *Env) error {
	games, err := c.games(ctx, env)
	if err != nil {
		return fmt.Errorf("verifying: %w", err)
	}
	proof, err := c.proof(ctx, games)
	if err != nil {
		return err
	}
	progress := newProgress(env, "games", uint64(len(games)))
	refused := 0
	for i, g := range games {
		if err := ctx.Err(); err != nil {
			return err
		}
		r := verify.Game(g.payloads, verify.Legal)
		r.Record(proof)
		if r.Game == "" {
			r.Game = g.id
		}
		if !r.OK() {
			refused++
		}
		progress.at(uint64(i + 1))
		if err := c.print(env, r, len(games) > 1); err != nil {
			return err
		}
	}
	progress.done()
	if len(games) > 1 && !c.JSON {
		env.printf("%s, %d refused\n", tally(games), refused)
	}
	if refused > 0 {
		return errFailed
	}
	return nil
}

// games are those of the file, or the one of the ledger.
func (c VerifyCmd) games(ctx context.Context, env *Env) ([]gameRecords, error) {
	if c.Source == "-" {
		return leaving(ctx, func() ([]gameRecords, error) { return readGames(env.In, c.Game) })
	}
	file, err := os.ReadFile(c.Source)
	switch {
	case err == nil:
		return readGames(bytes.NewReader(file), c.Game)
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	ledger, err := c.open(ctx)
	if err != nil {
		return nil, err
	}
	defer ledger.Close()
	g := gameRecords{id: c.Source}
	for stored, err := range ledger.Read(ctx, c.Source, 0) {
		if err != nil {
			return nil, err
		}
		g.last = stored.Position
		g.payloads = append(g.payloads, stored.Payload)
	}
	if len(g.payloads) == 0 {
		return nil, fmt.Errorf("game %.80q: %w; name a game of this ledger, or a file that exists", c.Source, events.ErrNotFound)
	}
	return []gameRecords{g}, nil
}

// proof is what the level recorded is judged by; nil where nothing is given.
func (c VerifyCmd) proof(ctx context.Context, games []gameRecords) (verify.Proof, error) {
	inLedger := len(games) == 1 && games[0].last > 0
	switch {
	case c.Proof == "" && len(c.LogKey)+len(c.Witness) == 0:
		return nil, nil
	case len(c.LogKey) == 0:
		return nil, usagef("say with --log-key whose ledger you trust: chancery keys list shows its key, and /ledger/keys of the server")
	case c.Proof == "" && !inLedger:
		return nil, usagef("--log-key and --witness go with --proof")
	case len(games) > 1:
		return nil, usagef("a proof is of one game: choose it with --game")
	}
	policy, err := tlog.NewPolicy(c.LogKey, c.Witness, c.Quorum)
	if err != nil {
		return nil, usageError(err.Error())
	}
	if c.Proof == "" {
		p, err := c.proveAt(ctx, games[0].last)
		return tlog.Evidence{Proof: p, Policy: policy}, err
	}
	text, err := os.ReadFile(c.Proof)
	if err != nil {
		return nil, err
	}
	p, err := tlog.ParseProof(string(text))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", c.Proof, err)
	}
	return tlog.Evidence{Proof: p, Policy: policy}, nil
}

func (c VerifyCmd) print(env *Env, r verify.Report, several bool) error {
	switch {
	case c.JSON:
		return env.printJSON(r)
	case several && r.OK():
		env.printf("%s: %s: %s\n", r.Game, headline(r), verdicts(r))
		return nil
	}
	env.printf("game %s: %s\n", r.Game, headline(r))
	for _, j := range r.Levels {
		env.printf("  %-10s  %s\n", j.Level, judgement(j))
	}
	if r.Trust != "" && !several {
		env.printf("%s\n", r.Trust)
	}
	return nil
}

// tally says how many games there are; the ledger's own, which nobody plays, are none.
func tally(all []gameRecords) string {
	played := slices.DeleteFunc(slices.Clone(all), func(g gameRecords) bool { return game.LedgerWide(g.id) })
	text := count(len(played), "game")
	if len(played) < len(all) {
		text += " and the ledger's own records"
	}
	return text
}

func headline(r verify.Report) string {
	parts := []string{count(r.Records, "record")}
	if r.Variant != "" {
		parts = append([]string{r.Variant}, parts...)
	}
	if end := strings.TrimSpace(r.Result + " " + r.Reason); end != "" {
		parts = append(parts, end)
	}
	return strings.Join(parts, ", ")
}

// verdicts are those of all levels in a few words.
func verdicts(r verify.Report) string {
	var words []string
	for _, j := range r.Levels {
		switch j.Verdict {
		case verify.Holds:
			words = append(words, string(j.Level))
		case verify.NotYet:
			words = append(words, "not yet "+string(j.Level))
		case verify.Refused, verify.Unjudged:
		}
	}
	return strings.Join(words, ", ")
}

func judgement(j verify.Judgement) string {
	switch {
	case j.Record != nil:
		return fmt.Sprintf("REFUSED at record %d: %s", *j.Record, j.Why)
	case j.Why != "":
		return fmt.Sprintf("%s: %s", j.Verdict, j.Why)
	}
	return string(j.Verdict)
}
