package audit

import (
	"bytes"
	"errors"
	"strconv"

	"chancery/domain/fair"
)

// A frame is what a record says of its place: cheaper to read than the whole record,
// which is read and judged when its game is over.
type frame struct {
	game string
	n    int
	prev fair.Hash
}

var errFrame = errors.New("it does not end as records do")

// frameOf reads the end of a record, `,"game":"…","n":…,"prev":"…","v":1}`.
func frameOf(payload []byte) (f frame, err error) {
	i := bytes.LastIndex(payload, []byte(`,"game":"`))
	if i < 0 {
		return f, errFrame
	}
	name, rest, _ := bytes.Cut(payload[i+len(`,"game":"`):], []byte(`","n":`))
	number, rest, _ := bytes.Cut(rest, []byte(`,"prev":"`))
	prev, rest, _ := bytes.Cut(rest, []byte(`","v":`))
	if string(rest) != "1}" {
		return f, errFrame
	}
	f.game = string(name)
	if f.n, err = strconv.Atoi(string(number)); err != nil {
		return f, errFrame
	}
	if err = f.prev.UnmarshalText(prev); err != nil {
		return f, errFrame
	}
	return f, nil
}

// rollsOf finds the rolls of a record, in order. In canonical bytes a bare quotation
// mark begins or ends a text, so that the words stand for nothing else.
func rollsOf(payload []byte) (rolls []Roll) {
	const before, between = `"roll":{"k":`, `,"sides":`
	for {
		_, rest, found := bytes.Cut(payload, []byte(before))
		if !found {
			return rolls
		}
		payload = rest
		_, rest, _ = bytes.Cut(rest, []byte(`"out":`))
		out, rest := numbers(rest)
		rest, fits := bytes.CutPrefix(rest, []byte(between))
		sides, _ := numbers(rest)
		if fits && len(out) == len(sides) && len(out) > 0 {
			rolls = append(rolls, Roll{Sides: sides, Out: out})
		}
	}
}

// numbers reads a list of them in brackets.
func numbers(text []byte) (list []int, rest []byte) {
	inside, rest, found := bytes.Cut(text, []byte("]"))
	inside, opened := bytes.CutPrefix(inside, []byte("["))
	if !found || !opened {
		return nil, text
	}
	for word := range bytes.SplitSeq(inside, []byte(",")) {
		n, err := strconv.Atoi(string(word))
		if err != nil {
			return nil, rest
		}
		list = append(list, n)
	}
	return list, rest
}
