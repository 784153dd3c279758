package scenario

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"chancery/domain/game"
)

// A check compares one thing on the table with what a scenario wants.
type check func(t *table, want json.RawMessage) error

// checks are all the keys of an expect. Any other key is refused by name, so that a
// scenario is never passed by looking away.
var checks = map[string]check{
	"fen":         textCheck((*table).fen, sameFEN),
	"turn":        textCheck(func(t *table) string { return t.state.Turn().String() }, sameText),
	"phase":       textCheck(func(t *table) string { return string(t.state.Phase) }, sameText),
	"result":      textCheck(func(t *table) string { return string(t.state.Result) }, sameText),
	"reason":      textCheck(func(t *table) string { return string(t.state.Reason) }, sameText),
	"seat":        seatCheck(func(t *table) game.Seat { return t.state.ToAct() }),
	"winner":      seatCheck(func(t *table) game.Seat { return t.state.Winner }),
	"check":       boolCheck(func(t *table) bool { return t.view().Check }),
	"attacked":    listCheck(func(t *table) []string { return t.view().Attacked }, sameSet),
	"legal":       listCheck((*table).legal, sameSet),
	"includes":    listCheck((*table).legal, includes),
	"excludes":    listCheck((*table).legal, excludes),
	"events":      listCheck(func(t *table) []string { return t.events }, subsequence),
	"legal_count": countCheck(func(t *table) int { return len(t.legal()) }),
	"idle":        countCheck(func(t *table) int { return t.state.Idle }),
	"pool":        poolCheck,

	"cards": ofCards(listCheck(func(t *table) []string { return t.view().Cards }, sameKinds)),
	"color": ofCards(textCheck(func(t *table) string { return t.state.Cards.Color.String() }, sameText)),
	"hand":  ofCards(handCheck),
	"held":  ofCards(heldCheck),
	"piles": ofCards(pilesCheck),
	"top":   ofCards(textCheck(func(t *table) string { return t.top().Code() }, sameText)),

	"card":     textCheck((*table).cardInPlay, sameText),
	"control":  controlCheck,
	"discards": discardsCheck,
	"left":     countCheck((*table).movesLeft),
	"effect":   textCheck(func(t *table) string { return string(t.state.Effect) }, sameText),
}

// view is what the seat that must act sees.
func (t *table) view() game.View { return game.ViewFor(t.state, t.state.ToAct(), t.chance) }

func (t *table) legal() []string { return t.view().Legal }

func (t *table) fen() string { return t.state.FEN }

func textCheck(have func(*table) string, compare func(have, want string) error) check {
	return func(t *table, raw json.RawMessage) error {
		var want string
		if err := readStrictly(raw, &want); err != nil {
			return err
		}
		return compare(have(t), want)
	}
}

func boolCheck(have func(*table) bool) check {
	return func(t *table, raw json.RawMessage) error {
		var want bool
		if err := readStrictly(raw, &want); err != nil {
			return err
		}
		return same(have(t), want)
	}
}

func countCheck(have func(*table) int) check {
	return func(t *table, raw json.RawMessage) error {
		var want int
		if err := readStrictly(raw, &want); err != nil {
			return err
		}
		return same(have(t), want)
	}
}

func listCheck(have func(*table) []string, compare func(have, want []string) error) check {
	return func(t *table, raw json.RawMessage) error {
		var want []string
		if err := readStrictly(raw, &want); err != nil {
			return err
		}
		return compare(have(t), want)
	}
}

func seatCheck(have func(*table) game.Seat) check {
	return func(t *table, raw json.RawMessage) error {
		var name string
		if err := readStrictly(raw, &name); err != nil {
			return err
		}
		want, err := game.Spectator, error(nil)
		if name != "none" {
			want, err = t.seat(name)
		}
		if err != nil {
			return err
		}
		return same(t.seatName(have(t)), t.seatName(want))
	}
}

// poolCheck compares the captured men of the armies that are named, in any order.
func poolCheck(t *table, raw json.RawMessage) error {
	var want map[game.Army]string
	if err := readStrictly(raw, &want); err != nil {
		return err
	}
	for army, men := range want {
		if err := same(sortedText(t.state.Pools[army]), sortedText(men)); err != nil {
			return fmt.Errorf("of %s: %w", army, err)
		}
	}
	return nil
}

func sortedText(s string) string {
	letters := []byte(s)
	slices.Sort(letters)
	return string(letters)
}

// seatName is how a scenario calls a seat.
func (t *table) seatName(s game.Seat) string {
	switch s {
	case game.Spectator:
		return "none"
	case t.white:
		return "white"
	default:
		return "black"
	}
}

func same[T comparable](have, want T) error {
	if have != want {
		return fmt.Errorf("is %v, not %v", have, want)
	}
	return nil
}

func sameText(have, want string) error { return same(have, want) }

// sameFEN compares the fields that are wanted; reserve letters in any order.
func sameFEN(have, want string) error {
	h, w := strings.Fields(have), strings.Fields(want)
	if len(w) == 0 || len(w) > len(h) {
		return same(have, want)
	}
	for i := range w {
		if sortedReserve(h[i]) != sortedReserve(w[i]) {
			return same(have, want)
		}
	}
	return nil
}

// sortedReserve sorts what stands in brackets behind the board.
func sortedReserve(field string) string {
	i := strings.IndexByte(field, '[')
	if i < 0 || !strings.HasSuffix(field, "]") {
		return field
	}
	return field[:i+1] + sortedText(field[i+1:len(field)-1]) + "]"
}

func sameSet(have, want []string) error {
	h, w := slices.Sorted(slices.Values(have)), slices.Sorted(slices.Values(want))
	if !slices.Equal(h, w) {
		return fmt.Errorf("are %v, not %v", h, w)
	}
	return nil
}

func includes(have, want []string) error {
	for _, w := range want {
		if !slices.Contains(have, w) {
			return fmt.Errorf("%s is not among %v", w, have)
		}
	}
	return nil
}

func excludes(have, unwanted []string) error {
	for _, u := range unwanted {
		if slices.Contains(have, u) {
			return fmt.Errorf("%s is among them", u)
		}
	}
	return nil
}

// subsequence says whether have contains want in order, with gaps allowed.
func subsequence(have, want []string) error {
	left := want
	for _, h := range have {
		if len(left) > 0 && h == left[0] {
			left = left[1:]
		}
	}
	if len(left) > 0 {
		return fmt.Errorf("are %v, in which %v is not found in order", have, want)
	}
	return nil
}
