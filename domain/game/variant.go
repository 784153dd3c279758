package game

import (
	"strings"

	"chancery/domain/cards"
	"chancery/domain/chess"
)

// A Variant is a way to play: data first, then its rules as short ordered lists.
// It has no state of its own.
type Variant struct {
	Key     string // stable short name, stored in events
	Name    string
	Summary string               // one sentence
	Rules   int                  // version of its rules; a change of rules is a new version
	Start   func(Options) string // FEN, unless a step draws it
	Law     func(Options) chess.Law
	Options []Option
	Steps   []Step // what happens by itself; the first that is due goes first
	Ends    []End  // asked in order after every move; the first that says yes ends the game
	Claims  []End  // draws that the player to move may ask for

	// The hooks below are nil where a variant has no opinion.

	// Conflict says in a sentence which options exclude each other, or nothing.
	Conflict func(Options) string
	// Deck is the cards of the game; a card's ID is its index.
	Deck func(Options) cards.Deck
	// HandSize is the number of cards a seat holds between turns.
	HandSize int
	// Moves replaces the moves open to the seat that must act.
	Moves func(State, *chess.Position) []chess.Move
	// Closed says why a move that the board allows may not be among Moves.
	Closed string
	// Choices lists, in writing, what is open to the seat that must act where the
	// game waits for something else than a move.
	Choices func(State, *chess.Position) []string
	// Act answers the turn actions that are no moves; it refuses what it does not know.
	Act func(*decision, Action) error
	// Moved is what follows a move on the board, instead of asking Ends.
	Moved func(d *decision, p *chess.Position, m MovePlayed)
	// CountsTurns makes positions recur by turns: what counts for repetition is the
	// position when a turn has ended, captured men included, not that after each move.
	CountsTurns bool
	// Fold adds to what an event does to every State, for state of the variant's own.
	// The State is the fold's own copy; what it refers to is never written to.
	Fold func(*State, *Event)
	// Look adds to a view what the seat may know of cards and dice.
	Look func(v *View, s State, seat Seat, secrets Secrets)
	// Hidden emits, before the seed is opened, what was hidden during the game.
	Hidden func(*decision)
	// CannotWin makes a fallen flag a draw: the army could not win by any sequence of
	// moves. Nil where that is never so.
	CannotWin func(*chess.Position, Army) bool
}

// A Step is something that happens by itself once it is due, chance's moves above
// all. What is due follows from the State alone, so a step can wait for links, and
// a restart goes on where it was.
type Step struct {
	Name   string
	Chance func(State) bool // whether it is random, and mixes in the seats' newest links; nil: never
	Due    func(State) bool
	Do     func(*decision)
}

// An End is one way in which a move ends the game by itself.
type End struct {
	Reason Reason
	Ends   func(State, *chess.Position) bool
	Wins   bool // the seat that moved wins; otherwise the game is drawn
}

// Variants lists every variant, in the order in which a lobby shows them. The list
// is shared; nobody writes to it.
func Variants() []Variant { return variants }

var variants []Variant

// The hooks of a variant look the list up, which in an initializer Go would call a
// cycle.
func init() { //nolint:gochecknoinits // it only breaks that cycle
	variants = []Variant{orthodox, noCastle, unoChess, chessUno, yugioh, unachess1, unachess2, unachess3}
}

// Lookup finds a variant by key; an unknown key is a refusal that lists the known.
func Lookup(key string) (Variant, error) {
	if v := find(key); v != nil {
		return *v, nil
	}
	keys := make([]string, len(variants))
	for i, v := range variants {
		keys[i] = v.Key
	}
	return Variant{}, Refuse(BadOption, "There is no variant %.40q; choose one of %s.", key, strings.Join(keys, ", "))
}

func find(key string) *Variant {
	for i := range variants {
		if variants[i].Key == key {
			return &variants[i]
		}
	}
	return nil
}
