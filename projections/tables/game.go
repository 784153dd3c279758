package tables

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"

	"chancery/domain/game"
	"chancery/events"
)

// A Game is a row of the table of games that are over.
type Game struct {
	Game       string  `parquet:"game" doc:"Id of the game"`
	CreatedAt  int64   `parquet:"created_at,timestamp(microsecond)" doc:"When the table was opened; its month is the partition of all rows of the game"`
	StartedAt  *int64  `parquet:"started_at,optional,timestamp(microsecond)" doc:"When play began"`
	EndedAt    int64   `parquet:"ended_at,timestamp(microsecond)" doc:"When the game was over"`
	Rules      int32   `parquet:"rules" doc:"Version of the variant's rules"`
	Options    string  `parquet:"options" doc:"Options of the table, in JSON"`
	Rated      bool    `parquet:"rated" doc:"Whether the game counts for ratings"`
	Base       *int64  `parquet:"base_ms,optional" doc:"Milliseconds a seat starts with, if there are clocks"`
	Increment  *int64  `parquet:"increment_ms,optional" doc:"Milliseconds a seat gets for every turn"`
	Player0    *string `parquet:"player_0,optional" doc:"Id of the player in seat 0, who opened the table"`
	Player1    *string `parquet:"player_1,optional" doc:"Id of the player in seat 1"`
	Bot0       *string `parquet:"bot_0,optional,dict" doc:"Name of the program in seat 0"`
	Bot1       *string `parquet:"bot_1,optional,dict" doc:"Name of the program in seat 1"`
	FirstWhite *int32  `parquet:"first_white,optional" doc:"Seat that had the white army when play began"`
	LastWhite  *int32  `parquet:"last_white,optional" doc:"Seat that had it at the end; cards may swap armies"`
	Result     string  `parquet:"result,dict" doc:"1-0, 0-1, 1/2-1/2, or * for a game that was called off"`
	Winner     *int32  `parquet:"winner,optional" doc:"Seat of the winner"`
	Reason     string  `parquet:"reason,dict" doc:"Why the game ended"`
	Voided     bool    `parquet:"voided" doc:"Whether it was taken out of every count afterwards"`
	Opening    string  `parquet:"opening" doc:"What chance opened with: an array, a card, or the dice for the first move; empty without any"`
	FirstMove  *string `parquet:"first_move,optional" doc:"The first move, as machines write it"`
	Plies      int32   `parquet:"plies" doc:"Moves on the board"`
	Turns      int32   `parquet:"turns" doc:"Rows in the table of turns"`
	Records    int32   `parquet:"records" doc:"Records up to the end"`
	DurationMS int64   `parquet:"duration_ms" doc:"From the beginning of play to the end; 0 for a game that never began"`
	FEN        *string `parquet:"fen,optional" doc:"The last position"`
	EndedPos   int64   `parquet:"ended_position" doc:"Position in the ledger of the record that ended it"`

	Variant string `parquet:"-" doc:"-"`

	rolls []game.DiceRolled // of the dice at the end of a turn
}

// Rolls are the dice that ended turns of the game.
func (g *Game) Rolls() []game.DiceRolled { return g.rolls }

// OfGame is the row of a game that is over, and its turns. Only records up to the
// position upTo are looked at; it must not lie before the game's end. The errors are
// the log's and [events.ErrBroken].
func OfGame(ctx context.Context, log events.Log, id string, upTo events.Position) (Game, []Turn, error) {
	return fold(id, events.Steps(ctx, log, events.NewGame(id)), upTo)
}

func fold(id string, steps iter.Seq2[events.Step, error], upTo events.Position) (Game, []Turn, error) {
	f := folding{state: game.New(id), row: Game{Game: id}}
	for step, err := range steps {
		if err != nil {
			return Game{}, nil, err
		}
		if step.Stored.Position > upTo {
			break
		}
		f.record(step)
	}
	row, turns, over := f.rows()
	if !over {
		return Game{}, nil, fmt.Errorf("game %s is not over at position %d", id, upTo)
	}
	return row, turns, nil
}

