package chess

// A Key stands for everything that must repeat for a position to repeat: the
// men on the board and in reserve, the side to move, castling marks, and the
// en passant right if a capture is really possible. Different positions have
// different keys but for chance (2^-64). Keys are for comparing within one
// program; store positions as FEN.
// (See A. L. Zobrist, "A New Hashing Method with Application for Game
// Playing", 1970.)
type Key uint64

// With mixes in what a variant adds to the position.
func (k Key) With(extra uint64) Key { return Key(mix(uint64(k) ^ mix(extra+weyl))) }

// Key is made from the position as it stands, so it cannot go out of step with it.
func (p *Position) Key() Key {
	var k uint64
	for role := Pawn; role <= King; role++ {
		for color := range p.colors {
			for men := p.Pieces(Color(color), role); men != 0; men &= men - 1 {
				k ^= manKeys[color][role][men.lowest()&63]
			}
		}
	}
	state := uint64(p.turn) | uint64(p.castling)<<1 | uint64(p.EnPassant()+1)<<8
	k ^= mix(state + 1)
	if p.law.Drops {
		k ^= p.pocketKey()
	}
	return Key(k)
}

func (p *Position) pocketKey() (k uint64) {
	for _, pocket := range p.pockets {
		for _, count := range pocket {
			k = mix(k + uint64(count) + weyl)
		}
	}
	return k
}

var manKeys = buildManKeys()

func buildManKeys() (keys [2][8][64]uint64) {
	seed := uint64(0)
	for color := range keys {
		for role := range keys[color] {
			for square := range keys[color][role] {
				seed += weyl
				keys[color][role][square] = mix(seed)
			}
		}
	}
	return keys
}

// weyl and mix are the SplitMix64 generator.
// (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number
// generators", 2014.)
const weyl = 0x9e3779b97f4a7c15

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
