package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"chancery/adapters/statistics"
	"chancery/events"
	"chancery/events/verify"
	"chancery/projections"
	"chancery/projections/audit"
)

// AuditCmd audits a whole ledger.
type AuditCmd struct {
	File  string `arg:"" optional:"" help:"Audit this export of a whole ledger instead (NDJSON, as export --all writes it)."`
	All   bool   `help:"Show every test and every process, not only those that stand out."`
	Level string `help:"Up to which level every game is verified: fair or legal." enum:"fair,legal" default:"legal"`
	JSON  bool   `help:"The whole report, for programs."`
	LedgerFlags
}

// Help is an example.
func (AuditCmd) Help() string {
	return "Reads every record: that games are complete, chained, unique and revealed in time, that each is what its seed derives and its rules decide, and that what the seeds derive looks like chance. Exit code 1 if anything is wrong. Examples:\n\n    chancery audit --data /var/lib/chancery\n    chancery audit --all\n    chancery audit --json > report.json\n    chancery audit ledger.ndjson"
}

// An auditOutput is what audit --json prints.
type auditOutput struct {
	audit.Report
	Seconds   float64 `json:"seconds"`
	PerSecond float64 `json:"games_per_second"`
}

// Run audits the ledger, or the file, up to its newest record.
func (c AuditCmd) Run(ctx context.Context, env *Env) error {
	start := time.Now()
	a, err := c.audit(ctx, env)
	if err != nil {
		return fmt.Errorf("auditing: %w", err)
	}
	out := auditOutput{Report: a.Report(time.Now()), Seconds: time.Since(start).Seconds()}
	out.PerSecond = float64(a.Games()) / out.Seconds
	statistics.Judge(&out.Report)
	if c.JSON {
		err = env.printJSON(out)
	} else {
		c.print(env, out)
	}
	if err == nil && !out.OK() {
		err = errFailed
	}
	return err
}

func (c AuditCmd) audit(ctx context.Context, env *Env) (*audit.Auditor, error) {
	if c.File != "" {
		file := exportFile(c.File)
		return c.absorb(ctx, env, file, 0, file.records())
	}
	ledger, err := c.open(ctx)
	if err != nil {
		return nil, err
	}
	defer ledger.Close()
	last, err := ledger.Last(ctx)
	if err != nil {
		return nil, err
	}
	return c.absorb(ctx, env, ledger, last, upToNow(ctx, ledger, 0))
}

// absorb takes all records in.
func (c AuditCmd) absorb(ctx context.Context, env *Env, log audit.Reader, last events.Position, all iter.Seq2[events.Stored, error]) (*audit.Auditor, error) {
	progress := newProgress(env, "records", uint64(last))
	defer progress.done()
	a := audit.New(log, verify.Level(c.Level))
	for s, err := range all {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = a.Absorb(ctx, projections.NewRecord(s))
		}
		if err != nil {
			return nil, err
		}
		progress.at(uint64(s.Position))
	}
	return a, nil
}

// An exportFile is the path of an export of a whole ledger.
type exportFile string

// records yields its lines as the records at positions 1, 2, 3, …
func (f exportFile) records() iter.Seq2[events.Stored, error] {
	return func(yield func(events.Stored, error) bool) {
		in, err := os.Open(string(f))
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%w; name an export of the whole ledger, or one game to chancery verify", err)
		}
		if err != nil {
			yield(events.Stored{}, err)
			return
		}
		defer in.Close()
		lines, position := exactLines(in), events.Position(1)
		for ; lines.Scan(); position++ {
			s := events.Stored{Game: gameOf(lines.Bytes()), Position: position, Payload: bytes.Clone(lines.Bytes())}
			if !yield(s, nil) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(events.Stored{}, readingLines(err))
		} else if position == 1 {
			yield(events.Stored{}, errors.New("there are no records in it; chancery export --all --out ledger.ndjson writes them"))
		}
	}
}

// Read yields the records of a game.
func (f exportFile) Read(_ context.Context, game string, after events.Revision) iter.Seq2[events.Stored, error] {
	return func(yield func(events.Stored, error) bool) {
		for s, err := range f.records() {
			if (err != nil || s.Game == game && s.Position > after) && !yield(s, err) {
				return
			}
		}
	}
}

