package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"chancery/tests/forge"
)

// A ledger holds the records of all games, one after the other, under a checkpoint that
// its log has signed, and a witness.
type ledger struct {
	hashes     []tlog.Hash
	last       map[string]int64 // game → index of its last record
	size       int64
	checkpoint string
	logKey     string
	witnessKey string
}

const (
	origin  = "chancery.example/ledger"
	witness = "witness.example/w1"
	seenAt  = 1_795_982_500 // when the witness signed, in seconds
)

func newLedger(games []forge.Game) *ledger {
	l := &ledger{last: map[string]int64{}}
	for _, g := range games {
		for _, p := range g.Payloads {
			hashes, err := tlog.StoredHashes(l.size, p, l)
			if err != nil {
				panic(err) // the hashes it asks for are those it gave
			}
			l.hashes = append(l.hashes, hashes...)
			l.last[g.Name] = l.size
			l.size++
		}
	}
	l.sign()
	return l
}

// ReadHashes gives the stored hashes at those places.
func (l *ledger) ReadHashes(places []int64) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(places))
	for i, place := range places {
		out[i] = l.hashes[place]
	}
	return out, nil
}

func (l *ledger) sign() {
	root, err := tlog.TreeHash(l.size, l)
	if err != nil {
		panic(err) // all hashes are there
	}
	text := fmt.Sprintf("%s\n%d\n%s\n", origin, l.size, root)
	logLine := sign(origin, 1, text, nil, &l.logKey)
	seen := binary.BigEndian.AppendUint64(nil, seenAt)
	cosigned := fmt.Sprintf("cosignature/v1\ntime %d\n%s", seenAt, text)
	l.checkpoint = text + "\n" + logLine + sign(witness, 4, cosigned, seen, &l.witnessKey)
	verifier, err := note.NewVerifier(l.logKey)
	if err == nil {
		_, err = note.Open([]byte(l.checkpoint), note.VerifierList(verifier))
	}
	if err != nil {
		panic(err) // an implementation that is not ours would not open the note
	}
}

// sign is the line of a key's signature, with what stands before the signature, and sets
// vkey to the public key. The key follows from its name.
func sign(name string, kind byte, text string, before []byte, vkey *string) string {
	seed := sha256.Sum256([]byte("forge " + name))
	private := ed25519.NewKeyFromSeed(seed[:])
	public := append([]byte{kind}, private.Public().(ed25519.PublicKey)...)
	sum := sha256.Sum256(append([]byte(name+"\n"), public...))
	id := sum[:4]
	*vkey = fmt.Sprintf("%s+%x+%s", name, id, base64.StdEncoding.EncodeToString(public))
	signature := append(append(append([]byte{}, id...), before...), ed25519.Sign(private, []byte(text))...)
	return fmt.Sprintf("— %s %s\n", name, base64.StdEncoding.EncodeToString(signature))
}

// proof is the C2SP tlog-proof of the game's last record.
func (l *ledger) proof(g forge.Game) (string, error) {
	index := l.last[g.Name]
	hashes, err := tlog.ProveRecord(l.size, index, l)
	if err != nil {
		return "", fmt.Errorf("proving %s: %w", g.Name, err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "c2sp.org/tlog-proof@v1\nindex %d\n", index)
	for _, h := range hashes {
		fmt.Fprintf(&b, "%s\n", h)
	}
	return b.String() + "\n" + l.checkpoint, nil
}
