package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"chancery/domain/fair"

	"github.com/alecthomas/kong"
)

// Exit codes of every command.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// A usageError is a command line that makes no sense: exit code 2.
type usageError string

func (e usageError) Error() string { return string(e) }

// errFailed ends a command that has already said what is wrong: exit code 1.
var errFailed = errors.New("failed")

// CLI is the command line: every command is a field.
type CLI struct {
	Serve    ServeCmd    `cmd:"" help:"Run the server."`
	New      NewCmd      `cmd:"" help:"Open a game on a server."`
	Play     PlayCmd     `cmd:"" help:"Play a game on a server."`
	Show     ShowCmd     `cmd:"" help:"Show a game, from a server or from the ledger."`
	Replay   ReplayCmd   `cmd:"" help:"Rebuild any position of a game from the ledger or a file."`
	Export   ExportCmd   `cmd:"" help:"Write records or games for other programs."`
	Verify   VerifyCmd   `cmd:"" help:"Audit a game by its records alone."`
	Audit    AuditCmd    `cmd:"" help:"Audit the whole ledger: complete, derived, and fair by the numbers."`
	Backup   BackupCmd   `cmd:"" help:"Write the whole ledger into one file."`
	Restore  RestoreCmd  `cmd:"" help:"Make a ledger out of a backup."`
	Rebuild  RebuildCmd  `cmd:"" help:"Compute anew what stands beside the ledger."`
	Keys     KeysCmd     `cmd:"" help:"Make, list and retire keys."`
	Witness  WitnessCmd  `cmd:"" help:"Sign what is seen of a ledger, and never two histories."`
	Doctor   DoctorCmd   `cmd:"" help:"Look whether everything is as it should be."`
	Migrate  MigrateCmd  `cmd:"" help:"Make the ledger on NATS servers."`
	Simulate SimulateCmd `cmd:"" help:"Let bots play whole games through a real ledger."`
	Perft    PerftCmd    `cmd:"" help:"Count the move sequences of a position."`
	Scenario ScenarioCmd `cmd:"" help:"Run rule scenarios."`
	Bench    BenchCmd    `cmd:"" help:"Measure what the README says."`
	Version  VersionCmd  `cmd:"" help:"Say which version this is."`
}

// run is the program: it reads args, runs the command in env and gives the exit
// code. Tests start it in-process.
func run(ctx context.Context, args []string, env *Env) int {
	var cli CLI
	exited, code := false, exitOK
	parser, err := kong.New(&cli,
		kong.Name("chancery"),
		kong.Description("A game server for chess variants in which chance plays. Every draw, card, roll and move is an event in one ledger."),
		kong.Writers(env.Out, env.Err),
		kong.Exit(func(c int) { exited, code = true, c }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.ValueFormatter(flagHelp),
		flagVars,
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(env),
	)
	if err != nil {
		env.warnf("chancery: %v\n", err)
		return exitFailed
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	command, err := parser.Parse(args)
	switch {
	case exited:
		return code // help was asked for and given
	case err != nil:
		return report(env, usageError(err.Error()+idHint(args)), meant(err))
	}
	err = command.Run()
	if interrupted(ctx, err) {
		env.warnf("chancery: stopped before it was done\n")
		return exitFailed
	}
	return report(env, err, command)
}

// meant is the command line as far as it could be read; nil where nothing could.
func meant(err error) *kong.Context {
	var parse *kong.ParseError
	if !errors.As(err, &parse) {
		return nil
	}
	return parse.Context
}

// flagVars are parts of the help that a command may set otherwise.
var flagVars = kong.Vars{"data_note": "While a server holds it, the command reads through the server"}

// flagHelp is a flag's help with its default, which a placeholder would hide.
func flagHelp(v *kong.Value) string {
	if v.Flag == nil || v.Default == "" || v.Flag.PlaceHolder == "" || v.Flag.PlaceHolder == v.Default || strings.Contains(v.Help, "left out") {
		return kong.DefaultHelpValueFormatter(v)
	}
	told := *v
	told.Help = strings.TrimSuffix(v.Help, ".") + "; default " + v.Default + "."
	return kong.DefaultHelpValueFormatter(&told)
}

// idHint says how to name a game whose id, made by another program, looks like a flag.
func idHint(args []string) string {
	for _, a := range args {
		if len(a) == len(newGameID()) && a[0] == '-' && fair.ValidGameID(a) {
			return "; if " + a + " is a game, put -- before it"
		}
	}
	return ""
}

// report says on standard error what went wrong with a command and gives the exit code.
func report(env *Env, err error, command *kong.Context) int {
	var usage usageError
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errFailed):
		return exitFailed
	case errors.As(err, &usage):
		env.warnf("chancery: %v\n", usage)
		if command != nil && command.Selected() != nil {
			env.warnf("Run %s --help for an example.\n", command.Selected().FullPath())
		} else {
			env.warnf("Run chancery --help for what there is.\n")
		}
		return exitUsage
	}
	env.warnf("chancery: %v\n", err)
	return exitFailed
}

// usagef is a usageError with a formatted text.
func usagef(format string, args ...any) error { return usageError(fmt.Sprintf(format, args...)) }
