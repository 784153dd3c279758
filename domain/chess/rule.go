package chess

import (
	"errors"
	"fmt"
)

// ErrSyntax is text that is no move at all in the notation it is read in.
var ErrSyntax = errors.New("chess: this is no move")

// ErrAmbiguous is SAN that fits several moves.
var ErrAmbiguous = errors.New("chess: several moves fit")

// A Rule names what refuses a move, as a short stable word.
type Rule string

// The rules that refuse a move or a drop.
const (
	RuleOver             Rule = "king_gone"         // a king was taken, nobody moves any more
	RuleEmpty            Rule = "no_man"            // nobody stands on the square to move from
	RuleNotYours         Rule = "not_your_man"      // the man belongs to the other side
	RuleOwnMan           Rule = "own_man"           // an own man stands on the square to move to
	RuleMovement         Rule = "movement"          // the man does not move like that
	RuleBlocked          Rule = "blocked"           // another man is in the way
	RuleKingSafety       Rule = "king_attacked"     // it would leave the own king attacked
	RuleKinglessCapture  Rule = "kingless_capture"  // a side without its king on the board captures nothing
	RuleSacredKing       Rule = "king_not_taken"    // kings are not captured
	RuleNoCastling       Rule = "no_castling"       // the game has no castling
	RuleCastlingRight    Rule = "castling_right"    // king or rook has moved
	RuleCastlingAttacked Rule = "castling_attacked" // the king is attacked, or would pass or reach an attacked square
	RulePromotion        Rule = "promotion"         // the letter names no possible promotion, or there is none
	RuleNoDrops          Rule = "no_drops"          // the game has no drops
	RuleReserve          Rule = "not_in_reserve"    // the reserve has no such man
	RuleOccupied         Rule = "occupied"          // a drop needs an empty square
	RulePawnRank         Rule = "pawn_rank"         // pawns are dropped on other ranks
	RuleDropAttacksKing  Rule = "drop_attacks_king" // a dropped man may not attack the king
	RuleDropAttacksMan   Rule = "drop_attacks_man"  // a dropped man may not attack another man
	RuleNotOpen          Rule = "not_open"          // the board allows it, the game does not allow it now
	RuleNotation         Rule = "no_such_move"      // no legal move is written like that in SAN
)

var ruleTexts = map[Rule]string{
	RuleOver:             "a king was taken and nobody moves any more",
	RuleEmpty:            "there is no man on the square to move from",
	RuleNotYours:         "that man belongs to the other side",
	RuleOwnMan:           "an own man stands on the square to move to",
	RuleMovement:         "the man does not move like that",
	RuleBlocked:          "another man is in the way",
	RuleKingSafety:       "the own king would be attacked",
	RuleKinglessCapture:  "a side whose king is not on the board captures nothing",
	RuleSacredKing:       "a king is not captured here",
	RuleNoCastling:       "there is no castling in this game",
	RuleCastlingRight:    "the king or the rook has moved",
	RuleCastlingAttacked: "the king is attacked, or would pass or reach an attacked square",
	RulePromotion:        "promote to queen, rook, bishop or knight, and only a pawn on the last rank",
	RuleNoDrops:          "there are no drops in this game",
	RuleReserve:          "the reserve holds no such man",
	RuleOccupied:         "a drop needs an empty square",
	RulePawnRank:         "pawns are not dropped on that rank",
	RuleDropAttacksKing:  "a dropped man may not attack the king",
	RuleDropAttacksMan:   "a dropped man may not attack another man",
	RuleNotOpen:          "the game does not allow this move now",
	RuleNotation:         "no move that can be played is written like that",
}

// String says the rule in a sentence.
func (r Rule) String() string {
	if text, ok := ruleTexts[r]; ok {
		return text
	}
	return string(r)
}

// An IllegalMoveError is a move that is written well and may not be played.
type IllegalMoveError struct {
	UCI  string // the move as it was given
	Rule Rule   // what refused it
}

// Error names the move and the rule.
func (e *IllegalMoveError) Error() string {
	return fmt.Sprintf("chess: %s cannot be played: %s; choose another move", e.UCI, e.Rule)
}
