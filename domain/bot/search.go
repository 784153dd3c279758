package bot

import (
	"slices"

	"chancery/domain/game"
)

// budget is how many positions a search looks at, more or less: it ends what it has
// begun.
const budget = 3000

// searchAction looks further ahead than [greedyAction]. On the board it goes through
// moves and answers; where cards decide, it weighs each answer by how likely the cards
// are that allow it.
func searchAction(v game.View, random uint64) (game.Action, bool) {
	open := v.Actions()
	if len(open) == 0 {
		return nil, false
	}
	m := think(v, random)
	if a, ok := m.atOnce(open); ok {
		return a, true
	}
	list := m.ranked(open, random)
	switch {
	case len(list) == 1:
	case v.Table == nil:
		t := tree{m.aim, budget}
		t.rank(m, list)
	case len(v.Table.Hands) > 0:
		m.weigh(list, newHiddenHand(m).value)
	default:
		m.weigh(list, newOpenPile(m).value)
	}
	return list[0].action, true
}

// weigh ranks the actions by a second look, the most promising first, until the nodes
// run out. The value says how many it took.
func (m *mind) weigh(list []prospect, value func(game.Action) (value, nodes int)) {
	n := 0
	for left := budget; n < len(list) && left > 0; n++ {
		var nodes int
		list[n].value, nodes = value(list[n].action)
		left -= nodes
	}
	slices.SortStableFunc(list[:n], func(a, b prospect) int { return b.value - a.value })
}
