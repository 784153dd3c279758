package events

import (
	"reflect"
	"slices"
	"strings"

	"chancery/domain/fair"
	"chancery/domain/game"
)

// Answers says whether r can be the answer to c: the same seat asked for the same
// thing. It tells a command that is sent again from another one that comes with the
// same idempotency key. When it was sent and what was acknowledged makes no difference.
func Answers(r Record, c game.Command) bool {
	done, err := CommandOf(r)
	if err != nil || done.By != c.By {
		return false
	}
	if c.Link != nil && (done.Link == nil || *done.Link != *c.Link) {
		return false
	}
	if a, creates := c.Action.(game.Create); creates {
		return createdBy(r, c, a)
	}
	return means(c.Action, done.Action)
}

// createdBy decides the create again, for what it left out has been filled in.
func createdBy(r Record, c game.Command, a game.Create) bool {
	list, err := game.Decide(game.New(r.Game), c, fair.NewDealer(r.Game, fair.Seed{}))
	return err == nil && reflect.DeepEqual(list[0].Fact, r.Events[0].Fact) &&
		reflect.DeepEqual(a.Anchor, sentAnchor(r.Events[0].Fair))
}

// means says whether an action is the one read back from a record, where things may be
// written in full that the player left out.
func means(asked, done game.Action) bool {
	switch a := asked.(type) {
	case game.Move:
		d, same := done.(game.Move)
		return same && sameMove(a.UCI, d.UCI)
	case game.Drop:
		d, same := done.(game.Drop)
		return same && strings.EqualFold(dropped(a.UCI), dropped(d.UCI))
	case game.PlayCard:
		d, same := done.(game.PlayCard)
		return same && a.Card == d.Card && strings.EqualFold(a.Color, d.Color)
	case game.Discard:
		d, same := done.(game.Discard)
		return same && slices.Equal(a.Cards, d.Cards)
	case game.OfferDraw: // to offer what is offered is to accept it
		_, accepted := done.(game.AcceptDraw)
		return accepted || asked == done
	default:
		return reflect.DeepEqual(asked, done)
	}
}

// sameMove compares moves of which one may name a promotion where the other does not: a
// pawn becomes a queen by itself, and nothing where it takes a king.
func sameMove(a, b string) bool {
	const squares = len("e7e8")
	a, b = strings.ToLower(a), strings.ToLower(b)
	return a == b || min(len(a), len(b)) == squares && len(a)+len(b) == 2*squares+1 && a[:squares] == b[:squares]
}

// dropped writes a drop in full: a pawn may go without its letter.
func dropped(uci string) string {
	if strings.HasPrefix(uci, "@") {
		return "P" + uci
	}
	return uci
}
