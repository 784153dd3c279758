// Package schema describes events as JSON Schema, computed from the Go types that read
// and write them. The documents are kept in docs/schemas.
package schema

import (
	"fmt"
	"reflect"
	"strings"

	"chancery/domain/cards"
	"chancery/domain/game"
	"chancery/events"
)

// A Schema is what we use of JSON Schema draft-07 (json-schema.org), which AsyncAPI
// understands too.
type Schema struct {
	Dialect     string             `json:"$schema,omitempty"`
	ID          string             `json:"$id,omitempty"`
	Title       string             `json:"title,omitempty"`
	Description string             `json:"description,omitempty"`
	Type        string             `json:"type,omitempty"`
	Enum        []any              `json:"enum,omitempty"`
	Examples    []any              `json:"examples,omitempty"`
	AnyOf       []*Schema          `json:"anyOf,omitempty"`
	Minimum     *int               `json:"minimum,omitempty"`
	Pattern     string             `json:"pattern,omitempty"`
	Items       *Schema            `json:"items,omitempty"`
	MinItems    *int               `json:"minItems,omitempty"`
	MaxItems    *int               `json:"maxItems,omitempty"`
	Properties  map[string]*Schema `json:"properties,omitempty"`
	Required    []string           `json:"required,omitempty"`
	Additional  any                `json:"additionalProperties,omitempty"` // false, or a *Schema
}

// Draft07 is the dialect of all schemas.
const Draft07 = "http://json-schema.org/draft-07/schema#"

// Docs says what types and fields mean, by "game.GameCreated" and
// "game.GameCreated.Clock".
type Docs map[string]string

// Of describes the data of one version of an event. A version is closed: data with a
// property that is not described is not of that version.
func Of(t events.Type, docs Docs) *Schema {
	s := describe(t.Go, docs)
	s.Dialect = Draft07
	s.ID = fmt.Sprintf("urn:chancery:event:%s:v%d", t.Name, t.Version)
	s.Title = fmt.Sprintf("%s, version %d", t.Name, t.Version)
	return s
}

// Name is the file that describes a version of an event.
func Name(t events.Type) string { return fmt.Sprintf("%s.v%d.json", t.Name, t.Version) }

// describe describes a type by its kind, unless it writes itself. A type that it does
// not know is a mistake in the program and panics.
func describe(t reflect.Type, docs Docs) *Schema {
	if known, ok := written[t]; ok {
		s := known()
		return &s
	}
	switch t.Kind() {
	case reflect.Bool:
		return &Schema{Type: "boolean"}
	case reflect.String:
		return &Schema{Type: "string"}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return &Schema{Type: "integer"}
	case reflect.Pointer:
		return describe(t.Elem(), docs)
	case reflect.Slice:
		return &Schema{Type: "array", Items: describe(t.Elem(), docs)}
	case reflect.Array:
		n := t.Len()
		return &Schema{Type: "array", Items: describe(t.Elem(), docs), MinItems: &n, MaxItems: &n}
	case reflect.Map:
		return &Schema{Type: "object", Additional: describe(t.Elem(), docs)}
	case reflect.Struct:
		return object(t, docs)
	}
	panic(fmt.Sprintf("schema: a %v cannot be described", t))
}

func object(t reflect.Type, docs Docs) *Schema {
	s := &Schema{Type: "object", Description: docs[t.String()], Properties: map[string]*Schema{}, Additional: false}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		field := describe(f.Type, docs)
		if text := docs[t.String()+"."+f.Name]; text != "" {
			field.Description = text
		}
		s.Properties[name] = field
		if !strings.HasPrefix(options, "omit") {
			s.Required = append(s.Required, name)
		}
	}
	return s
}

// written are the types that write themselves, or whose values are listed.
var written = map[reflect.Type]func() Schema{
	reflect.TypeFor[game.Seat](): func() Schema {
		return Schema{Type: "integer", Enum: []any{0, 1}, Description: "A seat: 0 is the creator's, 1 the other."}
	},
	reflect.TypeFor[game.Army](): func() Schema { return Schema{Type: "string", Enum: []any{"white", "black"}} },
	reflect.TypeFor[game.ColorPref](): func() Schema {
		return Schema{Type: "string", Enum: []any{game.PreferWhite, game.PreferBlack, game.PreferRandom}}
	},
	reflect.TypeFor[game.Result](): func() Schema {
		return Schema{Type: "string", Enum: []any{game.WhiteWins, game.BlackWins, game.Drawn}}
	},
	reflect.TypeFor[game.Reason](): func() Schema {
		return Schema{Type: "string", Examples: []any{game.Checkmate, game.KingCaptured, game.Resignation, game.Timeout}}
	},
	reflect.TypeFor[game.Effect](): func() Schema {
		s := Schema{Type: "string"}
		for _, e := range []game.Effect{game.NoEffect, game.WinAtOnce, game.MakeQueen, game.SkipTurn, game.ReturnPiece, game.ReturnPawn, game.GiveBack} {
			s.Enum = append(s.Enum, e)
		}
		return s
	},
	reflect.TypeFor[game.Clocks](): func() Schema {
		return Schema{
			Type: "array", Items: &Schema{Type: "integer", Minimum: new(0)}, MinItems: new(2), MaxItems: new(2),
			Description: "Milliseconds left, by number of the seat.",
		}
	},
	reflect.TypeFor[game.Value](): func() Schema {
		return Schema{AnyOf: []*Schema{{Type: "boolean"}, {Type: "integer"}, {Type: "string"}}}
	},
	reflect.TypeFor[cards.Color](): func() Schema {
		s := Schema{Type: "string"}
		for _, c := range cards.Colors {
			s.Enum = append(s.Enum, c.String())
		}
		return s
	},
	reflect.TypeFor[cards.Dealt](): func() Schema {
		return Schema{
			Type: "object", Description: "A card: what is on its face, and which of the deck it is.",
			Properties: map[string]*Schema{
				"code": {Type: "string", Pattern: `^([RBGY]([0-9SR]|\+2)|W(\+4)?)$`},
				"id":   {Type: "integer", Minimum: new(0)},
			},
			Required: []string{"code", "id"}, Additional: false,
		}
	},
}
