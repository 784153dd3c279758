// Package bot holds the players that are programs. A bot sees what its seat may see,
// a view, and gives an action. It has no clock and no randomness of its own: what it
// does by chance follows from a number that it is given.
package bot

import (
	"fmt"
	"strings"

	"chancery/domain/game"
)

// A Bot is a program that plays.
type Bot struct {
	Name    string // stable short name, stored in events
	Summary string // one sentence

	// Act is what the bot does in v; ok is false where its seat has nothing to do.
	// All 64 bits of random are equally likely.
	Act func(v game.View, random uint64) (a game.Action, ok bool)
}

// Bots lists every bot, the weakest first. The list is shared; nobody writes to it.
func Bots() []Bot { return bots }

var bots = []Bot{
	{Name: "random", Summary: "Does anything that is legal.", Act: anyAction},
	{Name: "greedy", Summary: "Takes what it can get and keeps its king safe, one turn ahead.", Act: greedyAction},
	{Name: "search", Summary: "Looks several moves ahead and imagines what is hidden, never more than a fixed number of positions.", Act: searchAction},
}

// Lookup finds a bot by name; an unknown name is an error that lists the known.
func Lookup(name string) (Bot, error) {
	names := make([]string, len(bots))
	for i, b := range bots {
		if b.Name == name {
			return b, nil
		}
		names[i] = b.Name
	}
	return Bot{}, fmt.Errorf("there is no bot %.40q; choose one of %s", name, strings.Join(names, ", "))
}

// anyAction takes every action that is open with the same probability.
func anyAction(v game.View, random uint64) (game.Action, bool) {
	open := v.Actions()
	if len(open) == 0 {
		return nil, false
	}
	return open[random%uint64(len(open))], true
}
