package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"chancery/domain/chess"
	"chancery/domain/fair"
	"chancery/domain/game"
)

// A referee goes through a game event by event, knows all that is hidden, and says what
// cannot be. It looks at what no rule says in so many words: nothing gets lost.
type referee struct {
	dealer *fair.Dealer
	pools  bool                // captured men stay in the game
	before map[game.Ref]string // the position before each move
}

func newReferee(dealer *fair.Dealer) *referee {
	return &referee{dealer: dealer, before: map[game.Ref]string{}}
}

// event looks at the men: what an event takes from the board it must say.
func (r *referee) event(s, next game.State, f game.Fact) error {
	change := 0
	switch f := f.(type) {
	case game.GameStarted:
		r.pools = game.ViewFor(next, game.Spectator, nil).Pools != nil
		return nil
	case game.MovePlayed:
		r.before[game.Ref{I: next.I, N: next.N}] = s.FEN
		if f.Captured != "" && !r.pools {
			change = -1
		}
	case game.PieceDropped:
		if f.From == "dice" {
			change = 1
		}
	case game.MoveUndone:
		if want := r.before[f.Ref]; f.FEN != want {
			return fmt.Errorf("event %d.%d takes a move back to %s, which was made in %s", next.N, next.I, f.FEN, want)
		}
		return nil
	default: // takes no man from the board, and puts none on it
	}
	if have, want := menIn(next), menIn(s)+change; s.Playing() && have != want {
		return fmt.Errorf("event %d.%d leaves %d men where %d should be: %s, before it %s", next.N, next.I, have, want, next.FEN, s.FEN)
	}
	if letter, grew := moreIn(reserveOf(next.FEN), reserveOf(s.FEN)); s.Playing() && grew {
		return fmt.Errorf("event %d.%d brings %c back into the reserve: %s, before it %s", next.N, next.I, letter, next.FEN, s.FEN)
	}
	return nil
}

// menIn counts the men on the board, in reserve and among the captured.
func menIn(s game.State) (n int) {
	board, _, _ := strings.Cut(s.FEN, " ")
	for _, letter := range board {
		if letter >= 'A' && letter != '[' && letter != ']' {
			n++
		}
	}
	return n + len(s.Pools[0]) + len(s.Pools[1])
}

func reserveOf(fen string) string {
	_, rest, _ := strings.Cut(fen, "[")
	reserve, _, _ := strings.Cut(rest, "]")
	return reserve
}

// moreIn finds a letter of which one text has more than the other.
func moreIn(a, b string) (letter rune, found bool) {
	for _, letter := range a {
		if strings.Count(a, string(letter)) > strings.Count(b, string(letter)) {
			return letter, true
		}
	}
	return 0, false
}

// record looks at the table behind a record: every card of the deck is in one place, and
// turns begin with full hands. A game that is over must have a reason to be.
func (r *referee) record(s game.State) error {
	variant, err := game.Lookup(s.Variant)
	if err != nil {
		return err
	}
	if s.Playing() && variant.Deck != nil {
		if err := r.cards(s, variant); err != nil {
			return fmt.Errorf("record %d: %w", s.N, err)
		}
	}
	if s.Over() && !isConsistent(s) {
		return fmt.Errorf("record %d ends the game %s by %s for %s, which does not fit %s", s.N, s.Result, s.Reason, s.Winner, s.FEN)
	}
	return nil
}

func (r *referee) cards(s game.State, variant game.Variant) error {
	var all []int
	for seat := range fair.Seats {
		hand := r.hand(s.Fair, seat)
		if s.Phase == game.PhaseCard && len(hand) != variant.HandSize {
			return fmt.Errorf("seat %d begins a turn with %d cards", seat+1, len(hand))
		}
		all = append(all, hand...)
	}
	for _, pile := range s.Cards.Discards {
		for _, c := range pile {
			all = append(all, int(c.ID))
		}
	}
	if variant.HandSize == 0 && s.Cards.InPlay != (game.Table{}).InPlay {
		all = append(all, int(s.Cards.InPlay.ID)) // elsewhere the card in play lies on the pile already
	}
	for _, id := range s.Cards.Draw.IDs() {
		all = append(all, int(id))
	}
	if last := len(s.Fair.Piles) - 1; last >= 0 {
		all = append(all, r.dealer.Order(s.Fair, last)[s.Fair.Piles[last].Cursor:]...)
	}
	slices.Sort(all)
	deck := len(variant.Deck(s.Options))
	if distinct := len(slices.Compact(slices.Clone(all))); len(all) != deck || distinct != deck {
		return fmt.Errorf("there are %d cards, %d different ones, of a deck of %d", len(all), distinct, deck)
	}
	return nil
}

