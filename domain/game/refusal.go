package game

import "fmt"

// A Code names why a command was refused. Codes are part of the contract with
// clients: they are the last part of a problem document's type, and errors.Is
// matches them.
type Code string

// Why a command is refused.
const (
	IllegalMove   Code = "illegal_move"   // the move breaks a rule, which the detail names
	NotYourTurn   Code = "not_your_turn"  // the other seat must act
	WrongPhase    Code = "wrong_phase"    // the game waits for something else
	NotPending    Code = "not_pending"    // there is no offer or window to answer
	GameOver      Code = "game_over"      // the game has ended
	NotStarted    Code = "not_started"    // the game has not begun
	AlreadyJoined Code = "already_joined" // both seats are taken, or the seat is the caller's own
	BadCommand    Code = "bad_command"    // the command makes no sense
	BadOption     Code = "bad_option"     // unknown variant or option, or a value out of range
	BadPosition   Code = "bad_position"   // a start position that cannot be played; names every fault
	BadLink       Code = "bad_link"       // a link of the seat's chain is missing, wrong or not due
	Stale         Code = "stale"          // the client had not seen the newest record
	CardNotHeld   Code = "card_not_held"  // the hand has no such card, wherever else it may be
	CardNotLive   Code = "card_not_live"  // the card does not fit, or its effect is impossible
	MustPlay      Code = "must_play"      // a card can be played, so none may be thrown away
	WrongCount    Code = "wrong_count"    // too few or too many cards
	ColorNeeded   Code = "color_needed"   // a wild card names a color
	Exists        Code = "already_exists" // a game of this name exists
)

// Error makes a Code an error of its own.
func (c Code) Error() string { return string(c) }

// A Refusal is a command answered with no: a code for programs and a sentence for
// people, which says what to do next. It unwraps to its Code.
type Refusal struct {
	Code   Code
	Detail string
	Cause  error // what the board said, where it said something
}

// Error is the sentence for people.
func (r *Refusal) Error() string { return r.Detail }

// Unwrap gives the code, and the cause where there is one.
func (r *Refusal) Unwrap() []error {
	if r.Cause == nil {
		return []error{r.Code}
	}
	return []error{r.Code, r.Cause}
}

// Refuse is a refusal with a formatted sentence.
func Refuse(code Code, format string, args ...any) error {
	return &Refusal{Code: code, Detail: fmt.Sprintf(format, args...)}
}
