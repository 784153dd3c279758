package chess

// Perft counts the sequences of that many plies from the position. The last ply
// is counted, not played. See https://www.chessprogramming.org/Perft.
func Perft(p *Position, depth int) uint64 {
	switch depth {
	case 0:
		return 1
	case 1:
		return uint64(p.countMoves())
	}
	var buf [256]Move
	var leaves uint64
	var next Position // outside of the loop, where it stays on the stack
	for _, m := range p.Moves(buf[:0]) {
		next = *p
		next.Play(m)
		leaves += Perft(&next, depth-1)
	}
	return leaves
}

// PerftPlayed is Perft with every leaf played, for measuring Play.
func PerftPlayed(p *Position, depth int) uint64 {
	if depth == 0 {
		return 1
	}
	var buf [256]Move
	var leaves uint64
	var next Position // outside of the loop, where it stays on the stack
	for _, m := range p.Moves(buf[:0]) {
		next = *p
		next.Play(m)
		leaves += PerftPlayed(&next, depth-1)
	}
	return leaves
}

// A MoveCount is a first move and the sequences that begin with it.
type MoveCount struct {
	Move  Move
	Count uint64
}

// PerftDivide is Perft by first move, in the order of Moves; nil for depth 0.
func PerftDivide(p *Position, depth int) []MoveCount {
	if depth < 1 {
		return nil
	}
	moves := p.Moves(nil)
	counts := make([]MoveCount, len(moves))
	for i, m := range moves {
		next := *p
		next.Play(m)
		counts[i] = MoveCount{m, Perft(&next, depth-1)}
	}
	return counts
}
