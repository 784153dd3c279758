package game

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// ParseAction reads what a player asks for, an object with one key:
//
//	{"move":"e2e4"}  {"drop":"N@f3"}  {"promote":"e4"}  {"pass":true}
//	{"play":"R5"}    {"play":"W","color":"green"}       {"discard":["R5","B2"]}
//	{"uno":"call"}   {"draw":"offer"} {"resign":true}   {"cancel":true}
//	{"link":true}    {"stop_links":true}
//
// "draw" takes offer, accept, decline and claim; "uno" takes call and catch; only
// "play" has a second key, "color". Anything else is refused with
// [BadCommand] and the list of what there is.
func ParseAction(b []byte) (Action, error) {
	var raw map[string]json.RawMessage
	dec := json.NewDecoder(bytes.NewReader(b))
	if err := dec.Decode(&raw); err != nil || dec.More() {
		return nil, Refuse(BadCommand, "An action is a JSON object with one key, one of %s.", actionNames())
	}
	if play, ok := raw["play"]; ok {
		return readPlay(play, raw)
	}
	if len(raw) != 1 {
		return nil, Refuse(BadCommand, "An action has exactly one of the keys %s.", actionNames())
	}
	for key, value := range raw {
		read, known := actionReaders[key]
		if !known {
			return nil, Refuse(BadCommand, "There is no action %.40q; choose one of %s.", key, actionNames())
		}
		return read(value)
	}
	return nil, nil // unreachable: there is one key
}

var actionReaders = map[string]func(json.RawMessage) (Action, error){
	"move": func(v json.RawMessage) (Action, error) {
		return readText(v, func(s string) Action { return Move{UCI: s} })
	},
	"drop": func(v json.RawMessage) (Action, error) {
		return readText(v, func(s string) Action { return Drop{UCI: s} })
	},
	"promote": func(v json.RawMessage) (Action, error) {
		return readText(v, func(s string) Action { return Promote{Square: s} })
	},
	"play":       func(v json.RawMessage) (Action, error) { return readPlay(v, nil) },
	"discard":    readDiscard,
	"uno":        func(v json.RawMessage) (Action, error) { return readWord(v, "uno", unoActions) },
	"pass":       flag(Pass{}),
	"resign":     flag(Resign{}),
	"cancel":     flag(Cancel{}),
	"link":       flag(OpenLink{}),
	"stop_links": flag(StopLinks{}),
	"draw":       func(v json.RawMessage) (Action, error) { return readWord(v, "draw", drawActions) },
}

var drawActions = map[string]Action{"offer": OfferDraw{}, "accept": AcceptDraw{}, "decline": DeclineDraw{}, "claim": ClaimDraw{}}

func actionNames() string {
	return strings.Join(slices.Sorted(maps.Keys(actionReaders)), ", ")
}

func flag(a Action) func(json.RawMessage) (Action, error) {
	return func(v json.RawMessage) (Action, error) {
		if string(v) != "true" {
			return nil, Refuse(BadCommand, "This action is asked for with the value true.")
		}
		return a, nil
	}
}

func readText(v json.RawMessage, make func(string) Action) (Action, error) {
	var s *string
	if err := json.Unmarshal(v, &s); err != nil || s == nil {
		return nil, Refuse(BadCommand, "This action takes a text, such as {\"move\":\"e2e4\"}.")
	}
	return make(*s), nil
}

var unoActions = map[string]Action{"call": CallUno{}, "catch": CatchUno{}}

func readWord(v json.RawMessage, key string, words map[string]Action) (Action, error) {
	var s string
	if json.Unmarshal(v, &s) == nil {
		if a, ok := words[s]; ok {
			return a, nil
		}
	}
	return nil, Refuse(BadCommand, "%q takes one of %s.", key, strings.Join(slices.Sorted(maps.Keys(words)), ", "))
}

// readPlay reads a card and, from the second key of raw, the color it names.
func readPlay(v json.RawMessage, raw map[string]json.RawMessage) (Action, error) {
	var card, color string
	var more *json.RawMessage
	if c, ok := raw["color"]; ok {
		more = &c
	}
	switch {
	case json.Unmarshal(v, &card) != nil || card == "":
		return nil, Refuse(BadCommand, "\"play\" takes the code of a card, such as R5, B+2 or W.")
	case len(raw) > 2 || len(raw) == 2 && more == nil:
		return nil, Refuse(BadCommand, "\"play\" goes with \"color\" and no other key.")
	case more != nil && json.Unmarshal(*more, &color) != nil:
		return nil, Refuse(BadCommand, "\"color\" takes red, blue, green or yellow.")
	}
	return PlayCard{Card: card, Color: color}, nil
}

func readDiscard(v json.RawMessage) (Action, error) {
	var codes []string
	if err := json.Unmarshal(v, &codes); err != nil || codes == nil {
		return nil, Refuse(BadCommand, "\"discard\" takes a list of card codes, such as [\"R5\",\"B2\"].")
	}
	return Discard{Cards: codes}, nil
}

// IsTurn says whether the action is one that a seat's turn consists of, such as a
// move. A turn action is decided on the newest position only; calls, offers and
// resignations may cross with others.
func IsTurn(a Action) bool {
	switch a.(type) {
	case Move, Drop, Promote, PlayCard, Discard, Pass, OpenLink, StopLinks:
		return true
	case Abort, AcceptDraw, CallFlag, CallForfeit, CallUno, Cancel, CatchUno, ClaimDraw, Create, DeclineDraw, Join, OfferDraw, Pause,
		Resign, Resume, Void:
		return false
	}
	return false
}
