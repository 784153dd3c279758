package tables

import (
	"container/list"
	"context"

	"chancery/domain/game"
	"chancery/events"
	"chancery/projections"
)

// Games folds games into their rows while their records go by, so that a game that ends
// need not be read again. It remembers the games used last; one that it does not know
// from its first record on is read from the log. What it answers is a function of the
// ledger alone. It is for one goroutine at a time.
type Games struct {
	log   events.Log
	keep  int
	games map[string]*list.Element // of *following
	order list.List                // used last first
}

// A following is an unfinished game, folded up to one of its records.
type following struct {
	folding
	game events.Game
}

// NewGames remembers keep unfinished games at most, some 20 kB each and 300 bytes more a turn.
func NewGames(log events.Log, keep int) *Games {
	return &Games{log: log, keep: keep, games: map[string]*list.Element{}}
}

// Absorb takes in the records in stream order, and gives the rows of a game that is over
// with the record r: as they stand then, which for one that was over before differ by
// what r says. The errors are those of [OfGame]. It may be asked for the same record
// again, as when a transaction failed.
func (gs *Games) Absorb(ctx context.Context, r projections.Record) (row Game, turns []Turn, over bool, err error) {
	f := gs.follow(r)
	if !r.Ends() {
		return Game{}, nil, false, nil
	}
	if f != nil {
		row, turns, over = f.rows()
	}
	gs.forget(r.Game)
	if !over {
		row, turns, err = OfGame(ctx, gs.log, r.Game, r.Position)
	}
	return row, turns, err == nil, err
}

// follow folds r in, if all records before it were. One that cannot be folded is met
// again by [OfGame], should the game ever end.
func (gs *Games) follow(r projections.Record) *following {
	e, known := gs.games[r.Game]
	if !known && !r.Says("GameCreated") {
		return nil
	}
	record, err := r.Read()
	if err != nil || !known && record.N > 0 {
		return nil
	}
	var f *following
	if known {
		f = e.Value.(*following)
	} else {
		f = &following{folding: folding{state: game.New(r.Game), row: Game{Game: r.Game}}, game: events.NewGame(r.Game)}
	}
	next, err := f.game.AbsorbDecoded(r.Stored, record)
	if err != nil {
		gs.forget(r.Game)
		return nil
	}
	f.game = next
	f.record(events.Step{Game: next, Record: record, Stored: r.Stored})
	gs.remember(f)
	return f
}

func (gs *Games) remember(f *following) {
	id := f.game.State.ID
	if e, known := gs.games[id]; known {
		gs.order.MoveToFront(e)
		return
	}
	gs.games[id] = gs.order.PushFront(f)
	if gs.order.Len() > gs.keep {
		gs.forget(gs.order.Back().Value.(*following).game.State.ID)
	}
}

func (gs *Games) forget(id string) {
	if e, known := gs.games[id]; known {
		gs.order.Remove(e)
		delete(gs.games, id)
	}
}
