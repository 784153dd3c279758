package table

import (
	"container/heap"
	"sync"

	"chancery/domain/game"
)

// An agenda says which game has to be looked at next, and when. A game stands in it
// once at most, and stays when its table is put away.
type agenda struct {
	mu    sync.Mutex
	queue queue
	games map[string]*appointment
	wake  chan struct{} // holds one token when the first appointment may have changed
}

type appointment struct {
	game  string
	at    game.Instant
	index int // in the queue
}

func newAgenda() *agenda {
	return &agenda{games: map[string]*appointment{}, wake: make(chan struct{}, 1)}
}

// set puts the game down for the given moment and for no other; never takes it off.
func (a *agenda) set(id string, at game.Instant) {
	a.mu.Lock()
	defer a.mu.Unlock()
	old, known := a.games[id]
	switch {
	case known && at == nothing.at:
		heap.Remove(&a.queue, old.index)
		delete(a.games, id)
		return
	case known:
		old.at = at
		heap.Fix(&a.queue, old.index)
	case at == nothing.at:
		return
	default:
		old = &appointment{game: id, at: at}
		a.games[id] = old
		heap.Push(&a.queue, old)
	}
	if old.index == 0 {
		select {
		case a.wake <- struct{}{}:
		default:
		}
	}
}

// take removes the first game that is due at now; ok is false where none is.
func (a *agenda) take(now game.Instant) (id string, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.queue) == 0 || a.queue[0].at > now {
		return "", false
	}
	first := heap.Pop(&a.queue).(*appointment)
	delete(a.games, first.game)
	return first.game, true
}

// first is when the next game is due; nothing.at for none.
func (a *agenda) first() game.Instant {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.queue) == 0 {
		return nothing.at
	}
	return a.queue[0].at
}

// all lists the games that are in the agenda.
func (a *agenda) all() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	ids := make([]string, 0, len(a.games))
	for id := range a.games {
		ids = append(ids, id)
	}
	return ids
}

// queue is a heap by time.
type queue []*appointment

// Len is the number of appointments.
func (q queue) Len() int { return len(q) }

// Less orders by time.
func (q queue) Less(i, j int) bool { return q[i].at < q[j].at }

// Swap keeps the indices true.
func (q queue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}

// Push adds an appointment at the end.
func (q *queue) Push(x any) {
	x.(*appointment).index = len(*q)
	*q = append(*q, x.(*appointment))
}

// Pop takes the last appointment off.
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	(*q)[len(*q)-1] = nil
	*q = (*q)[:len(*q)-1]
	return last
}
