package fair

import (
	"crypto/sha256"
	"fmt"
	"strconv"
)

// DefaultLen is the number of links of the server's chain and of a delegated
// seat's. A game that outlasts it ends.
const DefaultLen = 4096

// ServerRole is what the server is called inside its links.
const ServerRole = "s"

// Role is what a seat is called inside its links: "0" or "1". It keeps one
// seat's chain from being passed off as another's.
func Role(seat int) string { return strconv.Itoa(seat) }

// NextLink is the link whose preimage is x, one step nearer to the anchor:
// H("link", game, role, x). The role is [ServerRole] or that of a seat, by [Role].
func NextLink(game, role string, x Hash) Hash {
	var buf [256]byte
	return sha256.Sum256(begin(buf[:0], "link").str(game).str(role).bin(x[:]))
}

// stride is how many links lie between two that a Chain keeps.
const stride = 64

// A Chain is a hash chain from a secret tip, link n, down to its public
// anchor, link 0. It keeps every 64th link and the stretch last asked for, computed when first
// needed. It is for one goroutine, and prints nothing secret.
type Chain struct {
	game, role string
	n          int
	tip        Hash
	marks      []Hash // marks[j] is link j*stride, for each below n
	stretch    []Hash // links from*stride onwards
	from       int
}

// NewChain returns the chain of n links (at least 1) that ends in tip. The role is [ServerRole]
// or that of a seat, by [Role].
func NewChain(role, game string, tip Hash, n int) *Chain {
	return &Chain{game: game, role: role, tip: tip, n: n}
}

// Anchor is link 0, which is published first.
func (c *Chain) Anchor() Hash { return c.Link(0) }

// Link is link i, from 0 to Len.
func (c *Chain) Link(i int) Hash {
	if i == c.n {
		return c.tip
	}
	if c.marks == nil {
		c.mark()
	}
	if i%stride == 0 {
		return c.marks[i/stride]
	}
	c.expand(i / stride)
	return c.stretch[i%stride]
}

// Len is the number of links above the anchor.
func (c *Chain) Len() int { return c.n }

// Format shows the role and nothing secret, whatever the verb.
func (c Chain) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "chain %s hidden", c.role) }

// Wipe overwrites what the chain knows. It must not be used afterwards.
func (c *Chain) Wipe() {
	clear(c.marks)
	clear(c.stretch)
	c.tip = Hash{}
}

func (c *Chain) mark() {
	c.marks = make([]Hash, (c.n+stride-1)/stride)
	c.walk(c.tip, c.n, 0, func(i int, x Hash) {
		if i%stride == 0 {
			c.marks[i/stride] = x
		}
	})
}

// expand computes the links of stretch b from the link above it.
func (c *Chain) expand(b int) {
	if c.stretch != nil && c.from == b {
		return
	}
	if c.stretch == nil {
		c.stretch = make([]Hash, stride)
	}
	top, x := min((b+1)*stride, c.n), c.tip
	if top < c.n {
		x = c.marks[b+1]
	}
	c.walk(x, top, b*stride, func(i int, x Hash) { c.stretch[i-b*stride] = x })
	c.from = b
}

// walk visits the links from below link top, which is x, down to link bottom.
func (c *Chain) walk(x Hash, top, bottom int, visit func(int, Hash)) {
	var buf [256]byte
	m := begin(buf[:0], "link").str(c.game).str(c.role).bin(x[:])
	slot := m[len(m)-len(x):]
	for i := top - 1; i >= bottom; i-- {
		x = sha256.Sum256(m)
		copy(slot, x[:])
		visit(i, x)
	}
}

// A ClientChain is the chain that a player's own program keeps for a seat.
type ClientChain struct {
	*Chain
	seat int
}

// NewClientChain returns the chain of n links of a seat whose secret tip is
// 32 bytes of the player's own randomness.
func NewClientChain(game string, seat int, tip Hash, n int) *ClientChain {
	return &ClientChain{Chain: NewChain(Role(seat), game, tip, n), seat: seat}
}

// Anchor is what the player publishes when taking the seat.
func (c *ClientChain) Anchor() Anchor { return Anchor{Seat: c.seat, Y: c.Chain.Link(0)} }

// Link is link i, from 1 to Len. Release it only when link i-1 is in the
// ledger, and send the same link again when an answer is lost.
func (c *ClientChain) Link(i int) *Link { return &Link{Seat: c.seat, Y: c.Chain.Link(i)} }
