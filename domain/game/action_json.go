package game

import (
	"bytes"
	"encoding/json"
	"sort"
	"strings"
)

// ParseAction reads what a player asks for, an object with one key:
//
//	{"move":"e2e4"}  {"resign":true}  {"draw":"offer"}  {"cancel":true}
//	{"link":true}    {"stop_links":true}
//
// "draw" takes offer, accept, decline and claim. Anything else is refused with
// [BadCommand] and the list of what there is.
func ParseAction(b []byte) (Action, error) {
	var raw map[string]json.RawMessage
	dec := json.NewDecoder(bytes.NewReader(b))
	if err := dec.Decode(&raw); err != nil || dec.More() {
		return nil, Refuse(BadCommand, "An action is a JSON object with one key, one of %s.", actionNames())
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
	"move":       func(v json.RawMessage) (Action, error) { return readText(v, func(s string) Action { return Move{UCI: s} }) },
	"resign":     flag(Resign{}),
	"cancel":     flag(Cancel{}),
	"link":       flag(OpenLink{}),
	"stop_links": flag(StopLinks{}),
	"draw":       readDraw,
}

var drawActions = map[string]Action{"offer": OfferDraw{}, "accept": AcceptDraw{}, "decline": DeclineDraw{}, "claim": ClaimDraw{}}

func actionNames() string {
	names := make([]string, 0, len(actionReaders))
	for name := range actionReaders {
		names = append(names, name)
	}
	sort.Strings(names)
	return strings.Join(names, ", ")
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

func readDraw(v json.RawMessage) (Action, error) {
	var s string
	if json.Unmarshal(v, &s) == nil {
		if a, ok := drawActions[s]; ok {
			return a, nil
		}
	}
	return nil, Refuse(BadCommand, "\"draw\" takes offer, accept, decline or claim.")
}

// IsTurn says whether the action is one that a seat's turn consists of, such as a
// move. A turn action is decided on the newest position only; calls, offers and
// resignations may cross with others.
func IsTurn(a Action) bool {
	switch a.(type) {
	case Move, OpenLink, StopLinks:
		return true
	}
	return false
}

