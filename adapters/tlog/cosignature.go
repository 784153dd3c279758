package tlog

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/mod/sumdb/note"
)

// kindCosignature is the byte before the public key of a witness; before a log's it is 1.
const kindCosignature = 0x04

const cosignatureSize = 8 + ed25519.SignatureSize // a time and a signature

// ErrKey says that a text is no public key of the wanted kind.
var ErrKey = errors.New("this is no public key")

// keyText is a public key as people hand it on: its name, id and bytes.
func keyText(name string, public ed25519.PublicKey) string {
	typed := append([]byte{kindCosignature}, public...)
	return fmt.Sprintf("%s+%08x+%s", name, keyHash(name, typed), base64.StdEncoding.EncodeToString(typed))
}

// keyHash is the id of a key within signed notes.
func keyHash(name string, typed []byte) uint32 {
	sum := sha256.Sum256(append([]byte(name+"\n"), typed...))
	return binary.BigEndian.Uint32(sum[:])
}

// LogVerifier reads the public key of a log, as in example.com/log+1a2b3c4d+AbC…. The
// error is [ErrKey].
func LogVerifier(text string) (note.Verifier, error) {
	v, err := note.NewVerifier(text)
	if err != nil {
		return nil, fmt.Errorf("%w of a ledger: %.100q (%w)", ErrKey, text, err)
	}
	return v, nil
}

// WitnessVerifier reads the public key of a witness that signs with cosignature/v1
// (C2SP tlog-cosignature). The error is [ErrKey].
func WitnessVerifier(text string) (note.Verifier, error) {
	name, rest, _ := strings.Cut(text, "+")
	id, key, _ := strings.Cut(rest, "+")
	typed, err := base64.StdEncoding.Strict().DecodeString(key)
	if err != nil || len(typed) != 1+ed25519.PublicKeySize || typed[0] != kindCosignature {
		return nil, fmt.Errorf("%w of a witness: %.100q", ErrKey, text)
	}
	v := cosigner{name: name, public: typed[1:]}
	if !ValidName(name) || id != fmt.Sprintf("%08x", v.KeyHash()) {
		return nil, fmt.Errorf("%w of a witness: the name, the id and the key of %.100q do not belong together", ErrKey, text)
	}
	return v, nil
}

// A cosigner is a witness's key: its public part, or all of it.
type cosigner struct {
	name    string
	public  ed25519.PublicKey
	private ed25519.PrivateKey
	now     func() time.Time
}

// NewCosigner is the key of a witness, whose signatures say that they were made at now.
func NewCosigner(name string, private ed25519.PrivateKey, now func() time.Time) (s note.Signer, public string) {
	c := cosigner{name: name, public: private.Public().(ed25519.PublicKey), private: private, now: now}
	return c, keyText(name, c.public)
}

// Name is the witness's name.
func (c cosigner) Name() string { return c.name }

// KeyHash is the id of the witness's key.
func (c cosigner) KeyHash() uint32 {
	return keyHash(c.name, append([]byte{kindCosignature}, c.public...))
}

// Sign signs the text and the time.
func (c cosigner) Sign(text []byte) ([]byte, error) {
	at := uint64(c.now().Unix())
	sig := binary.BigEndian.AppendUint64(make([]byte, 0, cosignatureSize), at)
	return append(sig, ed25519.Sign(c.private, cosigned(at, text))...), nil
}

// Verify checks a signature on the text.
func (c cosigner) Verify(text, sig []byte) bool {
	if len(sig) != cosignatureSize {
		return false
	}
	at := binary.BigEndian.Uint64(sig)
	return at < 1<<63 && ed25519.Verify(c.public, cosigned(at, text), sig[8:])
}

// cosigned is what a witness signs: that it saw the text at that time.
func cosigned(at uint64, text []byte) []byte {
	return append([]byte("cosignature/v1\ntime "+strconv.FormatUint(at, 10)+"\n"), text...)
}

// ValidName says whether a ledger or a witness can have the name.
func ValidName(name string) bool {
	return name != "" && utf8.ValidString(name) && !strings.ContainsFunc(name, unicode.IsSpace) && !strings.Contains(name, "+")
}
