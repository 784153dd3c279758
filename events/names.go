package events

import (
	"fmt"
	"reflect"

	"chancery/domain/game"
)

// ledgerTypes lists every event type that was ever written, by its name on disk and
// its version. A name is never changed and never gets a new meaning. A new field is a
// new version: the old line becomes an older one, with its struct as it was and the
// step to the next version, and stays for ever.
var ledgerTypes = newTypes(
	current[game.GameCreated]("GameCreated", 1),
	current[game.PlayerJoined]("PlayerJoined", 1),
	current[game.LinkOpened]("LinkOpened", 1),
	current[game.LinksStopped]("LinksStopped", 1),
	current[game.ColorsDrawn]("ColorsDrawn", 1),
	current[game.ArrayDrawn]("ArrayDrawn", 1),
	current[game.GameStarted]("GameStarted", 1),
	current[game.GamePaused]("GamePaused", 1),
	current[game.GameResumed]("GameResumed", 1),
	current[game.GameEnded]("GameEnded", 1),
	current[game.GameAborted]("GameAborted", 1),
	current[game.GameVoided]("GameVoided", 1),
	current[game.SeedRevealed]("SeedRevealed", 1),
	current[game.MovePlayed]("MovePlayed", 1),
	current[game.DrawOffered]("DrawOffered", 1),
	current[game.DrawDeclined]("DrawDeclined", 1),
	current[game.DrawAccepted]("DrawAccepted", 1),
	current[game.DrawClaimed]("DrawClaimed", 1),
	current[game.Resigned]("Resigned", 1),
	current[game.FlagFell]("FlagFell", 1),
	current[game.Forfeited]("Forfeited", 1),
	current[game.CancelAsked]("CancelAsked", 1),
	current[game.Cancelled]("Cancelled", 1),
	current[game.DiceRolled]("DiceRolled", 1),
	current[game.PileShuffled]("PileShuffled", 1),
	current[game.HandDealt]("HandDealt", 1),
	current[game.CardDrawn]("CardDrawn", 1),
	current[game.CardRevealed]("CardRevealed", 1),
	current[game.CardPlayed]("CardPlayed", 1),
	current[game.CardsDiscarded]("CardsDiscarded", 1),
	current[game.HandsRevealed]("HandsRevealed", 1),
	current[game.UnoCalled]("UnoCalled", 1),
	current[game.UnoCaught]("UnoCaught", 1),
	current[game.ControlSwapped]("ControlSwapped", 1),
	current[game.TurnSkipped]("TurnSkipped", 1),
	current[game.SeriesEnded]("SeriesEnded", 1),
	current[game.Passed]("Passed", 1),
	current[game.RescueDeclined]("RescueDeclined", 1),
	current[game.TurnEnded]("TurnEnded", 1),
	current[game.PieceDropped]("PieceDropped", 1),
	current[game.PawnPromoted]("PawnPromoted", 1),
	current[game.MoveUndone]("MoveUndone", 1),
	current[game.LogKeyAdded]("LogKeyAdded", 1),
	current[game.SoftwareReleased]("SoftwareReleased", 1),
)

// TypeOf is the name and version under which a fact is written. A fact that no name
// is known for has the empty name; there is none outside of a test.
func TypeOf(f game.Fact) (name string, version int) {
	t := ledgerTypes.byGo[reflect.TypeOf(f)]
	if t == nil {
		return "", 0
	}
	return t.name, t.version
}

// An eventType is one version of one type on disk.
type eventType struct {
	name    string
	version int
	goType  reflect.Type
	read    func(s *scanner) any
	up      func(any) any // to the next version; nil in the current one
}

// current is a type in the version that is written today.
func current[F game.Fact](name string, version int) eventType {
	return eventType{name: name, version: version, goType: reflect.TypeFor[F](), read: readAs[F]()}
}

// older is a version that is only read: Old is its struct as it was, and up turns it
// into what the next version holds. Up is pure and never fails.
func older[Old, Next any](name string, version int, up func(Old) Next) eventType {
	return eventType{
		name: name, version: version, goType: reflect.TypeFor[Old](), read: readAs[Old](),
		up: func(v any) any { return up(v.(Old)) },
	}
}

// readAs reads the next value of a scanner into a T.
func readAs[T any]() func(*scanner) any {
	read := readerOf(reflect.TypeFor[T]())
	return func(s *scanner) any {
		var v T
		read(s, reflect.ValueOf(&v).Elem())
		return v
	}
}

// eventTypes is a table of types, found by name and version or by Go type.
type eventTypes struct {
	byName map[string][]*eventType // at index version-1
	byGo   map[reflect.Type]*eventType
}

// newTypes makes the table of a list. Versions of a type stand in ascending order
// from 1, all but the last with a step up; anything else is a mistake in the list and
// panics when the program starts.
func newTypes(list ...eventType) eventTypes {
	t := eventTypes{byName: map[string][]*eventType{}, byGo: map[reflect.Type]*eventType{}}
	for i := range list {
		e := &list[i]
		before := t.byName[e.name]
		if e.version != len(before)+1 || len(before) > 0 && before[len(before)-1].up == nil || t.byGo[e.goType] != nil {
			panic(fmt.Sprintf("events: the list of types is wrong at %s version %d", e.name, e.version))
		}
		t.byName[e.name] = append(before, e)
		t.byGo[e.goType] = e
	}
	return t
}

// fact reads the data of an event, which is the next value of the scanner, and brings
// it up to the current version.
func (t eventTypes) fact(name string, version int, s *scanner) game.Fact {
	versions := t.byName[name]
	if version < 1 || version > len(versions) {
		s.fail("there is no event type %q version %d; a newer program may have written it", name, version)
		return nil
	}
	v := versions[version-1].read(s)
	for _, e := range versions[version-1:] {
		if e.up != nil && s.err == nil {
			v = e.up(v)
		}
	}
	f, ok := v.(game.Fact)
	if !ok {
		s.fail("%s has no current version", name)
	}
	return f
}
