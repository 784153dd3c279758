package tlog

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	merkle "golang.org/x/mod/sumdb/tlog"

	"chancery/domain/fair"
	"chancery/events"
)

// A Proof shows offline that a record stands in a log: C2SP tlog-proof, a text.
type Proof struct {
	Index  int64 // the record's place in the log, from 0
	Hashes merkle.RecordProof
	Signed string // the checkpoint, with all its signatures
}

// ErrProof says that a text is no proof.
var ErrProof = errors.New("this is no proof of a ledger")

const proofHeader = "c2sp.org/tlog-proof@v1"

// Text is the proof as a file or an answer.
func (p Proof) Text() string {
	var b strings.Builder
	b.WriteString(proofHeader + "\nindex " + strconv.FormatInt(p.Index, 10) + "\n")
	for _, h := range p.Hashes {
		b.WriteString(h.String() + "\n")
	}
	b.WriteString("\n" + p.Signed)
	return b.String()
}

// ParseProof reads a proof. The error is [ErrProof] or [ErrCheckpoint].
func ParseProof(text string) (Proof, error) {
	head, signed, ok := strings.Cut(text, "\n\n")
	lines := strings.Split(head, "\n")
	if !ok || len(lines) < 2 || lines[0] != proofHeader {
		return Proof{}, fmt.Errorf("%w: it does not begin with %s", ErrProof, proofHeader)
	}
	lines = lines[1:]
	if extra, there := strings.CutPrefix(lines[0], "extra "); there {
		if _, err := base64.StdEncoding.DecodeString(extra); err != nil || len(lines) < 2 {
			return Proof{}, fmt.Errorf("%w: its extra line is broken", ErrProof)
		}
		lines = lines[1:]
	}
	place, ok := strings.CutPrefix(lines[0], "index ")
	if !ok {
		return Proof{}, fmt.Errorf("%w: it does not say where the record stands", ErrProof)
	}
	p := Proof{Signed: signed}
	var err error
	if p.Index, err = parseSize(place); err != nil {
		return Proof{}, err
	}
	p.Hashes, err = parseHashes(lines[1:])
	return p, err
}

// mostHashes is how long a proof can be: the height of the highest tree.
const mostHashes = 63

func parseHashes(lines []string) ([]merkle.Hash, error) {
	if len(lines) > mostHashes {
		return nil, fmt.Errorf("%w: it has more than %d hashes", ErrProof, mostHashes)
	}
	list := make([]merkle.Hash, len(lines))
	for i, line := range lines {
		var err error
		if list[i], err = parseHash(line); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// A Policy says whose signatures a checkpoint must bear.
type Policy struct {
	log       []note.Verifier
	witnesses []note.Verifier
	quorum    int
}

// NewPolicy asks for the signature of a log, under one of its keys, and for those of
// quorum of the witnesses; with a quorum below 0 for those of all. The error is [ErrKey].
func NewPolicy(logKeys, witnessKeys []string, quorum int) (Policy, error) {
	p := Policy{quorum: quorum}
	if len(logKeys) == 0 {
		return p, fmt.Errorf("%w: the ledger's own is needed", ErrKey)
	}
	for _, text := range logKeys {
		v, err := LogVerifier(text)
		if err != nil {
			return p, err
		}
		p.log = append(p.log, v)
	}
	for _, text := range witnessKeys {
		v, err := WitnessVerifier(text)
		if err != nil {
			return p, err
		}
		p.witnesses = append(p.witnesses, v)
	}
	if quorum < 0 {
		p.quorum = len(p.witnesses)
	}
	if p.quorum > len(p.witnesses) {
		return p, fmt.Errorf("%w: a quorum of %d needs as many witnesses", ErrKey, p.quorum)
	}
	return p, nil
}

// Open reads a signed checkpoint that bears the signatures that are asked for.
func (p Policy) Open(signed []byte) (Checkpoint, error) {
	c, n, err := OpenCheckpoint(signed, append(p.log[:len(p.log):len(p.log)], p.witnesses...)...)
	if err != nil {
		return c, err
	}
	if !signedBy(n, p.log, c.Origin) {
		return c, fmt.Errorf("the ledger %s has not signed the checkpoint with a key that you trust", c.Origin)
	}
	seen := 0
	for _, w := range p.witnesses {
		if signedBy(n, []note.Verifier{w}, w.Name()) {
			seen++
		}
	}
	if seen < p.quorum {
		return c, fmt.Errorf("%d of the witnesses that you trust have signed the checkpoint, and you ask for %d; get a newer proof from the server", seen, p.quorum)
	}
	return c, nil
}

// signedBy says whether one of the keys, under that name, has signed the note.
func signedBy(n *note.Note, keys []note.Verifier, name string) bool {
	for _, sig := range n.Sigs {
		for _, k := range keys {
			if sig.Name == name && k.Name() == name && sig.Hash == k.KeyHash() {
				return true
			}
		}
	}
	return false
}

// Evidence is a proof, held against a policy.
type Evidence struct {
	Proof
	Policy
}

// Prove returns nil if the record of that hash stands in the log, under a checkpoint
// with all the signatures that are asked for.
func (e Evidence) Prove(record fair.Hash) error {
	c, err := e.Open([]byte(e.Signed))
	if err != nil {
		return err
	}
	if e.Index >= c.Size {
		return fmt.Errorf("the proof names place %d, and the checkpoint has %d records", e.Index, c.Size)
	}
	if err := merkle.CheckRecord(e.Hashes, c.Size, c.Root, e.Index, merkle.Hash(record)); err != nil {
		return errors.New("the last record is not the one that stands in the ledger: the proof does not lead from it to the signed root")
	}
	return nil
}

// ErrNotYet says that no signed checkpoint covers a record yet.
var ErrNotYet = errors.New("no signed checkpoint covers the record yet")

// Prove proves the record at a position: under the newest checkpoint that witnesses have
// signed, if it covers the record, and otherwise under the newest. The error is
// [ErrNotYet] or about the tree's files.
func (l *Ledger) Prove(p events.Position) (Proof, error) {
	_, signed, _ := l.Signed()
	_, witnessed, _ := l.Witnessed()
	return Prove(l.Tree, p, witnessed, signed)
}

// Prove proves the record at a position under the first of the signed checkpoints that
// covers it. The error is [ErrNotYet] or about the tree's files.
func Prove(t *Tree, p events.Position, checkpoints ...string) (Proof, error) {
	for _, signed := range checkpoints {
		if signed == "" {
			continue
		}
		c, err := textOf(signed)
		if err != nil {
			return Proof{}, err
		}
		if int64(p) > c.Size {
			continue
		}
		hashes, err := t.Inclusion(c.Size, int64(p)-1)
		return Proof{Index: int64(p) - 1, Hashes: hashes, Signed: signed}, err
	}
	return Proof{}, fmt.Errorf("proving position %d: %w", p, ErrNotYet)
}
