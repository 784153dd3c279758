package fair

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

// ErrSeal says that a sealed seed cannot be opened: the header is malformed,
// the master key is another one, or the box belongs to another game.
var ErrSeal = errors.New("fair: sealed seed cannot be opened")

// A Master is the key under which the seeds of unfinished games are sealed; it
// is known by a key id, the kid. However it is printed or encoded it says
// "master key hidden".
type Master [32]byte

const hiddenMaster = "master key hidden"

// String never shows the bytes.
func (Master) String() string { return hiddenMaster }

// Format never shows the bytes, whatever the verb.
func (Master) Format(f fmt.State, _ rune) { fmt.Fprint(f, hiddenMaster) }

// MarshalText never shows the bytes. It returns no error.
func (Master) MarshalText() ([]byte, error) { return []byte(hiddenMaster), nil }

// SealKey is the AES-256 key of one game: HKDF-SHA-256 of the master key
// without a salt, info M("seal", kid, game) (RFC 5869).
func SealKey(m Master, kid, game string) [32]byte {
	key, err := hkdf.Key(sha256.New, m[:], nil, string(M("seal", kid, game)), 32)
	if err != nil {
		panic(err) // only for a length above 255 hashes
	}
	return [32]byte(key)
}

// Seal is the header that keeps a seed beside the game's first record: the
// kid, a dot, and base64url of the nonce and AES-256-GCM of the seed, bound to
// the commitment c. Kid must be 1 to 64 characters of 0-9, A-Z, a-z, "_" and "-"
// ([ValidKid]); nonce must be fresh randomness even for a retry, which would
// otherwise reuse it with another seed.
func Seal(m Master, kid, game string, c Hash, s Seed, nonce [12]byte) string {
	box := sealer(m, kid, game).Seal(nonce[:], nonce[:], s[:], M("seal", kid, game, c))
	return kid + "." + base64.RawURLEncoding.EncodeToString(box)
}

// Unseal opens a header made by [Seal] for the game with commitment c, and
// checks that the seed is the one committed to; AES-GCM alone does not bind a
// key. All its errors are [ErrSeal].
func Unseal(m Master, header, game string, c Hash) (Seed, error) {
	kid, text, err := splitHeader(header)
	if err != nil {
		return Seed{}, err
	}
	box, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(box) != 12+32+16 {
		return Seed{}, fmt.Errorf("box is not 60 bytes of base64url: %w", ErrSeal)
	}
	plain, err := sealer(m, kid, game).Open(nil, box[:12], box[12:], M("seal", kid, game, c))
	if err != nil {
		return Seed{}, fmt.Errorf("under key %q, which may be another one: %w", kid, ErrSeal)
	}
	if seed := Seed(plain); Commitment(game, seed) == c {
		return seed, nil
	}
	return Seed{}, fmt.Errorf("the seed is not the one the game committed to: %w", ErrSeal)
}

// KidOf is the id of the master key that a header was sealed under, or [ErrSeal].
func KidOf(header string) (string, error) {
	kid, _, err := splitHeader(header)
	return kid, err
}

// ValidKid reports whether kid can name a master key.
func ValidKid(kid string) bool { return validName(kid) }

func splitHeader(header string) (kid, box string, err error) {
	kid, box, ok := strings.Cut(header, ".")
	if !ok || !ValidKid(kid) {
		return "", "", fmt.Errorf("header has no key id: %w", ErrSeal)
	}
	return kid, box, nil
}

func sealer(m Master, kid, game string) cipher.AEAD {
	key := SealKey(m, kid, game)
	block, err := aes.NewCipher(key[:])
	if err != nil {
		panic(err) // only for a key of another length
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic(err) // only for a block of another length
	}
	return aead
}
