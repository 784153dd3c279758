package parquet

import (
	"reflect"
	"strings"

	"chancery/projections/tables"

	"github.com/parquet-go/parquet-go"
)

// A Column is what the data dictionary says of a column.
type Column struct {
	Table string `json:"table"`
	Name  string `json:"column"`
	Type  string `json:"type"` // as DuckDB calls it
	Null  bool   `json:"nullable"`
	Doc   string `json:"meaning"`
}

// Dictionary explains every column of every table, in order. Times are UTC.
func Dictionary() []Column {
	all := columns[tables.Event]("events")
	all = append(all, columns[tables.Game]("games")...)
	all = append(all, columns[tables.Turn]("turns")...)
	for _, table := range []string{"events", "games", "turns"} {
		all = append(all,
			Column{table, "variant", "VARCHAR", false, "Key of the variant; a part of the path, as is month"},
			Column{table, "month", "VARCHAR", false, "Month in which the game was opened, in UTC: 2026-11"})
	}
	return all
}

func columns[T any](table string) []Column {
	meanings := map[string]string{}
	row := reflect.TypeFor[T]()
	for i := range row.NumField() {
		f := row.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("parquet"), ",")
		meanings[name] = f.Tag.Get("doc")
	}
	var list []Column
	for _, f := range parquet.SchemaOf(new(T)).Fields() {
		list = append(list, Column{table, f.Name(), typeOf(f), f.Optional(), meanings[f.Name()]})
	}
	return list
}

func typeOf(f parquet.Node) string {
	if !f.Leaf() { // a list; its elements are two levels below
		return typeOf(f.Fields()[0].Fields()[0]) + "[]"
	}
	switch t := f.Type(); {
	case t.LogicalType() != nil && strings.HasPrefix(t.LogicalType().String(), "TIMESTAMP"):
		return "TIMESTAMP WITH TIME ZONE"
	case t.Kind() == parquet.Boolean:
		return "BOOLEAN"
	case t.Kind() == parquet.Int32:
		return "INTEGER"
	case t.Kind() == parquet.Int64:
		return "BIGINT"
	}
	return "VARCHAR"
}
