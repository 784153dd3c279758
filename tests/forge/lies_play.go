package forge

import (
	"fmt"
	"slices"
	"strings"

	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
)

func illegalMove(_ Game, records []events.Record) ([]events.Record, int, bool) {
	return change(records, func(f *game.MovePlayed) bool {
		f.UCI = f.UCI[:2] + f.UCI[:2]
		return true
	})
}

// anotherPosition puts a pawn more, or a man less, on the board behind a move.
func anotherPosition(_ Game, records []events.Record) ([]events.Record, int, bool) {
	return change(records, func(f *game.MovePlayed) bool {
		i := strings.IndexAny(f.FEN, "Pp")
		if i < 0 {
			return false
		}
		f.FEN = f.FEN[:i] + "1" + f.FEN[i+1:]
		return true
	})
}

func anotherClock(_ Game, records []events.Record) ([]events.Record, int, bool) {
	return change(records, func(f *game.MovePlayed) bool {
		if f.Clock == nil {
			return false
		}
		c := *f.Clock
		c[0]--
		f.Clock = &c
		return true
	})
}

// earlyFlag lets the flag of a seat fall that has time left.
func earlyFlag(g Game, records []events.Record) ([]events.Record, int, bool) {
	if !g.Clock || records[len(records)-1].By == game.Spectator {
		return nil, 0, false
	}
	last := &records[len(records)-1]
	loser, old := last.By, last.Events[0]
	if _, resigned := old.Fact.(game.Resigned); !resigned {
		return nil, 0, false
	}
	last.By = game.Spectator
	last.Events[0] = game.Event{Fact: game.FlagFell{Seat: loser}}
	ended := last.Events[1].Fact.(game.GameEnded)
	ended.Reason = game.Timeout
	last.Events[1].Fact = ended
	return records, len(records) - 1, true
}

func timeTurnedBack(_ Game, records []events.Record) ([]events.Record, int, bool) {
	n := len(records) - 1
	records[n].At = records[n-1].At - 1
	return records, n, true
}

func wrongResult(_ Game, records []events.Record) ([]events.Record, int, bool) {
	return change(records, func(f *game.GameEnded) bool {
		f.Winner = f.Winner.Other()
		f.Result = map[game.Result]game.Result{
			game.WhiteWins: game.BlackWins, game.BlackWins: game.WhiteWins, game.Drawn: game.WhiteWins,
		}[f.Result]
		return true
	})
}

func wrongReason(_ Game, records []events.Record) ([]events.Record, int, bool) {
	return change(records, func(f *game.GameEnded) bool {
		was := f.Reason
		if f.Reason = game.Forfeit; was == f.Reason {
			f.Reason = game.Resignation
		}
		return true
	})
}

// removedRecord takes a player's move out that the other side answered.
func removedRecord(g Game, records []events.Record) ([]events.Record, int, bool) {
	n := turnBefore(records)
	if n < 0 {
		return nil, 0, false
	}
	told := slices.Delete(records, n, n+1)
	g.redeal(told)
	return told, n, true
}

// repeatedRecord tells a move twice.
func repeatedRecord(g Game, records []events.Record) ([]events.Record, int, bool) {
	n := turnBefore(records)
	if n < 0 {
		return nil, 0, false
	}
	again := g.decode()[n]
	if p := again.Events[0].Fair; p != nil {
		p.Link = nil // or it would be a second one
		again.Events[0].Fair = orNil(p)
	}
	told := slices.Insert(records, n+1, again)
	g.redeal(told)
	return told, n + 1, true
}

// turnBefore is the first turn of a seat that is followed by one of the other seat, in
// records that draw nothing to a hand; -1 where there is none.
func turnBefore(records []events.Record) int {
	for n := 3; n+1 < len(records)-1; n++ {
		if isTurn(records[n]) && isTurn(records[n+1]) && records[n].By != records[n+1].By {
			return n
		}
	}
	return -1
}

func isTurn(r events.Record) bool {
	return onBoard(r.Events[0]) && !slices.ContainsFunc(r.Events, func(e game.Event) bool { return e.Fair != nil && e.Fair.Hand != nil })
}

func onBoard(e game.Event) bool {
	_, moved := e.Fact.(game.MovePlayed)
	_, dropped := e.Fact.(game.PieceDropped)
	return moved || dropped
}

func askedByOther(_ Game, records []events.Record) ([]events.Record, int, bool) {
	n, i, e := find(records, func(e game.Event) bool {
		_, played := e.Fact.(game.CardPlayed)
		return played || onBoard(e)
	})
	if e == nil || i != 0 {
		return nil, 0, false
	}
	records[n].By = records[n].By.Other()
	if e.Fair != nil && e.Fair.Ack != nil {
		e.Fair.Ack = nil
		e.Fair = emptied(e.Fair)
	}
	return records, n, true
}

func emptied(p *fair.Part) *fair.Part {
	if fmt.Sprint(*p) == fmt.Sprint(fair.Part{}) {
		return nil
	}
	return p
}

func rulesOfTomorrow(_ Game, records []events.Record) ([]events.Record, int, bool) {
	return change(records, func(f *game.GameCreated) bool {
		f.Rules.Version++
		return true
	})
}
