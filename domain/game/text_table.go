package game

import "fmt"

// The lines of what happens around the board.

func (f GameCreated) line(scene) string {
	name := f.Variant
	if v := find(f.Variant); v != nil {
		name = v.Name
	}
	return "A table of " + name + " is open"
}

func (f PlayerJoined) line(scene) string {
	if f.Bot != "" {
		return fmt.Sprintf("The program %s took %s", f.Bot, chair(f.Seat))
	}
	return fmt.Sprintf("A player took %s", chair(f.Seat))
}

func (f LinkOpened) line(scene) string {
	return sentence(chair(f.Seat)) + " added its part of chance"
}

func (f LinksStopped) line(scene) string {
	return sentence(chair(f.Seat)) + " adds nothing to chance any more"
}

func (f ColorsDrawn) line(scene) string {
	lot := ""
	if f.Roll != nil {
		lot = ", drawn by lot"
	}
	return fmt.Sprintf("%s plays White, %s plays Black%s", sentence(chair(f.White)), chair(f.White.Other()), lot)
}

func (f ArrayDrawn) line(scene) string {
	return fmt.Sprintf("The lot drew start array %d: %s", f.Index, f.Array)
}

func (f GameStarted) line(scene) string {
	return "The game began: " + armyName(turnOf(f.FEN)) + " to move"
}

func (f GamePaused) line(scene) string { return "The game is paused: " + f.Reason }

func (f GameResumed) line(scene) string { return "The game goes on: " + f.Reason }

func (f GameEnded) line(scene) string {
	winner, loser := "White", "Black"
	switch f.Result {
	case BlackWins:
		winner, loser = loser, winner
	case WhiteWins:
	default:
		return "The game is drawn: " + drawnBecause(f.Reason)
	}
	return fmt.Sprintf("%s won: %s", winner, wonBecause(f.Reason, loser))
}

// wonBecause completes "White won: " with what befell the loser.
func wonBecause(r Reason, loser string) string {
	switch r {
	case Checkmate:
		return loser + " is mated"
	case Resignation:
		return loser + " resigned"
	case Timeout:
		return loser + " ran out of time"
	case Forfeit:
		return loser + " did not come back in time"
	case KingExposed:
		return loser + "'s king could be taken"
	case KingCaptured:
		return loser + "'s king was taken"
	case UncalledUno:
		return loser + " did not call UNO"
	case NineZero:
		return "nine against zero with the dice"
	case SkippedCheck:
		return loser + " was in check when the turn was skipped"
	case NoEight:
		return "ten dice gave " + loser + " no eight"
	case TwelveOne:
		return "twelve against one turned the mate round"
	default:
		return string(r)
	}
}

// drawnBecause completes "The game is drawn: ".
func drawnBecause(r Reason) string {
	switch r {
	case Stalemate:
		return "the side to move has no move"
	case Repetition:
		return "the position has come back"
	case FiftyMoves:
		return "too many moves without a capture or a pawn move"
	case DeadPosition:
		return "nobody has enough men left to mate"
	case Agreement:
		return "the players agreed"
	case Timeout:
		return "time ran out, but the other side could not have mated"
	case IdleTurns:
		return "too many turns in a row without a move on the board"
	case Exhausted:
		return "chance ran out of links"
	default:
		return string(r)
	}
}

func (f GameAborted) line(scene) string {
	switch f.Reason {
	case ByCancel:
		return "The game was called off by its players"
	case NoOpponent:
		return "The game was called off: nobody took the second seat"
	case Abandoned:
		return "The game was called off: both players left"
	case KeyCompromise:
		return "The game was called off: a secret key may be known"
	default:
		return "The game was called off by the server"
	}
}

func (f GameVoided) line(scene) string {
	if f.Reason == SeedLost {
		return "The game counts for nothing: the seed of its chance is lost"
	}
	return "The game counts for nothing: an administrator said so"
}

func (f SeedRevealed) line(scene) string { return "The seed is open: anybody can check the chance" }

func (f DrawOffered) line(c scene) string { return c.name(f.Seat) + " offers a draw" }

func (f DrawDeclined) line(c scene) string { return c.name(f.Seat) + " declined the draw" }

func (f DrawAccepted) line(c scene) string { return c.name(f.Seat) + " agreed to the draw" }

func (f DrawClaimed) line(c scene) string { return c.name(f.Seat) + " claimed a draw" }

func (f Resigned) line(c scene) string { return c.name(f.Seat) + " resigned" }

func (f FlagFell) line(c scene) string { return c.name(f.Seat) + "'s time ran out" }

func (f Forfeited) line(c scene) string { return c.name(f.Seat) + " did not act in time" }

func (f CancelAsked) line(c scene) string { return c.name(f.Seat) + " proposes to call the game off" }

func (f Cancelled) line(c scene) string { return c.name(f.Seat) + " called the game off" }
