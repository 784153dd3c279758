package httpapi

import (
	"path"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"chancery/domain/fair"
	"chancery/domain/game"
)

// schemaName names a type in the description: those of other packages with their
// package, for two of them may have one name.
func schemaName(t reflect.Type, hint string) string {
	name := huma.DefaultSchemaNamer(t, hint)
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	pkg := path.Base(t.PkgPath())
	if t.Name() == "" || pkg == "httpapi" {
		return name
	}
	return strings.ToUpper(pkg[:1]) + pkg[1:] + name
}

// describeTypes tells the description of the API how types of the domain look on the
// wire, where their Go types do not show it.
func describeTypes(r huma.Registry) {
	alias := func(t reflect.Type, looks any) { r.RegisterTypeAlias(t, reflect.TypeOf(looks)) }
	alias(reflect.TypeFor[game.Value](), valueSchema{})
	alias(reflect.TypeFor[game.Seat](), seatSchema{})
	alias(reflect.TypeFor[game.Army](), armySchema{})
	alias(reflect.TypeFor[fair.Hash](), hashSchema{})
	alias(reflect.TypeFor[fair.Salt](), hashSchema{})
}

type valueSchema struct{}

// Schema describes the value of an option.
func (valueSchema) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Description: "true, false, a whole number or a text",
		OneOf:       []*huma.Schema{{Type: huma.TypeBoolean}, {Type: huma.TypeInteger}, {Type: huma.TypeString}},
	}
}

type seatSchema struct{}

// Schema describes a seat.
func (seatSchema) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeInteger, Enum: []any{0, 1}, Description: "0 is the creator's seat, 1 the other"}
}

type armySchema struct{}

// Schema describes an army.
func (armySchema) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Enum: []any{"white", "black"}}
}

type hashSchema struct{}

// Schema describes bytes.
func (hashSchema) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Pattern: "^[0-9a-f]+$", Description: "lowercase hexadecimal"}
}
