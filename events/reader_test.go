package events

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"chancery/domain/fair"
)

// roundTrip is what a reader must agree with: encoding/json reads the data, and writes
// the very same bytes again.
func roundTrip(t reflect.Type, data []byte) (any, bool) {
	v := reflect.New(t)
	if json.Unmarshal(data, v.Interface()) != nil {
		return nil, false
	}
	again, err := new(writer).marshal(v.Interface())
	return v.Elem().Interface(), err == nil && bytes.Equal(again, data) && CheckCanonical(data) == nil
}

func readWith(t reflect.Type, data []byte) (any, bool) {
	s, v := &scanner{b: data}, reflect.New(t).Elem()
	readerOf(t)(s, v)
	s.end()
	return v.Interface(), s.err == nil
}

// everyType is that of every fact, and of the part of chance.
func everyType() []reflect.Type {
	types := []reflect.Type{reflect.TypeFor[fair.Part]()}
	for t := range ledgerTypes.byGo {
		types = append(types, t)
	}
	return types
}

// FuzzReader holds every reader against a round trip through encoding/json: both accept
// the same bytes and give the same value.
func FuzzReader(f *testing.F) {
	files, _ := filepath.Glob("testdata/golden/*.json")
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		var event struct{ Data, Fair json.RawMessage }
		if json.Unmarshal(b, &event) == nil {
			f.Add([]byte(event.Data))
		}
	}
	for _, s := range []string{
		`{}`, `{"seat":0}`, `{"seat":2}`, `{"Seat":0}`, `{"seat":0,"x":1}`, `{"x":1,"seat":0}`, `{"seat":null}`, `{"seat":0,"seat":0}`,
		`{"reason":"","seat":0}`, `{"count":1,"seat":0}`, `{"count":01}`, `{"count":9223372036854775807}`, `{"card":{"code":"R5","id":1},"count":1}`,
		`{"array":"\"\\","fen":"","index":0}`, `{"idle":0,"mate":false,"turn":"white"}`, `{"idle":0,"turn":"White"}`,
		`{"hands":[[],[]],"piles":[[0,1],[]]}`, `{"hands":[[]],"piles":[]}`, `{"clock_ms":[1,2],"reason":"x"}`, `{"clock_ms":[1,2,3],"reason":"x"}`,
		`{"link":{"seat":0,"y":"00000000000000000000000000000000000000000000000000000000000000ff"}}`, `{"draw":{"i":[0],"s":0,"to":-1}}`,
		`{"roll":{"k":1,"out":[0,1],"sides":[10,10],"x":"00000000000000000000000000000000000000000000000000000000000000FF"}}`, `{"open":[]}`,
		`{"commit":{"alg":"fair/1","c":"0000000000000000000000000000000000000000000000000000000000000000","duet":false,"len":1,"seats":2,"x":"0000000000000000000000000000000000000000000000000000000000000000"}}`,
		`{"color":"white","options":{"a":1,"b":true,"c":"x"},"rated":false,"rules":{"version":1},"seats":[{},{"bot":"x"}],"variant":"chess"}`,
		`{"color":"white","options":{"b":1,"a":true},"rated":false,"rules":{"version":1},"seats":[],"variant":"chess"}`,
	} {
		f.Add([]byte(s))
	}
	types := everyType()
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, typ := range types {
			want, accept := roundTrip(typ, data)
			got, accepted := readWith(typ, data)
			if accept != accepted {
				t.Errorf("%v %s: accepted %v, round trip %v", typ, data, accepted, accept)
			}
			if accept && !reflect.DeepEqual(got, want) {
				t.Errorf("%v %s is\n%#v, by round trip\n%#v", typ, data, got, want)
			}
		}
	})
}

func TestReaderOfRefusesMistakes(t *testing.T) {
	for why, v := range map[string]any{
		"no name": struct{ A int }{}, "out of order": struct {
			B int `json:"b"`
			A int `json:"a"`
		}{},
		"unknown option": struct {
			A int `json:"a,string"`
		}{},
		"a fraction": 1.5, "bytes": []byte{}, "numbered keys": map[int]int{},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: accepted", why)
				}
			}()
			readerOf(reflect.TypeOf(v))
		}()
	}
}
