// Package tables is the ledger as tables for analysts: a row for every event, and for
// every game that is over a row, and one for each of its turns. Rows are functions of
// the ledger alone. The tags of their fields name and explain the columns.
package tables

import (
	"encoding/json"
	"fmt"
	"time"

	"chancery/projections/feed"
)

// An Event is a row of the table of events. Columns that an event has nothing to say in
// are null.
type Event struct {
	Position   int64    `parquet:"position" doc:"Position of the record in the ledger, from 1"`
	Game       string   `parquet:"game" doc:"Id of the game"`
	N          int32    `parquet:"n" doc:"Number of the record within the game, from 0"`
	I          int32    `parquet:"i" doc:"Place of the event within the record, from 0"`
	OccurredAt int64    `parquet:"occurred_at,timestamp(microsecond)" doc:"When the record was made"`
	Type       string   `parquet:"type,dict" doc:"Type of the event"`
	Version    int32    `parquet:"version" doc:"Version of the type, in which data is written"`
	Seat       *int32   `parquet:"seat,optional" doc:"Seat that the event is about: 0 is the creator's"`
	Army       *string  `parquet:"army,optional,dict" doc:"white or black: whose move, or whose turn comes"`
	UCI        *string  `parquet:"uci,optional" doc:"The move, as machines write it"`
	SAN        *string  `parquet:"san,optional" doc:"The move, as people write it"`
	Captured   *string  `parquet:"captured,optional,dict" doc:"FEN letter of the piece taken"`
	InCheck    *bool    `parquet:"in_check,optional" doc:"Whether the move gives check"`
	Piece      *string  `parquet:"piece,optional,dict" doc:"FEN letter of the piece dropped"`
	Square     *string  `parquet:"square,optional" doc:"Square of a drop or a promotion"`
	Origin     *string  `parquet:"origin,optional,dict" doc:"Where a dropped piece comes from: reserve, pool or dice"`
	FEN        *string  `parquet:"fen,optional" doc:"The position that the event led to"`
	Cards      []string `parquet:"cards,list" doc:"Codes of the cards that the event shows"`
	CardColor  *string  `parquet:"card_color,optional,dict" doc:"Color named with a wild card"`
	CardCount  *int32   `parquet:"card_count,optional" doc:"How many cards were dealt, drawn or shuffled"`
	Moves      *int32   `parquet:"moves,optional" doc:"How many moves the card of the turn grants"`
	Faces      []int32  `parquet:"faces,list" doc:"Faces of the dice"`
	Purpose    *string  `parquet:"purpose,optional,dict" doc:"Why dice were rolled"`
	Effect     *string  `parquet:"effect,optional,dict" doc:"What the dice do"`
	Impossible *bool    `parquet:"impossible,optional" doc:"Whether the effect could not be carried out"`
	Result     *string  `parquet:"result,optional,dict" doc:"1-0, 0-1 or 1/2-1/2, by army"`
	Winner     *int32   `parquet:"winner,optional" doc:"Seat of the winner"`
	White      *int32   `parquet:"white,optional" doc:"Seat that commands the white army from now on"`
	Reason     *string  `parquet:"reason,optional,dict" doc:"Why a game or a turn ended"`
	Clock0     *int64   `parquet:"clock_0_ms,optional" doc:"Milliseconds left to seat 0"`
	Clock1     *int64   `parquet:"clock_1_ms,optional" doc:"Milliseconds left to seat 1"`
	Data       string   `parquet:"data" doc:"The data of the event as it was written, in JSON; its schema is TYPE.vVERSION.json"`
}

// data is what the events of all types say, by the names in their JSON.
type data struct {
	Army       *string         `json:"army"`
	Captured   *string         `json:"captured"`
	Card       *card           `json:"card"`
	Cards      []card          `json:"cards"`
	Check      bool            `json:"check"`
	Clock      []int64         `json:"clock_ms"`
	Color      *string         `json:"color"`
	Count      *int32          `json:"count"`
	Effect     *string         `json:"effect"`
	Faces      []int32         `json:"faces"`
	FEN        *string         `json:"fen"`
	From       *string         `json:"from"`
	Hands      [][]card        `json:"hands"`
	Impossible *bool           `json:"impossible"`
	Moves      json.RawMessage `json:"moves"`
	Piece      *string         `json:"piece"`
	Purpose    *string         `json:"purpose"`
	Reason     *string         `json:"reason"`
	Result     *string         `json:"result"`
	SAN        *string         `json:"san"`
	Seat       *int32          `json:"seat"`
	Square     *string         `json:"square"`
	Turn       *string         `json:"turn"`
	UCI        *string         `json:"uci"`
	White      *int32          `json:"white"`
	Winner     *int32          `json:"winner"`
}

type card struct {
	Code string `json:"code"`
}

// EventOf is the row of an event. The error is about data that is none of ours.
func EventOf(e feed.Event) (Event, error) {
	var d data
	if err := json.Unmarshal(e.Data, &d); err != nil {
		return Event{}, fmt.Errorf("event %s: %w", e.ID(), err)
	}
	at, err := time.Parse(time.RFC3339, e.Time)
	if err != nil {
		return Event{}, fmt.Errorf("event %s: %w", e.ID(), err)
	}
	row := Event{
		Position: int64(e.Position), Game: e.Game, N: int32(e.N), I: int32(e.I), OccurredAt: at.UnixMicro(), Type: e.Type, Version: int32(e.Version),
		Seat: d.Seat, Army: d.Army, UCI: d.UCI, SAN: d.SAN, Captured: d.Captured, Piece: d.Piece, Square: d.Square, Origin: d.From, FEN: d.FEN,
		CardCount: d.Count, Faces: d.Faces, Purpose: d.Purpose, Effect: d.Effect, Impossible: d.Impossible,
		Result: d.Result, Winner: d.Winner, White: d.White, Reason: d.Reason, Data: string(e.Data),
	}
	if row.Army == nil {
		row.Army = d.Turn
	}
	if d.UCI != nil {
		row.InCheck = &d.Check
	}
	if len(d.Clock) == 2 {
		row.Clock0, row.Clock1 = &d.Clock[0], &d.Clock[1]
	}
	d.cards(&row)
	return row, nil
}

// cards fills in what is about cards.
func (d *data) cards(row *Event) {
	if d.Card != nil {
		row.Cards = append(row.Cards, d.Card.Code)
		row.CardColor = d.Color
	}
	for _, list := range append(d.Hands, d.Cards) {
		for _, c := range list {
			row.Cards = append(row.Cards, c.Code)
		}
	}
	if row.Type == "CardRevealed" {
		var n int32
		if json.Unmarshal(d.Moves, &n) == nil {
			row.Moves = &n
		}
	}
}
