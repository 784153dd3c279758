package main

import (
	"strings"

	"chancery/domain/bot"
)

// A lineup says who meets whom, round by round: the pairs by seat, again and again.
type lineup [][2]bot.Bot

// newLineup reads names of bots. One plays itself; of more every two meet, in either
// seat. Without any it is a little of everything, for bots that think long are slow.
func newLineup(names string) (lineup, error) {
	if names == "" {
		return mixedLineup()
	}
	var all []bot.Bot
	for _, name := range strings.Split(names, ",") {
		b, err := bot.Lookup(strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		all = append(all, b)
	}
	if len(all) == 1 {
		return lineup{{all[0], all[0]}}, nil
	}
	var pairs lineup
	for i := range all {
		for j := range i {
			pairs = append(pairs, [2]bot.Bot{all[i], all[j]}, [2]bot.Bot{all[j], all[i]})
		}
	}
	return pairs, nil
}

// mixed is who plays where nobody says so: the search in one game of thirty-two.
const mixed = 32

func mixedLineup() (lineup, error) {
	var named [3]bot.Bot
	for i, name := range []string{"random", "greedy", "search"} {
		var err error
		if named[i], err = bot.Lookup(name); err != nil {
			return nil, err
		}
	}
	random, greedy, search := named[0], named[1], named[2]
	var pairs lineup
	for len(pairs) < mixed-1 {
		pairs = append(pairs, [2]bot.Bot{random, random}, [2]bot.Bot{random, greedy}, [2]bot.Bot{greedy, random}, [2]bot.Bot{greedy, greedy})
	}
	pairs[mixed/2] = [2]bot.Bot{search, greedy}
	return pairs, nil
}

// in is who plays in the round.
func (l lineup) in(round int) [2]bot.Bot { return l[round%len(l)] }