// hand is the cards that a seat has drawn and not played.
func (r *referee) hand(f fair.State, seat int) (hand []int) {
	for _, at := range f.Drawn[seat] {
		hand = append(hand, r.dealer.Order(f, at.S)[at.I])
	}
	for _, id := range f.Played[seat] {
		if i := slices.Index(hand, id); i >= 0 {
			hand = slices.Delete(hand, i, i+1)
		}
	}
	return hand
}

// isConsistent says whether winner, result and reason of a finished game fit each other
// and what can be seen.
func isConsistent(s game.State) bool {
	want := game.Drawn
	switch {
	case s.Winner != game.Spectator && s.Army(s.Winner) == game.WhiteArmy:
		want = game.WhiteWins
	case s.Winner != game.Spectator:
		want = game.BlackWins
	}
	p, err := s.Position()
	fits, known := reasons[s.Reason]
	return err == nil && s.Result == want && known && fits(s, &p)
}

// reasons say, for the ways in which programs end games, what the end looks like.
var reasons = map[game.Reason]func(game.State, *chess.Position) bool{
	game.Checkmate: func(s game.State, p *chess.Position) bool { return loserMoves(s) && p.InCheck() && !p.HasMove() },
	game.Stalemate: func(s game.State, p *chess.Position) bool { return isDraw(s) && !p.HasMove() },
	game.Repetition: func(s game.State, _ *chess.Position) bool {
		return isDraw(s) && s.Occurrences() >= 3
	},
	game.FiftyMoves:   func(s game.State, p *chess.Position) bool { return isDraw(s) && p.HalfMoves() >= 100 },
	game.DeadPosition: func(s game.State, p *chess.Position) bool { return isDraw(s) && p.InsufficientMaterial() },
	game.IdleTurns:    func(s game.State, _ *chess.Position) bool { return isDraw(s) && s.Idle > 0 },
	game.KingExposed:  func(s game.State, _ *chess.Position) bool { return !isDraw(s) && !loserMoves(s) },
	game.KingCaptured: func(s game.State, p *chess.Position) bool {
		return loserMoves(s) && p.King(p.Turn()) == chess.NoSquare && p.King(p.Turn().Other()) != chess.NoSquare
	},
	game.UncalledUno:  func(s game.State, _ *chess.Position) bool { return !isDraw(s) },
	game.SkippedCheck: func(s game.State, p *chess.Position) bool { return loserMoves(s) && p.InCheck() },
	game.NineZero: func(s game.State, _ *chess.Position) bool {
		return loserMoves(s) && slices.Equal(s.Dice.Faces, []int{9, 0})
	},
	game.TwelveOne: func(s game.State, p *chess.Position) bool {
		return !isDraw(s) && !loserMoves(s) && !p.HasMove() && slices.Equal(s.Dice.Faces, []int{1, 12})
	},
	game.NoEight: func(s game.State, _ *chess.Position) bool {
		return s.Winner == s.White && !slices.Contains(s.Dice.Faces, 8)
	},
	game.Exhausted: func(s game.State, _ *chess.Position) bool { return isDraw(s) },
	game.Agreement: func(s game.State, _ *chess.Position) bool { return isDraw(s) },
}

func isDraw(s game.State) bool { return s.Winner == game.Spectator }

// loserMoves says that the game was lost by the side to move.
func loserMoves(s game.State) bool {
	return !isDraw(s) && s.Winner == s.Commander(s.Turn()).Other()
}

// A look is what both seats and everybody else see of a game, as one number.
type look [sha256.Size]byte

func lookAt(s game.State, dealer *fair.Dealer) (look, error) {
	sum := sha256.New()
	for _, seat := range []game.Seat{game.Spectator, game.First, game.Second} {
		b, err := json.Marshal(game.ViewFor(s, seat, dealer))
		if err != nil {
			return look{}, fmt.Errorf("looking at game %s: %w", s.ID, err)
		}
		sum.Write(b)
	}
	return look(sum.Sum(nil)), nil
}
