package events

import "chancery/domain/fair"

// CauseOf is the cause of the game's record n; ok is false where there is none.
func (g Game) CauseOf(n int) (cause fair.Hash, ok bool) {
	if t := g.find(func(t *trail) bool { return t.n == n }); t != nil {
		return t.cause, true
	}
	return fair.Hash{}, false
}

// RevisionOf is the position of the game's record n, and zero, the position before
// the first, where there is none.
func (g Game) RevisionOf(n int) Revision {
	if t := g.find(func(t *trail) bool { return t.n == n }); t != nil {
		return t.revision
	}
	return 0
}
