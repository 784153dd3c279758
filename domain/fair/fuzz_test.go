package fair

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"
)

// scripted deals an honest game by a script: the first byte chooses duet and
// delegated seats, each further one an act.
func scripted(script []byte) *dealt {
	first := byte(0)
	if len(script) > 0 {
		first, script = script[0], script[min(len(script), 1):]
	}
	var delegated []int
	for seat := range Seats {
		if first>>seat&1 == 1 {
			delegated = append(delegated, seat)
		}
	}
	g := deal(first, first&4 != 0, delegated...)
	for _, b := range script[:min(len(script), 40)] {
		seat, size := int(b>>3&1), int(b>>4)
		switch b & 7 {
		case 0:
			g.roll(seat, slices.Repeat([]int{size + 1}, size/4+1)...)
		case 1:
			g.shuffle(seat)
		case 2, 3:
			g.draw(seat, size/4+1)
		case 4:
			g.turnUp()
		case 5, 6:
			g.play(seat)
		case 7:
			g.ack(seat, len(g.parts)-1)
		}
	}
	g.reveal()
	return g
}

var scripts = [][]byte{
	{},
	{0, 0x30, 0x01, 0x22, 0x2a, 0x04, 0x05, 0x0d, 0x07, 0x32, 0x08, 0x4a, 0x0f, 0x01, 0x02},
	{1, 0x01, 0xf2, 0xfa, 0x04, 0x04, 0x04, 0x09, 0x05, 0x0d, 0x02, 0x0a},
	{4, 0x30, 0x38, 0x01, 0x04, 0x04, 0xf0, 0x07},
	{7, 0x01, 0x12, 0x1a, 0x05, 0x0d, 0xf8, 0x09},
}

// snapshot is everything in s, as text.
func snapshot(t testing.TB, s State) string {
	t.Helper()
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// FuzzDealtGamesPass deals a random honest game: it passes the verifier, and
// no step of the fold changes a state that came before, nor one branch the other.
func FuzzDealtGamesPass(f *testing.F) {
	for _, s := range scripts {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, script []byte) {
		g := scripted(script)
		if n, err := verify(g.parts); err != nil {
			t.Fatalf("part %d of an honest game: %v", n, err)
		}
		s := State{Game: vectorGame}
		for _, p := range g.parts {
			before := snapshot(t, s)
			left := s.Evolve(p)
			want := snapshot(t, left)
			for _, other := range g.parts {
				left.Evolve(other)
				s.Evolve(other)
			}
			if snapshot(t, s) != before || snapshot(t, left) != want {
				t.Fatal("a state was changed by the fold of another event")
			}
			s = left
		}
	})
}

// A value in the JSON of a part, and how to put another in its place.
type value struct {
	path string
	old  any
	set  func(any)
}

// values lists every scalar below v.
func values(path string, v any, set func(any)) (out []value) {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			out = append(out, values(path+"."+k, v[k], func(x any) { v[k] = x })...)
		}
	case []any:
		for i := range v {
			out = append(out, values(path, v[i], func(x any) { v[i] = x })...)
		}
	default:
		out = append(out, value{path, v, set})
	}
	return out
}

// free lists the values of which another may be as true: nothing is derived
// from them, and by luck a die of other sides shows the same face. The record's hash
// covers them, and the rules of the game say what they must be.
var free = []string{".anchor.delegated", ".commit.duet", ".ack.seat", ".roll.sides"}

// lies returns copies of the parts, each with one value changed, by path.
func lies(t testing.TB, parts []*Part, yield func(name string, lie []*Part)) {
	for n := range parts {
		b, err := json.Marshal(parts[n])
		if err != nil {
			t.Fatal(err)
		}
		var tree any
		if err := json.Unmarshal(b, &tree); err != nil {
			t.Fatal(err)
		}
		for i, v := range values("", tree, nil) {
			if slices.Contains(free, v.path) || v.path == ".draw.to" && parts[n].Draw.To == Public {
				continue
			}
			v.set(changed(v.old, i))
			lie := slices.Clone(parts)
			lie[n] = new(Part)
			again, _ := json.Marshal(tree)
			if err := json.Unmarshal(again, lie[n]); err != nil {
				t.Fatalf("%s: %v", v.path, err)
			}
			yield(fmt.Sprintf("part %d, %s, value %d", n, v.path, i), lie)
			v.set(v.old)
		}
	}
}

// changed is another value of the same kind; n chooses the digit of a text.
func changed(v any, n int) any {
	if n, ok := v.(float64); ok {
		return n + 1
	}
	text := []byte(v.(string))
	i := n * 7 % len(text)
	if text[i] == '0' {
		text[i] = '1'
	} else {
		text[i] = '0'
	}
	return string(text)
}

// TestEveryChangedValueIsFound changes every value of every part, one at a time.
func TestEveryChangedValueIsFound(t *testing.T) {
	count := 0
	for _, g := range []*dealt{full(), duetGame()} {
		lies(t, g.parts, func(name string, lie []*Part) {
			count++
			if _, err := verify(lie); stepOf(err) == "" {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	if count < 150 {
		t.Errorf("only %d values were changed", count)
	}
}

// FuzzEveryChangedValueIsFound does the same to one value of a random game.
func FuzzEveryChangedValueIsFound(f *testing.F) {
	for i, s := range scripts {
		f.Add(s, 31*i)
	}
	f.Fuzz(func(t *testing.T, script []byte, pick int) {
		var names []string
		var all [][]*Part
		lies(t, scripted(script).parts, func(name string, lie []*Part) {
			names, all = append(names, name), append(all, lie)
		})
		i := int(uint(pick) % uint(len(all)))
		if _, err := verify(all[i]); stepOf(err) == "" {
			t.Errorf("%s: %v", names[i], err)
		}
	})
}

// FuzzHostileParts feeds arbitrary JSON, a part a line, to the verifier and to
// the fold: neither may panic, and an accepted part survives its own JSON.
func FuzzHostileParts(f *testing.F) {
	for _, s := range scripts {
		var lines []byte
		for _, p := range scripted(s).parts {
			b, _ := json.Marshal(p)
			lines = append(append(lines, b...), '\n')
		}
		f.Add(lines)
	}
	f.Fuzz(func(t *testing.T, lines []byte) {
		checked, folded := State{Game: vectorGame}, State{Game: vectorGame}
		for line := range bytes.Lines(lines) {
			var p Part
			if json.Unmarshal(line, &p) != nil {
				return
			}
			folded = folded.Evolve(&p)
			if p.Commit != nil && p.Commit.Len > 4096 || checked.Check(&p, nil) != nil {
				continue
			}
			checked = checked.Evolve(&p)
			text, _ := json.Marshal(&p)
			var again Part
			if err := json.Unmarshal(text, &again); err != nil {
				t.Fatalf("an accepted part does not come back: %v\n%s", err, text)
			}
			if twice, _ := json.Marshal(&again); !bytes.Equal(text, twice) {
				t.Fatalf("an accepted part came back as another:\n%s\n%s", text, twice)
			}
		}
	})
}
