package tables

import (
	"strings"

	"chancery/domain/cards"
	"chancery/domain/game"
)

// A Turn is a row of the table of turns: what one seat did between two turns of the
// other, or between two of its own where the other's was skipped, and what chance made
// of it. It begins with a move, with a man dropped from the reserve, or with a card, and
// everything that follows from it belongs to it.
type Turn struct {
	Game       string   `parquet:"game" doc:"Id of the game"`
	Turn       int32    `parquet:"turn" doc:"Counts the turns of the game from 1"`
	FirstN     int32    `parquet:"first_n" doc:"Number of the record with which it began"`
	LastN      int32    `parquet:"last_n" doc:"Number of the last record that belongs to it"`
	Seat       int32    `parquet:"seat" doc:"Who moved; a card may hand the army over before the first move"`
	Army       string   `parquet:"army,dict" doc:"The army that the seat commanded"`
	StartedAt  int64    `parquet:"started_at,timestamp(microsecond)" doc:"When the turn before ended, or play began"`
	EndedAt    int64    `parquet:"ended_at,timestamp(microsecond)" doc:"When its last record was made"`
	Moves      []string `parquet:"moves,list" doc:"Its moves, as machines write them; drops as N@f3"`
	SANs       []string `parquet:"sans,list" doc:"Its moves, as people write them"`
	Captures   int32    `parquet:"captures" doc:"How many of its moves took a piece"`
	Played     []string `parquet:"played,list" doc:"Codes of the cards played, or of the card that the turn was played by"`
	Discarded  int32    `parquet:"discarded" doc:"Cards discarded without effect"`
	Drawn      int32    `parquet:"drawn" doc:"Cards drawn by either seat"`
	Faces      []int32  `parquet:"faces,list" doc:"Dice at the end of the turn: the mover's, the opponent's"`
	Effect     *string  `parquet:"effect,optional,dict" doc:"What those dice do"`
	Impossible bool     `parquet:"impossible" doc:"Whether that could not be carried out"`
	Recovered  int32    `parquet:"recovered" doc:"Pieces that came back onto the board"`
	Skipped    bool     `parquet:"skipped" doc:"Whether a turn was taken away"`
	Undone     int32    `parquet:"undone" doc:"Moves taken back"`
	FEN        string   `parquet:"fen" doc:"The position at its end"`
	Clock0     *int64   `parquet:"clock_0_ms,optional" doc:"Milliseconds left to seat 0 at its end, if there are clocks"`
	Clock1     *int64   `parquet:"clock_1_ms,optional" doc:"Milliseconds left to seat 1"`
}

// turn takes an event into the turn being played, or begins the next one with it.
func (f *folding) turn(before game.State, e game.Event) {
	if who := opener(before, e.Fact); who != game.Spectator && f.begins(who, e.Fact) {
		f.close()
		f.begin(before, who, e)
	}
	if f.open == nil {
		return
	}
	f.open.take(e.Fact)
	if _, swapped := e.Fact.(game.ControlSwapped); swapped && len(f.open.Moves) == 0 {
		f.open.Seat = int32(f.state.Commander(f.state.Turn()).Wire()) // who moves the army that the card is for
	}
	f.open.LastN, f.open.EndedAt, f.open.FEN = int32(e.N), *micros(e.At), f.state.FEN
	if f.state.Clock.Used {
		f.open.Clock0, f.open.Clock1 = new(f.state.Clock.Left[0]), new(f.state.Clock.Left[1])
	}
	f.done = f.done || ends(e.Fact) || f.state.Turn().String() != f.open.Army
}

// opener is the seat whose turn an event may begin; the spectator for one that begins none.
func opener(s game.State, fact game.Fact) game.Seat {
	switch fact := fact.(type) {
	case game.MovePlayed:
		return s.Commander(fact.Army)
	case game.PieceDropped:
		if fact.From == "reserve" {
			return s.Commander(fact.Army)
		}
	case game.CardPlayed:
		return fact.Seat
	case game.CardsDiscarded:
		return fact.Seat
	case game.CardRevealed:
		return s.Commander(s.Turn())
	default: // begins none
	}
	return game.Spectator
}

// begins says whether an event of the seat begins a turn. What is discarded behind a
// move belongs to the turn of the move.
func (f *folding) begins(who game.Seat, fact game.Fact) bool {
	if f.open == nil {
		return true
	}
	_, discards := fact.(game.CardsDiscarded)
	return f.done && !(discards && f.open.Seat == int32(who.Wire()))
}

// ends says whether nothing but consequences can follow.
func ends(fact game.Fact) bool {
	switch fact.(type) {
	case game.TurnEnded, game.TurnSkipped, game.SeriesEnded, game.Passed:
		return true
	default:
		return false
	}
}

func (f *folding) begin(before game.State, who game.Seat, e game.Event) {
	t := Turn{
		Game: f.row.Game, Turn: int32(len(f.turns) + 1), FirstN: int32(e.N), Seat: int32(who.Wire()), Army: before.Army(who).String(),
		StartedAt: *micros(e.At),
	}
	switch {
	case len(f.turns) > 0:
		t.StartedAt = f.turns[len(f.turns)-1].EndedAt
	case f.row.StartedAt != nil:
		t.StartedAt = *f.row.StartedAt
	}
	f.open, f.done = &t, false
}

func (f *folding) close() {
	if f.open != nil {
		f.turns = append(f.turns, *f.open)
	}
	f.open, f.done = nil, false
}

// take adds what an event says.
func (t *Turn) take(fact game.Fact) {
	switch fact := fact.(type) {
	case game.MovePlayed:
		t.Moves, t.SANs = append(t.Moves, fact.UCI), append(t.SANs, fact.SAN)
		if fact.Captured != "" {
			t.Captures++
		}
	case game.PieceDropped:
		t.drop(fact)
	case game.CardRevealed:
		t.Played = append(t.Played, code(fact.Card))
	case game.CardPlayed:
		t.Played = append(t.Played, code(fact.Card))
	case game.CardsDiscarded:
		t.Discarded += int32(len(fact.Cards))
	case game.CardDrawn:
		t.Drawn += int32(fact.Count)
	case game.DiceRolled:
		if fact.Purpose == "effect" {
			t.roll(fact)
		}
	case game.TurnSkipped:
		t.Skipped = true
	case game.MoveUndone:
		t.Undone++
	default: // is no part of a turn
	}
}

func (t *Turn) drop(fact game.PieceDropped) {
	if fact.From != "reserve" {
		t.Recovered++
		return
	}
	t.Moves, t.SANs = append(t.Moves, strings.ToUpper(fact.Piece)+"@"+fact.Square), append(t.SANs, fact.SAN)
}

func (t *Turn) roll(fact game.DiceRolled) {
	t.Faces = t.Faces[:0]
	for _, face := range fact.Faces {
		t.Faces = append(t.Faces, int32(face))
	}
	t.Effect, t.Impossible = text(string(fact.Effect)), fact.Impossible
}

func code(c cards.Dealt) string { return c.Card.Code() }