func (c AuditCmd) print(env *Env, r auditOutput) {
	g := r.Games
	env.printf("%d records up to position %d; %d games, %d of them over, %d revealed, %d open\n", r.Records, r.Position, g.Begun, g.Ended, g.Revealed, g.Open)
	for _, reason := range slices.Sorted(maps.Keys(g.Aborted)) {
		env.printf("  aborted, %s: %d\n", reason, g.Aborted[reason])
	}
	env.printf("%.1f s, %.0f games/s, each verified up to the level %s\n", r.Seconds, r.PerSecond, c.Level)
	printFaults(env, r.Report)
	c.printProcesses(env, r.Report)
	c.printTests(env, r.Report)
	printAccounts(env, r.Report)
	if r.OK() {
		env.printf("Nothing is wrong.\n")
	}
}

func printFaults(env *Env, r audit.Report) {
	for _, f := range r.Faults {
		env.printf("FAULT at position %d, game %s: %s\n", f.Position, f.Game, f.Why)
	}
	for _, o := range r.Overdue {
		env.printf("OVERDUE: game %s ended (%s) at %s and its seed is not revealed\n", o.Game, o.Reason, o.Since)
	}
	for _, x := range r.Refused {
		at := ""
		if x.Record != nil {
			at = fmt.Sprintf(" at record %d", *x.Record)
		}
		env.printf("REFUSED: game %s is not %s%s: %s\n", x.Game, x.Level, at, x.Why)
	}
}

// printProcesses shows what has been watched: wealth E is reached with fair chance with
// probability 1/E at most, ever.
func (c AuditCmd) printProcesses(env *Env, r audit.Report) {
	watched, highest := 0, audit.Wealth{}
	for _, p := range r.Processes {
		if p.N == 0 {
			continue
		}
		watched++
		if highest.N == 0 || p.MaxLogE > highest.MaxLogE {
			highest = p
		}
		note := ""
		switch {
		case p.Alarm:
			note = "  ALARM"
		case p.Warning:
			note = "  warning"
		case !c.All:
			continue
		}
		env.printf("  %-52s %9d  E now 10^%.2f, highest 10^%.2f%s\n", p.Of+": "+p.Name, p.N, p.LogE, p.MaxLogE, note)
	}
	if watched > 0 {
		env.printf("%d of %d processes have seen something; the highest ever is %s: %s, E = 10^%.2f (by chance at most once in 10^%.2f)\n",
			watched, len(r.Processes), highest.Of, highest.Name, highest.MaxLogE, max(0, highest.MaxLogE))
	}
}

// stands is the corrected p-value from which on a test is shown.
const stands = 0.01

func (c AuditCmd) printTests(env *Env, r audit.Report) {
	smallest := audit.Test{Holm: 2}
	for _, t := range r.Tests {
		if t.Holm < smallest.Holm || t.Holm == smallest.Holm && t.P < smallest.P {
			smallest = t
		}
		if c.All || t.Holm < stands {
			env.printf("  %-52s %9d  %s, p = %.4f, corrected %.4f\n", t.Of+": "+t.Name, t.N, statistic(t), t.P, t.Holm)
		}
	}
	if len(r.Tests) > 0 {
		env.printf("%d tests; the smallest p is that of %s: %s, %.4f, corrected for their number %.4f\n",
			len(r.Tests), smallest.Of, smallest.Name, smallest.P, smallest.Holm)
	}
	if k := r.Calibration; k != nil {
		env.printf("%d p-values of %d weeks: even by Kolmogorov and Smirnov p = %.4f, by ten classes p = %.4f; %.2f %% above 0.01\n",
			k.N, len(r.Weeks), k.KS, k.Uniformity, 100*k.Share)
	}
}

func statistic(t audit.Test) string {
	switch t.Null {
	case audit.ChiSquared:
		return fmt.Sprintf("χ²(%.0f) = %.1f", t.Param, t.Value)
	case audit.Poisson:
		return fmt.Sprintf("%.0f, expected %.1f", t.Value, t.Param)
	default:
		return fmt.Sprintf("z = %.2f", t.Value)
	}
}

func printAccounts(env *Env, r audit.Report) {
	for _, d := range r.Accounts.Discoveries {
		env.printf("STANDS OUT: %s of %s, %d seen, E = 10^%.2f: %s where %s was expected\n", d.What, d.Of, d.N, d.LogE, short(d.Counts, 0), short(d.Claimed, 1))
	}
	for _, a := range r.Accounts.Advantages {
		env.printf("STANDS OUT: %s has %+.3f points a game beyond the rating where chance can be foreseen (%d games), %+.3f where it cannot (%d games), z = %.1f\n",
			a.Of, a.Hidden, a.HiddenN, a.Open, a.OpenN, a.Z)
	}
}

func short(numbers []float64, digits int) string {
	words := make([]string, len(numbers))
	for i, x := range numbers {
		words[i] = fmt.Sprintf("%.*f", digits, x)
	}
	return strings.Join(words, " ")
}
