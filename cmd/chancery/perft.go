package main

import (
	"context"
	"strconv"

	"chancery/domain/chess"
	"chancery/domain/game"
)

// PerftCmd counts the move sequences of a position, the measure of every move
// generator.
type PerftCmd struct {
	Variant string            `required:"" help:"Variant, or kingcapture for the bare board game in which kings are taken."`
	FEN     string            `name:"fen" help:"Position; the variant's own start if left out."`
	Depth   int               `required:"" help:"Plies."`
	Divide  bool              `help:"Count by first move."`
	Option  map[string]string `help:"Options of the variant, k=v."`
}

// Help is an example.
func (PerftCmd) Help() string {
	return "The last line is the number alone. Example:\n\n    chancery perft --variant chess --depth 5 --divide"
}

// kingCapture is the name of the bare board game of the king-capture family.
const kingCapture = "kingcapture"

// Run counts.
func (c PerftCmd) Run(ctx context.Context, env *Env) error {
	p, err := c.position()
	switch {
	case err != nil:
		return err
	case c.Depth < 0:
		return usagef("--depth counts plies: 0 or more")
	}
	if !c.Divide || c.Depth == 0 {
		n, err := leaving(ctx, func() (uint64, error) { return chess.Perft(&p, c.Depth), nil })
		if err == nil {
			env.printf("%d\n", n)
		}
		return err
	}
	list, err := leaving(ctx, func() ([]chess.MoveCount, error) { return chess.PerftDivide(&p, c.Depth), nil })
	if err != nil {
		return err
	}
	var sum uint64
	for _, first := range list {
		env.printf("%s: %d\n", first.Move.UCI(), first.Count)
		sum += first.Count
	}
	env.printf("\n%d\n", sum)
	return nil
}

func (c PerftCmd) position() (chess.Position, error) {
	law, start := chess.KingCapture, orthodoxStart()
	if c.Variant != kingCapture {
		v, err := game.Lookup(c.Variant)
		if err != nil {
			return chess.Position{}, usagef("%v Perft also knows %s.", err, kingCapture)
		}
		options, err := v.Complete(parseOptions(c.Option))
		if err != nil {
			return chess.Position{}, usageError(err.Error())
		}
		law, start = v.Law(options), v.Start(options)
	}
	fen := c.FEN
	if fen == "" {
		fen = start
	}
	if fen == "" {
		return chess.Position{}, usagef("the start position of %s is drawn by lot: say which with --fen", c.Variant)
	}
	p, err := chess.ParsePosition(fen, law)
	if err != nil {
		return chess.Position{}, usagef("--fen: %v", err)
	}
	return p, nil
}

func orthodoxStart() string {
	v, err := game.Lookup("chess")
	if err != nil {
		return ""
	}
	return v.Start(nil)
}

// parseOptions reads the values of k=v: true, false, a number, or else a text.
func parseOptions(given map[string]string) game.Options {
	options := game.Options{}
	for k, v := range given {
		if n, err := strconv.Atoi(v); err == nil {
			options[k] = game.IntValue(n)
		} else if v == "true" || v == "false" {
			options[k] = game.BoolValue(v == "true")
		} else {
			options[k] = game.TextValue(v)
		}
	}
	return options
}
