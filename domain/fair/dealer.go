package fair

import (
	"crypto/sha256"
	"fmt"
	"slices"
)

// A Dealer holds the seed of one game and makes every part that needs it. All
// that it makes is a function of the seed and the [State], so a retry, a race
// or a restart meets the same cards and dice. It is for one goroutine.
//
// The State that a method is given has already absorbed the links of the event
// which is being made.
type Dealer struct {
	game   string
	seed   Seed
	n      int
	key    *keyed // under the seed
	server *Chain
	seats  [Seats]*Chain // of delegated seats

	// The orders last asked for, of an even shuffle and of an odd one: hands ask for
	// that of the pile and of the one before many times.
	known [2]order
}

// An order is that of a shuffle, once it was worked out.
type order struct {
	s    int
	pile Pile
	a    []int
}

// NewDealer returns the dealer of a game. It is cheap: the chains are computed
// when first needed.
func NewDealer(game string, seed Seed) *Dealer { return newDealer(game, seed, DefaultLen) }

func newDealer(game string, seed Seed, n int) *Dealer {
	d := &Dealer{game: game, seed: seed, n: n, key: newKeyed(seed[:])}
	d.server = NewChain(ServerRole, game, *d.key.of(d.key.begin("tip").str(game)), n)
	return d
}

// Wipe overwrites the secrets. The dealer must not be used afterwards.
func (d *Dealer) Wipe() {
	d.server.Wipe()
	for _, c := range d.seats {
		if c != nil {
			c.Wipe()
		}
	}
	for _, o := range d.known {
		clear(o.a)
	}
	clear(d.key.buf[:cap(d.key.buf)])
	*d = Dealer{game: d.game}
}

// Format shows the game and nothing secret, whatever the verb.
func (d Dealer) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "dealer of %s", d.game) }

// Commit is the commitment that opens the game.
func (d *Dealer) Commit(duet bool) *Commit {
	return &Commit{
		Alg: Protocol, C: Commitment(d.game, d.seed), Duet: duet, Len: d.n, Seats: Seats, X: d.server.Anchor(),
	}
}

// Anchor is the anchor of the chain that the server keeps for a seat that has none.
func (d *Dealer) Anchor(seat int) Anchor {
	return Anchor{Delegated: true, Seat: seat, Y: d.delegated(seat).Anchor()}
}

// Link is the next link of a delegated seat, or nil if its chain has run out.
func (d *Dealer) Link(at State, seat int) *Link {
	next := at.Seat[seat].Opened + 1
	if next > DefaultLen {
		return nil
	}
	return &Link{Seat: seat, Y: d.delegated(seat).Link(next)}
}

func (d *Dealer) delegated(seat int) *Chain {
	if d.seats[seat] == nil {
		tip := *d.key.of(d.key.begin("seat").str(d.game).str(Role(seat)))
		d.seats[seat] = NewChain(Role(seat), d.game, tip, DefaultLen)
	}
	return d.seats[seat]
}

// Roll is the next roll, of one die for each number of sides (1 to
// [MaxSides]); nil if the server's chain has run out.
func (d *Dealer) Roll(at State, sides ...int) *Roll {
	k := at.Rolls + 1
	if k > d.n {
		return nil
	}
	x := d.server.Link(k)
	return &Roll{K: k, Out: rollOut(d.game, k, x, at.links(), sides), Sides: slices.Clone(sides), X: x}
}

// Shuffle is the next shuffle, of the cards in, which may come in any order.
func (d *Dealer) Shuffle(at State, in []int) *Shuffle {
	s, in := len(at.Piles), slices.Sorted(slices.Values(in))
	order := d.orderOf(s, Pile{In: in, Links: at.links()})
	return &Shuffle{In: in, Leaves: d.leaves(s, order), S: s}
}

// Order is the secret order of pile s, the top card first.
func (d *Dealer) Order(at State, s int) []int { return slices.Clone(d.orderOf(s, at.Piles[s])) }

// Open is what opens position i of pile s.
func (d *Dealer) Open(at State, s, i int) Open {
	return Open{Card: d.orderOf(s, at.Piles[s])[i], I: i, S: s, Salt: d.salt(s, i)}
}

// Reveal publishes the seed; the game must have ended.
func (d *Dealer) Reveal() *Reveal { return &Reveal{Seed: d.seed} }

// orderOf is the order of shuffle s. The slice is the dealer's own.
func (d *Dealer) orderOf(s int, p Pile) []int {
	known := &d.known[s&1]
	if known.a != nil && known.s == s && known.pile.Links == p.Links && slices.Equal(known.pile.In, p.In) {
		return known.a
	}
	a := slices.Clone(p.In)
	permute(a, newStream(d.key, d.key.begin("shuffle").str(d.game).num(s).links(p.Links)))
	*known = order{s: s, pile: p, a: a}
	return a
}

func (d *Dealer) salt(s, i int) Salt {
	return Salt(d.key.of(d.key.begin("salt").str(d.game).num(s).num(i))[:16])
}

// leaves bind each position of an order.
func (d *Dealer) leaves(s int, order []int) Leaves {
	out := make(Leaves, len(order))
	for i, card := range order {
		out[i] = leaf(d.game, s, i, card, d.salt(s, i))
	}
	return out
}

// leaf binds a card to position i of shuffle s.
func leaf(game string, s, i, card int, salt Salt) Hash {
	var buf [256]byte
	return sha256.Sum256(begin(buf[:0], "leaf").str(game).num(s).num(i).num(card).bin(salt[:]))
}
