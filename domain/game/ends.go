package game

import "chancery/domain/chess"

// How a move ends a king-safe game by itself, in the order in which it is asked:
// mate and stalemate come before every counter.
var kingSafeEnds = []End{
	{Reason: Checkmate, Wins: true, Ends: func(_ State, p *chess.Position) bool { return !p.HasMove() && p.InCheck() }},
	{Reason: Stalemate, Ends: func(_ State, p *chess.Position) bool { return !p.HasMove() && !p.InCheck() }},
	{Reason: DeadPosition, Ends: func(_ State, p *chess.Position) bool { return p.InsufficientMaterial() }},
	{Reason: Repetition, Ends: func(s State, _ *chess.Position) bool { return s.Occurrences() >= 5 }},
	{Reason: FiftyMoves, Ends: func(_ State, p *chess.Position) bool { return p.HalfMoves() >= 150 }},
}

// What the player to move may claim in a king-safe game: the third occurrence of
// the position, or fifty moves of each side without a capture or a pawn move.
var kingSafeClaims = []End{
	{Reason: Repetition, Ends: func(s State, _ *chess.Position) bool { return s.Occurrences() >= 3 }},
	{Reason: FiftyMoves, Ends: func(_ State, p *chess.Position) bool { return p.HalfMoves() >= 100 }},
}
