package fair

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The inputs of the published vectors.
const vectorGame = "test-game-1"

func vectorSeed() (s Seed) {
	for i := range s {
		s[i] = byte(i)
	}
	return s
}

func filled(b byte) Hash { return Hash(slices.Repeat([]byte{b}, 32)) }

// vectors is fairness-vectors.json, which every implementation must reproduce.
type vectors struct {
	M      string `json:"m"`
	Commit Hash
	Game   string
	Hand   struct {
		Leaf Hash
		Salt Salt
	} `json:"hand_h0_card7"`
	Reshuffle struct{ In, Order []int } `json:"reshuffle_s1_links_y0[2]_y1[1]"`
	RollBig   []int                     `json:"roll_k1_sides1610612736_x12"`
	RollArray []int                     `json:"roll_k1_sides2880"`
	Rolls     []struct {
		K          int
		Out, Sides []int
	} `json:"rolls_links_y1"`
	Salt Salt `json:"salt_s0_i0"`
	Seal struct {
		Key, Master Hash
		Kid         string
	} `json:"seal"`
	Seat0    []Hash `json:"seat0_chain_len4_tip_a0"`
	Seat1    []Hash `json:"seat1_chain_len4_tip_b1"`
	Seed     Hash   `json:"seed"`
	Server   []Hash `json:"server_chain_len4"`
	Shuffles map[string]struct {
		Hash     Hash `json:"hash"`
		Leaf0    Hash
		LeafLast Hash
		Order    []int
	} `json:"shuffle_s0_links_y1"`
}

func readVectors(t *testing.T) (v vectors) {
	t.Helper()
	b, err := os.ReadFile("testdata/fairness-vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	// Struct tags cannot hold a comma.
	keys := strings.NewReplacer("M(commit,g,seed)", "m", "H(vector,leaves)", "hash")
	if err := json.Unmarshal([]byte(keys.Replace(string(b))), &v); err != nil {
		t.Fatal(err)
	}
	if v.Game != vectorGame || v.Seed != Hash(vectorSeed()) || len(v.Shuffles) != 6 || len(v.Rolls) != 4 {
		t.Fatalf("the vectors are not the ones these tests read: %+v", v)
	}
	return v
}

// vectorState has opened links a and b of seats 0 and 1, and made k rolls.
func vectorState(a, b, k int) State {
	s := State{Game: vectorGame, Len: 4, Rolls: k}
	for seat, link := range []int{a, b} {
		c := NewChain(Role(seat), vectorGame, filled([]byte{0xa0, 0xb1}[seat]), 4)
		s.Seat[seat] = SeatChain{Anchored: true, Fresh: true, Y: c.Link(link), Opened: link}
	}
	return s
}

func upTo(n int) []int {
	in := make([]int, n)
	for i := range in {
		in[i] = i
	}
	return in
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

func TestVectorsOfEncodingAndChains(t *testing.T) {
	v := readVectors(t)
	equal(t, "M", hex.EncodeToString(M("commit", vectorGame, vectorSeed())), v.M)
	equal(t, "C", H("commit", vectorGame, vectorSeed()), v.Commit)
	d := newDealer(vectorGame, vectorSeed(), 4)
	c := d.Commit(false)
	equal(t, "commit.c", c.C, v.Commit)
	equal(t, "commit.x", c.X, v.Server[0])
	if tip := vectorSeed(); F(tip[:], "tip", vectorGame) != v.Server[4] {
		t.Error("the server's tip differs")
	}
	chains := []struct {
		role  string
		tip   Hash
		links []Hash
	}{{ServerRole, v.Server[4], v.Server}, {Role(0), filled(0xa0), v.Seat0}, {Role(1), filled(0xb1), v.Seat1}}
	for _, c := range chains {
		chain := NewChain(c.role, vectorGame, c.tip, 4)
		for i, want := range c.links {
			equal(t, fmt.Sprintf("link %d of %q", i, c.role), chain.Link(i), want)
		}
	}
}

func TestVectorsOfShuffles(t *testing.T) {
	v := readVectors(t)
	d, at := newDealer(vectorGame, vectorSeed(), 4), vectorState(1, 1, 0)
	equal(t, "salt", d.salt(0, 0), v.Salt)
	for size, want := range v.Shuffles {
		n, err := strconv.Atoi(size)
		if err != nil {
			t.Fatal(err)
		}
		sh := d.Shuffle(at, upTo(n))
		equal(t, "order of "+size, d.Order(at.Evolve(&Part{Shuffle: sh}), 0), want.Order)
		equal(t, "leaf 0 of "+size, sh.Leaves[0], want.Leaf0)
		equal(t, "last leaf of "+size, sh.Leaves[n-1], want.LeafLast)
		var all []byte
		for _, l := range sh.Leaves {
			all = append(all, l[:]...)
		}
		equal(t, "leaves of "+size, H("vector", all), want.Hash)
	}
	at = vectorState(2, 1, 0)
	at.Piles = make([]Pile, 1)
	sh := d.Shuffle(at, v.Reshuffle.In)
	equal(t, "reshuffle", d.Order(at.Evolve(&Part{Shuffle: sh}), 1), v.Reshuffle.Order)
}

func TestVectorsOfHandsRollsAndSeals(t *testing.T) {
	v := readVectors(t)
	d := newDealer(vectorGame, vectorSeed(), 4)
	hand := d.Hand(vectorState(1, 1, 0), 0, []int{7})
	equal(t, "envelope", hand.Leaves[0], v.Hand.Leaf)
	equal(t, "envelope's salt", d.handSalt(0, 7), v.Hand.Salt)
	for _, r := range v.Rolls {
		got := d.Roll(vectorState(1, 1, r.K-1), r.Sides...)
		equal(t, "roll", got.Out, r.Out)
		equal(t, "x", got.X, v.Server[r.K])
	}
	at := vectorState(1, 1, 0)
	equal(t, "roll of 2880", d.Roll(at, 2880).Out, v.RollArray)
	equal(t, "roll with rejections", d.Roll(at, slices.Repeat([]int{1610612736}, 12)...).Out, v.RollBig)
	if got := d.Roll(vectorState(1, 1, 4), 6); got != nil {
		t.Errorf("a chain of 4 links rolled a fifth time: %v", got)
	}
	equal(t, "seal key", Hash(SealKey(Master(v.Seal.Master), v.Seal.Kid, vectorGame)), v.Seal.Key)
}

// TestVectorsOfStreams compares the intermediate values that the protocol's text
// prints and the vector file does not hold.
func TestVectorsOfStreams(t *testing.T) {
	s := vectorState(1, 1, 0)
	seed := vectorSeed()
	key := newKeyed(seed[:])
	head := key.begin("shuffle").str(vectorGame).num(0).links(s.links())
	equal(t, "message", hex.EncodeToString(head.num(0)),
		"0006666169722f31000773687566666c65000b746573742d67616d652d3100013000204614000847fde215748fa5073f99c9a5e2e7b5b27825accafee73dadc526477900209eaa66eb8d1b622ddaa0800b977459c60219ac5ab137fb21d74a4191db3e29e6000130")
	st := newStream(key, head)
	for block, want := range []string{
		"2a4c392fd9517965c2c8c7a6e363244f9fe0c5ce77bcfecafc232939ed6e0c49",
		"039ff3a2e15713887c1af7ac678f286e014783fc2763213511cd465b0ec72db9",
	} {
		for range 8 {
			st.next()
		}
		equal(t, fmt.Sprintf("block %d", block), st.block, want)
	}
}
