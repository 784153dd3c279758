package fair

import "encoding/json"

// Seats is the number of seats of a game; seats are numbered 0 and 1.
const Seats = 2

// Public is [Draw.To] of a card drawn for everybody to see.
const Public = -1

// A Part is what one event says of chance; most events say nothing and have
// none. Fields are alphabetical, so that encoding/json writes canonical bytes;
// they are processed in the order commit, anchor, link, ack, shuffle, draw,
// open, play, hand, roll, reveal.
type Part struct {
	Ack     *Ack     `json:"ack,omitempty"`
	Anchor  []Anchor `json:"anchor,omitempty"`
	Commit  *Commit  `json:"commit,omitempty"`
	Draw    *Draw    `json:"draw,omitempty"`
	Hand    *Hand    `json:"hand,omitempty"`
	Link    *Link    `json:"link,omitempty"`
	Open    []Open   `json:"open,omitempty"`
	Play    []Play   `json:"play,omitempty"`
	Reveal  *Reveal  `json:"reveal,omitempty"`
	Roll    *Roll    `json:"roll,omitempty"`
	Shuffle *Shuffle `json:"shuffle,omitempty"`
}

// Random reports whether p shuffles or rolls.
func (p *Part) Random() bool { return p != nil && (p.Shuffle != nil || p.Roll != nil) }

// A Commit binds the server to its seed and its chain; it is in the first
// event of the first record and nowhere else.
type Commit struct {
	Alg   string `json:"alg"`            // [Protocol]
	C     Hash   `json:"c"`              // H("commit", game, seed)
	Duet  bool   `json:"duet,omitempty"` // every seat opens a link before each random event
	Len   int    `json:"len"`            // links in the server's chain, so rolls in the game
	Seats int    `json:"seats"`          // [Seats]
	X     Hash   `json:"x"`              // the anchor X_0 of the server's chain
}

// An Anchor publishes the end of a seat's chain before any link is opened.
type Anchor struct {
	Delegated bool `json:"delegated,omitempty"` // the server keeps the chain for this seat
	Seat      int  `json:"seat"`
	Y         Hash `json:"y"`
}

// A Link opens the next link of a seat's chain: its hash is the newest one known.
type Link struct {
	Seat int  `json:"seat"`
	Y    Hash `json:"y"`
}

// An Ack says which record a seat had seen last, so that two players who are
// shown two histories find out.
type Ack struct {
	H    Hash `json:"h"` // RecordHash of an earlier record of the game
	Seat int  `json:"seat"`
}

// A Shuffle puts cards into a secret order and binds the server to it with
// one leaf a position, top first.
type Shuffle struct {
	In     []int  `json:"in"` // card ids, strictly ascending
	Leaves Leaves `json:"leaves"`
	S      int    `json:"s"` // number of shuffles before
}

// A Draw takes the next cards of a pile.
type Draw struct {
	I  []int `json:"i"` // positions: the pile's cursor and those after it
	S  int   `json:"s"`
	To int   `json:"to"` // the seat, or [Public]
}

// An Open shows the card at a drawn position of a pile.
type Open struct {
	Card int  `json:"card"`
	I    int  `json:"i"`
	S    int  `json:"s"`
	Salt Salt `json:"salt"`
}

// A Play shows a card of a hand by opening its envelope, which does not tell
// when it was drawn.
type Play struct {
	Card int  `json:"card"`
	Salt Salt `json:"salt"`
	Seat int  `json:"seat"`
}

// A Hand commits the whole hand of a seat, one envelope a card, sorted as bytes.
type Hand struct {
	H      int    `json:"h"` // number of hand commitments before, of all seats
	Leaves Leaves `json:"leaves"`
	Seat   int    `json:"seat"`
}

// A Roll opens the server's next link and derives one number a die from it.
type Roll struct {
	K     int   `json:"k"`     // 1 for the first roll of the game
	Out   []int `json:"out"`   // from 0; what a face means is the game's business
	Sides []int `json:"sides"` // each 1 to 2^31
	X     Hash  `json:"x"`     // X_k
}

// A Reveal publishes the seed when the game has ended. It is the last part of
// a game, and the only place where a seed is ever written.
type Reveal struct{ Seed Seed }

type plainReveal struct {
	Seed Hash `json:"seed"`
}

// MarshalJSON writes the seed as 64 hexadecimal digits.
func (r Reveal) MarshalJSON() ([]byte, error) { return json.Marshal(plainReveal{Hash(r.Seed)}) }

// UnmarshalJSON reads what MarshalJSON writes, or returns [ErrText].
func (r *Reveal) UnmarshalJSON(b []byte) error {
	var p plainReveal
	if err := json.Unmarshal(b, &p); err != nil {
		return err
	}
	r.Seed = Seed(p.Seed)
	return nil
}
