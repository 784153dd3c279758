package fair

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"strconv"
)

// Protocol names this protocol and its version; it opens every hashed message.
const Protocol = "fair/1"

// M encodes fields so that no two lists of fields have the same bytes: the
// protocol's name and then each field, each behind its length as a big-endian
// uint16. Strings are their bytes, an int its decimal digits, and []byte,
// [Hash], [Salt] and [Seed] their raw bytes. Any other type, a negative int or a
// field above 65,535 bytes is a programming error and panics.
func M(fields ...any) []byte {
	m := message{}.str(Protocol)
	for _, f := range fields {
		switch f := f.(type) {
		case string:
			m = m.str(f)
		case int:
			m = m.num(f)
		case []byte:
			m = m.bin(f)
		case Hash:
			m = m.bin(f[:])
		case Salt:
			m = m.bin(f[:])
		case Seed:
			m = m.bin(f[:])
		default:
			panic(fmt.Sprintf("fair: M cannot encode a %T", f))
		}
	}
	return m
}

// H is SHA-256 of M(fields).
func H(fields ...any) Hash { return sha256.Sum256(M(fields...)) }

// F is HMAC-SHA-256 of M(fields) under key.
func F(key []byte, fields ...any) Hash {
	mac := hmac.New(sha256.New, key)
	mac.Write(M(fields...))
	return Hash(mac.Sum(nil))
}

// RecordHash is the hash by which a record is known: SHA-256 of a zero byte
// and the exact stored payload, which is also its leaf hash in an RFC 6962 tree.
func RecordHash(payload []byte) Hash {
	h := sha256.New()
	h.Write([]byte{0})
	h.Write(payload)
	var out Hash
	h.Sum(out[:0])
	return out
}

// Cause is what a record says of the idempotency key of the command that
// caused it. It is bound to the game and gives nobody the key to replay.
func Cause(game, key string) Hash { return H("cause", game, key) }

// Commitment is what the first record says of the seed: H("commit", game, seed).
func Commitment(game string, seed Seed) Hash { return H("commit", game, seed) }

// ValidGameID reports whether id can name a game: 1 to 64 characters of
// 0-9, A-Z, a-z, "_" and "-".
func ValidGameID(id string) bool { return validName(id) }

func validName(s string) bool {
	if len(s) < 1 || len(s) > 64 {
		return false
	}
	for i := range len(s) {
		switch c := s[i]; {
		case '0' <= c && c <= '9', 'A' <= c && c <= 'Z', 'a' <= c && c <= 'z', c == '_', c == '-':
		default:
			return false
		}
	}
	return true
}

// A message is M under construction, typed and appended to one buffer: M for
// the paths that hash hundreds of times a shuffle.
type message []byte

// begin starts a message with label in buf, overwriting what buf held.
func begin(buf []byte, label string) message {
	return message(append(buf[:0], "\x00\x06"+Protocol...)).str(label)
}

func (m message) str(s string) message {
	return append(m.length(len(s)), s...)
}

func (m message) bin(b []byte) message {
	return append(m.length(len(b)), b...)
}

func (m message) num(n int) message {
	if n < 0 {
		panic("fair: a negative number cannot be encoded")
	}
	start := len(m)
	m = strconv.AppendInt(append(m, 0, 0), int64(n), 10)
	binary.BigEndian.PutUint16(m[start:], uint16(len(m)-start-2))
	return m
}

func (m message) links(links [Seats]Hash) message {
	for _, y := range links {
		m = m.bin(y[:])
	}
	return m
}

func (m message) length(n int) message {
	if n > 0xffff {
		panic("fair: a field above 65,535 bytes cannot be encoded")
	}
	return binary.BigEndian.AppendUint16(m, uint16(n))
}

// A keyed is F under one key with its HMAC state and buffers reused.
type keyed struct {
	mac hash.Hash
	buf []byte
	sum Hash
}

func newKeyed(key []byte) *keyed {
	return &keyed{mac: hmac.New(sha256.New, key), buf: make([]byte, 0, 256)}
}

// begin starts a message in k's own buffer; it lives until the next begin.
func (k *keyed) begin(label string) message { return begin(k.buf, label) }

// of is F(key, m). The result is k's own and lives until the next call.
func (k *keyed) of(m message) *Hash {
	k.buf = m
	k.mac.Reset()
	k.mac.Write(m)
	k.mac.Sum(k.sum[:0])
	return &k.sum
}
