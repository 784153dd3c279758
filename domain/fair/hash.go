package fair

import (
	"encoding/hex"
	"errors"
	"fmt"
)

// ErrText says that a text is not the lowercase hexadecimal of the right length.
var ErrText = errors.New("fair: not lowercase hexadecimal of the right length")

// A Hash is 32 bytes: a SHA-256 sum, a link or an anchor. Its text is exactly
// 64 lowercase hexadecimal digits.
type Hash [32]byte

// String returns h as hexadecimal.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// IsZero reports whether every byte of h is zero.
func (h Hash) IsZero() bool { return h == Hash{} }

// AppendText appends h as hexadecimal to b. It returns no error.
func (h Hash) AppendText(b []byte) ([]byte, error) { return hex.AppendEncode(b, h[:]), nil }

// MarshalText returns h as hexadecimal. It returns no error.
func (h Hash) MarshalText() ([]byte, error) { return h.AppendText(nil) }

// UnmarshalText sets h from exactly 64 lowercase digits, or returns [ErrText].
func (h *Hash) UnmarshalText(text []byte) error { return decodeHex(h[:], text) }

// A Salt is 16 bytes that keep a card's leaf or envelope from being guessed.
// Its text is exactly 32 lowercase hexadecimal digits.
type Salt [16]byte

// String returns s as hexadecimal.
func (s Salt) String() string { return hex.EncodeToString(s[:]) }

// AppendText appends s as hexadecimal to b. It returns no error.
func (s Salt) AppendText(b []byte) ([]byte, error) { return hex.AppendEncode(b, s[:]), nil }

// MarshalText returns s as hexadecimal. It returns no error.
func (s Salt) MarshalText() ([]byte, error) { return s.AppendText(nil) }

// UnmarshalText sets s from exactly 32 lowercase digits, or returns [ErrText].
func (s *Salt) UnmarshalText(text []byte) error { return decodeHex(s[:], text) }

// Leaves are the hashes of a pile's positions or of a hand's envelopes. Their
// text is one hexadecimal string, the concatenation.
type Leaves []Hash

// AppendText appends l as hexadecimal to b. It returns no error.
func (l Leaves) AppendText(b []byte) ([]byte, error) {
	for i := range l {
		b = hex.AppendEncode(b, l[i][:])
	}
	return b, nil
}

// MarshalText returns l as hexadecimal. It returns no error.
func (l Leaves) MarshalText() ([]byte, error) {
	return l.AppendText(make([]byte, 0, 64*len(l)))
}

// UnmarshalText sets l from a multiple of 64 lowercase digits, or returns [ErrText].
func (l *Leaves) UnmarshalText(text []byte) error {
	if len(text)%64 != 0 {
		return fmt.Errorf("leaves of %d digits: %w", len(text), ErrText)
	}
	out := make(Leaves, len(text)/64)
	for i := range out {
		if err := out[i].UnmarshalText(text[64*i : 64*i+64]); err != nil {
			return err
		}
	}
	*l = out
	return nil
}

// A Seed is the 32 secret bytes from which the server derives a game's chain
// and shuffles. However it is printed, logged or encoded it says "seed hidden";
// only a [Reveal] writes its bytes.
type Seed [32]byte

const hidden = "seed hidden"

// String never shows the bytes.
func (Seed) String() string { return hidden }

// Format never shows the bytes, whatever the verb.
func (Seed) Format(f fmt.State, _ rune) { fmt.Fprint(f, hidden) }

// MarshalText never shows the bytes, so that no JSON logger does. It returns no error.
func (Seed) MarshalText() ([]byte, error) { return []byte(hidden), nil }

func decodeHex(dst, text []byte) error {
	if len(text) != hex.EncodedLen(len(dst)) {
		return fmt.Errorf("%d digits where %d are due: %w", len(text), hex.EncodedLen(len(dst)), ErrText)
	}
	for _, c := range text {
		if 'A' <= c && c <= 'F' {
			return fmt.Errorf("uppercase digit: %w", ErrText)
		}
	}
	if _, err := hex.Decode(dst, text); err != nil {
		return fmt.Errorf("%w: %w", ErrText, err)
	}
	return nil
}
