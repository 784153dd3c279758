package events_test

import (
	"testing"

	"chancery/domain/cards"
	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
)

// A command sent again is known again however it is written, and another is not taken
// for it. That every command is known again is checked with every game that the tests
// of this package play.
func TestAnswers(t *testing.T) {
	first := func(f game.Fact) events.Record {
		return events.Record{By: game.First, Game: gameID, Events: []game.Event{{Fact: f}}}
	}
	promoted := first(game.MovePlayed{UCI: "e7e8q"})
	took := first(game.MovePlayed{UCI: "e7d8"}) // a pawn that takes a king
	pawn := first(game.PieceDropped{Piece: "P", Square: "e4"})
	wild := first(game.CardPlayed{Card: cards.Dealt{Card: cards.Card{Kind: cards.Wild}}, Color: cards.Blue})
	thrown := first(game.CardsDiscarded{Cards: []cards.Dealt{{Card: cards.Card{Kind: cards.Wild}}}})
	tests := []struct {
		name string
		r    events.Record
		a    game.Action
		want bool
	}{
		{"the move", promoted, game.Move{UCI: "e7e8q"}, true},
		{"without its letter", promoted, game.Move{UCI: "e7e8"}, true},
		{"in a capital letter", promoted, game.Move{UCI: "e7e8Q"}, true},
		{"another promotion", promoted, game.Move{UCI: "e7e8n"}, false},
		{"another move", promoted, game.Move{UCI: "e7d8q"}, false},
		{"more than a move", promoted, game.Move{UCI: "e7e8qq"}, false},
		{"a letter that means nothing", took, game.Move{UCI: "e7d8n"}, true},
		{"a resignation", promoted, game.Resign{}, false},
		{"a card", promoted, game.PlayCard{Card: "W"}, false},
		{"a pawn without its letter", pawn, game.Drop{UCI: "@e4"}, true},
		{"another square", pawn, game.Drop{UCI: "@e5"}, false},
		{"another man", pawn, game.Drop{UCI: "N@e4"}, false},
		{"the card", wild, game.PlayCard{Card: "W", Color: "blue"}, true},
		{"another color", wild, game.PlayCard{Card: "W", Color: "red"}, false},
		{"another card", wild, game.PlayCard{Card: "R5"}, false},
		{"the discard", thrown, game.Discard{Cards: []string{"W"}}, true},
		{"another discard", thrown, game.Discard{Cards: []string{"R5"}}, false},
		{"more discards", thrown, game.Discard{Cards: []string{"W", "W"}}, false},
		{"the pawn of the dice", first(game.PawnPromoted{Square: "e4"}), game.Promote{Square: "e4"}, true},
		{"another pawn", first(game.PawnPromoted{Square: "e4"}), game.Promote{Square: "d4"}, false},
		{"an offer that accepts", first(game.DrawAccepted{}), game.OfferDraw{}, true},
		{"to accept", first(game.DrawAccepted{}), game.AcceptDraw{}, true},
		{"to accept what one offers", first(game.DrawOffered{}), game.AcceptDraw{}, false},
		{"to cancel", first(game.CancelAsked{}), game.Cancel{}, true},
		{"a consequence", first(game.GameEnded{}), game.Resign{}, false},
	}
	for _, tt := range tests {
		if got := events.Answers(tt.r, game.Command{By: game.First, Action: tt.a}); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
		if events.Answers(tt.r, game.Command{By: game.Second, Action: tt.a}) {
			t.Errorf("%s, by the other seat", tt.name)
		}
		if events.Answers(tt.r, game.Command{By: game.First, Action: tt.a, Link: &fair.Hash{1}}) {
			t.Errorf("%s, with a link that the record has not", tt.name)
		}
	}
}
