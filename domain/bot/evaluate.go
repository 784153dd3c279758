package bot

import "chancery/domain/chess"

// What is good for a side is counted in hundredths of a pawn.

// worth is the value of a man by role.
var worth = [...]int{
	chess.Pawn: 100, chess.Knight: 325, chess.Bishop: 325, chess.Rook: 500, chess.Queen: 950, chess.King: won,
}

const (
	won        = 10_000 // the game, and a king that can be taken
	bothShades = 50     // bishops on squares of both shades
	undropped  = 30     // a man is worth so much less in reserve
	homeless   = 120    // a king in reserve, whose army takes nothing
)

// An aim says what matters in a variant besides the men on the board.
type aim struct {
	take   int // how likely, in percent, the side to move can take what hangs
	king   int // how likely, in percent, it can take a king that it attacks
	threat int // what it is worth to attack the king of the side to move
}

// Cards tie the hands of whoever is to move, and give the one who survives a threat
// the chance to carry it out. Dice turn a check into a win when they skip a turn.
var (
	plainAim = aim{take: 100, threat: 15}
	aims     = map[string]aim{
		"yugioh":   {take: 100, threat: 60},
		"unochess": {take: 60, king: 60, threat: 150},
		"chessuno": {take: 85, king: 75, threat: 600},
	}
)

func aimOf(variant string) aim {
	if a, ok := aims[variant]; ok {
		return a
	}
	return plainAim
}

// evaluate says how good p is for c: men, where they stand, how safe the kings are,
// and what hangs. It looks no move ahead.
func (a aim) evaluate(p *chess.Position, c chess.Color) int {
	if p.Law().KingCapture {
		for _, side := range []chess.Color{chess.White, chess.Black} {
			switch {
			case p.King(side) != chess.NoSquare:
			case side == c:
				return -won
			default:
				return won
			}
		}
	}
	reach := [2]reach{reachOf(p, chess.White), reachOf(p, chess.Black)}
	us, them := a.side(p, c, &reach), a.side(p, c.Other(), &reach)
	return fade(us-them, p.HalfMoves()) + mopUp(p, c, us-them)
}

// fade makes an advantage worth less the longer nothing happens, so that whoever has
// one does something with it.
func fade(v, halfMoves int) int { return v * (250 - min(halfMoves, 150)) / 250 }

// side is what one side has on the board and in reserve.
func (a aim) side(p *chess.Position, c chess.Color, reach *[2]reach) int {
	v := men(p, c) + reach[c].mobility + kingSafety(p, c, &reach[c.Other()])
	return v - a.danger(p, c, reach)
}

// men is what the men of a side are worth, with what they are for standing where they do.
func men(p *chess.Position, c chess.Color) (v int) {
	for role := chess.Pawn; role <= chess.Queen; role++ {
		v += p.Pieces(c, role).Count()*worth[role] + p.Pocket(c, role)*(worth[role]-undropped)
	}
	v -= homeless * p.Pocket(c, chess.King)
	if bishops := p.Pieces(c, chess.Bishop); bishops&darkSquares != 0 && bishops&^darkSquares != 0 {
		v += bothShades
	}
	for pawns := p.Pieces(c, chess.Pawn); pawns != 0; pawns &= pawns - 1 {
		v += pawnSteps[rankFor(c, pawns.First())]
	}
	for men := p.Pieces(c, chess.Knight) | p.Pieces(c, chess.Bishop); men != 0; men &= men - 1 {
		v += 4 * (3 - fromCenter(men.First()))
	}
	return v
}

const darkSquares chess.Bitboard = 0xaa55aa55aa55aa55

// pawnSteps is what a pawn gains by the rank it has reached, counted from 0.
var pawnSteps = [8]int{0, 0, 3, 8, 16, 40, 90, 0}

// kingSafety is the pawns before the king, less the enemy's grip on the squares about it.
func kingSafety(p *chess.Position, c chess.Color, enemy *reach) int {
	king := p.King(c)
	if king == chess.NoSquare || p.Pieces(c.Other(), chess.Queen)|p.Pieces(c.Other(), chess.Rook) == 0 {
		return 0
	}
	about := p.Attacks(king)
	return 6*(about&p.Pieces(c, chess.Pawn)).Count() - 9*(about&enemy.all).Count() - 6*rankFor(c, king)
}

// mopUp drives a king to the edge, with the other king behind it, once it has few men left.
func mopUp(p *chess.Position, c chess.Color, lead int) int {
	if lead < 0 {
		return -mopUp(p, c.Other(), -lead)
	}
	hunted, hunter := p.King(c.Other()), p.King(c)
	if lead < 300 || hunted == chess.NoSquare || hunter == chess.NoSquare || p.Army(c.Other()).Count() > 4 {
		return 0
	}
	return 12*fromCenter(hunted) + 5*(14-distance(hunted, hunter)) - 4*p.Attacks(hunted).Count()
}

// rankFor is the rank of a square as the side counts it, from 0.
func rankFor(c chess.Color, s chess.Square) int {
	if c == chess.Black {
		return 7 - s.Rank()
	}
	return s.Rank()
}

// fromCenter is how far a square is from the four in the middle, 0 to 6 steps along
// ranks and files.
func fromCenter(s chess.Square) int {
	return max(3-s.File(), s.File()-4) + max(3-s.Rank(), s.Rank()-4)
}

// distance is the steps along ranks and files from one square to another.
func distance(a, b chess.Square) int {
	file, rank := a.File()-b.File(), a.Rank()-b.Rank()
	return max(file, -file) + max(rank, -rank)
}
