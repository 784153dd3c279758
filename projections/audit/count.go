package audit

import (
	"bytes"
	"slices"

	"chancery/domain/cards"
	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/domain/player"
	"chancery/domain/rating"
	"chancery/events"
	"chancery/events/verify"
)

// shuffleGroups are the shuffles that are watched apart: what builds or feeds one may be
// broken alone.
var shuffleGroups = []string{"unochess", "chessuno", putBack}

// putBack is the group of the cards that are shuffled again in the middle of a game.
const putBack = "cards put back"

// abortReasons are why games end without a result after cards were dealt.
var abortReasons = []string{string(game.ByCancel), string(game.Abandoned), string(game.ByServer), string(game.KeyCompromise)}

// playersReasons are those of them that two players can bring about when they have seen
// their hands: what they choose is no fault of the site, and raises no alarm of it.
var playersReasons = []string{string(game.ByCancel), string(game.Abandoned)}

// isLive says whether a first record opens a game in which cards are drawn by lot.
func isLive(first []byte) bool { return bytes.Contains(first, []byte(`"pile":"live"`)) }

// A told is what the records of a finished game say that matters here.
type told struct {
	created game.GameCreated
	seats   [2]game.Sitter
	joined  bool
	white   game.Seat
	array   *int
	result  game.Result
	winner  game.Seat
	aborted game.Reason
	voided  bool
	tens    [2][]int // each seat's own dice
}

// tell reads a game's records.
func tell(records []events.Record) (t told) {
	mover := game.Spectator
	for _, r := range records {
		for _, e := range r.Events {
			switch f := e.Fact.(type) {
			case game.GameCreated:
				t.created = f
				copy(t.seats[:], f.Seats)
			case game.PlayerJoined:
				t.joined = true
				t.seats[f.Seat.Wire()].Player, t.seats[f.Seat.Wire()].Bot = f.Player, f.Bot
			case game.GameStarted:
				t.white = f.White
			case game.ArrayDrawn:
				if e.Fair != nil && e.Fair.Roll != nil {
					t.array = &f.Index
				}
			case game.MovePlayed:
				mover = t.seatOf(f.Army)
			case game.DiceRolled:
				t.roll(mover, f)
			case game.GameEnded:
				t.result, t.winner = f.Result, f.Winner
			case game.GameAborted:
				t.aborted = f.Reason
			case game.GameVoided:
				t.voided = true
			default: // says nothing of these
			}
		}
	}
	return t
}

func (t *told) seatOf(army game.Army) game.Seat {
	if army == game.WhiteArmy {
		return t.white
	}
	return t.white.Other()
}

// roll gives the dice of effects to the seats: the mover's is the first.
func (t *told) roll(mover game.Seat, f game.DiceRolled) {
	if len(f.Faces) != 2 || f.Effect == "" || mover == game.Spectator {
		return
	}
	m, o := mover.Wire(), mover.Other().Wire()
	t.tens[m], t.tens[o] = append(t.tens[m], f.Faces[0]), append(t.tens[o], f.Faces[1])
}

func (t *told) players() [2]string { return [2]string{t.seats[0].Player, t.seats[1].Player} }

// count takes in what the seed of a game derives.
func (a *Auditor) count(reading verify.Reading) {
	t := tell(reading.Records)
	dealer := fair.NewDealer(reading.Chance.Game, *reading.Seed)
	defer dealer.Wipe()
	for s, pile := range reading.Chance.Piles {
		order := ranks(dealer.Order(reading.Chance, s), pile.In)
		group := putBack
		if s == 0 {
			group = t.created.Variant
		}
		a.shuffled(group, order)
	}
	a.dealt(t, reading.Chance, dealer)
	a.byAccount(t)
}

// ranks are the places that the cards of an order have among the cards by id.
func ranks(order, in []int) []int {
	for i, card := range order {
		order[i], _ = slices.BinarySearch(in, card)
	}
	return order
}

func (a *Auditor) shuffled(group string, order []int) {
	if w := a.shuffles[group]; w != nil {
		w.Add(order)
		a.week.orders(group).Add(order)
	}
}

// dealt looks at the first hands.
func (a *Auditor) dealt(t told, chance fair.State, dealer *fair.Dealer) {
	variant, err := game.Lookup(t.created.Variant)
	if err != nil || variant.HandSize != handSize || len(chance.Piles) == 0 {
		return
	}
	order := dealer.Order(chance, 0)
	for seat, positions := range chance.Drawn {
		if len(positions) < handSize || positions[handSize-1].S != 0 {
			continue
		}
		hand := make([]int, handSize)
		for i, p := range positions[:handSize] {
			hand[i] = order[min(p.I, len(order)-1)]
		}
		a.dealtHand(t, seat, dealOf(deckOf(variant, t), hand))
	}
}

func deckOf(v game.Variant, t told) cards.Deck { return v.Deck(t.created.Options) }

func (a *Auditor) dealtHand(t told, seat int, d Deal) {
	army := 0
	if game.SeatFromWire(seat) != t.white {
		army = 1
	}
	a.hands[army].Add(d)
	if l := a.aborts[string(t.aborted)]; l != nil {
		l.Add(d)
	}
	a.accounts.hand(t.players()[seat], t.players(), d, t.aborted != "")
}

// byAccount counts what the game says of its players.
func (a *Auditor) byAccount(t told) {
	if t.aborted != "" {
		a.aborted[string(t.aborted)]++
	}
	if !t.joined {
		return
	}
	players := t.players()
	a.accounts.game(players, t.aborted != "")
	for seat, dice := range t.tens {
		for _, face := range dice {
			a.accounts.ten(players[seat], face)
		}
	}
	if t.array != nil && players[0] != "" {
		if before, played := a.accounts.Arrays[players[0]]; played {
			a.dice.Array(before == *t.array)
		}
		a.accounts.Arrays[players[0]] = *t.array
	}
	if t.rates() {
		a.foresight.add(rating.Game{Variant: t.created.Variant, Players: players, Score: t.score()}, t.created.Options)
	}
}

// rates says whether the game counts for ratings.
func (t *told) rates() bool {
	players := t.players()
	return t.created.Rated && t.result != "" && !t.voided && player.IsAccount(players[0]) && player.IsAccount(players[1]) && players[0] != players[1]
}

// score is what the game brought the first seat.
func (t *told) score() rating.Score {
	switch t.winner {
	case game.First:
		return rating.Win
	case game.Second:
		return rating.Loss
	default:
		return rating.Draw
	}
}