// A folding is a game on its way into rows.
type folding struct {
	state game.State
	row   Game
	turns []Turn
	open  *Turn // the turn being played
	done  bool  // the turn has ended; what belongs to it may still come
}

// rows are those of the game, if it is over.
func (f *folding) rows() (Game, []Turn, bool) { return f.row, f.turns, f.row.EndedPos > 0 }

func (f *folding) record(step events.Step) {
	over := f.state.Over()
	for _, e := range step.Record.Events {
		before := f.state
		f.state = game.Evolve(f.state, e)
		if !over {
			f.fact(e)
			f.turn(before, e)
		}
	}
	f.row.Voided = f.state.Voided
	if !over && f.state.Over() {
		f.end(step)
	}
}

// fact notes what an event says of the whole game.
func (f *folding) fact(e game.Event) {
	r := &f.row
	switch fact := e.Fact.(type) {
	case game.GameCreated:
		r.created(fact, e.At)
	case game.GameStarted:
		r.StartedAt, r.FirstWhite = micros(e.At), seat(fact.White)
	case game.ArrayDrawn:
		r.Opening = fact.Array
	case game.CardRevealed:
		r.opens(fact.Card.Card.Code())
	case game.CardDrawn:
		if fact.Card != nil {
			r.opens(fact.Card.Card.Code())
		}
	case game.DiceRolled:
		r.rolled(fact)
	case game.MovePlayed:
		r.moved(fact.UCI)
	default: // says nothing of the whole game
	}
}

func (r *Game) created(fact game.GameCreated, at game.Instant) {
	options, _ := json.Marshal(fact.Options) // values are JSON already
	r.Variant, r.CreatedAt, r.Rules, r.Rated, r.Options = fact.Variant, *micros(at), int32(fact.Rules.Version), fact.Rated, string(options)
	if fact.Clock != nil {
		r.Base, r.Increment = &fact.Clock.Base, &fact.Clock.Increment
	}
}

// opens notes the first card that everybody sees.
func (r *Game) opens(code string) {
	if r.Opening == "" {
		r.Opening = code
	}
}

// rolled notes the dice for the first move, the last of them where some were equal, and
// those that end turns.
func (r *Game) rolled(fact game.DiceRolled) {
	switch fact.Purpose {
	case "first":
		r.Opening = strings.Trim(strings.ReplaceAll(fmt.Sprint(fact.Faces), " ", "-"), "[]")
	case "effect":
		r.rolls = append(r.rolls, fact)
	}
}

func (r *Game) moved(uci string) {
	if r.FirstMove == nil {
		r.FirstMove = &uci
	}
}

// end fills in how it was when the game was over.
func (f *folding) end(step events.Step) {
	f.close()
	s, r := f.state, &f.row
	r.EndedAt, r.EndedPos, r.Records = *micros(step.Record.At), int64(step.Stored.Position), int32(step.Record.N+1)
	r.LastWhite, r.Winner, r.Reason, r.Result = seat(s.White), seat(s.Winner), string(s.Reason), string(s.Result)
	if r.Result == "" {
		r.Result = string(game.Ongoing)
	}
	r.Player0, r.Bot0 = text(s.Seats[0].Player), text(s.Seats[0].Bot)
	r.Player1, r.Bot1 = text(s.Seats[1].Player), text(s.Seats[1].Bot)
	r.Plies, r.Turns, r.FEN = int32(s.Plies), int32(len(f.turns)), text(s.FEN)
	if r.StartedAt != nil {
		r.DurationMS = (r.EndedAt - *r.StartedAt) / 1000
	}
}

func micros(at game.Instant) *int64 { return new(int64(at) * 1000) }

func seat(s game.Seat) *int32 {
	if s == game.Spectator {
		return nil
	}
	return new(int32(s.Wire()))
}

// text is null where there is none.
func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
