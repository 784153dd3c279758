package bot

import "chancery/domain/chess"

// A reach is what the men of one side attack.
type reach struct {
	by       [7]chess.Bitboard // by role: what men of this role attack
	all      chess.Bitboard
	mobility int
}

// reachOf looks at every man of a side. Without its king on the board a side that may
// still drop it attacks nothing.
func reachOf(p *chess.Position, c chess.Color) (r reach) {
	for role := chess.Pawn; role <= chess.King; role++ {
		for men := p.Pieces(c, role); men != 0; men &= men - 1 {
			to := p.Attacks(men.First())
			r.by[role] |= to
			if chess.Knight <= role && role <= chess.Queen {
				r.mobility += 3 * (to &^ p.Army(c)).Count() / int(role-chess.Pawn)
			}
		}
		r.all |= r.by[role]
	}
	if p.Law().Drops && p.King(c) == chess.NoSquare {
		return reach{mobility: r.mobility}
	}
	return r
}

// danger is what a side stands to lose. Where the other side is to move that is the
// most valuable of what hangs, for the other side can take only one man; where it is
// to move itself, only a second man that hangs counts a little, for it can save one.
func (a aim) danger(p *chess.Position, c chess.Color, reach *[2]reach) int {
	first, second := a.hanging(p, c, reach)
	attacked := reach[c.Other()].all.Has(p.King(c))
	if p.Turn() == c {
		v := second * a.take / 300
		if attacked {
			v += a.threat
		}
		return v
	}
	v := (first + second/4) * a.take / 100
	if attacked {
		v += won * a.king / 100
	}
	return v
}

// hanging is the two greatest losses that the enemy threatens.
func (a aim) hanging(p *chess.Position, c chess.Color, reach *[2]reach) (first, second int) {
	own, enemy := &reach[c], &reach[c.Other()]
	for role := chess.Pawn; role <= chess.Queen; role++ {
		for men := p.Pieces(c, role) & enemy.all; men != 0; men &= men - 1 {
			s := men.First()
			loss := worth[role]
			if own.all.Has(s) {
				loss -= enemy.cheapest(s) * a.take / 100
			}
			switch {
			case loss > first:
				first, second = loss, first
			case loss > second:
				second = loss
			}
		}
	}
	return first, second
}

// cheapest is the value of the least man that attacks the square.
func (r *reach) cheapest(s chess.Square) int {
	for role := chess.Pawn; role < chess.King; role++ {
		if r.by[role].Has(s) {
			return worth[role]
		}
	}
	return worth[chess.King]
}
