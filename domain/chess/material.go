package chess

// InsufficientMaterial reports that nobody can ever mate, by the men left:
// two kings alone, with one knight or one bishop between them, or, without
// drops, with any number of bishops all on squares of one shade. Two knights
// are enough for a helpmate. With drops the reserves are counted, kings
// wherever they are. In a king-capture game no material is dead.
func (p *Position) InsufficientMaterial() bool {
	if p.law.KingCapture {
		return false
	}
	white, black := p.company(White), p.company(Black)
	men := white.total + black.total
	if men == 0 || men == 1 && white.minors+black.minors == 1 {
		return true
	}
	others := p.Occupied() &^ p.roles[King] &^ p.roles[Bishop]
	oneShade := p.roles[Bishop]&dark == 0 || p.roles[Bishop]&^dark == 0
	return !p.law.Drops && others == 0 && oneShade
}

// CannotMate reports that the side, its reserve included, has no more than a
// king and one minor piece, and so could never mate: its opponent's fallen flag
// is a draw in a king-safe game.
func (p *Position) CannotMate(c Color) bool {
	with := p.company(c)
	return with.total == 0 || with.total == 1 && with.minors == 1
}

// company counts the men beside a king, on the board and in reserve.
type company struct{ total, minors int }

func (p *Position) company(c Color) (with company) {
	for role := Pawn; role <= Queen; role++ {
		n := p.Pieces(c, role).Count() + p.Pocket(c, role)
		with.total += n
		if role == Knight || role == Bishop {
			with.minors += n
		}
	}
	return with
}
