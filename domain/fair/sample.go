package fair

import "encoding/binary"

// MaxSides is the largest number of sides a die can have.
const MaxSides = 1 << 31

// A stream is an endless run of 32-bit words: block c is F(key, head..., c), eight words
// each. A stream serves one random event and is never shared.
type stream struct {
	key   *keyed
	head  []byte // the message without its counter
	block Hash
	c, at int // blocks made; bytes of block used
}

// newStream reads the words of F(key, head..., 0), F(key, head..., 1), …
func newStream(key *keyed, head message) *stream {
	return &stream{key: key, head: append(make([]byte, 0, len(head)+8), head...), at: len(Hash{})}
}

func (s *stream) next() uint32 {
	if s.at == len(s.block) {
		s.block = *s.key.of(message(s.head).num(s.c))
		s.c, s.at = s.c+1, 0
	}
	v := binary.BigEndian.Uint32(s.block[s.at:])
	s.at += 4
	return v
}

// below returns a uniform number in 0…n-1, for n from 1 to [MaxSides]. Words
// at or above the largest multiple of n are rejected, which is what makes it uniform.
func (s *stream) below(n int) int {
	limit := wordLimit(n)
	for {
		if v := uint64(s.next()); v < limit {
			return int(v % uint64(n))
		}
	}
}

// wordLimit is the largest multiple of n that is at most 2^32.
func wordLimit(n int) uint64 { return 1<<32 - 1<<32%uint64(n) }

// permute shuffles a in place: Fisher and Yates, from the last position down
// (Knuth, The Art of Computer Programming, volume 2, algorithm 3.4.2P).
func permute(a []int, st *stream) {
	for i := len(a) - 1; i > 0; i-- {
		j := st.below(i + 1)
		a[i], a[j] = a[j], a[i]
	}
}

// rollOut derives the numbers of roll k from the server's link x and the
// newest links of the seats.
func rollOut(game string, k int, x Hash, links [Seats]Hash, sides []int) []int {
	key := newKeyed(x[:])
	st := newStream(key, key.begin("roll").str(game).num(k).links(links))
	out := make([]int, len(sides))
	for i, n := range sides {
		out[i] = st.below(n)
	}
	return out
}
